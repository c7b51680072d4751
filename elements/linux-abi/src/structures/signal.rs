//! Signals: sigaction(2), sigaltstack(2), and `siginfo_t`.

structure! {
    /// The kernel's `struct sigaction` (rt_sigaction), x86-64.
    SignalAction 32 {
        handler: u64,
        flags: u64,
        restorer: u64,
        mask: u64,
    }
}

structure! {
    /// `stack_t`, sigaltstack(2).
    SignalStack 24 {
        ss_sp: u64,
        ss_flags: u32,
        padding: u32,
        ss_size: u64,
    }
}

structure! {
    /// What is ever told of `siginfo_t`: what all signals have, and the union as words; Linux' `kernel_siginfo_t`, of
    /// the same size. See the methods for its shapes.
    SignalInformation 48 {
        si_signo: i32,
        si_errno: i32,
        si_code: i32,
        padding: u32,
        fields: [u64; 4],
    }
}

structure! {
    /// `siginfo_t` as programs have it, 128 bytes, of which the last are room for what may come.
    UserSignalInformation 128 {
        told: SignalInformation,
        room: [u64; 10],
    }
}

structure! {
    /// `struct signalfd_siginfo`, signalfd(2).
    SignalDescriptorInformation 128 {
        ssi_signo: u32,
        ssi_errno: i32,
        ssi_code: i32,
        ssi_pid: u32,
        ssi_uid: u32,
        ssi_fd: i32,
        ssi_tid: u32,
        ssi_band: u32,
        ssi_overrun: u32,
        ssi_trapno: u32,
        ssi_status: i32,
        ssi_int: i32,
        ssi_ptr: u64,
        ssi_utime: u64,
        ssi_stime: u64,
        ssi_addr: u64,
        ssi_addr_lsb: u16,
        padding: [u16; 23],
    }
}

impl From<SignalInformation> for UserSignalInformation {
    fn from(told: SignalInformation) -> Self {
        Self { told, ..Self::default() }
    }
}

impl SignalInformation {
    /// An expiry of timer `id` (SI_TIMER).
    #[must_use]
    pub fn timer(signal: u8, id: u32, overrun: u32, value: u64) -> Self {
        Self::sent(signal, crate::constants::SI_TIMER, id, overrun, value)
    }

    /// A signal that a process sent (SI_USER, SI_TKILL, SI_QUEUE).
    #[must_use]
    pub fn sent(signal: u8, code: i32, process: u32, user: u32, value: u64) -> Self {
        let mut information = Self { si_signo: signal.into(), si_code: code, ..Self::default() };
        information.fields[0] = u64::from(process) | u64::from(user) << 32;
        information.fields[1] = value;
        information
    }

    /// A fault at an address (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP).
    #[must_use]
    pub fn fault(signal: u8, code: i32, address: u64) -> Self {
        let mut information = Self { si_signo: signal.into(), si_code: code, ..Self::default() };
        information.fields[0] = address;
        information
    }
}
