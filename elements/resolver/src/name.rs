//! Names: RFC 1035, 3.1.

use alloc::vec::Vec;

use smoltcp::wire::DnsPacket;

use crate::Error;

/// Bytes of the longest name, as it is sent: RFC 1035, 2.3.4.
const LONGEST: usize = 255;
/// Bytes of the longest part: RFC 1035, 2.3.4.
const LONGEST_LABEL: usize = 63;

/// A name as it is sent, in small letters: each part behind its length, and a 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(Vec<u8>);

impl Name {
    /// Takes one as people write it, with or without a dot at the end.
    ///
    /// # Errors
    /// [`Error::NotAName`]: a part is empty, too long, or has other bytes than letters, digits, `-` and `_`.
    pub fn new(text: &str) -> Result<Self, Error> {
        let text = text.strip_suffix('.').unwrap_or(text);
        let right = |label: &str| {
            let bytes = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
            (1..=LONGEST_LABEL).contains(&label.len()) && bytes && !label.starts_with('-')
        };
        if !text.split('.').all(right) || text.len() + 2 > LONGEST {
            return Err(Error::NotAName);
        }
        let mut name = Self(Vec::with_capacity(text.len() + 2));
        text.split('.').for_each(|label| name.push(label.as_bytes()));
        name.0.push(0);
        Ok(name)
    }

    /// Reads one out of a message, whose pointers lead back: RFC 1035, 4.1.4. `None`: it is none.
    pub(crate) fn read(message: &DnsPacket<&[u8]>, at: &[u8]) -> Option<Self> {
        let mut name = Self(Vec::new());
        for label in message.parse_name(at) {
            let label = label.ok().filter(|label| name.0.len() + label.len() + 2 <= LONGEST)?;
            name.push(label);
        }
        name.0.push(0);
        Some(name)
    }

    /// As it is sent.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is this machine's own name for itself: RFC 6761, 6.3.
    #[must_use]
    pub fn is_localhost(&self) -> bool {
        self.0.ends_with(b"\x09localhost\0")
    }

    fn push(&mut self, label: &[u8]) {
        self.0.push(label.len() as u8);
        self.0.extend(label.iter().map(u8::to_ascii_lowercase));
    }
}
