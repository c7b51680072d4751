//! What is done with a connection's bytes, step by step.

use std::fs;

use crate::pattern::{self, Digest};

/// Bytes that are read or written at once, a multiple of eight.
pub const PIECE: usize = 64 << 10;

/// A connection's service, and how far it is.
pub enum Service {
    Echo,
    Discard,
    /// Bytes of the length that have come; once those are eight, the bytes that are left to send and the next word.
    Source { wanted: Vec<u8>, left: u64, word: u64 },
    Digest(Box<Digest>),
    Memory,
}

impl Service {
    /// That of a port.
    pub fn of(port: u16) -> Self {
        match port {
            7 => Self::Echo,
            9 => Self::Discard,
            19 => Self::Source { wanted: Vec::new(), left: 0, word: 0 },
            90 => Self::Digest(Box::default()),
            _ => Self::Memory,
        }
    }

    /// Whether it sends more than buffers hold.
    pub const fn sends_much(&self) -> bool {
        matches!(self, Self::Source { .. })
    }

    /// Takes bytes that have come; what is to be sent is added.
    pub fn take(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Echo => out.extend_from_slice(bytes),
            Self::Discard | Self::Memory => {}
            Self::Digest(digest) => digest.add(bytes),
            Self::Source { wanted, left, .. } => {
                wanted.extend(bytes.iter().take(8 - wanted.len()));
                if let Ok(word) = wanted[..].try_into() {
                    *left = u64::from_be_bytes(word);
                }
            }
        }
    }

    /// Adds what the other side has got by its end.
    pub fn at_end(&self, out: &mut Vec<u8>) {
        if let Self::Digest(digest) = self {
            out.extend(digest.length.to_be_bytes());
            out.extend(digest.finish().to_be_bytes());
        }
    }

    /// Adds what goes without being asked for; whether that is all that the service has to say.
    pub fn go_on(&mut self, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Source { wanted, left, word } if wanted.len() == 8 => {
                let count = (*left).min(PIECE as u64);
                out.resize(count as usize, 0);
                pattern::fill(out, *word);
                *left -= count;
                *word += count.div_ceil(8);
                *left == 0
            }
            Self::Memory => {
                out.extend(memory().to_be_bytes());
                out.extend(descriptors().to_be_bytes());
                true
            }
            _ => false,
        }
    }
}

/// Bytes of the machine's memory that are in use; what the kernel's heap keeps for later is not.
fn memory() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    let [total, free, kept] = ["MemTotal:", "MemFree:", "SReclaimable:"].map(|name| value(name).unwrap_or(0));
    total.saturating_sub(free + kept) << 10
}

fn descriptors() -> u64 {
    fs::read_dir("/proc/self/fd").map_or(0, |folder| folder.count() as u64)
}
