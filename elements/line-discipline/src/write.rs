//! The slave writes, and the master reads.

use crate::letters::is_control;
use crate::termios::OutputFlags;
use crate::{Changes, Discipline, OUTPUT};

impl Discipline {
    /// The slave writes; answers how many bytes were taken: none while output is stopped, fewer than all when the
    /// master has [`OUTPUT`] bytes to read.
    pub fn write(&mut self, bytes: &[u8]) -> usize {
        self.with_output(|discipline| {
            discipline.show_echoes();
            match discipline.is_stopped() {
                true => 0,
                false if discipline.attributes.output.contains(OutputFlags::OPOST) => discipline.write_processed(bytes),
                false => {
                    let room = discipline.output.room(bytes.len());
                    discipline.output.extend(&bytes[..room]);
                    room
                }
            }
        })
    }

    fn write_processed(&mut self, bytes: &[u8]) -> usize {
        let capitals = self.attributes.output.contains(OutputFlags::OLCUC);
        let utf8 = self.attributes.is_utf8();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            let text = rest.iter().take_while(|&&byte| !capitals && !is_control(byte)).count();
            if text > 0 {
                let room = self.output.room(text);
                self.output.extend_text(&rest[..room], utf8);
                rest = &rest[room..];
                if room < text {
                    break;
                }
            } else if self.output.put_processed(first, &self.attributes) {
                rest = &rest[1..];
            } else {
                break;
            }
        }
        bytes.len() - rest.len()
    }

    /// Whether the slave can write, as poll(2) sees it.
    #[must_use]
    pub fn slave_is_writable(&self) -> bool {
        !self.is_stopped() && self.output.len() < OUTPUT
    }

    /// The master reads at most `most` bytes; answers how many `sink` took. In packet mode the caller says first what
    /// [`Discipline::take_packet_status`] has.
    pub fn take_output(&mut self, most: usize, sink: &mut dyn FnMut(&[u8]) -> usize) -> usize {
        let taken = self.output.take(most, sink);
        if taken > 0 {
            self.changes |= Changes::SLAVE_WRITABLE;
        }
        taken
    }

    /// Bytes that the master can read (FIONREAD of the master).
    #[must_use]
    pub fn output_available(&self) -> usize {
        self.output.len()
    }

    /// Whether the master can read, as poll(2) sees it: bytes, or what packet mode tells.
    #[must_use]
    pub fn master_is_readable(&self) -> bool {
        self.output.len() > 0 || !self.packet_status().is_empty()
    }
}
