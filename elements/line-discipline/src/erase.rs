//! ERASE, WERASE and KILL: what they take away, and how that is shown.

use crate::Discipline;
use crate::echoes::Echo;
use crate::letters::{is_continuation, is_control, is_of_word};
use crate::termios::{Character, LocalFlags};

/// What is taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Character,
    Word,
    Line,
}

/// The last character of a line.
struct Last {
    /// Its first byte.
    byte: u8,
    /// Its bytes.
    length: usize,
}

impl Discipline {
    /// ERASE, KILL or WERASE was typed.
    pub(crate) fn erase(&mut self, byte: u8) {
        if self.input.is_at_start() {
            return;
        }
        if byte == self.attributes.character(Character::Erase) {
            self.erase_by(Unit::Character);
        } else if byte == self.attributes.character(Character::EraseWord) {
            self.erase_by(Unit::Word);
        } else {
            self.kill();
        }
        self.commit_echoes();
    }

    fn kill(&mut self) {
        if self.has(LocalFlags::ECHO | LocalFlags::ECHOK | LocalFlags::ECHOKE | LocalFlags::ECHOE) {
            return self.erase_by(Unit::Line);
        }
        self.input.drop_open();
        if self.has(LocalFlags::ECHO) {
            self.finish_erasing();
            self.echo_character(self.attributes.character(Character::Kill));
            if self.has(LocalFlags::ECHOK) {
                self.echo_byte(b'\n');
            }
        }
    }

    /// Takes away characters up to the start of the unit.
    fn erase_by(&mut self, unit: Unit) {
        let mut in_word = false;
        while let Some(last) = self.last_character() {
            if unit == Unit::Word {
                if in_word && !is_of_word(last.byte) {
                    break;
                }
                in_word |= is_of_word(last.byte);
            }
            self.show_erasing(&last, unit);
            self.input.drop_last(last.length);
            self.commit_echoes();
            if unit == Unit::Character {
                break;
            }
        }
        if self.input.is_at_start() && self.has(LocalFlags::ECHO) {
            self.finish_erasing();
        }
    }

    /// The last character of the line, if it is whole: in UTF-8 it begins with what goes on with none.
    fn last_character(&self) -> Option<Last> {
        let utf8 = self.attributes.is_utf8();
        let mut bytes = self.input.open().rev();
        let length = bytes.position(|byte| !is_continuation(byte, utf8))? + 1;
        Some(Last { byte: self.input.open_from_end(length - 1)?, length })
    }

    /// Shows that the last character, which is still there, is taken away.
    fn show_erasing(&mut self, last: &Last, unit: Unit) {
        if !self.has(LocalFlags::ECHO) {
            return;
        }
        if self.has(LocalFlags::ECHOPRT) {
            self.show_erased(last);
        } else if unit == Unit::Character && !self.has(LocalFlags::ECHOE) {
            self.echo_character(self.attributes.character(Character::Erase));
        } else if last.byte == b'\t' {
            self.echo(self.tab_erasure(last.length));
        } else {
            let columns = match (is_control(last.byte), self.has(LocalFlags::ECHOCTL)) {
                (true, false) => 0,
                (true, true) => 2,
                (false, _) => 1,
            };
            for byte in (0..columns).flat_map(|_| *b"\x08 \x08") {
                self.echo_byte(byte);
            }
        }
    }

    /// Shows what is taken away (ECHOPRT).
    fn show_erased(&mut self, last: &Last) {
        if !core::mem::replace(&mut self.erasing, true) {
            self.echo_byte(b'\\');
        }
        self.echo_character(last.byte);
        for back in (0..last.length - 1).rev() {
            if let Some(byte) = self.input.open_from_end(back) {
                self.echo_byte(byte);
                self.echo(Echo::MoveBack);
            }
        }
    }

    /// How the tab that begins the last `length` bytes is taken away. It went from the column that what is before it
    /// takes, and where that began is known: at another tab, or at the start of the line.
    fn tab_erasure(&self, length: usize) -> Echo {
        let utf8 = self.attributes.is_utf8();
        let (mut columns, mut after_tab) = (0_usize, false);
        for byte in self.input.open().rev().skip(length) {
            match byte {
                b'\t' => {
                    after_tab = true;
                    break;
                }
                _ if is_control(byte) => columns += if self.has(LocalFlags::ECHOCTL) { 2 } else { 0 },
                _ => columns += usize::from(!is_continuation(byte, utf8)),
            }
        }
        Echo::Tab { columns: (columns % 8) as u8, after_tab }
    }
}
