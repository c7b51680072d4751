//! arch_prctl(2): the segment bases of x86-64.

use linux_abi::{
    Errno,
    constants::{ARCH_GET_FS, ARCH_GET_GS, ARCH_SET_FS, ARCH_SET_GS},
};

use crate::{Call, Result, objects::user};

/// FS is the program's thread pointer. GS is the kernel's when both run at ring 0, so a program cannot have it.
pub fn arch_prctl(call: &mut Call) -> Result {
    let address = call.argument(1);
    match call.unsigned(0) {
        ARCH_SET_FS => {
            let fine = contracts::processor::set_thread_pointer(address);
            if fine { Ok(0) } else { Err(Errno::EPERM) }
        }
        ARCH_GET_FS => user::answer_word(address, contracts::processor::thread_pointer()),
        ARCH_GET_GS => user::answer_word(address, 0),
        ARCH_SET_GS => {
            kernel::debug!("arch_prctl: GS belongs to the kernel: EPERM");
            Err(Errno::EPERM)
        }
        _ => Err(Errno::EINVAL),
    }
}
