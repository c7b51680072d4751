//! Locks, conditions and channels.

use std::{
    prelude::v1::*,
    sync::{
        Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, TryLockError,
        atomic::{AtomicU32, Ordering::SeqCst},
        mpsc::{self, RecvTimeoutError, TryRecvError, TrySendError},
    },
    thread,
    time::Duration,
};

use crate::tally::Tally;

pub fn check(tally: &mut Tally) {
    exclusion(tally);
    readers(tally);
    conditions(tally);
    once(tally);
    barriers(tally);
    channels(tally);
    bounded(tally);
}

fn exclusion(tally: &mut Tally) {
    let sum = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let mut guard = sum.lock().unwrap();
                    let before = *guard;
                    thread::yield_now();
                    *guard = before + 1;
                }
            });
        }
    });
    same!(tally, *sum.lock().unwrap(), 400);
    let guard = sum.lock().unwrap();
    holds!(tally, matches!(sum.try_lock(), Err(TryLockError::WouldBlock)));
    same!(tally, format!("{sum:?}"), "Mutex { data: \"<locked>\", poisoned: false, .. }");
    drop(guard);
    same!(tally, format!("{sum:?}"), "Mutex { data: 400, poisoned: false, .. }");
    holds!(tally, sum.try_lock().is_ok() && !sum.is_poisoned());
    same!(tally, sum.into_inner().unwrap(), 400);
}

fn readers(tally: &mut Tally) {
    let words = RwLock::new(Vec::new());
    thread::scope(|scope| {
        for writer in 0..3 {
            let words = &words;
            scope.spawn(move || {
                for _ in 0..20 {
                    words.write().unwrap().push(writer);
                    thread::yield_now();
                    let guard = words.read().unwrap();
                    let length = guard.len();
                    thread::yield_now();
                    assert_eq!(guard.len(), length);
                }
            });
        }
    });
    same!(tally, words.read().unwrap().len(), 60);
    let (one, two) = (words.read().unwrap(), words.read().unwrap());
    holds!(tally, words.try_write().is_err() && words.try_read().is_ok());
    same!(tally, one.len(), two.len());
    drop((one, two));
    holds!(tally, words.try_write().is_ok());
}

fn conditions(tally: &mut Tally) {
    let (turn, changed) = (Mutex::new(0), Condvar::new());
    thread::scope(|scope| {
        for mine in 0..3 {
            let (turn, changed) = (&turn, &changed);
            scope.spawn(move || {
                for round in 0..20 {
                    let mut turn = changed.wait_while(turn.lock().unwrap(), |turn| *turn != 3 * round + mine).unwrap();
                    *turn += 1;
                    changed.notify_all();
                }
            });
        }
    });
    same!(tally, *turn.lock().unwrap(), 60);
    let waited = changed.wait_timeout(turn.lock().unwrap(), Duration::from_millis(2)).unwrap();
    holds!(tally, waited.1.timed_out());
    drop(waited);
    let waited = changed.wait_timeout_while(turn.lock().unwrap(), Duration::from_secs(60), |turn| *turn != 60).unwrap();
    holds!(tally, !waited.1.timed_out());
}

fn once(tally: &mut Tally) {
    static LAZY: LazyLock<Vec<u32>> = LazyLock::new(|| Vec::from([1, 2, 3]));
    static CELL: OnceLock<String> = OnceLock::new();
    let (once, times) = (Once::new(), AtomicU32::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                once.call_once(|| {
                    thread::yield_now();
                    times.fetch_add(1, SeqCst);
                });
                assert!(once.is_completed() && times.load(SeqCst) == 1);
                CELL.get_or_init(|| "made".to_owned());
            });
        }
    });
    same!(tally, (times.load(SeqCst), CELL.get().map(String::as_str)), (1, Some("made")));
    same!(tally, CELL.set("again".to_owned()), Err("again".to_owned()));
    same!(tally, LAZY.iter().sum::<u32>(), 6);
    let mut cell = OnceLock::from(3);
    same!(tally, (cell.take(), cell.get()), (Some(3), None));
}

fn barriers(tally: &mut Tally) {
    let (barrier, come, leaders) = (Barrier::new(3), AtomicU32::new(0), AtomicU32::new(0));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for round in 1..=5 {
                    come.fetch_add(1, SeqCst);
                    leaders.fetch_add(u32::from(barrier.wait().is_leader()), SeqCst);
                    assert!(come.load(SeqCst) >= 3 * round);
                    barrier.wait();
                }
            });
        }
    });
    same!(tally, leaders.load(SeqCst), 5);
}

fn channels(tally: &mut Tally) {
    let (sender, receiver) = mpsc::channel();
    let senders: Vec<_> = (0..3)
        .map(|number| {
            let sender = sender.clone();
            thread::spawn(move || (0..50).for_each(|index| sender.send(number * 100 + index).unwrap()))
        })
        .collect();
    same!(tally, receiver.iter().take(150).sum::<i32>(), 3 * 1225 + 50 * 300);
    senders.into_iter().for_each(|sender| sender.join().unwrap());
    same!(tally, receiver.try_recv(), Err(TryRecvError::Empty));
    same!(tally, receiver.recv_timeout(Duration::from_millis(2)), Err(RecvTimeoutError::Timeout));
    drop(sender);
    same!(tally, receiver.try_recv(), Err(TryRecvError::Disconnected));
    holds!(tally, receiver.recv().is_err());
    let (sender, receiver) = mpsc::channel();
    let shared = Arc::new(());
    sender.send(Arc::clone(&shared)).unwrap();
    drop(receiver);
    same!(tally, Arc::strong_count(&shared), 1);
    holds!(tally, sender.send(shared).is_err());
}

fn bounded(tally: &mut Tally) {
    let (sender, receiver) = mpsc::sync_channel(2);
    let producer = thread::spawn(move || (0..20).for_each(|number| sender.send(number).unwrap()));
    same!(tally, receiver.into_iter().collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
    producer.join().unwrap();
    let (sender, receiver) = mpsc::sync_channel(1);
    sender.send(1).unwrap();
    same!(tally, sender.try_send(2), Err(TrySendError::Full(2)));
    drop(receiver);
    same!(tally, sender.try_send(3), Err(TrySendError::Disconnected(3)));
    // Without a bound's room a sender waits until its value has been received.
    let (sender, receiver) = mpsc::sync_channel(0);
    let handed = AtomicU32::new(0);
    thread::scope(|scope| {
        let handed = &handed;
        scope.spawn(move || {
            sender.send(()).unwrap();
            handed.store(1, SeqCst);
        });
        (0..3).for_each(|_| thread::yield_now());
        holds!(tally, handed.load(SeqCst) == 0);
        receiver.recv().unwrap();
    });
    same!(tally, handed.load(SeqCst), 1);
}
