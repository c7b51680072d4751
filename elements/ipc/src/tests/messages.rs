//! Messages: which comes, who gets it, and room.

use super::std::{boxed::Box, vec::Vec};
use core::task::Waker;

use super::{ROOT, bell, user};
use crate::{
    Error,
    message::{Contents, Message, Queues, Receive, Selection, Wait},
};

type NoWaker = fn() -> Waker;

fn message(kind: i64, text: &str) -> Message {
    Message { kind, bytes: Box::from(text.as_bytes()) }
}

fn queue() -> (Queues, i32) {
    let mut queues = Queues::new();
    let number = queues.get(0, 0o600, &ROOT, 1).expect("there is room");
    (queues, number)
}

fn send(queues: &mut Queues, number: i32, kind: i64, text: &str) -> Result<Option<Wait>, Error> {
    queues.send(number, message(kind, text), &ROOT, 2, Some(bell))
}

fn receive(queues: &mut Queues, number: i32, wanted: i64, room: usize) -> Result<Message, Error> {
    let wanted = Receive { selection: Selection::new(wanted, false), room };
    queues.receive(number, wanted, &ROOT, 3, None::<NoWaker>).map(|got| got.expect("it does not wait"))
}

fn waits(queues: &mut Queues, number: i32, wanted: i64, room: usize) -> Wait {
    let wanted = Receive { selection: Selection::new(wanted, false), room };
    queues.receive(number, wanted, &ROOT, 3, Some(bell)).expect("no error").expect_err("it waits")
}

#[test]
fn selections_agree_with_a_list() {
    let mut state = 7_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let (mut contents, mut list): (Contents, Vec<Message>) = (Contents::default(), Vec::new());
    for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
        if random(2) == 0 {
            let new = Message { kind: random(5) as i64 + 1, bytes: (0..random(3) as u8).collect() };
            list.push(new.clone());
            contents.push(new);
        } else {
            let number = random(8) as i64 - 3;
            let selection = Selection::new(number, random(2) == 0);
            let index = match selection {
                Selection::UpTo(_) => {
                    let fitting = list.iter().enumerate().filter(|(_, message)| selection.takes(message.kind));
                    fitting.min_by_key(|(index, message)| (message.kind, *index)).map(|(index, _)| index)
                }
                _ => list.iter().position(|message| selection.takes(message.kind)),
            };
            assert_eq!(contents.first(selection), index.map(|index| &list[index]));
            assert_eq!(contents.take(selection), index.map(|index| list.remove(index)));
        }
        assert_eq!((contents.count(), contents.nth(1)), (list.len(), list.get(1)));
        assert_eq!(contents.bytes(), list.iter().map(|message| message.bytes.len() as u64).sum::<u64>());
    }
}

#[test]
fn a_message_is_handed_to_who_waits_for_it() {
    let (mut queues, number) = queue();
    let (two, short, any) =
        (waits(&mut queues, number, 2, 99), waits(&mut queues, number, 0, 1), waits(&mut queues, number, 0, 99));
    assert!(send(&mut queues, number, 1, "long").is_ok_and(|wait| wait.is_none()));
    assert_eq!((two.ended(), short.ended()), (None, Some(Err(Error::TooLong))));
    assert_eq!(any.ended(), Some(Ok(Some(message(1, "long")))));
    assert!(queues.give_up(number, &two).is_none());
    assert!(send(&mut queues, number, 2, "it stays").is_ok());
    assert_eq!(receive(&mut queues, number, 2, 3), Err(Error::TooLong));
    assert_eq!(queues.totals(), (1, 8));
    assert_eq!(queues.copy(number, 0, &ROOT), Ok(message(2, "it stays")));
    assert_eq!(queues.copy(number, 1, &ROOT), Err(Error::NoMessage));
    assert_eq!(receive(&mut queues, number, 0, 8), Ok(message(2, "it stays")));
    assert_eq!(receive(&mut queues, number, 0, 8), Err(Error::NoMessage));
}

#[test]
fn senders_wait_for_room() {
    let (mut queues, number) = queue();
    queues.table.find(number).expect("it is there").content.change(10, 1);
    assert!(send(&mut queues, number, 1, "12345678").is_ok_and(|wait| wait.is_none()));
    let large = send(&mut queues, number, 1, "abc").expect("no error").expect("it waits");
    let small = send(&mut queues, number, 1, "d").expect("no error");
    assert!(small.is_none(), "it fits beside the first");
    assert_eq!(queues.send(number, message(1, "zz"), &ROOT, 2, None::<NoWaker>).err(), Some(Error::WouldBlock));
    assert!(receive(&mut queues, number, 1, 8).is_ok());
    assert_eq!(large.ended(), Some(Ok(None)));
    assert_eq!(receive(&mut queues, number, 1, 8), Ok(message(1, "d")));
    assert_eq!(receive(&mut queues, number, 1, 8), Ok(message(1, "abc")));
    // Messages without bytes count too.
    for _ in 0..10 {
        assert!(send(&mut queues, number, 1, "").is_ok_and(|wait| wait.is_none()));
    }
    assert!(send(&mut queues, number, 1, "").is_ok_and(|wait| wait.is_some()));
}

#[test]
fn a_change_and_an_end_call_all() {
    let (mut queues, number) = queue();
    let wait = waits(&mut queues, number, 1, 1);
    queues.table.find(number).expect("it is there").content.change(5, 1);
    assert_eq!(wait.ended(), Some(Err(Error::WouldBlock)));
    let wait = waits(&mut queues, number, 1, 1);
    assert_eq!(queues.remove(number, &user(3)), Err(Error::NotPermitted));
    assert_eq!(queues.remove(number, &ROOT), Ok(()));
    assert_eq!(queues.give_up(number, &wait), Some(Err(Error::Removed)));
    assert_eq!(receive(&mut queues, number, 0, 1), Err(Error::Invalid));
}
