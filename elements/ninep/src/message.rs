//! Writing requests: little-endian numbers, strings with their length before them (intro(5)).

/// Bytes of a request without what it carries: three numbers of 8 bytes and two names at most, with room to spare.
const MOST: usize = 640;
/// Length, kind and tag stand before everything.
pub const HEAD: usize = 7;

/// A request.
pub struct Message {
    bytes: [u8; MOST],
    length: usize,
}

impl Message {
    /// Begins one of that kind.
    pub fn new(kind: u8, tag: u16) -> Self {
        let mut message = Self { bytes: [0; MOST], length: 0 };
        message.number32(0).number8(kind).number16(tag);
        message
    }

    fn put(&mut self, bytes: &[u8]) -> &mut Self {
        // Names are checked before they come here, so there is room; a request cut short would be refused.
        let end = self.length + bytes.len();
        if let Some(place) = self.bytes.get_mut(self.length..end) {
            place.copy_from_slice(bytes);
            self.length = end;
        }
        self
    }

    pub fn number8(&mut self, number: u8) -> &mut Self {
        self.put(&[number])
    }

    pub fn number16(&mut self, number: u16) -> &mut Self {
        self.put(&number.to_le_bytes())
    }

    pub fn number32(&mut self, number: u32) -> &mut Self {
        self.put(&number.to_le_bytes())
    }

    pub fn number64(&mut self, number: u64) -> &mut Self {
        self.put(&number.to_le_bytes())
    }

    pub fn string(&mut self, text: &[u8]) -> &mut Self {
        self.number16(text.len() as u16).put(text)
    }

    /// The bytes, when `more` follow that are not in here.
    pub fn finish(&mut self, more: usize) -> &[u8] {
        let size = (self.length + more) as u32;
        self.bytes[..4].copy_from_slice(&size.to_le_bytes());
        &self.bytes[..self.length]
    }
}
