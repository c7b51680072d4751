//! Building the stack frame of a handler, exactly as Linux lays it out on x86-64: `arch/x86/kernel/signal_64.c`.

use architecture::{HandlerRegisters, Registers as _, SignalRegisters as _};
use kernel::memory;
use linux_abi::{
    Errno, UserAddress,
    constants::{SA_ONSTACK, SA_RESTORER, SS_AUTODISARM, SS_DISABLE, SS_ONSTACK},
    structures::{
        EXTENDED_STATE_NOTE, ExtendedStateNote, FP_XSTATE_MAGIC1, FP_XSTATE_MAGIC2, SignalAction, SignalFrame,
        SignalInformation, UC_FP_XSTATE, UC_SIGCONTEXT_SS, UC_STRICT_RESTORE_SS, UserContext,
    },
};
use machine::{Context, ExtendedState};
use signal_state::ThreadSignals;
use zerocopy::{FromBytes as _, FromZeros as _, IntoBytes as _};

use crate::objects::{process::LinuxThread, user};

/// Bytes of the word behind vector state.
const MAGIC: usize = size_of_val(&FP_XSTATE_MAGIC2);

/// No frame could be built: no restorer, or no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFrame;

/// Saves the application's state on its stack and makes `context` enter the handler.
pub fn push(
    context: &mut Context,
    this: &LinuxThread,
    information: &SignalInformation,
    action: SignalAction,
) -> Result<(), NoFrame> {
    if action.flags as u32 & SA_RESTORER == 0 {
        return Err(NoFrame);
    }
    let state = instruction_set::vector::extended_state();
    let thread = this.signals.lock_in_line();
    let room = room(context, action, &thread)?;
    drop(thread);
    let extended = reserve(room.top, (state.size + MAGIC) as u64, 64)?;
    let address = reserve(extended, size_of::<SignalFrame>() as u64, 16)?.checked_sub(8).ok_or(NoFrame)?;
    if address < room.bottom {
        return Err(NoFrame);
    }
    contracts::processor::save_extended(extended as usize).map_err(|_| NoFrame)?;
    // Made twice, so that the way that most frames go needs none in memory.
    let contents = || Contents { context, this, information, action, state, extended };
    let length = (extended - address) as usize + state.size + MAGIC;
    let is_disarmed = match memory::in_place(address as usize, length, |place| contents().put(place)).flatten() {
        Some(is_disarmed) => is_disarmed,
        None => contents().copy(address).map_err(|_| NoFrame)?,
    };
    if is_disarmed {
        // Nobody's, while a handler runs.
        this.signals.lock().disable_alternate();
    }
    instruction_set::vector::reset();
    let field = |offset: usize| address + offset as u64;
    let information_at = field(core::mem::offset_of!(SignalFrame, info));
    let context_at = field(core::mem::offset_of!(SignalFrame, uc));
    context.enter_handler(action.handler, address, [information.si_signo as u64, information_at, context_at]);
    Ok(())
}

/// Where a frame begins, downwards, and where it must end.
struct Room {
    top: u64,
    bottom: u64,
}

/// The alternate stack if the handler wants it and the thread is not on it, else the stack it is on.
fn room(context: &Context, action: SignalAction, thread: &ThreadSignals) -> Result<Room, NoFrame> {
    let alternate = thread.alternate;
    let stack_pointer = context.stack_pointer() as u64;
    let below = || stack_pointer.checked_sub(Context::RED_ZONE).ok_or(NoFrame);
    if thread.is_on_alternate(stack_pointer) {
        return Ok(Room { top: below()?, bottom: alternate.ss_sp });
    }
    if action.flags as u32 & SA_ONSTACK != 0 && alternate.ss_size > 0 {
        let top = alternate.ss_sp.checked_add(alternate.ss_size).ok_or(NoFrame)?;
        return Ok(Room { top, bottom: alternate.ss_sp });
    }
    Ok(Room { top: below()?, bottom: 0 })
}

/// `size` bytes below `top`, aligned.
fn reserve(top: u64, size: u64, alignment: u64) -> Result<u64, NoFrame> {
    Ok(top.checked_sub(size).ok_or(NoFrame)? & !(alignment - 1))
}

/// What a frame tells.
struct Contents<'a> {
    context: &'a Context,
    this: &'a LinuxThread,
    information: &'a SignalInformation,
    action: SignalAction,
    state: ExtendedState,
    /// Where the vector state lies.
    extended: u64,
}

impl Contents<'_> {
    /// Makes the frame where it is to lie, at the beginning of `place`, whose end is the vector state's and the word
    /// behind. Whether the alternate stack is nobody's from now on; `None` if `place` is too small.
    #[inline(always)]
    fn put(&self, place: &mut [u8]) -> Option<bool> {
        let vectors = place.len().checked_sub(self.state.size + MAGIC)?;
        let (frame, vectors) = place.split_at_mut_checked(vectors)?;
        if self.state.features != 0 {
            let (vectors, magic) = vectors.split_at_mut_checked(self.state.size)?;
            FP_XSTATE_MAGIC2.write_to(magic).ok()?;
            *ExtendedStateNote::mut_from_prefix(vectors.get_mut(EXTENDED_STATE_NOTE..)?).ok()?.0 = self.note();
        }
        Some(self.fill(SignalFrame::mut_from_prefix(frame).ok()?.0))
    }

    /// Makes the frame here, and copies it.
    #[cold]
    #[inline(never)]
    fn copy(&self, address: u64) -> Result<bool, Errno> {
        let mut frame = SignalFrame::new_zeroed();
        let is_disarmed = self.fill(&mut frame);
        user::write_struct(UserAddress(address as usize), &frame)?;
        if self.state.features != 0 {
            let vectors = self.extended as usize;
            user::write_struct(UserAddress(vectors + EXTENDED_STATE_NOTE), &self.note())?;
            user::write_struct(UserAddress(vectors + self.state.size), &FP_XSTATE_MAGIC2)?;
        }
        Ok(is_disarmed)
    }

    #[inline(always)]
    fn fill(&self, frame: &mut SignalFrame) -> bool {
        let thread = self.this.signals.lock_in_line();
        frame.pretcode = self.action.restorer;
        self.fill_context(&mut frame.uc, &thread);
        frame.info = (*self.information).into();
        thread.alternate.ss_flags & SS_AUTODISARM != 0
    }

    #[inline(always)]
    fn fill_context(&self, uc: &mut UserContext, thread: &ThreadSignals) {
        let form = if self.state.features == 0 { 0 } else { UC_FP_XSTATE };
        uc.uc_flags = form | UC_SIGCONTEXT_SS | UC_STRICT_RESTORE_SS;
        uc.uc_link = 0;
        uc.uc_stack = thread.alternate;
        uc.uc_stack.ss_flags = alternate_flags(thread, self.context.stack_pointer() as u64);
        let mask = thread.saved.unwrap_or(thread.blocked).0;
        let (trap, registers) = (thread.last_trap, &mut uc.uc_mcontext);
        registers.load(self.context);
        registers.err = trap.map_or(0, |trap| trap.error.into());
        registers.trapno = trap.map_or(0, |trap| trap.vector.into());
        registers.oldmask = mask;
        registers.cr2 = trap.map_or(0, |trap| trap.address as u64);
        registers.fpstate = self.extended;
        uc.uc_sigmask = mask;
    }

    /// What is said in the vector state of itself.
    fn note(&self) -> ExtendedStateNote {
        ExtendedStateNote {
            magic1: FP_XSTATE_MAGIC1,
            extended_size: (self.state.size + MAGIC) as u32,
            xfeatures: self.state.features,
            xstate_size: self.state.size as u32,
            padding: [0; 7],
        }
    }
}

/// What sigaltstack(2) says about the alternate stack.
pub fn alternate_flags(thread: &ThreadSignals, stack_pointer: u64) -> u32 {
    if thread.alternate.ss_size == 0 {
        return SS_DISABLE;
    }
    let kept = thread.alternate.ss_flags & SS_AUTODISARM;
    if kept == 0 && thread.is_on_alternate(stack_pointer) { SS_ONSTACK } else { kept }
}
