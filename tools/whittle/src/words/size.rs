//! Amounts of memory as people write them: `64M`, `1G`, `4096`.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

/// Why a text is no amount of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// Not digits and a unit.
    #[error("a number and a unit are expected, as in 64M or 1G")]
    Malformed,
    /// More than fits in 64 bits.
    #[error("that is more than any machine has")]
    TooLarge,
}

const UNITS: [(char, u32); 4] = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let upper = text.trim().to_ascii_uppercase();
        let upper = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
        let unit = UNITS.iter().find_map(|&(letter, shift)| Some((upper.strip_suffix(letter)?, shift)));
        let (digits, shift) = unit.unwrap_or((upper, 0));
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SizeError::Malformed);
        }
        let number: u64 = digits.parse().map_err(|_| SizeError::TooLarge)?;
        number.checked_mul(1 << shift).map(Self).ok_or(SizeError::TooLarge)
    }
}

impl fmt::Display for Size {
    /// As it would be written on the command line, in the largest unit that fits; rounded to a tenth.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &(letter, shift) in UNITS.iter().rev() {
            let whole = self.0 >> shift;
            if whole == 0 {
                continue;
            }
            let tenths = (((self.0 - (whole << shift)) >> (shift - 10)) * 10) >> 10;
            return match tenths {
                0 => write!(formatter, "{whole}{letter}"),
                _ => write!(formatter, "{whole}.{tenths}{letter}"),
            };
        }
        write!(formatter, "{} bytes", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_may_write_sizes_in_many_ways() {
        for (text, bytes) in
            [("4096", 4096), ("1K", 1024), ("64m", 64 << 20), ("1GiB", 1 << 30), ("2GB", 2 << 30), ("0", 0)]
        {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "12X", "K1"] {
            assert_eq!(text.parse::<Size>(), Err(SizeError::Malformed), "{text}");
        }
        for text in ["99999999999999999999", "99999999T"] {
            assert_eq!(text.parse::<Size>(), Err(SizeError::TooLarge), "{text}");
        }
    }

    #[test]
    fn sizes_read_well() {
        let shown = [0, 1000, 1024, 3 << 19, 64 << 20, 23 << 30].map(|bytes| Size(bytes).to_string());
        assert_eq!(shown, ["0 bytes", "1000 bytes", "1K", "1.5M", "64M", "23G"]);
    }
}
