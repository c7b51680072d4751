//! Many connections: at once, and one after another.

use std::net::TcpStream;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::net::sockopt::set_socket_linger;
use system_tests::client;

use crate::way::Served;

/// Connections at once, and one after another.
const MANY: usize = 10_000;
const MILLION: usize = 1_000_000;

/// Opens so many, has each carry something twice, and says how much memory each takes when nothing happens.
pub fn hold(served: &Served, count: usize) {
    let before = served.now();
    let mut streams: Vec<TcpStream> = (0..count).map(|_| client::connect(served.address, 7)).collect();
    client::words(&mut streams);
    // What is not acknowledged yet is memory too, and no idle one's.
    std::thread::sleep(Duration::from_secs(1));
    let held = served.now();
    let each = held.memory.saturating_sub(before.memory) / count as u64;
    eprintln!("figure: {}: {each} bytes for each of {count} idle connections", served.name);
    assert_eq!(held.descriptors, before.descriptors + count as u64, "the server has each of them");
    client::words(&mut streams);
}

/// Ten thousand at once, and again when those have gone. One test holds so many at a time, for all are one process.
pub fn at_once(served: &Served) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    hold(served, MANY);
    let before = served.told();
    hold(served, MANY);
    served.is_as_before(&before);
}

/// One that the client ends by a reset, or one that the server ends first, and so remembers for a minute (RFC 9293,
/// 3.6.1).
pub fn one(served: &Served, number: usize) {
    if number.is_multiple_of(2) {
        served.now();
        return;
    }
    let mut stream = client::connect(served.address, 7);
    client::words(std::slice::from_mut(&mut stream));
    set_socket_linger(&stream, Some(Duration::ZERO)).unwrap();
}

/// A million, one after another: the second half leaves no more behind than the first has.
pub fn one_after_another(served: &Served) {
    // A part of the tests has an hour, and an emulated machine opens a tenth as many in that.
    let count = if served.platform.is_pc() { MILLION / 10 } else { MILLION };
    let since = Instant::now();
    (0..count / 2).for_each(|number| one(served, number));
    let half = served.now();
    (count / 2..count).for_each(|number| one(served, number));
    eprintln!("figure: {}: {count} connections in {:?}", served.name, since.elapsed());
    served.is_as_before(&half);
}
