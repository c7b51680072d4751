//! Signals: signal(7), sigaction(2), sigaltstack(2), `include/uapi/asm-generic/siginfo.h`.

choices! {
    /// The signals by number.
    SIGNALS: u8 {
        SIGHUP = 1, SIGINT = 2, SIGQUIT = 3, SIGILL = 4, SIGTRAP = 5,
        SIGABRT = 6, SIGBUS = 7, SIGFPE = 8, SIGKILL = 9, SIGUSR1 = 10,
        SIGSEGV = 11, SIGUSR2 = 12, SIGPIPE = 13, SIGALRM = 14, SIGTERM = 15,
        SIGSTKFLT = 16, SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGTSTP = 20,
        SIGTTIN = 21, SIGTTOU = 22, SIGURG = 23, SIGXCPU = 24, SIGXFSZ = 25,
        SIGVTALRM = 26, SIGPROF = 27, SIGWINCH = 28, SIGIO = 29, SIGPWR = 30,
        SIGSYS = 31,
    }
}

/// The first real-time signal.
pub const SIGRTMIN: u8 = 32;
/// The last signal.
pub const SIGRTMAX: u8 = 64;

flags! {
    /// Flags of sigaction(2).
    SIGNAL_ACTION_FLAGS: u32 {
        SA_NOCLDSTOP = 1, SA_NOCLDWAIT = 2, SA_SIGINFO = 4, SA_EXPOSE_TAGBITS = 0x800, SA_RESTORER = 0x0400_0000, SA_ONSTACK = 0x0800_0000,
        SA_RESTART = 0x1000_0000, SA_NODEFER = 0x4000_0000, SA_RESETHAND = 0x8000_0000,
    }
}

choices! {
    /// How rt_sigprocmask(2) changes the mask.
    SIGNAL_MASK_CHANGES: u32 {
        SIG_BLOCK = 0, SIG_UNBLOCK = 1, SIG_SETMASK = 2,
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
    SI_MESGQ = -3,
    SI_TKILL = -6,
    POLL_IN = 1,
    POLL_OUT = 2,
    POLL_ERR = 4,
    POLL_PRI = 5,
    POLL_HUP = 6,
    CLD_EXITED = 1,
    CLD_KILLED = 2,
    CLD_STOPPED = 5,
    CLD_CONTINUED = 6,
    ILL_ILLOPN = 2,
    FPE_INTDIV = 1,
    FPE_FLTDIV = 3,
    FPE_FLTOVF = 4,
    FPE_FLTUND = 5,
    FPE_FLTRES = 6,
    FPE_FLTINV = 7,
    FPE_FLTUNK = 14,
    SEGV_MAPERR = 1,
    SEGV_ACCERR = 2,
    BUS_ADRALN = 1,
    BUS_ADRERR = 2,
    TRAP_BRKPT = 1,
    TRAP_TRACE = 2,
} }
