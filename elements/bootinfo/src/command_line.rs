//! The kernel command line: words separated by blanks.
//!
//! Only the machine's own words are read here (virtio devices that no table lists); everything about the program
//! travels in the launch record.

use crate::{Memory, Trigger, VirtioMmio};

/// Most bytes of a command line (Linux's own limit on x86 is 2 KB).
const LIMIT: usize = 64 << 10;
/// The key of a virtio-mmio device: Linux's `virtio_mmio.device=`, `Documentation/admin-guide/kernel-parameters.txt`.
const VIRTIO_MMIO: &str = "virtio_mmio.device=";

/// A command line in place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommandLine<'a> {
    text: &'a str,
}

impl<'a> CommandLine<'a> {
    /// A view of text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// Reads the NUL-ended string at physical `address`; `None` if it is unreadable, has no end within 64 KB, or is
    /// not UTF-8.
    pub fn read<M: Memory + ?Sized>(memory: &'a M, address: u64) -> Option<Self> {
        let mut length = 0;
        // By pages, because memory behind the page of the NUL need not be readable.
        while length < LIMIT {
            let at = address.checked_add(length as u64)?;
            let rest_of_page = 4096 - (at & 4095) as usize;
            let (bytes, found) = page_part(memory, at, rest_of_page)?;
            length += bytes;
            if found {
                return core::str::from_utf8(memory.bytes(address, length)?).ok().map(Self::new);
            }
        }
        None
    }

    /// The whole line.
    #[must_use]
    pub const fn text(self) -> &'a str {
        self.text
    }

    /// Its words.
    pub fn words(self) -> impl Iterator<Item = &'a str> {
        self.text.split_ascii_whitespace()
    }

    /// The value of the last word `key=value`.
    #[must_use]
    pub fn value(self, key: &str) -> Option<&'a str> {
        self.words().filter_map(|word| word.strip_prefix(key)?.strip_prefix('=')).last()
    }

    /// The virtio-mmio devices it names, as `virtio_mmio.device=SIZE@BASE:LINE[:ID]`.
    pub fn virtio_mmio(self) -> impl Iterator<Item = VirtioMmio> {
        self.words().filter_map(|word| device(word.strip_prefix(VIRTIO_MMIO)?))
    }
}

/// Bytes before the first NUL in `length` bytes at `at`, and whether there was one. Short memory is read byte by byte.
fn page_part<M: Memory + ?Sized>(memory: &M, at: u64, length: usize) -> Option<(usize, bool)> {
    if let Some(bytes) = memory.bytes(at, length) {
        return Some(match bytes.iter().position(|&byte| byte == 0) {
            Some(end) => (end, true),
            None => (length, false),
        });
    }
    for index in 0..length {
        if memory.bytes(at + index as u64, 1)?.first() == Some(&0) {
            return Some((index, true));
        }
    }
    Some((length, false))
}

/// One device: `512@0xfeb00e00:12`, with `K`, `M` or `G` behind the size if it likes.
fn device(text: &str) -> Option<VirtioMmio> {
    let (size, rest) = text.split_once('@')?;
    let mut parts = rest.split(':');
    let (base, line) = (number(parts.next()?)?, number(parts.next()?)?);
    let length = scaled(size)?;
    base.checked_add(length)?;
    // No table says how these lines are driven. Monitors raise them and wait for the acknowledgement.
    Some(VirtioMmio { base, length, line: u32::try_from(line).ok()?, trigger: Trigger::EdgeHigh })
}

fn scaled(text: &str) -> Option<u64> {
    let (digits, shift) = match text.as_bytes().last()? {
        b'k' | b'K' => (text.get(..text.len() - 1)?, 10),
        b'm' | b'M' => (text.get(..text.len() - 1)?, 20),
        b'g' | b'G' => (text.get(..text.len() - 1)?, 30),
        _ => (text, 0),
    };
    number(digits)?.checked_mul(1 << shift)
}

#[inline(never)]
fn number(text: &str) -> Option<u64> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10_u32), |digits| (digits, 16));
    let add = |value: u64, digit: u8| {
        let digit = char::from(digit).to_digit(radix)?;
        value.checked_mul(radix.into())?.checked_add(digit.into())
    };
    digits.bytes().try_fold(0, add).filter(|_| !digits.is_empty())
}

#[cfg(test)]
mod tests {
    use std::{vec, vec::Vec};

    use super::*;

    #[test]
    fn devices_stand_on_the_command_line() {
        let line = CommandLine::new("a=1 virtio_mmio.device=512@0xfeb00e00:12  virtio_mmio.device=4K@1024:5:0 a=2");
        let devices: Vec<_> = line.virtio_mmio().collect();
        assert_eq!(devices[0], VirtioMmio { base: 0xfeb0_0e00, length: 512, line: 12, trigger: Trigger::EdgeHigh });
        assert_eq!((devices[1].length, devices[1].line, devices.len()), (4096, 5, 2));
        assert_eq!((line.value("a"), line.value("b")), (Some("2"), None));
    }

    #[test]
    fn nonsense_is_no_device() {
        for text in [
            "",
            "@",
            "512@",
            "512@1",
            "512@1:",
            "@1:2",
            "x@1:2",
            "K@1:2",
            "99999999999G@1:2",
            "é@1:2",
            "1@0xffffffffffffffff:1",
        ] {
            assert_eq!(device(text), None, "{text}");
        }
    }

    #[test]
    fn a_line_ends_at_its_nul() {
        let mut memory = vec![b'x'; 5000];
        assert_eq!(CommandLine::read(&memory[..], 10), None);
        memory[4999] = 0;
        assert_eq!(CommandLine::read(&memory[..], 10).unwrap().text().len(), 4989);
        memory[12] = 0;
        assert_eq!(CommandLine::read(&memory[..], 10), Some(CommandLine::new("xx")));
        assert_eq!(CommandLine::read(&memory[..], 12), Some(CommandLine::new("")));
        memory[11] = 0xff;
        assert_eq!(CommandLine::read(&memory[..], 10), None);
        assert_eq!(CommandLine::read(&memory[..], u64::MAX), None);
    }
}
