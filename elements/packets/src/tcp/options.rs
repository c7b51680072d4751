//! The options of a segment: RFC 9293, 3.2; RFC 7323 (window scale, timestamps); RFC 2018 and 2883 (SACK);
//! RFC 7413 (fast open).

use super::{LONGEST_OPTIONS, SequenceNumber};

const END: u8 = 0;
const NOTHING: u8 = 1;
const SEGMENT_SIZE: u8 = 2;
const WINDOW_SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const TIMESTAMPS: u8 = 8;
const SIGNATURE: u8 = 19;
const FAST_OPEN: u8 = 34;

/// The largest shift of windows: RFC 7323, 2.3.
const LARGEST_SHIFT: u8 = 14;

/// A sender's clock, and the receiver's that it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamps {
    /// The sender's clock.
    pub value: u32,
    /// The clock of the segment that this one answers.
    pub echo: u32,
}

impl Timestamps {
    /// Of options that are these clocks alone.
    #[must_use]
    #[inline]
    pub fn of(options: &[u8]) -> Option<Self> {
        only_timestamps(options)
    }

    /// The option by itself, as most segments have it: RFC 7323, appendix A.
    #[must_use]
    #[inline]
    pub fn alone(&self) -> [u8; 12] {
        let [a, b, c, d] = self.value.to_be_bytes();
        let [e, f, g, h] = self.echo.to_be_bytes();
        [NOTHING, NOTHING, TIMESTAMPS, 10, a, b, c, d, e, f, g, h]
    }
}

/// A cookie of fast open: RFC 7413, 4.1.1. An empty one asks for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cookie {
    bytes: [u8; Self::MOST],
    length: u8,
}

impl Cookie {
    /// Bytes of the longest.
    pub const MOST: usize = 16;

    /// One of these bytes; `None` if it cannot be: an odd number of them, or less than four.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let fits = bytes.is_empty() || (4..=Self::MOST).contains(&bytes.len()) && bytes.len().is_multiple_of(2);
        let mut cookie = Self { bytes: [0; Self::MOST], length: bytes.len() as u8 };
        fits.then(|| {
            cookie.bytes[..bytes.len()].copy_from_slice(bytes);
            cookie
        })
    }

    /// Its bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// The stretches that a receiver holds beyond what it acknowledges: first and last + 1 of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SackBlocks {
    blocks: [(SequenceNumber, SequenceNumber); Self::MOST],
    count: u8,
}

impl SackBlocks {
    /// As many as a header has room for.
    pub const MOST: usize = 4;

    /// Adds one; `false` if there is no room.
    pub fn push(&mut self, first: SequenceNumber, end: SequenceNumber) -> bool {
        let Some(place) = self.blocks.get_mut(usize::from(self.count)) else { return false };
        *place = (first, end);
        self.count += 1;
        true
    }

    /// The blocks, in the order in which they were told.
    #[must_use]
    pub fn as_slice(&self) -> &[(SequenceNumber, SequenceNumber)] {
        &self.blocks[..usize::from(self.count)]
    }

    /// Keeps the first `count` blocks.
    pub fn truncate(&mut self, count: usize) {
        let count = count.min(self.count.into());
        self.blocks[count..].fill(Default::default());
        self.count = count as u8;
    }
}

/// What the options of a segment say. Those that nobody here knows are passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The most bytes of payload that its sender takes in a segment.
    pub segment_size: Option<u16>,
    /// By how many bits its sender's windows are shifted, at most 14.
    pub window_scale: Option<u8>,
    /// Its sender understands SACK.
    pub sack_permitted: bool,
    /// The clocks.
    pub timestamps: Option<Timestamps>,
    /// What its sender holds.
    pub sack: SackBlocks,
    /// It is signed: RFC 2385. There are no keys here to look at it with, so it is read and never written.
    pub signed: bool,
    /// A cookie of fast open, or the wish for one.
    pub cookie: Option<Cookie>,
}

impl Options {
    /// Reads the options behind a header. One that is cut short, or whose length cannot be, ends them.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let mut options = Self::default();
        options.read(bytes);
        options
    }

    /// As [`Options::parse`], where none were before.
    #[inline]
    pub fn read(&mut self, bytes: &[u8]) {
        match only_timestamps(bytes) {
            Some(timestamps) => self.timestamps = Some(timestamps),
            None => self.read_each(bytes),
        }
    }

    fn read_each(&mut self, mut bytes: &[u8]) {
        while let [kind, rest @ ..] = bytes {
            match *kind {
                END => break,
                NOTHING => bytes = rest,
                kind => {
                    let length = rest.first().map_or(0, |&length| usize::from(length));
                    let (Some(value), Some(next)) = (bytes.get(2..length), bytes.get(length..)) else { break };
                    self.take(kind, value);
                    bytes = next;
                }
            }
        }
    }

    fn take(&mut self, kind: u8, value: &[u8]) {
        match (kind, value) {
            (SEGMENT_SIZE, &[high, low]) => self.segment_size = Some(u16::from_be_bytes([high, low])),
            (WINDOW_SCALE, &[shift]) => self.window_scale = Some(shift.min(LARGEST_SHIFT)),
            (SACK_PERMITTED, []) => self.sack_permitted = true,
            (SACK, blocks) if blocks.len().is_multiple_of(8) => {
                for block in blocks.as_chunks::<8>().0 {
                    self.sack.push(SequenceNumber(number(&block[..4])), SequenceNumber(number(&block[4..])));
                }
            }
            (TIMESTAMPS, clocks) if clocks.len() == 8 => {
                self.timestamps = Some(Timestamps { value: number(&clocks[..4]), echo: number(&clocks[4..]) });
            }
            (SIGNATURE, _) => self.signed = true,
            (FAST_OPEN, bytes) => self.cookie = Cookie::of(bytes),
            _ => {}
        }
    }

    /// Writes them to the first bytes of `to`, in the order and with the padding of Linux, and says how many bytes they
    /// are: a multiple of 4. SACK blocks that have no room are left out.
    pub fn emit(&self, to: &mut [u8; LONGEST_OPTIONS]) -> usize {
        let mut writer = Writer { to, at: 0 };
        if let Some(size) = self.segment_size {
            let [high, low] = size.to_be_bytes();
            writer.put(&[SEGMENT_SIZE, 4, high, low]);
        }
        match (self.sack_permitted, self.timestamps) {
            (true, Some(_)) => writer.put(&[SACK_PERMITTED, 2]),
            (true, None) => writer.put(&[NOTHING, NOTHING, SACK_PERMITTED, 2]),
            (false, Some(_)) => writer.put(&[NOTHING, NOTHING]),
            (false, None) => {}
        }
        if let Some(clocks) = self.timestamps {
            writer.put(&[TIMESTAMPS, 10]);
            writer.put(&clocks.value.to_be_bytes());
            writer.put(&clocks.echo.to_be_bytes());
        }
        if let Some(shift) = self.window_scale {
            writer.put(&[NOTHING, WINDOW_SCALE, 3, shift]);
        }
        if let Some(cookie) = &self.cookie {
            writer.put(&[FAST_OPEN, 2 + cookie.length]);
            writer.put(cookie.as_slice());
            writer.put(&[NOTHING; 3][..writer.at.next_multiple_of(4) - writer.at]);
        }
        writer.put_sack(self.sack.as_slice());
        writer.at
    }

    /// What nearly every segment carries, if these are that: the clocks alone.
    #[must_use]
    #[inline]
    pub fn only_timestamps(&self) -> Option<[u8; 12]> {
        let others = self.segment_size.is_some() || self.window_scale.is_some() || self.sack_permitted;
        let clocks = self.timestamps.filter(|_| !others && self.sack.count == 0)?;
        Some(clocks.alone())
    }

    /// Bytes that [`Options::emit`] writes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.emit(&mut [0; LONGEST_OPTIONS])
    }
}

/// What nearly every segment of a connection carries, without a look at each option: RFC 7323, appendix A.
fn only_timestamps(bytes: &[u8]) -> Option<Timestamps> {
    match bytes {
        [NOTHING, NOTHING, TIMESTAMPS, 10, clocks @ ..] if clocks.len() == 8 => {
            Some(Timestamps { value: number(&clocks[..4]), echo: number(&clocks[4..]) })
        }
        _ => None,
    }
}

/// A number of up to four bytes, the highest first.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

struct Writer<'a> {
    to: &'a mut [u8; LONGEST_OPTIONS],
    at: usize,
}

impl Writer<'_> {
    /// The fixed options are at most 20 bytes and the cookie 18, so there is room.
    fn put(&mut self, bytes: &[u8]) {
        self.to[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    fn put_sack(&mut self, blocks: &[(SequenceNumber, SequenceNumber)]) {
        let room = (LONGEST_OPTIONS - self.at).saturating_sub(4) / 8;
        let blocks = &blocks[..blocks.len().min(room)];
        if blocks.is_empty() {
            return;
        }
        self.put(&[NOTHING, NOTHING, SACK, 2 + 8 * blocks.len() as u8]);
        for (first, end) in blocks {
            self.put(&first.0.to_be_bytes());
            self.put(&end.0.to_be_bytes());
        }
    }
}
