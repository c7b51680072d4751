//! What a C library sets up for a thread, and barriers between threads.

use core::sync::atomic::Ordering;

use linux_abi::{
    Errno, UserAddress, constants as c,
    constants::{ARCH_GET_FS, ARCH_GET_GS, ARCH_SET_FS, ARCH_SET_GS},
};

use crate::{Result, current, objects::user};

/// set_tid_address(2): which word is cleared when the thread ends.
///
/// Answers the thread's id.
pub fn set_tid_address(address: UserAddress) -> Result {
    let thread = current();
    thread.clear_child_id.store(address.0, Ordering::Relaxed);
    Ok(thread.id() as usize)
}

/// rseq(2): restartable sequences.
///
/// Not there: libraries do without, as on a Linux before 4.18.
pub fn rseq(_area: UserAddress, _size: u32, _flags: u32, _signature: u32) -> Result {
    Err(Errno::ENOSYS)
}

/// arch_prctl(2): the segment bases of x86-64.
///
/// FS is the program's thread pointer. GS is the kernel's when both run at ring 0, so a program cannot have it.
pub fn arch_prctl(operation: u32, address: usize) -> Result {
    match operation {
        ARCH_SET_FS => {
            let fine = contracts::processor::set_thread_pointer(address);
            if fine { Ok(0) } else { Err(Errno::EPERM) }
        }
        ARCH_GET_FS => user::answer_word(UserAddress(address), contracts::processor::thread_pointer()),
        ARCH_GET_GS => user::answer_word(UserAddress(address), 0),
        ARCH_SET_GS => {
            kernel::debug!("arch_prctl: GS belongs to the kernel: EPERM");
            Err(Errno::EPERM)
        }
        _ => Err(Errno::EINVAL),
    }
}

/// What is there: for all processes, and for this one, each at once or registered before.
const COMMANDS: u32 = c::MEMBARRIER_CMD_GLOBAL
    | c::MEMBARRIER_CMD_GLOBAL_EXPEDITED
    | c::MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED
    | c::MEMBARRIER_CMD_PRIVATE_EXPEDITED
    | c::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
    | c::MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE
    | c::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE;
/// Those that only say that others will come.
const REGISTERING: u32 = c::MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED
    | c::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED
    | c::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE;

/// membarrier(2): a memory barrier on every processor that runs the process.
///
/// Registering is not needed, so whoever has not is served too.
pub fn membarrier(command: u32, flags: u32, _processor: i32) -> Result {
    match command {
        _ if flags != 0 => Err(Errno::EINVAL),
        c::MEMBARRIER_CMD_QUERY => Ok(COMMANDS as usize),
        command if !command.is_power_of_two() || command & COMMANDS == 0 => Err(Errno::EINVAL),
        command if command & REGISTERING != 0 => Ok(0),
        _ => {
            contracts::processor::synchronize();
            Ok(0)
        }
    }
}
