//! A worker: a thread that makes fuzzed calls until the round is over.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use linux_abi::Answer;

use crate::chance::Chance;
use crate::report::Line;
use crate::state::{State, WORKERS};
use crate::table::{Row, rows};
use crate::{arena, arguments, descriptors, handlers, raw, tame};

const STACK: usize = 256 << 10;
/// The upper part of a stack is for handlers of faults.
const ALTERNATE: usize = 64 << 10;

#[repr(align(4096))]
struct Stacks(std::cell::UnsafeCell<[[u8; STACK]; WORKERS]>);
// Each worker has its own, and nobody takes references.
unsafe impl Sync for Stacks {}
static STACKS: Stacks = Stacks(std::cell::UnsafeCell::new([[0; STACK]; WORKERS]));

/// Which workers are through with the round.
pub static THROUGH: [AtomicBool; WORKERS] = [const { AtomicBool::new(false) }; WORKERS];
/// Calls each has begun in this round: what tells that it goes on.
pub static BEGUN: [AtomicU64; WORKERS] = [const { AtomicU64::new(0) }; WORKERS];

/// The top of a worker's stack.
pub fn stack_of(index: usize) -> u64 {
    STACKS.0.get() as u64 + ((index + 1) * STACK - ALTERNATE) as u64
}

/// Makes the thread ready for signals, which it had blocked so far.
fn take_signals(index: usize) {
    let stack = [stack_of(index), 0, ALTERNATE as u64];
    raw::call(131, [&raw const stack as u64, 0]);
    let none = 0_u64;
    raw::call(14, [2, &raw const none as u64, 0, 8]);
}

/// The thread's life.
pub extern "C" fn work(index: u64) {
    let index = index as usize;
    // Not the class of who made it.
    raw::set_scheduler(0, 0);
    // Made before there were workers, never unmapped.
    let state = unsafe { &*(handlers::STATE.load(Relaxed) as *const State) };
    take_signals(index);
    let begun = BEGUN[index].load(Relaxed);
    let mut chance = Chance::new(&[state.seed.load(Relaxed), state.round.load(Relaxed), index as u64, begun]);
    let all = rows();
    let mut last = (&all[0], [0; 7]);
    while BEGUN[index].load(Relaxed) < state.each.load(Relaxed) / state.threads.load(Relaxed) {
        step(state, index, all, &mut last, &mut chance);
    }
    THROUGH[index].store(true, Relaxed);
}

fn step(state: &State, index: usize, all: &'static [Row], last: &mut (&'static Row, [u64; 7]), chance: &mut Chance) {
    let only = state.only.load(Relaxed);
    match chance.below(40) {
        0 | 1 => descriptors::open_one(chance),
        // To itself: the handler tampers with what it returns to.
        2 if only == u64::MAX => {
            let signal = 34 + chance.below(30);
            handlers::renew(signal);
            raw::call(200, [raw::call(186, []) as u64, signal]);
            take_signals(index);
        }
        4 | 5 => handlers::renew(1 + chance.below(64)),
        3 if chance.once_in(4) => drop(raw::call(436, [200, 999, 0])),
        3 => drop(arena::heal(arena::page(chance))),
        _ => {}
    }
    if only == u64::MAX && chance.once_in(60) {
        // A call that is in no table.
        last.1 = std::array::from_fn(|at| if at == 0 { chance.below(480) } else { crate::contents::mixed(chance) });
    } else if chance.once_in(4) && last.1[0] == last.0.number {
        arguments::vary(last.0, &mut last.1, chance);
    } else {
        last.0 =
            all.iter().find(|row| row.number == only).unwrap_or_else(|| &all[chance.below(all.len() as u64) as usize]);
        last.1 = arguments::words(last.0, chance);
    }
    let mut words = last.1;
    tame::tame(&mut words, chance);
    let begun = BEGUN[index].fetch_add(1, Relaxed);
    if state.verbose.load(Relaxed) > 0 {
        tell(index, begun, last.0, &words);
    }
    let answer = raw::make(&words);
    state.made[index].fetch_add(1, Relaxed);
    const MASK_SIGNALS: u64 = 14;
    if words[0] == MASK_SIGNALS {
        let (unblock, set) = (1, handlers::UNBLOCKED);
        raw::call(MASK_SIGNALS, [unblock, &raw const set as u64, 0, 8]);
    }
    const SET_ALTERNATE_STACK: u64 = 131;
    if words[0] == SET_ALTERNATE_STACK && !chance.once_in(16) {
        take_signals(index);
    }
    note(state, &words, answer, chance);
}

fn tell(index: usize, begun: u64, row: &Row, words: &[u64; 7]) {
    let name = if row.number == words[0] { row.name } else { "call" };
    let mut line = Line::new("call: ").number("", index as u64).number(".", begun).text(" ").text(name);
    line = line.number(" ", words[0]);
    for &word in &words[1..] {
        line = line.hexadecimal(" ", word);
    }
    line.print();
}

/// Remembers what later calls may be told.
fn note(state: &State, words: &[u64; 7], answer: i64, chance: &mut Chance) {
    if answer < 0 && answer > -4096 {
        return;
    }
    state.answered.fetch_add(1, Relaxed);
    let is_address = linux_abi::system_call(words[0] as usize).is_some_and(|row| row.answer == Answer::Address);
    if is_address && answer as u64 > 4096 {
        arena::remember(answer as u64, chance);
    } else if answer > 0 && answer < 1 << 31 && !matches!(words[0], 0..=1 | 17..=20) {
        arguments::remember(answer as u64, chance);
    }
}
