//! Sockets in sockets: chains that go, circles that nobody can reach, and how much looking that takes.

extern crate std;

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    vec,
    vec::Vec,
};

use super::{flight::steps, *};
use vfs::SliceSource;

/// What is under way is the whole machine's: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An open file.
struct Open(Arc<Socket>);

impl Carried for Open {
    fn socket(&self) -> Option<&Socket> {
        Some(&self.0)
    }
}

/// Two ends that are open.
fn pair(form: Form) -> [Arc<Open>; 2] {
    Socket::pair(form, [1, 2], Who::default(), 0).map(|socket| Arc::new(Open(socket)))
}

fn carry(by: &Open, what: Vec<Right>, allowance: Allowance) -> Result<usize, FileError> {
    let mut parcel = Parcel { rights: what, allowance, ..Parcel::default() };
    by.0.send(&mut SliceSource::new(b"x"), &mut parcel, None)
}

fn put(by: &Open, what: &Arc<Open>) {
    assert_eq!(carry(by, vec![what.clone()], Allowance::default()), Ok(1));
}

/// What its user closes.
fn close(open: Arc<Open>) {
    drop(open);
    closed();
}

/// Something by which it shows that a socket is gone.
struct Witness;

impl Carried for Witness {
    fn socket(&self) -> Option<&Socket> {
        None
    }
}

/// In a thread whose stack is as small as a kernel's.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(32 << 10).spawn(work).unwrap().join().unwrap();
}

const MANY: usize = if cfg!(miri) { 30 } else { 5000 };

#[test]
fn a_chain_goes_without_recursion() {
    let _alone = alone();
    for form in [Form::Stream, Form::Datagrams, Form::Packets] {
        on_a_small_stack(move || {
            let witness: Right = Arc::new(Witness);
            let [near, far] = pair(form);
            assert_eq!(carry(&near, vec![witness.clone()], Allowance::default()), Ok(1));
            let (mut peers, mut last) = (vec![near], far);
            let before = steps();
            for _ in 0..MANY {
                let [near, far] = pair(form);
                put(&near, &last);
                // A datagram socket's peer travels too, so that each holds what is its own.
                if form == Form::Datagrams {
                    put(&near, &peers.pop().unwrap());
                }
                close(core::mem::replace(&mut last, far));
                peers.push(near);
            }
            assert_eq!(Arc::strong_count(&witness), 2);
            close(last);
            assert_eq!(Arc::strong_count(&witness), 1);
            // Linear, whatever is under way.
            assert!(steps() - before <= MANY * 16 * 4, "{} steps for {MANY} sockets", steps() - before);
        });
    }
}

#[test]
fn circles_that_nobody_can_reach_are_collected() {
    let _alone = alone();
    let witness: Right = Arc::new(Witness);
    for length in [1, 2, 7] {
        let ring: Vec<_> = (0..length).map(|_| pair(Form::Stream)).collect();
        for (index, [near, _]) in ring.iter().enumerate() {
            put(near, &ring[(index + 1) % length][1]);
            assert_eq!(carry(near, vec![witness.clone()], Allowance::default()), Ok(1));
        }
        let mut ends = ring.into_iter();
        let [near, far] = ends.next().unwrap();
        ends.flatten().for_each(close);
        assert_eq!(Arc::strong_count(&witness), 1 + length, "one is open");
        let mut sink = vfs::VecSink::new(1);
        let taken = far.0.receive(&mut sink, true).unwrap();
        close(far);
        closed();
        assert_eq!(Arc::strong_count(&witness), 1 + length, "one is being looked at");
        drop(taken);
        close(near);
        assert_eq!(Arc::strong_count(&witness), 1);
    }
}

#[test]
fn connections_that_wait_carry_too() {
    let _alone = alone();
    let witness: Right = Arc::new(Witness);
    let who = Who::default();
    let server = Arc::new(Open(Socket::new(Form::Stream, 1, who, 0)));
    server.0.set_name(b"server"[..].into()).unwrap();
    server.0.listen(5).unwrap();
    let client = Arc::new(Open(Socket::new(Form::Stream, 2, who, 0)));
    client.0.connect(&server.0, 3, 0).unwrap();
    put(&client, &server);
    assert_eq!(carry(&client, vec![witness.clone()], Allowance::default()), Ok(1));
    closed();
    close(client);
    assert_eq!(Arc::strong_count(&witness), 2);
    close(server);
    assert_eq!(Arc::strong_count(&witness), 1);
}

#[test]
fn what_is_under_way_is_bounded_by_user() {
    let _alone = alone();
    let [near, far] = pair(Form::Stream);
    let mine = |most| Allowance { user: 77, most };
    let files = |count| (0..count).map(|_| Arc::new(Witness) as Right).collect::<Vec<_>>();
    assert_eq!(carry(&near, files(3), mine(2)), Ok(1));
    assert_eq!(carry(&near, files(1), mine(2)), Err(FileError::TooManyReferences));
    assert_eq!(carry(&near, files(1), Allowance { user: 78, most: 2 }), Ok(1));
    assert_eq!(carry(&near, files(1), mine(3)), Ok(1));
    assert_eq!(far.0.receive(&mut vfs::VecSink::new(1), false).unwrap().rights.len(), 3);
    assert_eq!(carry(&near, files(1), mine(2)), Ok(1));
    drop(far);
    let [near, _far] = pair(Form::Stream);
    assert_eq!(carry(&near, files(1), mine(0)), Ok(1));
}

/// Senders that wait, and names, thousands of each.
#[test]
fn names_are_found_and_forgotten() {
    static NAMES: Names = Names::new();
    let new = || Socket::new(Form::Datagrams, 1, Who::default(), 0);
    let sockets: Vec<_> = (0..MANY).map(|_| new()).collect();
    let name = |index: usize| -> Name { std::format!("name {index}").into_bytes().into() };
    for (index, socket) in sockets.iter().enumerate() {
        assert_eq!(NAMES.add(name(index), socket), Ok(()));
    }
    assert_eq!(NAMES.add(name(3), &new()), Err(FileError::AddressInUse));
    assert!(Arc::ptr_eq(&NAMES.find(&name(7)).unwrap(), &sockets[7]));
    drop(sockets);
    assert!(NAMES.find(&name(7)).is_none());
    assert_eq!(NAMES.add(name(3), &new()), Ok(()));
}
