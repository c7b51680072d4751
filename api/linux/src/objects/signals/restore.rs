//! Back from a handler: the state that its frame kept, as the handler left it there.

use architecture::SignalRegisters as _;
use linux_abi::{
    Errno,
    constants::{SS_AUTODISARM, SS_DISABLE, SS_ONSTACK},
    structures::{SignalContext, SignalFrame, SignalStack},
};
use machine::Context;
use signal_state::SignalSet;

use super::mask;
use crate::objects::user;

/// RFLAGS bits that a program may set for itself: carry, parity, adjust, zero, sign, trap, direction, overflow,
/// resume, alignment check.
const USER_FLAGS: u64 = 0x5_0dd5;

/// Takes the frame at the stack pointer down. The context is what it was, or what the handler made of it.
pub fn pop(context: &mut Context) -> Result<(), Errno> {
    // The handler's `ret` took the frame's first word, the address of the restorer that called us.
    let address = context.rsp.wrapping_sub(8) as usize;
    let frame: SignalFrame = user::read_struct(address)?;
    let saved = frame.uc.uc_mcontext;
    if saved.fpstate == 0 {
        instruction_set::vector::reset();
    } else {
        contracts::processor::restore_extended(saved.fpstate as usize).map_err(|_| Errno::EFAULT)?;
    }
    registers(context, &saved);
    if let Some(stack) = alternate(frame.uc.uc_stack) {
        crate::objects::process::thread_signals().alternate = stack;
    }
    mask::set(SignalSet(frame.uc.uc_sigmask));
    Ok(())
}

/// The alternate stack of a frame, unless it makes no sense.
fn alternate(stack: SignalStack) -> Option<SignalStack> {
    if stack.ss_flags & !(SS_AUTODISARM | SS_DISABLE | SS_ONSTACK) != 0 {
        return None;
    }
    if stack.ss_flags & SS_DISABLE != 0 {
        return Some(SignalStack { ss_flags: SS_DISABLE, ..SignalStack::default() });
    }
    stack.ss_sp.checked_add(stack.ss_size)?;
    Some(SignalStack { ss_flags: stack.ss_flags & SS_AUTODISARM, padding: 0, ..stack })
}

fn registers(context: &mut Context, saved: &SignalContext) {
    *context = Context {
        rflags: context.rflags & !USER_FLAGS | saved.eflags & USER_FLAGS,
        cs: context.cs,
        ss: context.ss,
        ..saved.context(Context::NO_SYSTEM_CALL)
    };
}
