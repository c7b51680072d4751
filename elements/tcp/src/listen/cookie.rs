//! SYN cookies: RFC 4987, 3.6. What a half-open connection would remember is in the sequence number that the other side
//! sends back.
//!
//! The number: 5 bits of time, 3 bits that choose a segment size, 24 bits of authentication. What does not fit (window
//! scale, SACK, congestion notification) goes to the lowest bits of our timestamp, if the other side has timestamps.

use packets::{
    Instant,
    tcp::{Options, SequenceNumber},
};

use crate::{secrets::Secrets, tuple::Tuple};

/// A cookie is taken for one to two of these.
const LIFE: u64 = 64;
/// Segment sizes that are told apart: what paths have.
const SIZES: [u16; 8] = [48, 536, 1220, 1300, 1380, 1440, 1460, 8960];
/// The lowest bits of the timestamp.
const BITS: u32 = 0x3f;
const NO_SHIFT: u32 = 0xf;
const SACK: u32 = 0x10;
const NOTIFIED: u32 = 0x20;

fn time(now: Instant) -> u32 {
    (now.as_millis() / 1000 / LIFE) as u32
}

fn number(secrets: &Secrets, tuple: &Tuple, theirs: SequenceNumber, time: u32, size: u8) -> SequenceNumber {
    let seal = secrets.cookie(tuple, theirs, time, size) & 0xff_ffff;
    SequenceNumber((time & 0x1f) << 27 | u32::from(size) << 24 | seal)
}

/// The first sequence number for a SYN that nobody remembers.
pub fn make(secrets: &Secrets, now: Instant, tuple: &Tuple, theirs: SequenceNumber, size: u16) -> SequenceNumber {
    let index = SIZES.iter().rposition(|known| *known <= size).unwrap_or(0);
    number(secrets, tuple, theirs, time(now), index as u8)
}

/// The timestamp that remembers what the number cannot: at most `clock`, so that later ones are later.
pub fn clock(clock: u32, options: &Options, notified: bool) -> u32 {
    let shift = options.window_scale.map_or(NO_SHIFT, u32::from);
    let sack = if options.sack_permitted { SACK } else { 0 };
    let value = clock & !BITS | shift | sack | if notified { NOTIFIED } else { 0 };
    if value.wrapping_sub(clock) as i32 > 0 { value.wrapping_sub(BITS + 1) } else { value }
}

/// What the SYN had said, if the number that came back is one of ours. The timestamps are the acknowledgment's.
pub fn open(
    secrets: &Secrets,
    now: Instant,
    tuple: &Tuple,
    first: SequenceNumber,
    theirs: SequenceNumber,
    acknowledgment: &Options,
) -> Option<(Options, bool)> {
    let size = (first.0 >> 24 & 7) as u8;
    let now = time(now);
    let good = [now, now.wrapping_sub(1)].into_iter().any(|time| number(secrets, tuple, theirs, time, size) == first);
    if !good {
        return None;
    }
    let mut options = Options { segment_size: Some(SIZES[usize::from(size)]), ..Options::default() };
    let Some(clocks) = acknowledgment.timestamps else { return Some((options, false)) };
    let shift = clocks.echo & 0xf;
    options.timestamps = Some(clocks);
    options.window_scale = (shift != NO_SHIFT).then_some(shift.min(14) as u8);
    options.sack_permitted = clocks.echo & SACK != 0;
    Some((options, clocks.echo & NOTIFIED != 0))
}
