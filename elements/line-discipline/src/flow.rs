//! Output stops and starts, and queues are flushed: tcflow(3), tcflush(3).

use crate::input::INPUT;
use crate::termios::{Character, DISABLED, InputFlags};
use crate::{Changes, Discipline, PacketStatus};

/// A character that stops or starts whoever writes to the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowCharacter {
    /// STOP (TCIOFF).
    Stop,
    /// START (TCION).
    Start,
}

impl Discipline {
    /// Whether output is stopped.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Stops output until [`Discipline::start_output`] (TCOOFF): START does not start it.
    pub fn stop_output(&mut self) {
        if !self.stopped_by_call {
            self.stopped_by_call = true;
            self.stop();
        }
    }

    /// Starts output that [`Discipline::stop_output`] stopped (TCOON); what STOP alone stopped stays so.
    pub fn start_output(&mut self) {
        if self.stopped_by_call {
            self.stopped_by_call = false;
            self.start();
        }
    }

    /// Sends STOP or START to the master (TCIOFF, TCION), also if STOP stopped output. Nothing if it is disabled.
    pub fn send_flow_character(&mut self, which: FlowCharacter) {
        let which = match which {
            FlowCharacter::Stop => Character::Stop,
            FlowCharacter::Start => Character::Start,
        };
        let byte = self.attributes.character(which);
        if byte == DISABLED {
            return;
        }
        let was_stopped = self.stopped;
        self.start();
        if !self.stopped {
            self.with_output(|discipline| discipline.output.put_all(&[byte], |_| ()));
        }
        if was_stopped {
            self.stop();
        }
    }

    /// STOP stops output.
    pub(crate) fn stop(&mut self) {
        if !self.stopped {
            self.stopped = true;
            self.tell(PacketStatus::STOP, PacketStatus::START);
        }
    }

    /// START starts it, unless a call stopped it.
    pub(crate) fn start(&mut self) {
        if self.stopped && !self.stopped_by_call {
            self.stopped = false;
            self.tell(PacketStatus::START, PacketStatus::STOP);
            self.changes |= Changes::SLAVE_WRITABLE;
        }
    }

    /// Any character starts it, where attributes say so.
    pub(crate) fn start_by_any(&mut self) {
        let by_any = self.attributes.input.contains(InputFlags::IXON | InputFlags::IXANY);
        if by_any && self.stopped && !self.stopped_by_call {
            self.start();
            self.show_echoes();
        }
    }

    /// START or STOP does what it is for; answers whether the byte is one of them.
    pub(crate) fn flows(&mut self, byte: u8, done_before: bool) -> bool {
        let is_start = byte == self.attributes.character(Character::Start);
        let flows = is_start || byte == self.attributes.character(Character::Stop);
        match flows && !done_before {
            true if is_start => {
                self.start();
                self.show_echoes();
            }
            true => self.stop(),
            false => {}
        }
        flows
    }

    /// Drops what was typed and not read (TCIFLUSH). What has found no room yet stays, and is typed now.
    pub fn flush_input(&mut self) {
        self.drop_input();
        self.with_output(Self::take_in_arriving);
        self.changes |= Changes::MASTER_WRITABLE;
    }

    pub(crate) fn drop_input(&mut self) {
        self.input.clear();
        self.erasing = false;
        self.tell(PacketStatus::FLUSH_READ, PacketStatus::empty());
    }

    /// Drops what was written and has not arrived at the master (TCOFLUSH): the first 4095 bytes have.
    pub fn flush_output(&mut self) {
        self.output.flush();
        self.tell(PacketStatus::FLUSH_WRITE, PacketStatus::empty());
        self.changes |= Changes::SLAVE_WRITABLE;
    }

    /// The master drops what it has not read (TCIFLUSH of the master).
    pub fn flush_master_input(&mut self) {
        self.output.discard_arrived();
        self.changes |= Changes::SLAVE_WRITABLE;
    }

    /// The master takes back what it wrote and has found no room (TCOFLUSH of the master).
    pub fn flush_master_output(&mut self) {
        self.arriving.clear();
        self.changes |= Changes::MASTER_WRITABLE;
    }

    /// Room for what was typed, in bytes that may become three. It may be negative.
    pub(crate) fn input_room(&self) -> isize {
        let room = INPUT - self.input.len();
        let room = if self.attributes.input.contains(InputFlags::PARMRK) { room.div_ceil(3) } else { room };
        room as isize - 1
    }
}
