//! Malformed requests: some that are answered and leave the connection, and then one that is wrong in any way.

use std::io::{ErrorKind, Read, Write};
use std::time::Duration;

use fastrand::Rng;

use crate::Size;
use crate::served::Served;

/// Requests that are answered before one that may be anything.
const ANSWERED: u64 = 40;

/// Each wrong request stands between good ones, whose answers are looked at.
pub fn all(served: &Served, size: &Size) {
    let mut random = Rng::with_seed(1);
    for connection in 0..size.requests / (ANSWERED + 1) {
        one(served, &mut random, connection);
    }
}

fn one(served: &Served, random: &mut Rng, number: u64) {
    let mut stream = served.connect();
    let wrong: Vec<_> = (0..ANSWERED / 2).map(|_| (served.kind.wrong)(random)).collect();
    let mut sent = Vec::new();
    for (number, wrong) in (0..).zip(&wrong) {
        sent.extend_from_slice(wrong);
        sent.extend((served.kind.request)(number));
    }
    served.send(&stream, &sent);
    for number in 0..ANSWERED / 2 {
        (served.kind.read)(&mut stream).expect("what is wrong is answered");
        served.expect(&mut stream, number);
    }
    let broken = (served.kind.broken)(random);
    // The server may end the connection before it has taken all.
    let _ = stream.get_ref().write_all(&broken);
    if number.is_multiple_of(16) {
        look(&mut stream);
    }
}

/// What comes then is an error, an answer, an end, a reset, or nothing: the server waits for more.
fn look(stream: &mut crate::kind::Stream) {
    stream.get_ref().set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let mut said = Vec::new();
    match stream.read_to_end(&mut said) {
        Ok(_) => {}
        Err(error)
            if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) => {}
        Err(error) => panic!("{error}"),
    }
}
