//! The alternate stack, and the way back from a handler.

use linux_abi::{
    Errno,
    constants::{MINSIGSTKSZ, SIGSEGV, SS_AUTODISARM, SS_DISABLE, SS_ONSTACK},
    structures::{SignalInformation, SignalStack},
};

use crate::{
    Call, Result,
    objects::{
        signals::{self, frame, restore},
        user,
    },
};

/// sigaltstack(2): a stack for handlers.
///
/// Sets and tells the thread's alternate stack.
pub fn sigaltstack(call: &mut Call) -> Result {
    let wanted: Option<SignalStack> = user::read_optional(call.argument(0))?;
    let stack_pointer = call.rsp;
    let old = {
        let thread = crate::objects::process::thread_signals();
        SignalStack { ss_flags: frame::alternate_flags(&thread, stack_pointer), ..thread.alternate }
    };
    if let Some(stack) = wanted {
        let mut thread = crate::objects::process::thread_signals();
        if old.ss_flags & SS_ONSTACK != 0 {
            return Err(Errno::EPERM);
        }
        match stack.ss_flags & !SS_AUTODISARM {
            SS_DISABLE => thread.disable_alternate(),
            0 | SS_ONSTACK => {
                if stack.ss_size < MINSIGSTKSZ as u64 {
                    return Err(Errno::ENOMEM);
                }
                stack.ss_sp.checked_add(stack.ss_size).ok_or(Errno::ENOMEM)?;
                thread.alternate = SignalStack { ss_flags: stack.ss_flags & SS_AUTODISARM, padding: 0, ..stack };
            }
            _ => return Err(Errno::EINVAL),
        }
    }
    user::answer_optional(call.argument(1), &old)
}

/// rt_sigreturn(2): the end of a handler.
///
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
