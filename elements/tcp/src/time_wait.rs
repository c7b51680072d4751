//! TIME-WAIT: RFC 9293, 3.6.1; RFC 1337; RFC 6191. All that is left of a connection that is over, in one cache line.

use core::time::Duration;

use packets::tcp::{Flags, SequenceNumber};

use crate::{segment::Segment, tuple::Tuple};

/// 2 MSL, as Linux has it.
pub const LIFE: Duration = Duration::from_secs(60);

/// A connection that is over.
#[derive(Debug)]
pub struct TimeWait {
    pub tuple: Tuple,
    /// Its chain in the table.
    pub link: u32,
    /// SND.NXT and RCV.NXT.
    pub next: SequenceNumber,
    pub expected: SequenceNumber,
    /// TS.Recent, if it had timestamps.
    pub recent: u32,
    /// When it began, in milliseconds.
    pub since: u32,
    /// The window that was offered, as the header has it.
    pub window: u16,
    pub timestamps: bool,
    /// Others may bind its port.
    pub lenient: bool,
}

/// What a segment for it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is done.
    Nothing,
    /// It is acknowledged again.
    Acknowledge,
    /// It is acknowledged again, and the time begins anew.
    Restart,
    /// A new connection may take its place.
    Reopen,
}

impl TimeWait {
    /// RFC 9293, 3.10.7.4; RFC 1122, 4.2.2.13 with RFC 6191, 2 for a SYN.
    pub fn judge(&self, segment: &Segment) -> Verdict {
        if segment.has(Flags::RST) {
            return Verdict::Nothing; // RFC 1337: it shall not end early.
        }
        let newer = |clock: u32| clock.wrapping_sub(self.recent) as i32;
        let clocks = segment.options.timestamps.filter(|_| self.timestamps);
        if segment.has(Flags::SYN) {
            let later = match clocks.map(|clocks| newer(clocks.value)) {
                Some(0) | None => segment.sequence.is_behind(self.expected),
                Some(age) => age > 0,
            };
            let plain = !segment.has(Flags::ACK);
            return if later && plain { Verdict::Reopen } else { Verdict::Acknowledge };
        }
        let old = clocks.is_some_and(|clocks| newer(clocks.value) < 0);
        match segment.span() {
            0 => Verdict::Nothing,
            _ if segment.has(Flags::FIN) && !old && segment.end() == self.expected => Verdict::Restart,
            _ => Verdict::Acknowledge,
        }
    }
}
