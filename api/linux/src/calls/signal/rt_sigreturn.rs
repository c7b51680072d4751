//! rt_sigreturn(2): the end of a handler.

use linux_abi::{constants::SIGSEGV, structures::SignalInformation};

use crate::{
    Call, Result,
    objects::signals::{self, restore},
};

/// Restores what the handler's frame kept. A frame that cannot be read is a SIGSEGV.
pub fn rt_sigreturn(call: &mut Call) -> Result {
    if restore::pop(call).is_err() {
        signals::force(SignalInformation {
            si_signo: SIGSEGV.into(),
            si_code: linux_abi::constants::SI_KERNEL,
            ..SignalInformation::default()
        });
    }
    // The answer is whatever RAX was.
    Ok(call.rax as usize)
}
