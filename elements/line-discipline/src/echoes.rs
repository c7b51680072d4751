//! What is to be shown of what was typed. It waits here while output is stopped or full, and for the end of what the
//! master wrote at once: a signal among it takes it back.

use alloc::collections::VecDeque;

use crate::output::Output;
use crate::termios::{LocalFlags, OutputFlags, Termios};
use crate::{Discipline, letters};

/// Echoes of so many bytes are shown at once, not at the end of what the master wrote.
const SHOWN_AT: usize = 256;

/// Echoes that cannot be shown are dropped from here on, the oldest first: Linux' count, which is of its own bytes.
const DROPPED_AT: usize = 4096 - 256 - 32;

/// One thing to show. What it takes depends on the column, which is known only then.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Echo {
    /// A byte, as if the slave wrote it.
    Byte(u8),
    /// A control character, as ^X.
    Control(u8),
    /// The cursor is a column further left than the bytes say.
    MoveBack,
    /// The line begins where the cursor is.
    LineStart,
    /// Goes back over a tab. So many columns were before it in its line, or since the last tab.
    Tab { columns: u8, after_tab: bool },
}

impl Echo {
    /// How many bytes Linux takes for it.
    const fn weight(self) -> usize {
        match self {
            Self::Byte(0xff) | Self::Control(_) | Self::MoveBack | Self::LineStart => 2,
            Self::Byte(_) => 1,
            Self::Tab { .. } => 3,
        }
    }

    /// Shows it; answers whether there was room.
    fn show(self, output: &mut Output, attributes: &Termios) -> bool {
        match self {
            // Linux keeps these apart, and so they are never processed.
            Self::Byte(0xff) => output.put_all(&[0xff], |output| output.column = output.column.wrapping_add(1)),
            Self::Byte(byte) if attributes.output.contains(OutputFlags::OPOST) => {
                output.put_processed(byte, attributes)
            }
            Self::Byte(byte) => output.put_all(&[byte], |_| ()),
            Self::Control(byte) => {
                output.put_all(&[b'^', byte ^ 0x40], |output| output.column = output.column.wrapping_add(2))
            }
            Self::MoveBack => {
                output.move_back();
                true
            }
            Self::LineStart => {
                output.line_start = output.column;
                true
            }
            Self::Tab { columns, after_tab } => show_tab(output, columns, after_tab),
        }
    }
}

fn show_tab(output: &mut Output, columns: u8, after_tab: bool) -> bool {
    let before = if after_tab { columns.into() } else { output.line_start.wrapping_add(columns.into()) };
    let back = 8 - before % 8;
    output.put_all(&[b'\x08'; 8][..back as usize], |output| output.column = output.column.saturating_sub(back))
}

/// Echoes in their order.
#[derive(Default)]
pub(crate) struct Echoes {
    waiting: VecDeque<Echo>,
    /// The sum of their weights.
    weight: usize,
    /// Some were added since they were shown last.
    pub(crate) are_new: bool,
}

impl Echoes {
    /// Adds one: without memory it is not shown.
    fn push(&mut self, echo: Echo) {
        if self.waiting.try_reserve(1).is_ok() {
            self.waiting.push_back(echo);
            self.weight += echo.weight();
            self.are_new = true;
        }
    }

    fn pop(&mut self) {
        if let Some(echo) = self.waiting.pop_front() {
            self.weight -= echo.weight();
        }
    }

    /// Drops all.
    pub(crate) fn clear(&mut self) {
        *self = Self { waiting: core::mem::take(&mut self.waiting), ..Self::default() };
        self.waiting.clear();
    }
}

impl Discipline {
    pub(crate) fn echo(&mut self, echo: Echo) {
        self.echoes.push(echo);
    }

    /// A byte as it is.
    pub(crate) fn echo_byte(&mut self, byte: u8) {
        self.echo(Echo::Byte(byte));
    }

    /// A character that was typed: as ^X if it is one of control and such are shown (ECHOCTL).
    pub(crate) fn echo_character(&mut self, byte: u8) {
        let as_control = self.has(LocalFlags::ECHOCTL) && letters::is_control(byte) && byte != b'\t';
        self.echo(if as_control { Echo::Control(byte) } else { Echo::Byte(byte) });
    }

    /// The line begins where the cursor will be, if nothing of it was typed yet.
    pub(crate) fn echo_line_start(&mut self) {
        if self.input.is_at_start() {
            self.echo(Echo::LineStart);
        }
    }

    /// Ends what ECHOPRT shows of erased characters.
    pub(crate) fn finish_erasing(&mut self) {
        if core::mem::take(&mut self.erasing) {
            self.echo_byte(b'/');
        }
    }

    /// Whether so many echoes cannot be shown that a line that is added to them is dropped in part.
    pub(crate) fn many_echoes_wait(&mut self) -> bool {
        self.commit_echoes();
        self.echoes.weight >= DROPPED_AT / 2
    }

    /// Shows echoes if there are many.
    pub(crate) fn commit_echoes(&mut self) {
        if self.echoes.weight >= SHOWN_AT {
            self.show_echoes();
        }
    }

    /// Shows echoes as far as there is room, and drops what is too much.
    pub(crate) fn show_echoes(&mut self) {
        self.echoes.are_new = false;
        while !self.is_stopped()
            && let Some(echo) = self.echoes.waiting.front()
            && echo.show(&mut self.output, &self.attributes)
        {
            self.echoes.pop();
        }
        while self.echoes.weight >= DROPPED_AT {
            self.echoes.pop();
        }
    }
}
