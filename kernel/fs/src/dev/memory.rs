//! Devices that are neither memory nor a device: null(4), full(4), random(4).

use core::num::NonZeroUsize;

use kernel::task;
use vfs::{FileError, Kind, Metadata, Moved, Node, Seeking, ShortSink, ShortSource, Sink, Source};

/// One of them, opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Ends at once, and swallows everything.
    Null,
    /// Zeros without end.
    Zero,
    /// Zeros without end, and no room for anything.
    Full,
    /// Random bytes without end.
    Random,
}

impl Memory {
    pub const NULL: (u32, u32) = (1, 3);
    pub const ZERO: (u32, u32) = (1, 5);
    pub const FULL: (u32, u32) = (1, 7);
    pub const RANDOM: (u32, u32) = (1, 8);
    pub const URANDOM: (u32, u32) = (1, 9);

    /// The device of that number.
    pub fn of(number: (u32, u32)) -> Option<Self> {
        match number {
            Self::NULL => Some(Self::Null),
            Self::ZERO => Some(Self::Zero),
            Self::FULL => Some(Self::Full),
            Self::RANDOM | Self::URANDOM => Some(Self::Random),
            _ => None,
        }
    }
}

impl Node for Memory {
    fn kind(&self) -> Kind {
        Kind::Character
    }

    fn metadata(&self) -> Metadata {
        let special = match self {
            Self::Null => Self::NULL,
            Self::Zero => Self::ZERO,
            Self::Full => Self::FULL,
            Self::Random => Self::RANDOM,
        };
        let mut metadata = Metadata::new(Kind::Character, 0o666);
        metadata.special = special;
        metadata
    }

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        Ok(match self {
            Self::Null => 0,
            Self::Zero | Self::Full => endless(sink, 1 << 16, |sink, count| sink.put_zeros(count)),
            Self::Random => {
                let mut bytes = [0; 256];
                endless(sink, 1 << 12, |sink, count| {
                    let part = &mut bytes[..count.min(256)];
                    contracts::entropy::fill(part);
                    sink.put(part)
                })
            }
        })
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        match self {
            Self::Full if source.left() > 0 => Err(FileError::NoSpace),
            _ => Ok(source.skip()),
        }
    }

    fn has_short_ways(&self) -> bool {
        true
    }

    fn read_short(&self, _offset: u64, count: usize, sink: ShortSink) -> Moved {
        static ZEROS: [u8; 512] = [0; 512];
        match self {
            Self::Zero => sink.put(ZEROS.get(..count)?),
            _ => None,
        }
    }

    fn write_short(&self, _offset: u64, count: usize, _source: ShortSource) -> Moved {
        if *self == Self::Full { None } else { NonZeroUsize::new(count) }
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Err(FileError::Invalid)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Anywhere
    }
}

/// Has `put` fill the reader's memory, told how much there may be at most. Gigabytes take seconds: after each
/// `unbroken` bytes others get their turn, and a signal ends the read with what there is, as on Linux.
fn endless(sink: &mut dyn Sink, unbroken: usize, mut put: impl FnMut(&mut dyn Sink, usize) -> usize) -> usize {
    let mut total = 0;
    loop {
        let part = sink.room().min(unbroken - total % unbroken);
        let count = put(sink, part);
        total += count;
        if count == 0 || sink.room() == 0 || total.is_multiple_of(unbroken) && task::breathe() {
            return total;
        }
    }
}
