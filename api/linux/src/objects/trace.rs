//! What is traced, and records about it (element `trace`): the command makes lines of them. When nothing is traced, all
//! this costs one compare a system call and one a page fault.

use core::sync::atomic::{AtomicU8, Ordering};

use ::trace::Event;
use linux_abi::structures::SignalInformation;
use machine::{Access, Context, ExitReason, Record, Trap, TrapKind};

use super::{ability, process::table};

static TRACED: AtomicU8 = AtomicU8::new(0);

const SYSTEM_CALLS: u8 = 1;
const FAULTS: u8 = 2;

/// Sets what is traced: a list of words with commas between.
pub fn set(words: &str) {
    let bits = words.split(',').map(|word| match word {
        "syscalls" => SYSTEM_CALLS,
        "faults" => FAULTS,
        _ => 0,
    });
    TRACED.store(bits.fold(0, |all, bit| all | bit), Ordering::Relaxed);
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

/// Sends a record.
pub fn send(record: &[u8]) {
    contracts::console::record(Record::Trace, record);
}

#[cold]
#[inline(never)]
fn tell(event: Event) {
    if let Some(record) = event.encode() {
        send(&record);
    }
}

/// The running thread, if there are others, in its process or in another one.
pub fn thread() -> u32 {
    let others = if ability::processes() { table::count() > 1 } else { false };
    let is_alone = crate::process().threads.lock().count() == 1 && !others;
    if is_alone { 0 } else { crate::current().id() }
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
