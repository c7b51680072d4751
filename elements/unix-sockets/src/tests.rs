//! Sockets as programs see them.

extern crate std;

use std::{
    num::NonZeroUsize,
    sync::atomic::AtomicUsize,
    task::{Wake, Waker},
    vec,
    vec::Vec,
};

use core::sync::atomic::Ordering;
use sync::Watcher;

use super::*;
use vfs::{Moved, Node, Readiness, ShortSink, ShortSource, SliceSource, VecSink};

fn pair(form: Form) -> [Arc<Socket>; 2] {
    Socket::pair(form, [1, 2], Who::default(), 0)
}

fn alone(form: Form) -> Arc<Socket> {
    Socket::new(form, 9, Who { process: 1, ..Who::default() }, 0)
}

fn send(socket: &Socket, bytes: &[u8]) -> Result<usize, FileError> {
    socket.write_at(0, &mut SliceSource::new(bytes))
}

fn receive(socket: &Socket, count: usize) -> Result<Vec<u8>, FileError> {
    let mut sink = VecSink::new(count);
    socket.receive(&mut sink, false)?;
    Ok(sink.bytes)
}

#[test]
fn a_stream_joins_and_messages_stay_apart() {
    for (form, first) in [(Form::Stream, &b"abcde"[..]), (Form::Datagrams, b"abc"), (Form::Packets, b"abc")] {
        let [one, two] = pair(form);
        assert_eq!(receive(&two, 9), Err(FileError::WouldBlock));
        assert_eq!((send(&one, b"abc"), send(&one, b"de")), (Ok(3), Ok(2)));
        assert_eq!(two.available(), first.len());
        assert_eq!(receive(&two, 9).unwrap(), first);
        assert_eq!(two.readiness().contains(Readiness::READABLE), form != Form::Stream);
    }
}

#[test]
fn what_does_not_fit_stays_in_a_stream_and_is_lost_of_a_message() {
    let [one, two] = pair(Form::Stream);
    send(&one, b"abc").unwrap();
    assert_eq!((receive(&two, 2).unwrap(), receive(&two, 2).unwrap()), (b"ab".to_vec(), b"c".to_vec()));
    let [one, two] = pair(Form::Packets);
    for message in [&b"abc"[..], b"", b"d"] {
        send(&one, message).unwrap();
    }
    let mut sink = VecSink::new(2);
    let received = two.receive(&mut sink, true).unwrap();
    assert_eq!((received.count, received.whole), (2, 3));
    assert_eq!(receive(&two, 2).unwrap(), b"ab");
    assert_eq!((receive(&two, 2).unwrap(), receive(&two, 2).unwrap()), (vec![], b"d".to_vec()));
}

#[test]
fn peeking_takes_nothing() {
    let [one, two] = pair(Form::Stream);
    send(&one, b"abc").unwrap();
    let mut sink = VecSink::new(9);
    assert_eq!(two.receive(&mut sink, true).unwrap().count, 3);
    assert_eq!(receive(&two, 9).unwrap(), b"abc");
}

#[test]
fn closing_ends_a_connection_after_what_was_sent() {
    let [one, two] = pair(Form::Stream);
    send(&one, b"x").unwrap();
    drop(one);
    let ready = two.readiness();
    assert!(ready.contains(Readiness::HANGUP | Readiness::ENDED) && !ready.contains(Readiness::ERROR));
    assert_eq!((receive(&two, 9).unwrap(), receive(&two, 9).unwrap()), (b"x".to_vec(), vec![]));
    assert_eq!(send(&two, b"x"), Err(FileError::Broken));
}

#[test]
fn closing_with_unread_bytes_is_a_reset_told_once() {
    let [one, two] = pair(Form::Stream);
    send(&two, b"x").unwrap();
    drop(one);
    assert!(two.readiness().contains(Readiness::ERROR));
    assert_eq!((receive(&two, 9), receive(&two, 9)), (Err(FileError::Reset), Ok(vec![])));
}

#[test]
fn a_datagram_to_nobody_is_refused_once() {
    let [one, two] = pair(Form::Datagrams);
    drop(one);
    assert!(!two.readiness().contains(Readiness::HANGUP));
    assert_eq!((send(&two, b"x"), send(&two, b"x")), (Err(FileError::Refused), Err(FileError::NotConnected)));
}

#[test]
fn each_direction_is_shut_for_itself() {
    let [one, two] = pair(Form::Stream);
    one.shut_down(false, true);
    assert_eq!((send(&one, b"x"), receive(&two, 1)), (Err(FileError::Broken), Ok(vec![])));
    assert_eq!((send(&two, b"x"), receive(&one, 1)), (Ok(1), Ok(b"x".to_vec())));
    assert!(two.readiness().contains(Readiness::ENDED) && !two.readiness().contains(Readiness::HANGUP));
}

struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_full_inbox_waits_and_its_sender_hears_of_room() {
    for form in [Form::Stream, Form::Packets] {
        let [one, two] = pair(form);
        let count = Arc::new(Count(AtomicUsize::new(0)));
        let _watcher = Watcher::new(Arc::clone(&one), |one| one.wait_queue().unwrap(), Waker::from(Arc::clone(&count)));
        let mut sent = 0;
        while let Ok(more) = send(&one, &[7; 10_000]) {
            sent += more;
        }
        assert!(sent > CAPACITY / 2 && sent <= CAPACITY, "{sent}");
        assert!(!one.readiness().contains(Readiness::WRITABLE));
        let mut received = 0;
        while let Ok(bytes) = receive(&two, 50_000) {
            received += bytes.len();
        }
        assert_eq!(received, sent);
        assert!(one.readiness().contains(Readiness::WRITABLE) && count.0.load(Ordering::SeqCst) > 0);
    }
    let [one, _two] = pair(Form::Datagrams);
    assert_eq!(send(&one, &vec![0; CAPACITY]), Err(FileError::TooLong));
}

struct Plain;

impl Carried for Plain {
    fn socket(&self) -> Option<&Socket> {
        None
    }
}

#[test]
fn open_files_come_with_the_bytes_they_were_sent_with() {
    let [one, two] = pair(Form::Stream);
    let right: Right = Arc::new(Plain);
    send(&one, b"a").unwrap();
    let mut parcel = Parcel { rights: vec![right.clone()], ..Parcel::default() };
    one.send(&mut SliceSource::new(b"bc"), &mut parcel, None).unwrap();
    send(&one, b"d").unwrap();
    let mut sink = VecSink::new(9);
    let received = two.receive(&mut sink, false).unwrap();
    assert_eq!((&*sink.bytes, received.rights.len()), (&b"abc"[..], 1));
    assert_eq!(Arc::strong_count(&right), 2);
    drop(received);
    assert_eq!(receive(&two, 9).unwrap(), b"d");
    assert_eq!(Arc::strong_count(&right), 1);
}

#[test]
fn connections_wait_to_be_accepted() {
    static NAMES: Names = Names::new();
    let names = &NAMES;
    let (server, client) = (alone(Form::Stream), alone(Form::Stream));
    assert_eq!(server.listen(0), Err(FileError::Invalid));
    server.set_name(b"server"[..].into()).unwrap();
    names.add(b"key"[..].into(), &server).unwrap();
    assert_eq!(names.add(b"key"[..].into(), &client), Err(FileError::AddressInUse));
    let found = names.find(b"key").unwrap();
    assert_eq!(client.connect(&found, 3, 0), Err(FileError::Refused));
    server.listen(0).unwrap();
    assert_eq!(server.accept().err(), Some(FileError::WouldBlock));
    client.connect(&found, 3, 0).unwrap();
    assert_eq!(alone(Form::Stream).connect(&found, 4, 0), Err(FileError::WouldBlock));
    assert_eq!(client.connect(&found, 3, 0), Err(FileError::Connected));
    assert!(server.readiness().contains(Readiness::READABLE));
    send(&client, b"x").unwrap();
    let end = server.accept().unwrap();
    assert_eq!(receive(&end, 9).unwrap(), b"x");
    assert_eq!(client.peer_name().unwrap().as_deref(), Some(&b"server"[..]));
    assert_eq!(client.peer(), Some(Who { process: 1, ..Who::default() }));
    drop((server, found));
    assert!(names.find(b"key").is_none());
    assert_eq!(send(&end, b"y"), Ok(1));
}

#[test]
fn connections_that_nobody_accepts_are_reset() {
    let (server, client) = (alone(Form::Packets), alone(Form::Packets));
    server.set_name(b"server"[..].into()).unwrap();
    server.listen(5).unwrap();
    client.connect(&server, 3, 0).unwrap();
    drop(server);
    assert_eq!(receive(&client, 9), Err(FileError::Reset));
}

std::thread_local! {
    static MOVED: core::cell::RefCell<Vec<u8>> = const { core::cell::RefCell::new(Vec::new()) };
}

fn short_receive(socket: &Socket, count: usize) -> Option<Vec<u8>> {
    let copy = |_, bytes: &[u8]| {
        MOVED.replace(bytes.to_vec());
        NonZeroUsize::new(bytes.len())
    };
    let moved = socket.read_short(0, count, ShortSink { place: 0, copy })?;
    let bytes = MOVED.take();
    assert_eq!(bytes.len(), moved.get());
    Some(bytes)
}

fn short_send(inbox: &mut inbox::Inbox, byte: u8, count: usize, who: Who) -> Moved {
    let copy = |bytes: &mut [u8], byte| {
        bytes.fill(byte as u8);
        NonZeroUsize::new(bytes.len()).filter(|_| byte != 0)
    };
    inbox.add_short(count, who, ShortSource { place: usize::from(byte), copy })
}

#[test]
fn the_short_ways_move_what_the_general_ones_do() {
    let [one, two] = pair(Form::Stream);
    let other = Who { process: 7, ..Who::default() };
    assert_eq!(short_receive(&two, 1), None, "nothing has come");
    for round in 1..100_u8 {
        let mut state = two.state.lock();
        assert_eq!(short_send(&mut state.inbox, 0, 5, Who::default()), None, "the memory does not work");
        assert!(state.inbox.is_empty() && state.inbox.used() == 0);
        short_send(&mut state.inbox, round, 5, Who::default()).unwrap();
        short_send(&mut state.inbox, round + 1, 3, Who::default()).unwrap();
        short_send(&mut state.inbox, round + 2, 2, other).unwrap();
        drop(state);
        assert_eq!(two.available(), 10);
        assert_eq!(short_receive(&two, 4).unwrap(), [round; 4]);
        assert_eq!(short_receive(&two, 9), None, "more than one piece");
        assert_eq!(receive(&two, 9).unwrap(), [round, round + 1, round + 1, round + 1], "of one sender");
        assert_eq!(short_receive(&two, 9).unwrap(), [round + 2; 2]);
        send(&one, b"abc").unwrap();
        assert_eq!(short_receive(&two, 2).unwrap(), b"ab");
        assert_eq!(receive(&two, 2).unwrap(), b"c");
        assert_eq!(two.state.lock().inbox.used(), 0);
    }
    let [one, two] = pair(Form::Packets);
    send(&one, b"abc").unwrap();
    assert!(!two.has_short_ways() && short_receive(&two, 9).is_none(), "a message is received as a whole");
}
