//! Back from a handler: the state that its frame kept, as the handler left it there.

use core::mem::{MaybeUninit, offset_of};

use architecture::{HandlerRegisters as _, Registers as _, SignalRegisters as _};
use kernel::{memory, task};
use linux_abi::{
    Errno, UserAddress,
    constants::{SS_AUTODISARM, SS_DISABLE, SS_ONSTACK},
    structures::{SignalFrame, SignalStack, UserContext},
};
use signal_state::SignalSet;
use zerocopy::FromBytes as _;

use super::send;
use crate::objects::user;

/// What a frame kept beside registers.
struct Kept {
    /// Where the vector state lies; 0 if there is none.
    extended: u64,
    mask: u64,
    alternate: SignalStack,
    /// The result register.
    result: usize,
}

/// Takes the frame at the stack pointer down. The registers are what they were, or what the handler made of them;
/// answers the result register.
pub fn pop() -> Result<usize, Errno> {
    let frame = task::application_registers().frame() as usize;
    let at = frame.wrapping_add(offset_of!(SignalFrame, uc));
    let in_place = |place: &mut [u8]| UserContext::ref_from_bytes(place).ok().map(resume);
    let kept = match memory::in_place(at, size_of::<UserContext>(), in_place).flatten() {
        Some(kept) => kept,
        None => resume_copy(UserAddress(at))?,
    };
    if kept.extended == 0 {
        instruction_set::vector::reset();
    } else {
        contracts::processor::restore_extended(kept.extended as usize).map_err(|_| Errno::EFAULT)?;
    }
    send::change(|signals| {
        signals.blocked = SignalSet(kept.mask).without(SignalSet::UNBLOCKABLE);
        signals.alternate = alternate(kept.alternate).unwrap_or(signals.alternate);
    });
    Ok(kept.result)
}

#[cold]
#[inline(never)]
fn resume_copy(address: UserAddress) -> Result<Kept, Errno> {
    let mut place = MaybeUninit::uninit();
    user::read_struct_in(&mut place, address).map(|uc| resume(uc))
}

/// Gives the registers back; what else there is to give back.
#[inline(always)]
fn resume(uc: &UserContext) -> Kept {
    let saved = &uc.uc_mcontext;
    let mut result = 0;
    task::change_application_registers(|registers| {
        saved.resume(registers);
        result = registers.result();
    });
    Kept { extended: saved.fpstate, mask: uc.uc_sigmask, alternate: uc.uc_stack, result }
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
