//! Queues with priorities: order, room, and who is told.

use super::{bell, std::vec::Vec};
use crate::{
    Error,
    post::{Attributes, Letter, Patient, Post, Sent, Wait, is_name, text},
};

fn post(most: usize) -> Post<&'static str> {
    Post::new(Attributes { most, longest: 8 })
}

fn letter(priority: u32, text: &str) -> Letter {
    (priority, text.as_bytes().into())
}

fn patient(priority: u8) -> Option<Patient> {
    Some((bell(), priority))
}

fn waits(post: &mut Post<&'static str>, priority: u8) -> Wait {
    post.receive(8, patient(priority)).expect("no error").expect_err("it waits")
}

fn done(sent: Result<Sent<&'static str>, Error>) -> Option<&'static str> {
    match sent {
        Ok(Sent::Done(told)) => told,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_highest_priority_comes_first() {
    let mut post = post(10);
    for (priority, text) in [(1, "a"), (3, "b"), (1, "c"), (3, ""), (0, "e")] {
        assert_eq!(done(post.send(letter(priority, text), None)), None);
    }
    assert_eq!((post.count(), post.bytes()), (5, 4));
    let texts: Vec<_> = (0..5).map(|_| post.receive(8, None).expect("no error").expect("there is one")).collect();
    assert_eq!(texts, [letter(3, "b"), letter(3, ""), letter(1, "a"), letter(1, "c"), letter(0, "e")]);
    assert_eq!(post.receive(8, None).err(), Some(Error::WouldBlock));
    assert_eq!(post.receive(7, None).err(), Some(Error::TooLong));
    assert_eq!(post.send(letter(0, "123456789"), None).err(), Some(Error::TooLong));
}

#[test]
fn threads_wait_by_their_priorities() {
    let mut post = post(1);
    let (low, high, late) = (waits(&mut post, 1), waits(&mut post, 9), waits(&mut post, 9));
    for text in ["one", "two"] {
        assert_eq!(done(post.send(letter(0, text), None)), None);
    }
    assert_eq!([&low, &late].map(|wait| post.give_up(wait).is_some()), [false, true]);
    assert_eq!(post.give_up(&high), Some(Ok(Some(letter(0, "one")))));
    // The one that gave up is in nobody's way.
    assert_eq!(done(post.send(letter(0, "three"), None)), None);
    assert_eq!(post.send(letter(0, "x"), None).err(), Some(Error::WouldBlock));
    let Ok(Sent::Wait(wait)) = post.send(letter(7, "four"), patient(0)) else { panic!("it waits") };
    assert_eq!(post.receive(8, None).map(|got| got.ok()), Ok(Some(letter(0, "three"))));
    assert_eq!((post.give_up(&wait), post.count()), (Some(Ok(None)), 1));
}

#[test]
fn notices_go_to_who_does_not_wait() {
    let mut post = post(3);
    post.notice = Some("bell");
    let wait = waits(&mut post, 0);
    assert_eq!(done(post.send(letter(0, "handed"), None)), None);
    assert!(post.give_up(&wait).is_some());
    assert_eq!(done(post.send(letter(0, "first"), None)), Some("bell"));
    post.notice = Some("bell");
    assert_eq!(done(post.send(letter(0, "second"), None)), None);
}

#[test]
fn attributes_are_bounded() {
    let check = |most, longest, passes| Attributes { most, longest }.check(passes).is_ok();
    assert!(check(10, 8192, false) && check(65_536, 16 << 20, true));
    assert!(!check(11, 1, false) && !check(1, 8193, false) && !check(0, 1, true) && !check(1, 0, true));
    assert_eq!(Attributes::USUAL.cost(), 10 * 8192 + 20 * 48);
}

#[test]
fn names_and_texts() {
    assert!(is_name(b"name") && is_name(b"...") && !is_name(b"") && !is_name(b"..") && !is_name(b"a/b"));
    assert_eq!(text(12, None), b"QSIZE:12         NOTIFY:0     SIGNO:0     NOTIFY_PID:0     \n");
    assert_eq!(text(0, Some((0, 10, 1))), b"QSIZE:0          NOTIFY:0     SIGNO:10    NOTIFY_PID:1     \n");
}
