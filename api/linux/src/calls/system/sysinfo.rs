//! sysinfo(2): memory and time.

use linux_abi::{UserAddress, structures::SystemInformation};

use crate::{Result, objects::user};

/// One process, no swap.
pub fn sysinfo(information: UserAddress) -> Result {
    let memory = contracts::memory_report::memory_use();
    let known = SystemInformation {
        uptime: (contracts::clock::monotonic() / 1_000_000_000) as i64,
        totalram: memory.total as u64,
        freeram: memory.free as u64,
        procs: 1,
        mem_unit: 1,
        ..SystemInformation::default()
    };
    user::answer(information, &known)
}
