//! Signals that wait and what they would do, as signal(7) says.

extern crate std;

use core::sync::atomic::{AtomicUsize, Ordering};
use std::vec::Vec;

use linux_abi::{
    constants::{
        SI_KERNEL, SI_QUEUE, SI_USER, SIG_DFL, SIG_IGN, SIGCHLD, SIGCONT, SIGINT, SIGKILL, SIGRTMIN, SIGSEGV, SIGSTOP,
        SIGTERM, SIGTSTP, SIGUSR1, SIGWINCH,
    },
    structures::{SignalAction, SignalInformation, SignalStack},
};

use super::*;

const ALL: SignalSet = SignalSet(!0);

fn sent(signal: u8, code: i32, value: u64) -> SignalInformation {
    let mut information = SignalInformation { si_signo: signal.into(), si_code: code, ..SignalInformation::default() };
    information.fields[0] = value;
    information
}

/// Takes all that wait: numbers and what came with them.
fn taken(pending: &mut Pending, count: &AtomicUsize) -> Vec<(i32, u64)> {
    let next = || pending.take(ALL, count).map(|taken| (taken.si_signo, taken.fields[0]));
    core::iter::from_fn(next).collect()
}

#[test]
fn faults_come_first_then_the_lowest_number() {
    let set = SignalSet::of(&[SIGTERM, SIGINT, SIGSEGV, SIGRTMIN]);
    assert_eq!(set.first(), Some(SIGSEGV));
    assert_eq!(set.without(SignalSet::SYNCHRONOUS).first(), Some(SIGINT));
    assert_eq!(SignalSet::EMPTY.first(), None);
    assert!(set.with(64).contains(64) && !set.contains(64) && !set.contains(0) && !ALL.contains(65));
}

#[test]
fn a_standard_signal_waits_once_and_keeps_what_came_first() {
    let (mut pending, count) = (Pending::new(), AtomicUsize::new(0));
    for value in 1..=3 {
        pending.add(sent(SIGUSR1, SI_USER, value), 10, &count).unwrap();
    }
    assert_eq!(count.load(Ordering::Relaxed), 1);
    assert_eq!(taken(&mut pending, &count), [(SIGUSR1.into(), 1)]);
    assert_eq!(count.load(Ordering::Relaxed), 0);
    assert!(pending.set().is_empty());
}

#[test]
fn real_time_signals_queue_in_order() {
    let (mut pending, count) = (Pending::new(), AtomicUsize::new(0));
    for (signal, value) in [(SIGRTMIN + 1, 1), (SIGRTMIN, 2), (SIGRTMIN + 1, 3), (SIGTERM, 4), (SIGRTMIN, 5)] {
        pending.add(sent(signal, SI_QUEUE, value), 10, &count).unwrap();
    }
    let first = i32::from(SIGRTMIN);
    let expected = [(SIGTERM.into(), 4), (first, 2), (first, 5), (first + 1, 1), (first + 1, 3)];
    assert_eq!(taken(&mut pending, &count), expected);
}

#[test]
fn without_room_a_real_time_signal_is_refused_and_a_standard_one_waits_by_its_number() {
    let (mut pending, count) = (Pending::new(), AtomicUsize::new(0));
    pending.add(sent(SIGRTMIN, SI_QUEUE, 1), 1, &count).unwrap();
    assert_eq!(pending.add(sent(SIGRTMIN, SI_QUEUE, 2), 1, &count), Err(QueueFull));
    // One by kill(2) is not refused, nor is a standard one: what came with it is lost.
    pending.add(sent(SIGRTMIN + 1, SI_USER, 3), 1, &count).unwrap();
    pending.add(sent(SIGUSR1, SI_QUEUE, 4), 1, &count).unwrap();
    // The kernel's own has room, and so has a timer's.
    pending.add(sent(SIGSEGV, SI_KERNEL, 5), 1, &count).unwrap();
    let timer = SignalInformation { padding: FROM_TIMER, ..sent(SIGRTMIN + 2, SI_QUEUE, 6) };
    pending.add(timer, 1, &count).unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 3);
    let first = i32::from(SIGRTMIN);
    let expected = [(SIGSEGV.into(), 5), (SIGUSR1.into(), 0), (first, 1), (first + 1, 0), (first + 2, 6)];
    assert_eq!(taken(&mut pending, &count), expected);
    assert_eq!(count.load(Ordering::Relaxed), 0);
}

#[test]
fn what_is_dropped_gives_its_room_back() {
    let (mut pending, count) = (Pending::new(), AtomicUsize::new(5));
    for signal in [SIGSTOP, SIGTSTP, SIGRTMIN, SIGRTMIN] {
        pending.add(sent(signal, SI_QUEUE, 0), 100, &count).unwrap();
    }
    pending.drop_all(STOPPING.with(SIGRTMIN), &count);
    assert!(pending.set().is_empty());
    assert_eq!(count.load(Ordering::Relaxed), 5);
    assert_eq!(pending.take(ALL, &count).map(|taken| taken.si_signo), None);
}

#[test]
fn only_wanted_signals_are_taken() {
    let (mut pending, count) = (Pending::new(), AtomicUsize::new(0));
    pending.add(sent(SIGINT, SI_USER, 0), 10, &count).unwrap();
    pending.add(sent(SIGTERM, SI_USER, 0), 10, &count).unwrap();
    let wanted = SignalSet::of(&[SIGTERM, SIGKILL]);
    assert_eq!(pending.take(wanted, &count).map(|taken| taken.si_signo), Some(SIGTERM.into()));
    assert!(pending.take(wanted, &count).is_none());
    assert_eq!(pending.set(), SignalSet::of(&[SIGINT]));
}

#[test]
fn actions_say_what_a_signal_does() {
    let mut signals = ProcessSignals::new();
    let effects = [
        (SIGCHLD, Effect::Ignored),
        (SIGCONT, Effect::Ignored),
        (SIGWINCH, Effect::Ignored),
        (SIGTSTP, Effect::Stop),
        (SIGSTOP, Effect::Stop),
        (SIGKILL, Effect::Fatal),
        (SIGRTMIN, Effect::Fatal),
    ];
    for (signal, effect) in effects {
        assert_eq!(signals.effect(signal), effect, "{signal}");
    }
    signals.ignore(SignalSet::of(&[SIGTERM]));
    signals.set_action(SIGINT, SignalAction { handler: 0x1000, ..SignalAction::default() });
    assert_eq!((signals.effect(SIGTERM), signals.effect(SIGINT)), (Effect::Ignored, Effect::Handled));
    let (waits, ignored, caught) = signals.summary();
    assert_eq!((waits, ignored, caught), (SignalSet::EMPTY, SignalSet::of(&[SIGTERM]), SignalSet::of(&[SIGINT])));
    // Another program has no handlers, but ignores what the old one ignored.
    signals.reset_handlers();
    assert_eq!((signals.action(SIGTERM).handler, signals.action(SIGINT).handler), (SIG_IGN, SIG_DFL));
}

#[test]
fn the_alternate_stack_ends_where_it_begins() {
    let mut thread = ThreadSignals::new();
    assert!(!thread.is_on_alternate(0x1000));
    thread.alternate = SignalStack { ss_sp: 0x1000, ss_size: 0x100, ..SignalStack::default() };
    // A full descending stack: its top is on it, its bottom is not.
    for (pointer, is_on) in [(0x1000, false), (0x1001, true), (0x1100, true), (0x1101, false), (0xfff, false)] {
        assert_eq!(thread.is_on_alternate(pointer), is_on, "{pointer:#x}");
    }
    (thread.saved, thread.awaited) = (Some(ALL), ALL);
    thread.forget_program();
    assert!(!thread.is_on_alternate(0x1001) && thread.saved.is_none() && thread.awaited.is_empty());
}
