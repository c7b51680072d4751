//! Characters that edit a line or end it (ICANON).

use crate::termios::{Character, DISABLED, LocalFlags};
use crate::{Changes, Discipline};

impl Discipline {
    /// Does what a character is for; answers whether it is for anything.
    pub(crate) fn edit(&mut self, byte: u8) -> bool {
        let is = |which| byte == self.attributes.character(which);
        let (extended, echoes) = (self.has(LocalFlags::IEXTEN), self.has(LocalFlags::ECHO));
        if is(Character::Erase) || is(Character::Kill) || extended && is(Character::EraseWord) {
            self.erase(byte);
        } else if extended && is(Character::LiteralNext) {
            self.begin_literal();
        } else if extended && echoes && is(Character::Reprint) {
            self.reprint(byte);
        } else if byte == b'\n' {
            if echoes || self.has(LocalFlags::ECHONL) {
                self.echo_byte(byte);
                self.commit_echoes();
            }
            self.end_line(byte);
        } else if is(Character::EndOfFile) {
            self.end_line(DISABLED);
        } else if is(Character::EndOfLine) || extended && is(Character::OtherEndOfLine) {
            self.end_line_with(byte);
        } else {
            return false;
        }
        true
    }

    fn begin_literal(&mut self) {
        self.literal_next = true;
        if self.has(LocalFlags::ECHO) {
            self.finish_erasing();
            if self.has(LocalFlags::ECHOCTL) {
                // What comes next is shown in the place of this.
                self.echo_byte(b'^');
                self.echo_byte(b'\x08');
                self.commit_echoes();
            }
        }
    }

    fn reprint(&mut self, byte: u8) {
        self.finish_erasing();
        self.echo_character(byte);
        self.echo_byte(b'\n');
        // Else a line of thousands of bytes would be gone through for each of thousands of these.
        if self.many_echoes_wait() {
            return;
        }
        for back in (0..self.input.open().len()).rev() {
            if let Some(byte) = self.input.open_from_end(back) {
                self.echo_character(byte);
                self.commit_echoes();
            }
        }
        self.commit_echoes();
    }

    /// EOL ends the line and is part of it.
    fn end_line_with(&mut self, byte: u8) {
        if self.has(LocalFlags::ECHO) {
            self.echo_line_start();
            self.echo_character(byte);
            self.commit_echoes();
        }
        if byte == 0xff {
            // All but the last, which ends the line.
            let doubled = self.attributes.input.contains(crate::InputFlags::PARMRK);
            self.input.extend(if doubled { &[0xff] } else { &[] });
        }
        self.end_line(byte);
    }

    fn end_line(&mut self, byte: u8) {
        self.input.end_line(byte);
        self.changes |= Changes::SLAVE_READABLE;
    }
}
