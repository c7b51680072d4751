//! What goes to the master: bytes that wait, and the column that the cursor is in.

use alloc::collections::VecDeque;

use crate::letters::{is_continuation, is_control, upper};
use crate::termios::{OutputFlags, Termios};

/// Bytes that may wait for the master. Linux holds 13 to 22 thousand, by the sizes of writes.
pub const OUTPUT: usize = 16 << 10;

/// Bytes that have arrived at the master: no flush of the slave's takes them back. As many as Linux' line discipline
/// of the master holds.
const ARRIVED: usize = 4095;

/// Bytes on their way to the master.
#[derive(Default)]
pub(crate) struct Output {
    bytes: VecDeque<u8>,
    /// So many of them have arrived.
    arrived: usize,
    /// Some were added since the master was told last.
    pub(crate) are_new: bool,
    /// Where the cursor is, from 0.
    pub(crate) column: u32,
    /// Where the line that is typed began.
    pub(crate) line_start: u32,
}

impl Output {
    /// Bytes that wait.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Room for how many of `wanted` bytes there is, in memory that is there.
    pub(crate) fn room(&mut self, wanted: usize) -> usize {
        let wanted = wanted.min(OUTPUT - self.bytes.len());
        match self.bytes.try_reserve(wanted) {
            Ok(()) => wanted,
            Err(_) => wanted.min(self.bytes.capacity() - self.bytes.len()),
        }
    }

    /// Adds bytes as they are, for which there is room.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        self.are_new |= !bytes.is_empty();
    }

    /// Adds text without control characters, for which there is room.
    pub(crate) fn extend_text(&mut self, text: &[u8], utf8: bool) {
        let columns = text.iter().filter(|&&byte| !is_continuation(byte, utf8)).count();
        self.column = self.column.wrapping_add(columns as u32);
        self.extend(text);
    }

    /// The cursor goes a column back, if it can.
    pub(crate) fn move_back(&mut self) {
        self.column = self.column.saturating_sub(1);
    }

    fn set_column(&mut self, column: u32) {
        (self.column, self.line_start) = (column, column);
    }

    /// Adds a byte as the attributes want it (OPOST); answers whether there was room for what became of it.
    pub(crate) fn put_processed(&mut self, byte: u8, attributes: &Termios) -> bool {
        let has = |flag| attributes.output.contains(flag);
        match byte {
            b'\n' => self.put_newline(has(OutputFlags::ONLRET), has(OutputFlags::ONLCR)),
            b'\r' if has(OutputFlags::ONOCR) && self.column == 0 => true,
            b'\r' => self.put_return(has(OutputFlags::ONLRET), has(OutputFlags::OCRNL)),
            b'\t' => self.put_tab(has(OutputFlags::XTABS)),
            b'\x08' => self.put(byte, Self::move_back),
            _ if is_control(byte) => self.put(byte, |_| ()),
            _ => {
                let byte = if has(OutputFlags::OLCUC) { upper(byte) } else { byte };
                let columns = u32::from(!is_continuation(byte, attributes.is_utf8()));
                self.put(byte, |output| output.column = output.column.wrapping_add(columns))
            }
        }
    }

    /// Adds a byte if there is room, and moves the cursor then.
    fn put(&mut self, byte: u8, moves: impl FnOnce(&mut Self)) -> bool {
        self.put_all(&[byte], moves)
    }

    /// Adds all bytes or none, and moves the cursor if it did.
    pub(crate) fn put_all(&mut self, bytes: &[u8], moves: impl FnOnce(&mut Self)) -> bool {
        let fits = self.room(bytes.len()) == bytes.len();
        if fits {
            self.extend(bytes);
            moves(self);
        }
        fits
    }

    fn put_newline(&mut self, returns: bool, with_return: bool) -> bool {
        let bytes: &[u8] = if with_return { b"\r\n" } else { b"\n" };
        self.put_all(bytes, |output| {
            output.set_column(if returns || with_return { 0 } else { output.column });
        })
    }

    fn put_return(&mut self, newline_returns: bool, as_newline: bool) -> bool {
        let byte = if as_newline { b'\n' } else { b'\r' };
        self.put(byte, |output| {
            if !as_newline || newline_returns {
                output.set_column(0);
            }
        })
    }

    fn put_tab(&mut self, as_spaces: bool) -> bool {
        let columns = 8 - self.column % 8;
        let bytes = if as_spaces { &b"        "[..columns as usize] } else { b"\t" };
        self.put_all(bytes, |output| output.column = output.column.wrapping_add(columns))
    }

    /// What was added has arrived, as far as the master has room.
    pub(crate) fn arrive(&mut self) {
        self.arrived = self.arrived.max(self.bytes.len().min(ARRIVED));
    }

    /// Drops what has not arrived.
    pub(crate) fn flush(&mut self) {
        self.bytes.truncate(self.arrived);
    }

    /// Drops what has arrived; more does then.
    pub(crate) fn discard_arrived(&mut self) {
        self.skip(self.arrived);
    }

    /// The master takes bytes; answers how many.
    pub(crate) fn take(&mut self, most: usize, sink: &mut dyn FnMut(&[u8]) -> usize) -> usize {
        let taken = crate::input::offer(&self.bytes, most, sink);
        self.skip(taken);
        taken
    }

    fn skip(&mut self, count: usize) {
        self.bytes.drain(..count);
        self.arrived = self.arrived.saturating_sub(count);
        self.arrive();
    }
}
