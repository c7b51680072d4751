//! Names for the bits of a word, for traces.

use core::fmt::{Result, Write};

/// Named bits and fields of a word, or words with names.
///
/// Kept as text, a line `NAME value [mask]` each, and read when something is printed: traces are rare, and tables of
/// slices are several times as large.
#[derive(Clone, Copy, Debug)]
pub struct FlagSet {
    text: &'static str,
    /// Whether a name stands for the whole word.
    whole: bool,
}

/// One name: it stands for `value` in the bits of `mask`.
struct Flag {
    name: &'static str,
    value: u64,
    mask: u64,
}

impl FlagSet {
    /// Names of bits and fields; fields of several bits first.
    #[must_use]
    pub const fn bits(text: &'static str) -> Self {
        Self { text, whole: false }
    }

    /// Names of whole words.
    #[must_use]
    pub const fn choices(text: &'static str) -> Self {
        Self { text, whole: true }
    }

    fn flags(&self) -> impl Iterator<Item = Flag> {
        self.text.lines().filter_map(|line| {
            let mut words = line.split(' ');
            let name = words.next()?;
            let value = number(words.next()?)?;
            let mask = if self.whole { u64::MAX } else { words.next().map_or(Some(value), number)? };
            Some(Flag { name, value, mask })
        })
    }

    /// What has a name, each with the bits that it is looked for in: all of them where a name stands for the whole
    /// word.
    pub fn values(&self) -> impl Iterator<Item = (u64, u64)> {
        self.flags().map(|flag| (flag.value, flag.mask))
    }

    /// Writes `word` as `A|B|0x10`; bits without a name come last, in hexadecimal. Zero without a name is `0`.
    pub fn format(&self, word: u64, out: &mut dyn Write) -> Result {
        let (mut rest, mut named, mut first) = (word, 0, true);
        for flag in self.flags() {
            if flag.mask & named == 0 && rest & flag.mask == flag.value {
                separate(&mut first, out)?;
                out.write_str(flag.name)?;
                named |= flag.mask;
                rest &= !flag.mask;
            }
        }
        match (rest, first) {
            (0, false) => Ok(()),
            (0, true) => out.write_str("0"),
            _ => {
                separate(&mut first, out)?;
                write!(out, "{rest:#x}")
            }
        }
    }
}

/// Writes a `|` before every name but the first.
fn separate(first: &mut bool, out: &mut dyn Write) -> Result {
    if core::mem::take(first) { Ok(()) } else { out.write_str("|") }
}

/// A literal as Rust writes it: decimal, `0x` or `0o`, with `_` anywhere.
fn number(literal: &str) -> Option<u64> {
    let (digits, radix) = match literal.get(..2) {
        Some("0x") => (&literal[2..], 16),
        Some("0o") => (&literal[2..], 8),
        _ => (literal, 10),
    };
    let digits = digits.chars().filter(|&digit| digit != '_');
    digits
        .map(|digit| digit.to_digit(radix))
        .try_fold(0_u64, |number, digit| number.checked_mul(radix.into())?.checked_add(digit?.into()))
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use alloc::string::String;

    use super::*;
    use crate::constants as c;

    fn text(set: &FlagSet, word: u64) -> String {
        let mut out = String::new();
        set.format(word, &mut out).expect("a String takes everything");
        out
    }

    #[test]
    fn flags_print_as_strace_prints_them() {
        assert_eq!(text(&c::OPEN_FLAGS, 0), "O_RDONLY");
        assert_eq!(text(&c::OPEN_FLAGS, 0o1101), "O_WRONLY|O_CREAT|O_TRUNC");
        assert_eq!(text(&c::PROTECTION_FLAGS, 0), "PROT_NONE");
        assert_eq!(text(&c::PROTECTION_FLAGS, 3), "PROT_READ|PROT_WRITE");
        assert_eq!(text(&c::MAP_FLAGS, 0x22), "MAP_PRIVATE|MAP_ANONYMOUS");
        assert_eq!(text(&c::SIGNAL_ACTION_FLAGS, 0x400), "0x400");
        assert_eq!(text(&c::FUTEX_OPERATIONS, 129), "FUTEX_WAKE|FUTEX_PRIVATE_FLAG");
        assert_eq!(text(&c::POLL_FLAGS, 0), "0");
        assert_eq!(text(&c::IOCTL_REQUESTS, 0x5413), "TIOCGWINSZ");
        assert_eq!(text(&c::IOCTL_REQUESTS, 0x9999), "0x9999");
        assert_eq!(text(&c::CLOCKS, 0), "CLOCK_REALTIME");
    }

    #[test]
    fn values_come_with_their_masks() {
        let mut values = c::SOCKET_TYPES.values();
        assert_eq!((values.next(), values.last()), (Some((1, 15)), Some((0x8_0000, 0x8_0000))));
        assert_eq!(c::CLOCKS.values().next(), Some((0, u64::MAX)));
    }

    #[test]
    fn literals_read_as_rust_reads_them() {
        assert_eq!(["12", "0x1_f", "0o17"].map(number), [Some(12), Some(31), Some(15)]);
        assert_eq!(["", "0xg", "18446744073709551616"].map(number), [Some(0), None, None]);
    }
}
