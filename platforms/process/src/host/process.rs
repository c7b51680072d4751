//! The process itself: its start, its limits, its end.

use core::{arch::asm, ops::Range};

use super::{HostError, call::call, number};

const PR_SET_NO_NEW_PRIVS: usize = 38;
/// prctl(2).
pub const PR_SET_SYSCALL_USER_DISPATCH: usize = 59;
/// Of [`PR_SET_SYSCALL_USER_DISPATCH`].
pub const PR_SYS_DISPATCH_ON: usize = 1;
const ARCH_SET_GS: usize = 0x1001;
const ARCH_SET_FS: usize = 0x1002;
const ARCH_GET_FS: usize = 0x1003;
const RLIMIT_DATA: usize = 2;
const SECCOMP_SET_MODE_FILTER: usize = 1;
/// Leave the mitigation of speculative store bypass as it is: the program is not what the filter guards against.
const SECCOMP_FILTER_FLAG_SPEC_ALLOW: usize = 4;

/// Traps every system call whose following instruction is not in `allowed`. Linux 5.11;
/// Documentation/admin-guide/syscall-user-dispatch.rst.
pub fn dispatch_system_calls(allowed: &Range<usize>) -> Result<(), HostError> {
    let arguments = [PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, allowed.start, allowed.len(), 0];
    // SAFETY: changes how the program's system calls end, nothing of ours.
    unsafe { call(number::PRCTL, arguments) }.map(drop)
}

/// One instruction of a filter: `struct sock_filter`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FilterInstruction {
    /// What to do.
    pub code: u16,
    /// Instructions to skip if a comparison holds.
    pub skip_if_true: u8,
    /// Instructions to skip if it does not.
    pub skip_if_false: u8,
    /// The operand.
    pub operand: u32,
}

/// Installs a seccomp filter for good; seccomp(2).
pub fn install_filter(filter: &[FilterInstruction]) -> Result<(), HostError> {
    #[repr(C)]
    struct Program {
        length: u16,
        filter: *const FilterInstruction,
    }
    let program = Program { length: filter.len() as u16, filter: filter.as_ptr() };
    let arguments = [SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &raw const program as usize];
    // SAFETY: the host copies the program.
    unsafe {
        call(number::PRCTL, [PR_SET_NO_NEW_PRIVS, 1])?;
        call(number::SECCOMP, arguments)
    }
    .map(drop)
}

/// New files get the permissions that are asked for (umask(2)).
pub fn clear_file_mask() {
    // SAFETY: nothing of ours changes. It always succeeds.
    let _ = unsafe { call(number::UMASK, [0]) };
}

/// Allows as many open files as the host lets us have (RLIMIT_NOFILE).
pub fn raise_descriptors() -> Result<(), HostError> {
    const RLIMIT_NOFILE: usize = 7;
    let mut limits = [0_u64; 2];
    let place = &raw mut limits as usize;
    // SAFETY: writes the limits, two words.
    unsafe { call(number::PRLIMIT64, [0, RLIMIT_NOFILE, 0, place]) }?;
    let raised = [limits[1]; 2];
    // SAFETY: reads the limits.
    unsafe { call(number::PRLIMIT64, [0, RLIMIT_NOFILE, raised.as_ptr() as usize]) }.map(drop)
}

/// Limits writable private memory, ours included, to `bytes` (RLIMIT_DATA of getrlimit(2)): what goes beyond is
/// refused with ENOMEM.
pub fn limit_memory(bytes: u64) -> Result<(), HostError> {
    let limit = [bytes, bytes];
    // SAFETY: reads the limit only.
    unsafe { call(number::PRLIMIT64, [0, RLIMIT_DATA, limit.as_ptr() as usize]) }.map(drop)
}

/// Bytes of the host's memory; sysinfo(2).
pub fn host_memory() -> usize {
    // `struct sysinfo`: uptime, three loads, total, free, shared, buffers, ..., the unit (32 bits) at byte 104.
    let mut words = [0_usize; 14];
    // SAFETY: writes 112 bytes. Cannot fail.
    let _ = unsafe { call(number::SYSINFO, [words.as_mut_ptr() as usize]) };
    let unit = (words[13] & 0xffff_ffff).max(1);
    words[4].saturating_mul(unit)
}

/// WRGSBASE.
///
/// # Safety
/// The host has the instruction (AT_HWCAP2), and `address` is that of the kernel's block for this processor.
#[inline(always)]
pub unsafe fn write_gs_base(address: usize) {
    // SAFETY: the caller's promise.
    unsafe { asm!("wrgsbase {}", in(reg) address, options(nomem, nostack, preserves_flags)) };
}

/// Sets GS base where WRGSBASE does not exist.
///
/// # Safety
/// The kernel's block for this processor is there.
pub unsafe fn set_gs_base(address: usize) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe { call(number::ARCH_PRCTL, [ARCH_SET_GS, address]) }.map(drop)
}

/// Sets the program's FS base where WRFSBASE does not exist.
pub fn set_fs_base(address: usize) -> Result<(), HostError> {
    // SAFETY: the kernel does not use FS.
    unsafe { call(number::ARCH_PRCTL, [ARCH_SET_FS, address]) }.map(drop)
}

/// The program's FS base.
pub fn fs_base() -> usize {
    let mut address = 0_usize;
    // SAFETY: writes the address only. Cannot fail.
    let _ = unsafe { call(number::ARCH_PRCTL, [ARCH_GET_FS, &raw mut address as usize]) };
    address
}

/// Random bytes, getrandom(2): never waits once the host has booted. Returns how many came.
pub fn random(buffer: &mut [u8]) -> Result<usize, HostError> {
    // SAFETY: writes the buffer only.
    unsafe { call(number::GETRANDOM, [buffer.as_mut_ptr() as usize, buffer.len()]) }
}

/// What a new process, the copy of another, has in common with it (CLONE_ flags of clone(2)): open files, the directory
/// it is in, System V semaphores. Its parent, whom its end is told by SIGCHLD, is its maker.
pub const COPIED: usize = 0x200 | 0x400 | 0x4_0000 | 17;
/// The same, but its parent is its maker's.
pub const COPIED_BESIDE: usize = COPIED | 0x8000;

/// prctl(2).
pub const PR_SET_PDEATHSIG: usize = 1;
/// What ends a process whose parent has ended.
pub const SIGKILL: usize = 9;

/// Has this process end when its parent does, which is `parent`; if that has ended already, at once.
pub fn end_with_parent(parent: u32) {
    // SAFETY: does nothing to memory. Cannot fail.
    let now = unsafe {
        let _ = call(number::PRCTL, [PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0]);
        call(number::GETPPID, [])
    };
    if now != Ok(parent as usize) {
        exit(1);
    }
}

/// Which process of this one's has ended, and how (wait4(2)): that one, or any. `None` if it has not; an error where
/// there is none.
pub fn ended(process: Option<u32>) -> Result<Option<(u32, u32)>, HostError> {
    const WNOHANG: usize = 1;
    /// Also one that tells of its end by no signal.
    const WALL: usize = 0x4000_0000;
    let which = process.map_or(usize::MAX, |number| number as usize);
    let mut status = 0_u32;
    // SAFETY: writes the status only.
    let number = unsafe { call(number::WAIT4, [which, &raw mut status as usize, WNOHANG | WALL, 0]) }?;
    Ok((number != 0).then_some((number as u32, status)))
}

/// Ends the process.
pub fn exit(status: u8) -> ! {
    loop {
        // SAFETY: nothing comes after it.
        let _ = unsafe { call(number::EXIT_GROUP, [usize::from(status)]) };
    }
}
