//! The fixed part of a frame.

/// Bytes of a header.
pub const HEADER: usize = 16;

/// Most bytes of payload in one frame.
pub const MAX_PAYLOAD: usize = 64 << 10;

/// A decoded header. `kind` is a [`crate::FromGuest`] or [`crate::ToGuest`] by direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The frame's kind.
    pub kind: u8,
    /// The kind's small argument.
    pub argument: u8,
    /// Bytes of payload that follow.
    pub length: u32,
    /// The kind's number.
    pub number: i32,
}

/// A header that no honest peer sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// The payload would be longer than [`MAX_PAYLOAD`].
    TooLong(u32),
    /// Bytes that must be zero are not.
    Reserved,
}

impl Header {
    /// The header's bytes.
    #[must_use]
    pub fn encode(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[0] = self.kind;
        bytes[1] = self.argument;
        bytes[4..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.number.to_le_bytes());
        bytes
    }

    /// Reads a header.
    pub fn decode(bytes: &[u8; HEADER]) -> Result<Self, HeaderError> {
        let word = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        let length = u32::from_le_bytes(word(4));
        if length as usize > MAX_PAYLOAD {
            return Err(HeaderError::TooLong(length));
        }
        if bytes[2] != 0 || bytes[3] != 0 || word(12) != [0; 4] {
            return Err(HeaderError::Reserved);
        }
        Ok(Self { kind: bytes[0], argument: bytes[1], length, number: i32::from_le_bytes(word(8)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_read_back_and_nonsense_does_not() {
        let header = Header { kind: 3, argument: 1, length: 65_536, number: -32 };
        assert_eq!(Header::decode(&header.encode()), Ok(header));
        let mut bytes = header.encode();
        bytes[4] = 1;
        assert_eq!(Header::decode(&bytes), Err(HeaderError::TooLong(65_537)));
        let mut bytes = header.encode();
        bytes[13] = 1;
        assert_eq!(Header::decode(&bytes), Err(HeaderError::Reserved));
    }
}
