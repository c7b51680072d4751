//! Sites by the files that they are in: what people say of them, and what one run tells the next.
//!
//! An offset is the place in the file of the first byte of the `syscall`. So it is the same wherever the file is
//! mapped.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::{fmt, str::FromStr};

/// Digits of the longest build id, two for each byte.
const LONGEST: usize = 128;

/// What is wrong with words about sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// There is no `+` between an object and an offset.
    NoOffset,
    /// An offset is no number.
    Offset,
    /// There is no object, or its path has control characters.
    Object,
    /// A build id is not made of pairs of hexadecimal digits.
    BuildId,
}

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::NoOffset => "it is OBJECT+OFFSET, as in libc.so.6+0x9d0f5",
            Self::Offset => "an offset in a file is decimal, or hexadecimal behind 0x",
            Self::Object => "an object is the name or path of a file",
            Self::BuildId => "a build id is pairs of the digits 0 to 9 and a to f",
        })
    }
}

impl core::error::Error for Malformed {}

/// A site that people name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The file: its path if there is a slash in it, else the last part of that.
    object: String,
    offset: u64,
}

impl Named {
    /// Whether that is the site at this offset of the file at `path`.
    #[must_use]
    pub fn is(&self, path: &str, offset: u64) -> bool {
        let name = if self.object.contains('/') { Some(path) } else { path.rsplit('/').next() };
        self.offset == offset && name == Some(&*self.object)
    }
}

impl FromStr for Named {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        // Names of files have a `+` too: libstdc++.so.6.
        let (object, offset) = text.rsplit_once('+').ok_or(Malformed::NoOffset)?;
        if !is_path(object) {
            return Err(Malformed::Object);
        }
        Ok(Self { object: object.to_owned(), offset: number(offset)? })
    }
}

impl fmt::Display for Named {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}+{:#x}", self.object, self.offset)
    }
}

/// A file, and sites in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What tells this build of the file from every other, as hexadecimal digits.
    build_id: String,
    /// Where the file was, for people.
    path: String,
    /// In ascending order, each once.
    offsets: Vec<u64>,
}

impl Object {
    /// Sites of the file that was found at `path`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(build_id: &str, path: &str, mut offsets: Vec<u64>) -> Result<Self, Malformed> {
        let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        let is_paired = build_id.len().is_multiple_of(2) && (2..=LONGEST).contains(&build_id.len());
        if !is_paired || !build_id.bytes().all(is_digit) {
            return Err(Malformed::BuildId);
        }
        if !is_path(path) {
            return Err(Malformed::Object);
        }
        offsets.sort_unstable();
        offsets.dedup();
        Ok(Self { build_id: build_id.to_owned(), path: path.to_owned(), offsets })
    }

    /// Its build id.
    #[must_use]
    pub fn build_id(&self) -> &str {
        &self.build_id
    }

    /// Where it was.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The last part of that.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The sites in it, in ascending order.
    #[must_use]
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// Adds sites of the same file.
    pub fn extend(&mut self, offsets: &[u64]) {
        self.offsets.extend(offsets);
        self.offsets.sort_unstable();
        self.offsets.dedup();
    }
}

/// A line of a launch record or of the kernel's: the build id, offsets with commas between, the path.
impl fmt::Display for Object {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ", self.build_id)?;
        for (index, offset) in self.offsets.iter().enumerate() {
            write!(out, "{}{offset:#x}", if index > 0 { "," } else { "" })?;
        }
        write!(out, " {}", self.path)
    }
}

/// Reads what its `Display` writes.
impl FromStr for Object {
    type Err = Malformed;

    fn from_str(line: &str) -> Result<Self, Malformed> {
        let mut parts = line.splitn(3, ' ');
        let mut part = || parts.next().unwrap_or_default();
        let (build_id, offsets, path) = (part(), part(), part());
        let offsets = offsets.split(',').filter(|_| !offsets.is_empty()).map(number);
        Self::new(build_id, path, offsets.collect::<Result<_, _>>()?)
    }
}

/// A build id as people see it.
#[must_use]
pub fn digits(build_id: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or('0');
    build_id.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn is_path(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_control)
}

fn number(text: &str) -> Result<u64, Malformed> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    // Rust's numbers may have a sign.
    if digits.starts_with('+') {
        return Err(Malformed::Offset);
    }
    u64::from_str_radix(digits, radix).map_err(|_| Malformed::Offset)
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::*;

    #[test]
    fn sites_are_named_by_path_or_by_its_last_part() {
        let site: Named = "libstdc++.so.6+0x1f".parse().unwrap();
        assert!(site.is("/usr/lib/libstdc++.so.6", 31) && site.is("libstdc++.so.6", 31));
        assert!(!site.is("/usr/lib/libstdc++.so.6", 32) && !site.is("/usr/lib/libstdc++.so.6.1", 31));
        assert!(!site.is("/usr/libstdc++.so.6/other", 31));
        assert_eq!(site.to_string().parse(), Ok(site));
        let site: Named = "/lib/a b+7".parse().unwrap();
        assert!(site.is("/lib/a b", 7) && !site.is("/usr/lib/a b", 7));
    }

    #[test]
    fn what_names_no_site_says_why() {
        let cases = [
            ("libc.so.6", Malformed::NoOffset),
            ("", Malformed::NoOffset),
            ("+1", Malformed::Object),
            ("a\nb+1", Malformed::Object),
            ("a+", Malformed::Offset),
            ("a+0x", Malformed::Offset),
            ("a+x1", Malformed::Offset),
            ("a+-1", Malformed::Offset),
            ("a+0x-1", Malformed::Offset),
            ("a+1f", Malformed::Offset),
            ("a+0x10000000000000000", Malformed::Offset),
        ];
        for (text, error) in cases {
            assert_eq!(text.parse::<Named>(), Err(error), "{text:?}");
        }
    }

    #[test]
    fn an_objects_line_reads_back() {
        for offsets in [vec![], vec![7], vec![0x1f, 7, u64::MAX, 7]] {
            let object = Object::new("00ff", "/a path/with spaces", offsets).unwrap();
            assert_eq!(object.to_string().parse(), Ok(object));
        }
        let mut object: Object = "ab 0x7,9 /x/y".parse().unwrap();
        object.extend(&[8, 7]);
        assert_eq!((object.build_id(), object.name(), object.offsets()), ("ab", "y", &[7, 8, 9][..]));
        assert_eq!(digits(&[0, 0xff, 0x1a]), "00ff1a");
    }

    #[test]
    fn a_damaged_line_is_no_object() {
        let long = "ab".repeat(65);
        let cases = [
            ("", Malformed::BuildId),
            ("abc 1 /x", Malformed::BuildId),
            ("AB 1 /x", Malformed::BuildId),
            (&*long, Malformed::BuildId),
            ("ab", Malformed::Object),
            ("ab 1", Malformed::Object),
            ("ab 1 ", Malformed::Object),
            ("ab 1 /x\0", Malformed::Object),
            ("ab 1,,2 /x", Malformed::Offset),
            ("ab 1, /x", Malformed::Offset),
            ("ab 0xg /x", Malformed::Offset),
            ("ab +1 /x", Malformed::Offset),
        ];
        for (line, error) in cases {
            assert_eq!(line.parse::<Object>(), Err(error), "{line:?}");
        }
    }
}
