//! Building the stack frame of a handler, exactly as Linux lays it out on x86-64: `arch/x86/kernel/signal_64.c`.

use architecture::{HandlerRegisters, Registers as _, SignalRegisters as _};
use linux_abi::{
    UserAddress,
    constants::{SA_ONSTACK, SA_RESTORER, SS_AUTODISARM, SS_DISABLE, SS_ONSTACK},
    structures::{
        EXTENDED_STATE_NOTE, ExtendedStateNote, FP_XSTATE_MAGIC1, FP_XSTATE_MAGIC2, SignalAction, SignalContext,
        SignalFrame, SignalInformation, UC_FP_XSTATE, UC_SIGCONTEXT_SS, UC_STRICT_RESTORE_SS, UserContext,
    },
};
use machine::{Context, ExtendedState};
use signal_state::ThreadSignals;

use crate::objects::{process::LinuxThread, user};

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
    let extended = reserve(room.top, state.size as u64 + 4, 64)?;
    let address = reserve(extended, size_of::<SignalFrame>() as u64, 16)?.checked_sub(8).ok_or(NoFrame)?;
    if address < room.bottom {
        return Err(NoFrame);
    }
    let frame = SignalFrame {
        pretcode: action.restorer,
        uc: user_context(context, &thread, state, extended),
        info: (*information).into(),
    };
    let is_disarmed = thread.alternate.ss_flags & SS_AUTODISARM != 0;
    drop(thread);
    save_extended(extended, state)?;
    user::answer_in_line(UserAddress(address as usize), &frame).map_err(|_| NoFrame)?;
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

/// Vector state, with the words by which programs recognise its form.
fn save_extended(address: u64, state: ExtendedState) -> Result<(), NoFrame> {
    contracts::processor::save_extended(address as usize).map_err(|_| NoFrame)?;
    if state.features == 0 {
        return Ok(());
    }
    let note = ExtendedStateNote {
        magic1: FP_XSTATE_MAGIC1,
        extended_size: state.size as u32 + 4,
        xfeatures: state.features,
        xstate_size: state.size as u32,
        padding: [0; 7],
    };
    user::answer_in_line(UserAddress(address as usize + EXTENDED_STATE_NOTE), &note).map_err(|_| NoFrame)?;
    user::write_struct(UserAddress(address as usize + state.size), &FP_XSTATE_MAGIC2).map_err(|_| NoFrame)
}

fn user_context(context: &Context, thread: &ThreadSignals, state: ExtendedState, extended: u64) -> UserContext {
    let form = if state.features == 0 { 0 } else { UC_FP_XSTATE };
    let mut alternate = thread.alternate;
    alternate.ss_flags = alternate_flags(thread, context.stack_pointer() as u64);
    UserContext {
        uc_flags: form | UC_SIGCONTEXT_SS | UC_STRICT_RESTORE_SS,
        uc_link: 0,
        uc_stack: alternate,
        uc_mcontext: signal_context(context, thread, extended),
        uc_sigmask: thread.saved.unwrap_or(thread.blocked).0,
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

fn signal_context(context: &Context, thread: &ThreadSignals, extended: u64) -> SignalContext {
    let trap = thread.last_trap;
    SignalContext {
        err: trap.map_or(0, |trap| trap.error.into()),
        trapno: trap.map_or(0, |trap| trap.vector.into()),
        oldmask: thread.saved.unwrap_or(thread.blocked).0,
        cr2: trap.map_or(0, |trap| trap.address as u64),
        fpstate: extended,
        ..SignalContext::of(context)
    }
}
