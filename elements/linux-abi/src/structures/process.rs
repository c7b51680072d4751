//! Processes: getrlimit(2), getrusage(2), capget(2), getitimer(2), times(2).

use super::TimeValue;

structure! {
    /// `struct futex_waitv`, futex_waitv(2).
    FutexWait 24 {
        val: u64,
        uaddr: u64,
        flags: u32,
        reserved: u32,
    }
}

structure! {
    /// `struct rlimit64`, getrlimit(2).
    ResourceLimit 16 {
        rlim_cur: u64,
        rlim_max: u64,
    }
}

structure! {
    /// `struct rusage`, getrusage(2).
    ResourceUsage 144 {
        ru_utime: TimeValue,
        ru_stime: TimeValue,
        ru_maxrss: i64,
        ru_ixrss: i64,
        ru_idrss: i64,
        ru_isrss: i64,
        ru_minflt: i64,
        ru_majflt: i64,
        ru_nswap: i64,
        ru_inblock: i64,
        ru_oublock: i64,
        ru_msgsnd: i64,
        ru_msgrcv: i64,
        ru_nsignals: i64,
        ru_nvcsw: i64,
        ru_nivcsw: i64,
    }
}

structure! {
    /// `struct __user_cap_header_struct`, capget(2).
    CapabilityHeader 8 {
        version: u32,
        pid: i32,
    }
}

structure! {
    /// `struct __user_cap_data_struct`, capget(2).
    CapabilityData 12 {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
}

structure! {
    /// `struct tms`, times(2).
    ProcessTimes 32 {
        tms_utime: i64,
        tms_stime: i64,
        tms_cutime: i64,
        tms_cstime: i64,
    }
}
