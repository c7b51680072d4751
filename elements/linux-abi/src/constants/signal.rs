//! Signals: signal(7), sigaction(2), sigaltstack(2), `include/uapi/asm-generic/siginfo.h`.

flags! {
    /// The signals by number.
    SIGNALS: u8 {
        SIGHUP = 1 & 0xff, SIGINT = 2 & 0xff, SIGQUIT = 3 & 0xff, SIGILL = 4 & 0xff, SIGTRAP = 5 & 0xff,
        SIGABRT = 6 & 0xff, SIGBUS = 7 & 0xff, SIGFPE = 8 & 0xff, SIGKILL = 9 & 0xff, SIGUSR1 = 10 & 0xff,
        SIGSEGV = 11 & 0xff, SIGUSR2 = 12 & 0xff, SIGPIPE = 13 & 0xff, SIGALRM = 14 & 0xff, SIGTERM = 15 & 0xff,
        SIGSTKFLT = 16 & 0xff, SIGCHLD = 17 & 0xff, SIGCONT = 18 & 0xff, SIGSTOP = 19 & 0xff, SIGTSTP = 20 & 0xff,
        SIGTTIN = 21 & 0xff, SIGTTOU = 22 & 0xff, SIGURG = 23 & 0xff, SIGXCPU = 24 & 0xff, SIGXFSZ = 25 & 0xff,
        SIGVTALRM = 26 & 0xff, SIGPROF = 27 & 0xff, SIGWINCH = 28 & 0xff, SIGIO = 29 & 0xff, SIGPWR = 30 & 0xff,
        SIGSYS = 31 & 0xff,
    }
}

/// The first real-time signal.
pub const SIGRTMIN: u8 = 32;
/// The last signal.
pub const SIGRTMAX: u8 = 64;

flags! {
    /// Flags of sigaction(2).
    SIGNAL_ACTION_FLAGS: u32 {
        SA_NOCLDSTOP = 1, SA_NOCLDWAIT = 2, SA_SIGINFO = 4, SA_RESTORER = 0x0400_0000, SA_ONSTACK = 0x0800_0000,
        SA_RESTART = 0x1000_0000, SA_NODEFER = 0x4000_0000, SA_RESETHAND = 0x8000_0000,
    }
}

flags! {
    /// How rt_sigprocmask(2) changes the mask.
    SIGNAL_MASK_CHANGES: u32 {
        SIG_BLOCK = 0 & 0xffff_ffff, SIG_UNBLOCK = 1 & 0xffff_ffff, SIG_SETMASK = 2 & 0xffff_ffff,
    }
}

/// The handler that asks for the default action.
pub const SIG_DFL: u64 = 0;
/// The handler that ignores the signal.
pub const SIG_IGN: u64 = 1;

flags! {
    /// Flags of sigaltstack(2).
    ALTERNATE_STACK_FLAGS: u32 { SS_ONSTACK = 1, SS_DISABLE = 2, SS_AUTODISARM = 0x8000_0000 }
}

/// Smallest alternate signal stack on x86 without large vector state.
pub const MINSIGSTKSZ: usize = 2048;

values! { i32 {
    SI_USER = 0,
    SI_KERNEL = 0x80,
    SI_QUEUE = -1,
    SI_TIMER = -2,
    SI_TKILL = -6,
    ILL_ILLOPN = 2,
    FPE_INTDIV = 1,
    FPE_FLTINV = 7,
    SEGV_MAPERR = 1,
    SEGV_ACCERR = 2,
    BUS_ADRALN = 1,
    BUS_ADRERR = 2,
    TRAP_BRKPT = 1,
    TRAP_TRACE = 2,
} }
