//! The terminal behind the streams: its attributes and size as last heard.

use machine::{ConsoleError, TERMINAL_ATTRIBUTES, TerminalAttributes, WindowSize};

use crate::Piece;

#[derive(Debug)]
pub(super) struct Terminal {
    attributes: Option<TerminalAttributes>,
    window: WindowSize,
    /// The payload of the frame that is arriving, and how much of it is here.
    arriving: TerminalAttributes,
    have: usize,
    answer: Option<Result<(), ConsoleError>>,
}

/// Bytes of a window frame's payload.
const WINDOW: usize = 8;

impl Terminal {
    pub(super) const fn new() -> Self {
        Self {
            attributes: None,
            window: WindowSize { rows: 0, columns: 0, pixels_x: 0, pixels_y: 0 },
            arriving: [0; TERMINAL_ATTRIBUTES],
            have: 0,
            answer: None,
        }
    }

    pub(super) fn configure(&mut self, attributes: Option<TerminalAttributes>, window: WindowSize) {
        (self.attributes, self.window) = (attributes, window);
    }

    pub(super) const fn attributes(&self) -> Option<TerminalAttributes> {
        self.attributes
    }

    pub(super) const fn window(&self) -> WindowSize {
        self.window
    }

    pub(super) fn expect_answer(&mut self) {
        self.answer = None;
    }

    pub(super) fn take_answer(&mut self) -> Option<Result<(), ConsoleError>> {
        self.answer.take()
    }

    pub(super) fn window_arrived(&mut self, piece: &Piece<'_>) {
        let Some(length) = self.collect(piece) else { return };
        if length == WINDOW {
            let word = |at: usize| u16::from_le_bytes([self.arriving[at], self.arriving[at + 1]]);
            self.window = WindowSize { rows: word(0), columns: word(2), pixels_x: word(4), pixels_y: word(6) };
        }
    }

    pub(super) fn set_arrived(&mut self, piece: &Piece<'_>) {
        let Some(length) = self.collect(piece) else { return };
        self.answer = Some(match piece.header.number {
            error @ ..0 => Err(ConsoleError::Host(error.saturating_neg())),
            _ => Ok(()),
        });
        if piece.header.number == 0 && length == TERMINAL_ATTRIBUTES {
            self.attributes = Some(self.arriving);
        }
    }

    /// Puts a frame's payload together; its length when it is complete. What is too long is cut, and found by that
    /// length.
    fn collect(&mut self, piece: &Piece<'_>) -> Option<usize> {
        for (place, byte) in self.arriving.iter_mut().skip(self.have).zip(piece.payload) {
            *place = *byte;
            self.have += 1;
        }
        piece.last.then(|| {
            self.have = 0;
            piece.header.length as usize
        })
    }
}
