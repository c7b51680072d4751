//! What was typed at once: text is shown and queued by runs, all else one by one.

use crate::termios::{Character, InputFlags, LocalFlags};
use crate::{Changes, Discipline, letters};

impl Discipline {
    /// Takes bytes for which there is room.
    pub(crate) fn type_in(&mut self, bytes: &[u8]) {
        let seen = self.arriving.seen.min(bytes.len());
        self.arriving.seen -= seen;
        let (bytes_seen, others) = bytes.split_at(seen);
        self.type_in_part(bytes_seen, true);
        self.type_in_part(others, false);
        let shows = self.attributes.local.intersects(LocalFlags::ECHO | LocalFlags::ECHONL);
        // Those that waited already wait on for what starts output.
        if shows && self.echoes.are_new && !self.attributes.is_raw() {
            self.show_echoes();
        }
        if !self.attributes.edits() && self.input.len() > 0 {
            self.changes |= Changes::SLAVE_READABLE;
        }
    }

    /// Takes bytes among which START and STOP were `seen` before, or not.
    fn type_in_part(&mut self, mut bytes: &[u8], seen: bool) {
        while let Some((&first, rest)) = bytes.split_first() {
            if self.has(LocalFlags::EXTPROC) && !self.attributes.translates() {
                return self.input.extend(bytes);
            }
            if self.literal_next || self.attributes.translates() {
                self.type_translated(first, seen);
                bytes = rest;
                continue;
            }
            let text = bytes.iter().take_while(|&&byte| !self.special.contains(byte)).count();
            if text > 0 {
                self.type_text(&bytes[..text]);
                bytes = &bytes[text..];
            } else {
                self.type_special(first, seen);
                bytes = rest;
            }
        }
    }

    /// One byte, after what ISTRIP and IUCLC make of it.
    fn type_translated(&mut self, byte: u8, seen: bool) {
        let byte = if self.attributes.input.contains(InputFlags::ISTRIP) { byte & 0x7f } else { byte };
        let byte = if self.attributes.lowers() { letters::lower(byte) } else { byte };
        if self.has(LocalFlags::EXTPROC) {
            self.input.extend(&[byte]);
        } else if core::mem::take(&mut self.literal_next) || !self.special.contains(byte) {
            self.type_text(&[byte]);
        } else {
            self.type_special(byte, seen);
        }
    }

    /// Bytes that are text, whatever they are.
    fn type_text(&mut self, text: &[u8]) {
        self.start_by_any();
        if self.has(LocalFlags::ECHO) {
            self.finish_erasing();
            self.echo_line_start();
            for &byte in text {
                self.echo_character(byte);
                self.commit_echoes();
            }
        }
        self.queue_text(text);
    }

    /// Adds text to what is read: PARMRK has 0xff twice, for what it marks begins with one.
    pub(crate) fn queue_text(&mut self, text: &[u8]) {
        if !self.attributes.input.contains(InputFlags::PARMRK) {
            return self.input.extend(text);
        }
        for part in text.split_inclusive(|&byte| byte == 0xff) {
            self.input.extend(part);
            if part.ends_with(&[0xff]) {
                self.input.extend(&[0xff]);
            }
        }
    }

    fn type_special(&mut self, byte: u8, seen: bool) {
        if self.attributes.input.contains(InputFlags::IXON) && self.flows(byte, seen) {
            return;
        }
        if let Some(signal) = self.signal_of(byte) {
            return self.signal(signal, byte);
        }
        self.start_by_any();
        let has = |flag| self.attributes.input.contains(flag);
        let byte = match byte {
            b'\r' if has(InputFlags::IGNCR) => return,
            b'\r' if has(InputFlags::ICRNL) => b'\n',
            b'\n' if has(InputFlags::INLCR) => b'\r',
            byte => byte,
        };
        if self.attributes.is_canonical() && self.edit(byte) {
            return;
        }
        if self.has(LocalFlags::ECHO) {
            self.finish_erasing();
            if byte == b'\n' {
                self.echo_byte(byte);
            } else {
                self.echo_line_start();
                self.echo_character(byte);
            }
            self.commit_echoes();
        }
        self.queue_text(&[byte]);
    }

    /// The signal that a character sends (ISIG).
    fn signal_of(&self, byte: u8) -> Option<Changes> {
        let signals = [
            (Character::Interrupt, Changes::INTERRUPT),
            (Character::Quit, Changes::QUIT),
            (Character::Suspend, Changes::SUSPEND),
        ];
        let of = |&(which, _): &(Character, Changes)| byte == self.attributes.character(which);
        let found = signals.iter().find(|signal| self.has(LocalFlags::ISIG) && of(signal));
        found.map(|&(_, signal)| signal)
    }

    /// A character that sends a signal: without NOFLSH, what is under way is gone.
    fn signal(&mut self, signal: Changes, byte: u8) {
        self.changes |= signal;
        if !self.has(LocalFlags::NOFLSH) {
            self.echoes.clear();
            self.flush_output();
            self.drop_input();
            self.changes |= Changes::MASTER_WRITABLE;
        }
        if self.attributes.input.contains(InputFlags::IXON) {
            self.start();
        }
        if self.has(LocalFlags::ECHO) {
            self.echo_character(byte);
            self.commit_echoes();
        } else {
            self.show_echoes();
        }
    }
}
