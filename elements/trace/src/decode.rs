//! Records out of bytes that a guest has sent: any bytes at all may come.

use crate::{
    CALL, Event, WORD,
    call::{FIXED, MORE},
};

/// A record that makes sense. It prints as its line, without a newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// A system call.
    Call(CallRecord<'a>),
    /// Anything else.
    Event(Event),
}

/// A system call, as it was made and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallRecord<'a> {
    /// The thread that made it; 0 if there is one only.
    pub thread: u32,
    /// Its number.
    pub number: u64,
    /// Its argument registers.
    pub arguments: [u64; 6],
    /// What it answered, if it has.
    pub result: Option<i64>,
    pieces: &'a [u8],
}

/// What an argument points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The argument, 0 to 5.
    pub index: u8,
    /// The memory.
    pub bytes: &'a [u8],
    /// There was more than that.
    pub more: bool,
}

impl<'a> Record<'a> {
    /// Reads a record; `None` if it makes no sense.
    #[must_use]
    pub fn decode(record: &'a [u8]) -> Option<Self> {
        match record.first()? {
            &CALL => CallRecord::decode(record).map(Self::Call),
            _ => Event::decode(record).map(Self::Event),
        }
    }
}

impl<'a> CallRecord<'a> {
    fn decode(record: &'a [u8]) -> Option<Self> {
        let (fixed, pieces) = record.split_first_chunk::<FIXED>()?;
        let (words, _) = fixed[2..].as_chunks::<WORD>();
        let word = |index: usize| u64::from_le_bytes(words[index]);
        let result = match fixed[1] {
            0 => None,
            1 => Some(word(7) as i64),
            _ => return None,
        };
        let mut rest = pieces;
        while !rest.is_empty() {
            take(&mut rest)?;
        }
        let (thread, number) = ((word(0) >> u32::BITS) as u32, word(0) & u64::from(u32::MAX));
        Some(Self { thread, number, arguments: [1, 2, 3, 4, 5, 6].map(word), result, pieces })
    }

    /// What argument `index` points at, if the kernel could read it.
    #[must_use]
    pub fn piece(&self, index: usize) -> Option<Piece<'a>> {
        let mut rest = self.pieces;
        core::iter::from_fn(|| take(&mut rest)).find(|piece| usize::from(piece.index) == index)
    }
}

/// Takes a piece from the front; `None` if there is no whole one.
fn take<'a>(rest: &mut &'a [u8]) -> Option<Piece<'a>> {
    let (&[index, low, high], behind) = rest.split_first_chunk()?;
    let (bytes, behind) = behind.split_at_checked(u16::from_le_bytes([low, high]).into())?;
    *rest = behind;
    let (more, index) = (index & MORE != 0, index & !MORE);
    (index < 6).then_some(Piece { index, bytes, more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Call;

    fn sample() -> Call {
        let mut call = Call::new(7, 1, &[1, 0x1000, 40, 0, usize::MAX, 6]);
        call.add(1, &[b'x'; 32], true);
        call.add(4, b"", false);
        call.set_result(-9);
        call
    }

    #[test]
    fn calls_read_back() {
        let call = sample();
        let Some(Record::Call(record)) = Record::decode(call.bytes()) else { panic!("no call") };
        assert_eq!((record.thread, record.number, record.result), (7, 1, Some(-9)));
        assert_eq!(record.arguments, [1, 0x1000, 40, 0, u64::MAX, 6]);
        assert_eq!(record.piece(1), Some(Piece { index: 1, bytes: &[b'x'; 32], more: true }));
        assert_eq!(record.piece(4), Some(Piece { index: 4, bytes: b"", more: false }));
        assert_eq!(record.piece(0), None);
        let open = Call::new(0, 231, &[0; 6]);
        assert!(matches!(Record::decode(open.bytes()), Some(Record::Call(CallRecord { result: None, .. }))));
    }

    #[test]
    fn a_piece_that_is_too_long_says_so() {
        let mut call = Call::new(0, 1, &[0; 6]);
        call.add(5, &[7; 70_000], false);
        let Some(Record::Call(record)) = Record::decode(call.bytes()) else { panic!("no call") };
        assert_eq!(record.piece(5).map(|piece| (piece.bytes.len(), piece.more)), Some((65_535, true)));
    }

    #[test]
    fn half_records_and_nonsense_are_refused() {
        let call = sample();
        let whole_without = [call.bytes().len(), FIXED, FIXED + 3 + 32];
        for length in 0..=call.bytes().len() {
            let decoded = Record::decode(&call.bytes()[..length]);
            assert_eq!(decoded.is_some(), whole_without.contains(&length), "{length} bytes");
        }
        for (place, value) in [(0, 0), (0, 99), (1, 2), (FIXED, 6), (FIXED, 0xff)] {
            let mut bytes = call.bytes().to_vec();
            bytes[place] = value;
            assert_eq!(Record::decode(&bytes), None, "{value} at {place}");
        }
        assert_eq!(Record::decode(&[CALL; 4096]), None);
    }
}
