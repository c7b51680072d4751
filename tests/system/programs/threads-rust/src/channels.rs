//! Channels: many senders, bounded ones, rendezvous, ends that go away, pipelines.

use std::sync::mpsc::{self, RecvTimeoutError, TryRecvError, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Test, check, scaled};

pub const TESTS: &[Test] = &[
    ("many_senders", many_senders),
    ("bounded", bounded),
    ("rendezvous", rendezvous),
    ("ends", ends),
    ("pipeline", pipeline),
    ("time_limit", time_limit),
];

fn many_senders() {
    let (sender, receiver) = mpsc::channel();
    let rounds = scaled(500);
    let threads: Vec<_> = (0..64)
        .map(|index| {
            let sender = sender.clone();
            thread::spawn(move || (0..rounds).for_each(|round| sender.send((index, round)).unwrap()))
        })
        .collect();
    drop(sender);
    let mut next = [0; 64];
    for (index, round) in receiver {
        // What one thread sends comes in its order.
        assert_eq!(next[index], round);
        next[index] += 1;
    }
    check(next == [rounds; 64], "every message came");
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

fn bounded() {
    let (sender, receiver) = mpsc::sync_channel(4);
    (0..4).for_each(|number| sender.try_send(number).unwrap());
    check(sender.try_send(9) == Err(TrySendError::Full(9)), "it holds four");
    let rounds = scaled(5000);
    thread::scope(|scope| {
        scope.spawn(move || (4..rounds).for_each(|number| sender.send(number).unwrap()));
        let sum: usize = receiver.iter().sum();
        check(sum == (0..rounds.max(4)).sum(), "the sum of what was sent");
    });
}

fn rendezvous() {
    let (sender, receiver) = mpsc::sync_channel::<usize>(0);
    check(sender.try_send(1) == Err(TrySendError::Full(1)), "nobody waits");
    let thread = thread::spawn(move || receiver.iter().fold(0, |last, number| if number > last { number } else { 0 }));
    let rounds = scaled(500);
    (1..=rounds).for_each(|number| sender.send(number).unwrap());
    drop(sender);
    check(thread.join().unwrap() == rounds, "all in order");
}

fn ends() {
    let (sender, receiver) = mpsc::channel::<Box<u32>>();
    check(receiver.try_recv() == Err(TryRecvError::Empty), "nothing was sent");
    let waiter = thread::spawn(move || receiver.recv());
    drop(sender);
    check(waiter.join().unwrap().is_err(), "the last sender's end wakes the receiver");
    let (sender, receiver) = mpsc::channel();
    drop(receiver);
    check(sender.send("x").is_err(), "nobody receives");
}

fn pipeline() {
    let (first, mut input) = mpsc::channel::<u64>();
    let mut threads = Vec::new();
    for _ in 0..10 {
        let (sender, output) = mpsc::channel();
        let previous = std::mem::replace(&mut input, output);
        threads.push(thread::spawn(move || previous.iter().for_each(|number| sender.send(number + 1).unwrap())));
    }
    let rounds = scaled(300) as u64;
    (0..rounds).for_each(|number| first.send(number).unwrap());
    drop(first);
    check(input.iter().eq(10..rounds + 10), "each stage added one");
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

fn time_limit() {
    let (sender, receiver) = mpsc::channel::<()>();
    let begin = Instant::now();
    check(receiver.recv_timeout(Duration::from_millis(3)) == Err(RecvTimeoutError::Timeout), "nothing comes");
    check(begin.elapsed() >= Duration::from_millis(3), "it waited");
    sender.send(()).unwrap();
    check(receiver.recv_timeout(Duration::from_secs(3600)) == Ok(()), "something is there");
    drop(sender);
    check(receiver.recv_timeout(Duration::from_secs(3600)) == Err(RecvTimeoutError::Disconnected), "no sender");
}
