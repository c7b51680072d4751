//! What others must not guess: sequence numbers, ports, clocks, places in tables.

use core::cell::Cell;

use packets::{Instant, tcp::SequenceNumber};
use siphasher::sip::SipHasher13;

use crate::tuple::Tuple;

/// Keys, one for each use, so that what is seen of one says nothing of another.
pub struct Secrets {
    table: (u64, u64),
    sequence: (u64, u64),
    clock: (u64, u64),
    port: (u64, u64),
    cookie: (u64, u64),
    random: Random,
    /// The tuple whose place was asked for last, and that place: what begins and ends a connection asks several times.
    last: Cell<Option<(Tuple, u32)>>,
    /// The same of the two addresses whose clock was asked for last.
    last_clock: Cell<Option<(Tuple, u32)>>,
}

impl core::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    /// All keys from one secret.
    pub fn new(secret: [u8; 32]) -> Self {
        let word = |at: usize| u64::from_le_bytes(secret[at..at + 8].try_into().unwrap_or_default());
        let (first, second) = ((word(0), word(8)), (word(16), word(24)));
        let derive = |number: u64| {
            let half = |key, part: u64| hash(key, &(number << 1 | part).to_le_bytes());
            (half(first, 0), half(second, 1))
        };
        let random = Random(derive(5), 0);
        let (last, last_clock) = (Cell::new(None), Cell::new(None));
        Self {
            table: derive(0),
            sequence: derive(1),
            clock: derive(2),
            port: derive(3),
            cookie: derive(4),
            random,
            last,
            last_clock,
        }
    }

    /// The place of a connection in a table.
    pub fn place(&self, tuple: &Tuple) -> u32 {
        remembered(&self.last, self.table, tuple)
    }

    /// The first sequence number of a connection: RFC 6528, 3. The clock M counts 4 microseconds.
    pub fn first_sequence(&self, now: Instant, tuple: &Tuple) -> SequenceNumber {
        let clock = (now.as_nanos() / 4_000) as u32;
        SequenceNumber(clock.wrapping_add(of_tuple(self.sequence, tuple) as u32))
    }

    /// What is added to the clock of milliseconds in timestamps: RFC 7323, 5.4 and 7.1. It is the pair's, without the
    /// ports, so that the clock goes on over connections (RFC 6191).
    pub fn clock_offset(&self, tuple: &Tuple) -> u32 {
        let pair = Tuple { local_port: 0, remote_port: 0, ..*tuple };
        remembered(&self.last_clock, self.clock, &pair)
    }

    /// Where the search for a free port begins: RFC 6056, 3.3.3 (algorithm 3).
    pub fn port_offset(&self, tuple: &Tuple) -> u32 {
        of_tuple(self.port, &Tuple { local_port: 0, ..*tuple }) as u32
    }

    /// The authentication of a SYN cookie: RFC 4987, appendix A.
    pub fn cookie(&self, tuple: &Tuple, first: SequenceNumber, minute: u32, what: u8) -> u32 {
        let (bytes, length) = tuple.bytes();
        let mut all = [0; 45];
        all[..length].copy_from_slice(&bytes[..length]);
        all[36..40].copy_from_slice(&first.0.to_le_bytes());
        all[40..44].copy_from_slice(&minute.to_le_bytes());
        all[44] = what;
        hash(self.cookie, &all) as u32
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.random.next() as u32) * u64::from(bound)) >> 32) as u32
    }
}

/// Numbers that cannot be told from random ones without the key: a keyed hash of a counter.
struct Random((u64, u64), u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.1 += 1;
        hash(self.0, &self.1.to_le_bytes())
    }
}

/// The hash of a tuple, which may be the one that was asked for last.
fn remembered(last: &Cell<Option<(Tuple, u32)>>, key: (u64, u64), tuple: &Tuple) -> u32 {
    if let Some((last, hash)) = last.get()
        && last == *tuple
    {
        return hash;
    }
    let hash = of_tuple(key, tuple) as u32;
    last.set(Some((*tuple, hash)));
    hash
}

fn of_tuple(key: (u64, u64), tuple: &Tuple) -> u64 {
    if tuple.is_v4() {
        return hash(key, &tuple.short());
    }
    let (bytes, length) = tuple.bytes();
    hash(key, &bytes[..length])
}

#[inline]
fn hash(key: (u64, u64), bytes: &[u8]) -> u64 {
    SipHasher13::new_with_keys(key.0, key.1).hash(bytes)
}
