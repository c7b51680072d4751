//! The alternate stack, and the way back from a handler.

use kernel::task;
use linux_abi::{
    Errno, UserAddress,
    constants::{MINSIGSTKSZ, SIGSEGV, SS_AUTODISARM, SS_DISABLE, SS_ONSTACK},
    structures::{SignalInformation, SignalStack},
};

use crate::{
    Result,
    objects::{
        signals::{self, frame, restore},
        user,
    },
};

/// sigaltstack(2): a stack for handlers.
///
/// Sets and tells the thread's alternate stack.
pub fn sigaltstack(stack: UserAddress, old: UserAddress) -> Result {
    let wanted: Option<SignalStack> = user::read_optional(stack)?;
    let stack_pointer = task::application_registers().rsp;
    let before = {
        let thread = crate::objects::process::thread_signals();
        SignalStack { ss_flags: frame::alternate_flags(&thread, stack_pointer), ..thread.alternate }
    };
    if let Some(stack) = wanted {
        let mut thread = crate::objects::process::thread_signals();
        if before.ss_flags & SS_ONSTACK != 0 {
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
    user::answer_optional(old, &before)
}

/// rt_sigreturn(2): the end of a handler.
///
/// Restores what the handler's frame kept. A frame that cannot be read is a SIGSEGV.
pub fn rt_sigreturn() -> Result {
    // The answer is whatever RAX is.
    restore::pop().or_else(|_| {
        signals::force(SignalInformation {
            si_signo: SIGSEGV.into(),
            si_code: linux_abi::constants::SI_KERNEL,
            ..SignalInformation::default()
        });
        Ok(task::application_registers().rax as usize)
    })
}
