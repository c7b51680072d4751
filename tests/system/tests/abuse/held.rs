//! Connections that are kept, though little is asked over them.

use std::sync::{Mutex, PoisonError};

use crate::Size;
use crate::served::Served;

/// Each is answered when all are there, and again. One test holds so many at a time, for all are one process.
pub fn all(served: &Served, size: &Size) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut streams: Vec<_> = (0..size.held).map(|_| served.connect()).collect();
    for round in 0..2 {
        for (number, stream) in (0..).zip(&mut streams) {
            served.ask(stream, number * 2 + round);
        }
    }
}
