//! Attributes change: tcsetattr(3).

use crate::letters::ByteSet;
use crate::termios::{Character, ControlFlags, InputFlags, LocalFlags, Termios};
use crate::{Changes, Discipline, PacketStatus};

impl Discipline {
    /// The attributes.
    #[must_use]
    pub const fn attributes(&self) -> &Termios {
        &self.attributes
    }

    /// Sets the attributes (TCSETS). Characters have eight bits and no parity, whatever they say. TCSETSF flushes input
    /// before; TCSETSW waits for nothing.
    pub fn set_attributes(&mut self, attributes: &Termios) {
        let old = core::mem::replace(&mut self.attributes, *attributes);
        self.attributes.control.remove(ControlFlags::CSIZE | ControlFlags::PARENB);
        self.attributes.control.insert(ControlFlags::CS8 | ControlFlags::CREAD);
        self.special = ByteSet::special(&self.attributes);
        self.tell_of_change(&old);
        if (old.local ^ attributes.local).intersects(LocalFlags::ICANON | LocalFlags::EXTPROC) {
            self.input.forget_lines(self.attributes.is_canonical());
            (self.erasing, self.literal_next) = (false, false);
        }
        // STOP means nothing any more, so nobody would start what it stopped.
        let flowed = old.input.contains(InputFlags::IXON) && !attributes.input.contains(InputFlags::IXON);
        if flowed && !self.stopped_by_call {
            self.with_output(|discipline| {
                discipline.start();
                discipline.show_echoes();
            });
        }
        self.changes |= Changes::SLAVE_READABLE | Changes::SLAVE_WRITABLE;
    }

    fn tell_of_change(&mut self, old: &Termios) {
        let flows = |attributes: &Termios| {
            attributes.input.contains(InputFlags::IXON)
                && attributes.character(Character::Stop) == b'\x13'
                && attributes.character(Character::Start) == b'\x11'
        };
        let both = PacketStatus::DO_STOP | PacketStatus::NO_STOP;
        match (flows(old), flows(&self.attributes)) {
            (false, true) => self.tell(PacketStatus::DO_STOP, both),
            (true, false) => self.tell(PacketStatus::NO_STOP, both),
            _ => {}
        }
        if (old.local | self.attributes.local).contains(LocalFlags::EXTPROC) {
            self.tell(PacketStatus::IOCTL, PacketStatus::empty());
        }
    }
}
