//! The system: uname(2), sysinfo(2).

structure! {
    /// `struct new_utsname`, uname(2): NUL-terminated strings.
    SystemName 390 {
        sysname: [u8; 65],
        nodename: [u8; 65],
        release: [u8; 65],
        version: [u8; 65],
        machine: [u8; 65],
        domainname: [u8; 65],
    }
}

structure! {
    /// `struct sched_attr`, sched_setattr(2).
    SchedulingAttributes 56 {
        size: u32,
        sched_policy: u32,
        sched_flags: u64,
        sched_nice: i32,
        sched_priority: u32,
        sched_runtime: u64,
        sched_deadline: u64,
        sched_period: u64,
        sched_util_min: u32,
        sched_util_max: u32,
    }
}

structure! {
    /// `struct sysinfo`, sysinfo(2).
    SystemInformation 112 {
        uptime: i64,
        loads: [u64; 3],
        totalram: u64,
        freeram: u64,
        sharedram: u64,
        bufferram: u64,
        totalswap: u64,
        freeswap: u64,
        procs: u16,
        padding: [u16; 3],
        totalhigh: u64,
        freehigh: u64,
        mem_unit: u32,
        tail: u32,
    }
}
