//! Processes and the system: prctl(2), arch_prctl(2), futex(2), wait4(2), getrlimit(2), getrandom(2), personality(2).

choices! {
    /// Operations of arch_prctl(2).
    ARCH_OPERATIONS: u32 {
        ARCH_SET_GS = 0x1001, ARCH_SET_FS = 0x1002, ARCH_GET_FS = 0x1003,
        ARCH_GET_GS = 0x1004, ARCH_GET_CPUID = 0x1011,
        ARCH_SET_CPUID = 0x1012, ARCH_CET_STATUS = 0x3001,
    }
}

choices! {
    /// Operations of prctl(2).
    PRCTL_OPERATIONS: u32 {
        PR_SET_PDEATHSIG = 1, PR_GET_PDEATHSIG = 2, PR_GET_DUMPABLE = 3,
        PR_SET_DUMPABLE = 4, PR_GET_KEEPCAPS = 7, PR_SET_KEEPCAPS = 8,
        PR_SET_NAME = 15, PR_GET_NAME = 16, PR_GET_SECCOMP = 21,
        PR_SET_SECCOMP = 22, PR_CAPBSET_READ = 23, PR_CAPBSET_DROP = 24,
        PR_GET_SECUREBITS = 27, PR_SET_SECUREBITS = 28,
        PR_SET_TIMERSLACK = 29, PR_GET_TIMERSLACK = 30,
        PR_SET_MM = 35, PR_SET_CHILD_SUBREAPER = 36,
        PR_GET_CHILD_SUBREAPER = 37, PR_SET_NO_NEW_PRIVS = 38,
        PR_GET_NO_NEW_PRIVS = 39, PR_SET_THP_DISABLE = 41,
        PR_GET_THP_DISABLE = 42, PR_CAP_AMBIENT = 47,
        PR_SET_VMA = 0x5356_4d41,
    }
}

flags! {
    /// Operations of futex(2), without the flags beside them.
    FUTEX_OPERATIONS: u32 {
        FUTEX_WAIT = 0 & 127, FUTEX_WAKE = 1 & 127, FUTEX_REQUEUE = 3 & 127, FUTEX_CMP_REQUEUE = 4 & 127,
        FUTEX_WAKE_OP = 5 & 127, FUTEX_LOCK_PI = 6 & 127, FUTEX_UNLOCK_PI = 7 & 127, FUTEX_TRYLOCK_PI = 8 & 127,
        FUTEX_WAIT_BITSET = 9 & 127, FUTEX_WAKE_BITSET = 10 & 127, FUTEX_WAIT_REQUEUE_PI = 11 & 127,
        FUTEX_CMP_REQUEUE_PI = 12 & 127, FUTEX_LOCK_PI2 = 13 & 127,
        FUTEX_PRIVATE_FLAG = 128, FUTEX_CLOCK_REALTIME = 256,
    }
}

flags! {
    /// Commands of membarrier(2).
    MEMBARRIER_COMMANDS: u32 {
        MEMBARRIER_CMD_QUERY = 0, MEMBARRIER_CMD_GLOBAL = 1, MEMBARRIER_CMD_GLOBAL_EXPEDITED = 2,
        MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED = 4, MEMBARRIER_CMD_PRIVATE_EXPEDITED = 8,
        MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED = 16, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE = 32,
        MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE = 64,
    }
}

choices! {
    /// What the id of waitid(2) is.
    ID_TYPES: u32 {
        P_ALL = 0, P_PID = 1, P_PGID = 2, P_PIDFD = 3,
    }
}

flags! {
    /// Options of wait4(2) and waitid(2).
    WAIT_OPTIONS: WaitOptions(u32) {
        WNOHANG = 1, WUNTRACED = 2, WEXITED = 4, WCONTINUED = 8, WNOWAIT = 0x0100_0000,
        __WNOTHREAD = 0x2000_0000, __WALL = 0x4000_0000,
        __WCLONE = 0x8000_0000,
    }
}

flags! {
    /// Flags of clone(2) and unshare(2).
    CLONE_FLAGS: CloneFlags(u32) {
        CLONE_VM = 0x100, CLONE_FS = 0x200, CLONE_FILES = 0x400, CLONE_SIGHAND = 0x800, CLONE_PIDFD = 0x1000,
        CLONE_PTRACE = 0x2000, CLONE_VFORK = 0x4000, CLONE_PARENT = 0x8000, CLONE_THREAD = 0x1_0000,
        CLONE_NEWNS = 0x2_0000, CLONE_SYSVSEM = 0x4_0000, CLONE_SETTLS = 0x8_0000, CLONE_PARENT_SETTID = 0x10_0000,
        CLONE_CHILD_CLEARTID = 0x20_0000, CLONE_DETACHED = 0x40_0000, CLONE_UNTRACED = 0x80_0000,
        CLONE_CHILD_SETTID = 0x100_0000, CLONE_NEWCGROUP = 0x200_0000, CLONE_NEWUTS = 0x400_0000,
        CLONE_NEWIPC = 0x800_0000, CLONE_NEWUSER = 0x1000_0000, CLONE_NEWPID = 0x2000_0000, CLONE_NEWNET = 0x4000_0000,
    }
}

impl CloneFlags {
    /// unshare(2): a bit that clone(2) has for the signal.
    pub const CLONE_NEWTIME: Self = Self::from_bits_retain(0x80);
}

/// Whom ioprio_set(2) means: a thread, a process group, a user.
pub const IOPRIO_WHO_PROCESS: i32 = 1;
/// See there.
pub const IOPRIO_WHO_PGRP: i32 = 2;
/// See there.
pub const IOPRIO_WHO_USER: i32 = 3;

/// Flags in `struct sched_attr` (sched_setattr(2)).
pub const SCHED_FLAG_RESET_ON_FORK: u32 = 1;
/// See there.
pub const SCHED_FLAG_KEEP_POLICY: u32 = 8;
/// See there.
pub const SCHED_FLAG_KEEP_PARAMS: u32 = 16;

choices! {
    /// Resources of getrlimit(2).
    RESOURCES: u32 {
        RLIMIT_CPU = 0, RLIMIT_FSIZE = 1, RLIMIT_DATA = 2,
        RLIMIT_STACK = 3, RLIMIT_CORE = 4, RLIMIT_RSS = 5,
        RLIMIT_NPROC = 6, RLIMIT_NOFILE = 7, RLIMIT_MEMLOCK = 8,
        RLIMIT_AS = 9, RLIMIT_LOCKS = 10, RLIMIT_SIGPENDING = 11,
        RLIMIT_MSGQUEUE = 12, RLIMIT_NICE = 13, RLIMIT_RTPRIO = 14,
        RLIMIT_RTTIME = 15,
    }
}

/// Number of [`RESOURCES`].
pub const RLIM_NLIMITS: usize = 16;
/// No limit.
pub const RLIM_INFINITY: u64 = u64::MAX;

flags! {
    /// Flags of getrandom(2).
    RANDOM_FLAGS: RandomFlags(u32) { GRND_NONBLOCK = 1, GRND_RANDOM = 2, GRND_INSECURE = 4 }
}

flags! {
    /// Persons of personality(2) that matter here.
    PERSONALITIES: Personality(u32) { ADDR_NO_RANDOMIZE = 0x4_0000, READ_IMPLIES_EXEC = 0x40_0000 }
}

choices! {
    /// Whose usage getrusage(2) reports.
    USAGE_WHO: i32 { RUSAGE_SELF = 0, RUSAGE_THREAD = 1 }
}

/// getrusage(2): the children's usage.
pub const RUSAGE_CHILDREN: i32 = -1;

choices! {
    /// Scheduling policies of sched_setscheduler(2).
    SCHEDULING_POLICIES: u32 {
        SCHED_OTHER = 0, SCHED_FIFO = 1, SCHED_RR = 2,
        SCHED_BATCH = 3, SCHED_IDLE = 5, SCHED_DEADLINE = 6,
    }
}

/// Bytes of a thread's name with its NUL (PR_SET_NAME).
pub const TASK_COMM_LEN: usize = 16;
