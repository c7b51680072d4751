//! Back from a handler: the state that its frame kept, as the handler left it there.

use core::mem::{MaybeUninit, offset_of};

use architecture::{HandlerRegisters as _, Registers as _, SignalRegisters as _};
use kernel::task;
use linux_abi::{
    Errno, UserAddress,
    constants::{SS_AUTODISARM, SS_DISABLE, SS_ONSTACK},
    structures::{SignalFrame, SignalStack, UserContext},
};
use signal_state::SignalSet;

use super::send;
use crate::objects::user;

/// Takes the frame at the stack pointer down. The registers are what they were, or what the handler made of them;
/// answers the result register.
pub fn pop() -> Result<usize, Errno> {
    let frame = task::application_registers().frame() as usize;
    let mut place = MaybeUninit::uninit();
    let kept = UserAddress(frame.wrapping_add(offset_of!(SignalFrame, uc)));
    let uc: &UserContext = user::read_struct_in(&mut place, kept)?;
    let saved = &uc.uc_mcontext;
    if saved.fpstate == 0 {
        instruction_set::vector::reset();
    } else {
        contracts::processor::restore_extended(saved.fpstate as usize).map_err(|_| Errno::EFAULT)?;
    }
    let mut result = 0;
    task::change_application_registers(|registers| {
        saved.resume(registers);
        result = registers.result();
    });
    send::change(|signals| {
        signals.blocked = SignalSet(uc.uc_sigmask).without(SignalSet::UNBLOCKABLE);
        signals.alternate = alternate(uc.uc_stack).unwrap_or(signals.alternate);
    });
    Ok(result)
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
