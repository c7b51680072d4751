//! On the way back to the application: signals are delivered, interrupted system calls restarted.

use core::sync::atomic::Ordering;

use linux_abi::{
    Errno,
    constants::{SA_NODEFER, SA_RESETHAND, SA_RESTART, SIG_DFL},
    structures::{SignalAction, SignalInformation},
};
use machine::Context;
use signal_state::{Effect, SignalSet};

use crate::{
    entry::fatal,
    objects::{
        ability,
        process::LinuxThread,
        signals::{self, frame, mask, send, stop},
        terminal, trace,
    },
};

/// Number of restart_syscall(2).
const RESTART_SYSCALL: u64 = 219;

/// Delivers all signals that can be delivered, then sees to the system call that was interrupted.
pub fn resuming(context: &mut Context) {
    kernel::task::current().set_interrupted(false);
    let this = crate::objects::process::current_in_line();
    if !send::has_work(this) {
        return restart_without_handler(context);
    }
    let mut taken = None;
    loop {
        stop::wait(this);
        if this.killed.load(Ordering::SeqCst) {
            crate::objects::threads::end_thread();
        }
        let restores = signals::take_unblocked(this, &mut taken);
        let Some(information) = &taken else {
            restart_without_handler(context);
            if restores {
                mask::restore();
            }
            return;
        };
        act(context, this, information);
        // Mostly there was one signal.
        if !send::has_work(this) {
            return restart_without_handler(context);
        }
    }
}

fn act(context: &mut Context, this: &LinuxThread, information: &SignalInformation) {
    let signal = information.si_signo as u8;
    if trace::system_calls() {
        trace::signal(information);
    }
    let action = this.process.signals.lock_in_line().action(signal);
    match Effect::of(signal, &action) {
        Effect::Ignored => {}
        Effect::Fatal => fatal::end(context, information),
        Effect::Stop if !terminal::is_passed_over_by_orphans(signal) => {
            stop::stop(signal);
            terminal::tell_stopped(signal);
        }
        Effect::Stop => {}
        Effect::Handled if ability::handlers() => handle(context, this, information, action),
        Effect::Handled => {}
    }
}

/// Enters a handler.
fn handle(context: &mut Context, this: &LinuxThread, information: &SignalInformation, action: SignalAction) {
    let signal = information.si_signo as u8;
    let flags = action.flags as u32;
    restart_with_handler(context, flags & SA_RESTART != 0);
    if frame::push(context, this, information, action).is_err() {
        fatal::bad_frame(signal);
        return;
    }
    if flags & SA_RESETHAND != 0 {
        // Flags and mask stay.
        this.process.signals.lock().set_action(signal, SignalAction { handler: SIG_DFL, ..action });
    }
    let own = if flags & SA_NODEFER != 0 { SignalSet::EMPTY } else { SignalSet::of(&[signal]) };
    mask::block_for_handler(this, SignalSet(action.mask).union(own));
}

/// How the interrupted system call wants to go on, if one was interrupted. Asks once only.
fn interrupted_call(context: &Context) -> Option<u16> {
    if context.entry == Context::NO_SYSTEM_CALL {
        return None;
    }
    let number = u16::try_from((context.rax as i64).checked_neg()?).ok()?;
    (number >= Errno::FIRST_RESTART && number <= Errno::ERESTARTBLOCK.number()).then_some(number)
}

/// A handler runs first: most calls end with EINTR, some are made again when it returns.
fn restart_with_handler(context: &mut Context, restart: bool) {
    if let Some(number) = interrupted_call(context) {
        let again = number == Errno::ERESTARTNOINTR.number() || number == Errno::ERESTARTSYS.number() && restart;
        if again {
            context.restart_system_call();
        } else {
            context.set_result(Errno::EINTR.answer());
        }
    }
    context.entry = Context::NO_SYSTEM_CALL;
}

/// No handler runs: the call is made again as if nothing had happened.
fn restart_without_handler(context: &mut Context) {
    if let Some(number) = interrupted_call(context) {
        context.restart_system_call();
        if number == Errno::ERESTARTBLOCK.number() {
            context.rax = RESTART_SYSCALL;
        }
    }
    context.entry = Context::NO_SYSTEM_CALL;
}
