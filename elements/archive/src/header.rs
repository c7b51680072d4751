//! The fixed part of an entry: a magic number and thirteen fields of eight hexadecimal digits.

/// Bytes of the magic number and the thirteen fields.
pub const LENGTH: usize = 110;
/// Magic numbers of *newc*, without and with a checksum (which nobody checks).
pub const MAGIC: &[u8; 6] = b"070701";
const MAGIC_WITH_CHECKSUM: &[u8; 6] = b"070702";

/// The fields that matter here, each with its place.
#[derive(Clone, Copy)]
pub enum Field {
    Inode = 0,
    Mode = 1,
    User = 2,
    Group = 3,
    Links = 4,
    Modified = 5,
    Size = 6,
    // 7 and 8: the device that the file was on.
    SpecialMajor = 9,
    SpecialMinor = 10,
    NameSize = 11,
}

/// Whether a header begins with one of the magic numbers.
pub fn has_magic(header: &[u8; LENGTH]) -> bool {
    // As arrays, which are compared in place: slices are compared by a call.
    header.first_chunk().is_some_and(|magic| magic == MAGIC || magic == MAGIC_WITH_CHECKSUM)
}

/// The number in a field; `None` if it is not eight hexadecimal digits.
pub fn field(header: &[u8; LENGTH], field: Field) -> Option<u32> {
    let start = MAGIC.len() + field as usize * 8;
    let digits: [u8; 8] = header.get(start..start + 8)?.try_into().ok()?;
    eight_digits(digits)
}

/// Reads eight hexadecimal digits at once, a byte lane each: an entry has a hundred of them, and reading the archive
/// is part of every boot. `None` if one is no digit.
#[must_use]
#[inline]
pub fn eight_digits(digits: [u8; 8]) -> Option<u32> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let text = u64::from_be_bytes(digits);
    // Every other field is zero: owners, and what directories have no size for.
    if text == 0x30 * ONES {
        return Some(0);
    }
    let lower = text | (0x20 * ONES);
    let nibbles = (lower & (0x0f * ONES)) + 9 * ((lower >> 6) & ONES);
    if nibbles & (0xf0 * ONES) != 0 {
        return None;
    }
    // Written back as text it must be what was read; only letters may have been upper case.
    let letters = ((nibbles + 6 * ONES) >> 4) & ONES;
    let again = nibbles + 0x30 * ONES + 39 * letters;
    if again != lower || (text ^ lower) & !(0x20 * letters) != 0 {
        return None;
    }
    let pairs = (nibbles | (nibbles >> 4)) & 0x00ff_00ff_00ff_00ff;
    let quads = (pairs | (pairs >> 8)) & 0x0000_ffff_0000_ffff;
    Some((quads | (quads >> 16)) as u32)
}

#[cfg(test)]
mod tests {
    use super::eight_digits;

    #[test]
    fn eight_digits_are_a_number() {
        assert_eq!(eight_digits(*b"00000000"), Some(0));
        assert_eq!(eight_digits(*b"deadBEEF"), Some(0xdead_beef));
        assert_eq!(eight_digits(*b"12345678"), Some(0x1234_5678));
    }

    #[test]
    fn only_hexadecimal_digits_are_taken() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                let mut digits = *b"09afAF5c";
                digits[place] = byte;
                assert_eq!(eight_digits(digits).is_some(), byte.is_ascii_hexdigit(), "{byte:#x} at {place}");
            }
        }
    }
}
