//! Clients that ask much, as they should: one request after another, and many before the first answer.

use crate::Size;
use crate::served::Served;

/// Requests before the first answer is read.
const PIPELINED: u64 = 500;
/// Requests that one connection carries.
const CONNECTION: u64 = 100_000;

/// A half one by one, and a half pipelined.
pub fn in_a_row(served: &Served, size: &Size) {
    let half = size.requests / 2;
    let mut stream = served.connect();
    for number in 0..half {
        if number % CONNECTION == CONNECTION - 1 {
            stream = served.connect();
        }
        served.ask(&mut stream, number);
    }
    for first in (half..size.requests).step_by(PIPELINED as usize) {
        let numbers = first..(first + PIPELINED).min(size.requests);
        served.send(&stream, &numbers.clone().flat_map(served.kind.request).collect::<Vec<_>>());
        numbers.for_each(|number| served.expect(&mut stream, number));
    }
}
