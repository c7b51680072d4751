//! Traces: what the program asks of the kernel, and its faults.
//!
//! The kernel sends records (element `trace`); the command makes lines of them. When nothing is traced, all this costs
//! one compare a system call and one a page fault.

pub mod memory;

use core::sync::atomic::{AtomicU8, Ordering};

use ::trace::{Call, Event};
use linux_abi::structures::SignalInformation;
use machine::{Access, Context, ExitReason, Record, Trap, TrapKind};

use crate::{entry::dispatch, objects::program::Wish};

static TRACED: AtomicU8 = AtomicU8::new(0);

const SYSTEM_CALLS: u8 = 1;
const FAULTS: u8 = 2;

/// The number of execve(2).
const EXECVE: usize = 59;

/// Sets what is traced: a list of words with commas between.
pub fn set(words: &str) {
    let bits = words.split(',').map(|word| match word {
        "syscalls" => SYSTEM_CALLS,
        "faults" => FAULTS,
        _ => 0,
    });
    TRACED.store(bits.fold(0, |all, bit| all | bit), Ordering::Relaxed);
    dispatch::trace(system_calls());
}

/// Whether system calls are traced.
#[inline(always)]
pub fn system_calls() -> bool {
    contracts::config().trace && TRACED.load(Ordering::Relaxed) & SYSTEM_CALLS != 0
}

/// Whether faults are traced.
#[inline(always)]
pub fn faults() -> bool {
    contracts::config().trace && TRACED.load(Ordering::Relaxed) & FAULTS != 0
}

fn send(record: &[u8]) {
    contracts::console::record(Record::Trace, record);
}

#[cold]
#[inline(never)]
fn tell(event: Event) {
    if let Some(record) = event.encode() {
        send(&record);
    }
}

/// Has the system call answered, and tells of it: arguments as they were before, what was read as it is behind.
#[cold]
#[inline(never)]
pub fn system_call(context: &mut Context) -> isize {
    let (number, arguments) = (context.number(), context.arguments());
    let needs = ::trace::needs(number);
    let mut call = Call::new(thread(), number, &arguments);
    for index in 0..arguments.len() {
        memory::before(needs.memory(index), &arguments, index, &mut call);
    }
    if needs.never_returns() {
        send(call.bytes());
    }
    let answer = dispatch::answer(context);
    let result = answer as i64;
    call.set_result(result);
    for index in 0..arguments.len() {
        memory::behind(needs.memory(index), &arguments, index, result, &mut call);
    }
    send(call.bytes());
    answer
}

/// The running thread, if there are others.
fn thread() -> u32 {
    let is_alone = crate::process().threads.lock().count() == 1;
    if is_alone { 0 } else { crate::current().id() }
}

/// The execve that the command stands for; `context` holds the program's first registers.
pub fn first_program(wish: &Wish, context: &Context) {
    // Behind the count, the arguments and their NULL.
    let environment = context.rsp as usize + (wish.arguments.count().max(1) + 2) * size_of::<usize>();
    let mut call = Call::new(0, EXECVE, &[0, 0, environment, 0, 0, 0]);
    call.add(0, &wish.path, false);
    memory::list(1, &wish.arguments, false, &mut call);
    memory::count(2, wish.environment.count(), false, &mut call);
    call.set_result(0);
    send(call.bytes());
}

/// A signal is delivered.
pub fn signal(information: &SignalInformation) {
    let (number, code, address) = (information.si_signo, information.si_code, information.fields[0]);
    tell(Event::Signal { thread: thread(), number, code, address });
}

/// The processor refused something.
pub fn fault(context: &Context, trap: Trap) {
    let Trap { kind, access, address, .. } = trap;
    debug_assert!(kind == TrapKind::Page || address == 0, "only page faults have an address");
    tell(Event::Trap { kind, access, address: address as u64, instruction: context.rip });
}

/// A page was touched that was not there, and is now.
pub fn page(address: usize, access: Access) {
    tell(Event::Page { access, address: address as u64 });
}

/// The process is over.
pub fn ended(reason: ExitReason) {
    tell(Event::Ended(reason));
}

/// The program made a system call that is not there. The command knows its name.
pub fn missing(number: usize) {
    tell(Event::Missing { number: number as u64 });
}
