//! The application's registers, where its last way into the kernel left them: in the room at the top of the thread's
//! kernel stack. System calls are handed their arguments; the few that look at other registers, or change them, come
//! here.
//!
//! Unsafe: the room is found by its address.
#![allow(unsafe_code)]

use machine::{CONTEXT_ROOM, Context};

/// The registers of the running thread's application, as they were when it made the system call that is being answered.
/// The result register among them is not the answer's yet.
#[must_use]
pub fn application_registers() -> Context {
    let place = (super::current().stack_top - CONTEXT_ROOM) as *const Context;
    // SAFETY: the room belongs to the registers alone as long as the stack is there, and a system call came with them.
    // While it is answered nobody holds a reference to them.
    unsafe { place.read() }
}

/// What the running thread's application finds in its registers when it goes on behind the system call that is being
/// answered; but the answer goes into the result register.
pub fn set_application_registers(registers: &Context) {
    change_application_registers(|before| *before = *registers);
}

/// The same where they are.
#[inline]
pub fn change_application_registers(change: impl FnOnce(&mut Context)) {
    let stack_top = super::current().stack_top;
    let place = (stack_top - CONTEXT_ROOM) as *mut Context;
    // SAFETY: as in `application_registers`.
    change(unsafe { &mut *place });
    contracts::processor::replaced(stack_top);
    super::space::mark_left();
}
