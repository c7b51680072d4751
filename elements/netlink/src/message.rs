//! Messages as programs write them: `struct nlmsghdr`, `struct rtattr`. Any bytes will do.

/// Bytes of a header.
pub const HEADER: usize = 16;
/// Messages and attributes begin at multiples of this.
pub const ALIGNMENT: usize = 4;
/// Bytes of an attribute's header.
pub const ATTRIBUTE: usize = 4;

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// What is asked: `nlmsg_type`.
    pub kind: u16,
    /// How.
    pub flags: u16,
    /// The asker's number for it.
    pub sequence: u32,
    /// All of it, with its header.
    pub bytes: &'a [u8],
}

impl<'a> Request<'a> {
    /// What is behind the header.
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        self.bytes.get(HEADER..).unwrap_or_default()
    }

    /// The family that it is about: each request's first byte.
    #[must_use]
    pub fn family(&self) -> u8 {
        self.payload().first().copied().unwrap_or(0)
    }

    /// The number of 32 bits at a place of the payload; 0 if it is shorter.
    #[must_use]
    pub fn word(&self, at: usize) -> u32 {
        self.payload().get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_ne_bytes(*bytes))
    }

    /// Whether it has all of these flags.
    #[must_use]
    pub const fn has(&self, flags: u16) -> bool {
        self.flags & flags == flags
    }
}

/// The requests in a datagram, up to one that is cut.
pub fn requests(datagram: &[u8]) -> impl Iterator<Item = Request<'_>> {
    let mut rest = datagram;
    core::iter::from_fn(move || {
        let &[a, b, c, d, k, l, f, g, s, t, u, v, _, _, _, _] = rest.first_chunk::<HEADER>()?;
        let length = u32::from_ne_bytes([a, b, c, d]) as usize;
        let bytes = rest.get(..length).filter(|_| length >= HEADER)?;
        rest = rest.get(length.next_multiple_of(ALIGNMENT)..).unwrap_or_default();
        Some(Request {
            kind: u16::from_ne_bytes([k, l]),
            flags: u16::from_ne_bytes([f, g]),
            sequence: u32::from_ne_bytes([s, t, u, v]),
            bytes,
        })
    })
}

/// Attributes, each with its kind (without NLA_F_NESTED and NLA_F_NET_BYTEORDER), up to one that is cut.
pub fn attributes(bytes: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    const KIND: u16 = 0x3fff;
    let mut rest = bytes;
    core::iter::from_fn(move || {
        let &[a, b, k, l] = rest.first_chunk::<ATTRIBUTE>()?;
        let length = usize::from(u16::from_ne_bytes([a, b]));
        let content = rest.get(ATTRIBUTE..length)?;
        rest = rest.get(length.next_multiple_of(ALIGNMENT)..).unwrap_or_default();
        Some((u16::from_ne_bytes([k, l]) & KIND, content))
    })
}
