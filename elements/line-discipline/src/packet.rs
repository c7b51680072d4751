//! Packet mode: the master is told what happens to the terminal (TIOCPKT, ioctl_tty(2)).

use crate::{Changes, Discipline};

bitflags::bitflags! {
    /// What happened, as the first byte of a read of the master says it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct PacketStatus: u8 {
        /// What was typed is flushed (TIOCPKT_FLUSHREAD).
        const FLUSH_READ = 1;
        /// What was written is flushed (TIOCPKT_FLUSHWRITE).
        const FLUSH_WRITE = 2;
        /// Output stopped (TIOCPKT_STOP).
        const STOP = 4;
        /// Output started (TIOCPKT_START).
        const START = 8;
        /// STOP and START are not ^S and ^Q any more, or hold nothing (TIOCPKT_NOSTOP).
        const NO_STOP = 16;
        /// STOP and START are ^S and ^Q, and hold output (TIOCPKT_DOSTOP).
        const DO_STOP = 32;
        /// Attributes changed, and EXTPROC is or was set (TIOCPKT_IOCTL).
        const IOCTL = 64;
    }
}

impl Discipline {
    /// Packet mode is on or off (TIOCPKT). Who switches it on is told of what happens from then on.
    pub fn set_packet_mode(&mut self, on: bool) {
        if on && !self.packet_mode {
            self.packet_status = PacketStatus::empty();
        }
        self.packet_mode = on;
    }

    /// Whether packet mode is on.
    #[must_use]
    pub const fn is_packet_mode(&self) -> bool {
        self.packet_mode
    }

    /// What happened in packet mode since it was taken last: poll(2) shows it as POLLPRI.
    #[must_use]
    pub const fn packet_status(&self) -> PacketStatus {
        if self.packet_mode { self.packet_status } else { PacketStatus::empty() }
    }

    /// Takes what happened: if it is not empty, it is all that a read of the master gets.
    pub fn take_packet_status(&mut self) -> PacketStatus {
        if self.packet_mode { core::mem::take(&mut self.packet_status) } else { PacketStatus::empty() }
    }

    /// Tells the master that `status` holds, and `instead_of` does not any more.
    pub(crate) fn tell(&mut self, status: PacketStatus, instead_of: PacketStatus) {
        if self.packet_mode {
            self.packet_status = self.packet_status.difference(instead_of) | status;
            self.changes |= Changes::MASTER_READABLE;
        }
    }
}
