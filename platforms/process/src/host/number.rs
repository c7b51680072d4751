//! Numbers of the host's system calls that we use (Linux, `arch/x86/entry/syscalls/syscall_64.tbl`).

macro_rules! numbers {
    ($($name:ident = $value:literal,)*) => { $(#[allow(missing_docs)] pub const $name: usize = $value;)* };
}

numbers! {
    READ = 0,
    WRITE = 1,
    CLOSE = 3,
    FSTAT = 5,
    LSEEK = 8,
    MMAP = 9,
    MPROTECT = 10,
    MUNMAP = 11,
    RT_SIGACTION = 13,
    RT_SIGPROCMASK = 14,
    RT_SIGRETURN = 15,
    IOCTL = 16,
    PREAD64 = 17,
    SCHED_YIELD = 24,
    MREMAP = 25,
    MADVISE = 28,
    DUP2 = 33,
    GETPID = 39,
    CLONE = 56,
    KILL = 62,
    SYSINFO = 99,
    SIGALTSTACK = 131,
    PRCTL = 157,
    ARCH_PRCTL = 158,
    GETTID = 186,
    RESTART_SYSCALL = 219,
    TIMER_CREATE = 222,
    TIMER_SETTIME = 223,
    CLOCK_GETTIME = 228,
    EXIT_GROUP = 231,
    TGKILL = 234,
    OPENAT = 257,
    PPOLL = 271,
    PRLIMIT64 = 302,
    SECCOMP = 317,
    GETRANDOM = 318,
}
