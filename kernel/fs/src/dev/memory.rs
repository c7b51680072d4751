//! Devices that are neither memory nor a device: null(4), full(4), random(4).

use vfs::{FileError, Kind, Metadata, Node, Seeking, Sink, Source};

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
            Self::Zero | Self::Full => {
                let room = sink.room();
                sink.put_zeros(room)
            }
            Self::Random => random(sink),
        })
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        match self {
            Self::Full if source.left() > 0 => Err(FileError::NoSpace),
            _ => Ok(source.skip()),
        }
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Err(FileError::Invalid)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Anywhere
    }
}

fn random(sink: &mut dyn Sink) -> usize {
    let mut bytes = [0; 256];
    let mut total = 0;
    while sink.room() > 0 {
        let part = sink.room().min(bytes.len());
        contracts::entropy::fill(&mut bytes[..part]);
        let count = sink.put(&bytes[..part]);
        total += count;
        if count < part {
            break;
        }
    }
    total
}
