//! Processors other than the one that boots: how many there are, and starting them.
//!
//! They are started when the kernel asks, so a program with one thread has nothing of this at boot. Each gets an area
//! of its own at a fixed place, found by its number: its block, and its interrupt stacks above pages that are never
//! mapped. They take their numbers as they arrive.

mod arrival;
mod trampoline;

use core::{
    fmt::Write,
    ptr,
    sync::atomic::{AtomicPtr, AtomicU64, Ordering},
};

use bootinfo::acpi::Tables;
use launch::{Key, Launch};
use machine::{MAX_PROCESSORS, PAGE_SIZE, Record};
use sync::Once;
use x86_64::report::Report;

use super::features;
use crate::{
    apic::local::{self, Command, Target},
    clock,
    memory::{self, Physical},
    per_cpu::{
        PerProcessor,
        area::{area, join, online},
        number, stacks,
    },
};

/// The launch record, and the physical address of ACPI's root pointer: for whoever asks how many there are.
static LAUNCH: AtomicPtr<Launch<'static>> = AtomicPtr::new(ptr::null_mut());
static ROOT_POINTER: AtomicU64 = AtomicU64::new(0);

/// Remembers where to look when somebody asks.
pub fn remember(launch: &'static Launch<'static>, root_pointer: u64) {
    LAUNCH.store(ptr::from_ref(launch).cast_mut(), Ordering::Relaxed);
    ROOT_POINTER.store(root_pointer, Ordering::Relaxed);
}

/// How many processors the launch record wishes.
fn wished() -> usize {
    // SAFETY: null, or what `remember` was given.
    let launch = unsafe { LAUNCH.load(Ordering::Relaxed).as_ref() };
    let number = launch.and_then(|launch| launch.number(Key::Processors)).unwrap_or(1);
    number.clamp(1, MAX_PROCESSORS as u64) as usize
}

/// How many processors ACPI lists. A machine without it (QEMU's microvm) tells nobody; there the record is believed.
fn listed() -> Option<usize> {
    let root_pointer = ROOT_POINTER.load(Ordering::Relaxed);
    let tables = (root_pointer != 0).then(|| Tables::read(&Physical, root_pointer))??;
    Some(tables.madt()?.processors().count())
}

/// See [`machine::Processor::count`].
pub fn count() -> usize {
    static COUNT: Once<usize> = Once::new();
    *COUNT.call_once(|| match wished() {
        1 => 1,
        wished => listed().unwrap_or(wished).clamp(1, wished),
    })
}

/// See [`machine::Processor::start_others`].
pub fn start() {
    let count = count();
    if count < wished() {
        let mut line = Report::new(|line| contracts::console::record(Record::Error, line));
        let _ = writeln!(line, "{} processors were asked for, and this machine has {count}", wished());
    }
    if count == 1 {
        return;
    }
    (1..count).for_each(make_area);
    sync::on_spin(memory::serve);
    join(0);
    arrival::expect(count);
    trampoline::with(|page| start_all(page, u64::MAX >> (64 - count)));
}

/// Maps and fills the area of processor `number`.
fn make_area(number: usize) {
    let block = area(number);
    let stacks = stacks::of_interrupts(number).map(|(start, size)| start..start + size);
    let mapped =
        core::iter::once(block..block + PAGE_SIZE).chain(stacks).all(|range| memory::map_kernel(range).is_ok());
    let stack = memory::allocate_stack().ok().filter(|_| mapped);
    let Some(stack) = stack else { panic!("cannot start processor {number}: too little memory") };
    // SAFETY: just mapped, and nobody else's.
    unsafe { (block as *mut PerProcessor).write(PerProcessor::new(number, stack)) };
}

/// Starts all others at the real-mode page `page` and waits until the processors of `all` work. One that has started
/// already does not heed a second call (Intel SDM volume 3, 9.4.4).
fn start_all(page: usize, all: u64) {
    /// Nanoseconds between two calls, and after which a processor is given up.
    const AGAIN: u64 = 10_000_000;
    const PATIENCE: u64 = 20_000_000_000;
    local::send(Target::Others, Command::Reset);
    let begin = clock::monotonic();
    let mut next = begin;
    while online() != all {
        let now = clock::monotonic();
        if now >= next {
            local::send(Target::Others, Command::Start(page));
            next = now + AGAIN;
        }
        assert!(
            now - begin < PATIENCE,
            "{} processors were to start, and only those of {:#b} did",
            number_of(all),
            online()
        );
        core::hint::spin_loop();
    }
}

const fn number_of(processors: u64) -> u32 {
    processors.count_ones()
}

/// This processor works from now on.
fn joined() {
    features::adopt();
    join(number());
    // Who changed a translation before that did not wait for this processor.
    x86_64::registers::flush_translations();
}
