//! NewReno: RFC 5681, RFC 6582.

use super::{Acknowledged, Congestion, Window};

/// Half the window at a loss, a segment more each round trip.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewReno;

impl Congestion for NewReno {
    const NAME: &'static str = "reno";

    fn acknowledged(&mut self, window: &mut Window, what: &Acknowledged) {
        let left = if window.in_slow_start() { window.slow_start(what.segments) } else { what.segments };
        window.avoid(left, window.segments);
    }

    /// RFC 5681, equation 4. The window stands for what is in flight: it is not grown beyond that.
    fn lost(&mut self, window: &Window, _in_flight: u32) -> u32 {
        (window.segments / 2).max(2)
    }

    fn timed_out(&mut self, window: &Window, in_flight: u32) -> u32 {
        self.lost(window, in_flight)
    }

    fn resumed(&mut self, _now: u64, _idle: u64) {}
}
