//! Bytes in and out, by a plan's paces.

use packets::Instant;

use super::Endpoint;
use crate::host::{Host, Socket, Trouble};

/// Bytes of the longest call.
const LONGEST: usize = 32 << 10;

/// Why a direction does not go on.
pub enum Wrong {
    /// The stack says so, at a call of this kind.
    Trouble(Trouble, &'static str),
    /// What came is not what was sent.
    Bytes(String),
}

fn wrong_byte(at: u64) -> Wrong {
    Wrong::Bytes(format!("byte {at} of the stream is not what was sent"))
}

impl Endpoint {
    /// Writes until its pace or the stack says no.
    pub(super) fn write(&mut self, now: Instant, host: &mut dyn Host, socket: Socket) -> Result<(), Wrong> {
        let mut buffer = [0; LONGEST];
        while self.writing.paused_until <= now && !self.aborts_now() {
            let left = self.plan.sends - self.outgoing.passed;
            let room = (self.writing.room(&self.plan.writing)).min(buffer.len());
            let count = room.min(usize::try_from(left).unwrap_or(usize::MAX));
            if count == 0 {
                break;
            }
            self.outgoing.peek(&mut buffer[..count]);
            match host.write(now, socket, &buffer[..count]) {
                Ok(0) => return Err(Wrong::Bytes("a write took nothing and did not say why".into())),
                Ok(count) => {
                    self.outgoing.passed += count as u64;
                    self.writing.passed(now, &self.plan.writing, count);
                }
                Err(Trouble::WouldBlock) => break,
                Err(trouble) => return Err(Wrong::Trouble(trouble, "writing")),
            }
        }
        Ok(())
    }

    /// Reads as long, and looks at each byte.
    pub(super) fn read(&mut self, now: Instant, host: &mut dyn Host, socket: Socket) -> Result<(), Wrong> {
        let mut buffer = [0; LONGEST];
        while !self.ended && self.reading.paused_until <= now && !self.aborts_now() {
            let room = self.reading.room(&self.plan.reading).min(buffer.len());
            match host.read(now, socket, &mut buffer[..room]) {
                Ok(0) => self.ended = true,
                Ok(count) => {
                    self.incoming.check(&buffer[..count]).map_err(wrong_byte)?;
                    self.reading.passed(now, &self.plan.reading, count);
                }
                Err(Trouble::WouldBlock) => break,
                Err(trouble) => return Err(Wrong::Trouble(trouble, "reading")),
            }
        }
        if self.incoming.passed > self.expects || self.ended && self.incoming.passed < self.expects && !self.may_break {
            let text = format!("the stream ended after {} bytes of {}", self.incoming.passed, self.expects);
            return Err(Wrong::Bytes(text));
        }
        Ok(())
    }
}
