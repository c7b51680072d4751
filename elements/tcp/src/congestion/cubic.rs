//! CUBIC: RFC 9438, in integers.
//!
//! Windows are counted in 1024ths of a segment inside, time in milliseconds: C = 0.4 segments per cubic second.

use super::{Acknowledged, Congestion, MOST, Window, hystart::HyStart};

/// The fraction bits of windows.
const SCALE: u64 = 1024;
/// And of W_est, which grows by small parts of a segment.
const FINE: u64 = 1 << 20;
/// RFC 9438, 4.6: the multiplicative decrease, 0.7 of [`SCALE`].
const BETA: u64 = 717;
/// RFC 9438, 4.3: 3 (1 - 0.7) / (1 + 0.7) = 9 / 17.
const ALPHA: (u64, u64) = (9, 17);

/// A segment more for so many, at least, before the first loss.
const SEARCH: u32 = 20;

/// The curve is looked at so often, in milliseconds, while the window is the same: 32 times a second, as Linux does,
/// and once a round trip where that is shorter.
const LOOK_EVERY: u32 = 31;

/// And no more often than this, in milliseconds: a tick of Linux'.
const TICK: u32 = 4;

/// A window that grows with the cube of the time since the last loss.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cubic {
    start: HyStart,
    /// W_max in segments; 0: nothing was lost yet, or a timeout has made it worthless.
    most: u32,
    /// Where the curve is flat, in segments: W_max, or the window that the epoch began with.
    origin: u32,
    /// cwnd_prior in segments: the window before the last reduction; 0: there was none.
    prior: u32,
    /// W_est in parts of [`FINE`]: what NewReno would have.
    estimate: u64,
    /// When the epoch began, in milliseconds; 0: none runs.
    epoch: u32,
    /// K in milliseconds.
    k: u32,
    /// A segment more for so many, and when that was computed, in milliseconds; 0: not for this window.
    per: u32,
    looked: u32,
    /// The window is another one since.
    stale: bool,
}

/// The largest whole number whose cube is at most `value`.
pub fn cube_root(value: u64) -> u64 {
    let mut root = 0_u64;
    for bit in (0..22).rev() {
        let next = root | 1 << bit;
        if next.saturating_mul(next).saturating_mul(next) <= value {
            root = next;
        }
    }
    root
}

/// The epoch's clock goes round in 49 days, and no epoch lasts so long.
const fn millis(nanos: u64) -> u32 {
    (nanos / 1_000_000) as u32
}

impl Cubic {
    /// Begins an epoch of congestion avoidance: RFC 9438, 4.2. K = cubic root of (W_max - cwnd_epoch) / C.
    fn begin(&mut self, window: &Window, now: u64) {
        let first = window.segments;
        self.per = 0;
        (self.epoch, self.estimate) = (millis(now).max(1), u64::from(first) * FINE);
        if self.most <= first {
            (self.origin, self.k) = (first, 0);
            return;
        }
        self.origin = self.most;
        // In milliseconds: K^3 = difference * 10^9 / 0.4.
        let cube = u128::from(self.most - first) * 2_500_000_000;
        self.k = cube_root(u64::try_from(cube).unwrap_or(u64::MAX)) as u32;
    }

    /// W_cubic at so many milliseconds of the epoch, scaled: RFC 9438, equation 1.
    pub fn curve(&self, millis: u64) -> u64 {
        let distance = i128::from(millis.min(1 << 32)) - i128::from(self.k);
        let change = distance * distance * distance * 2 * i128::from(SCALE) / 5_000_000_000;
        let target = i128::from(u64::from(self.origin) * SCALE) + change;
        target.clamp(0, i128::from(u64::from(MOST) * SCALE)) as u64
    }

    /// W_est: RFC 9438, equation 4. Alpha is one once the window of before the reduction is reached.
    fn estimate(&mut self, segments: u32, window: &Window) {
        let before = if self.prior == 0 { self.origin } else { self.prior };
        let (up, down) = if self.estimate / FINE >= u64::from(before) { (1, 1) } else { ALPHA };
        self.estimate += up * u64::from(segments) * FINE / (down * u64::from(window.segments).max(1));
        self.estimate = self.estimate.min(u64::from(MOST) * FINE);
    }

    fn avoid(&mut self, window: &mut Window, what: &Acknowledged, segments: u32) {
        if self.epoch == 0 {
            self.begin(window, what.now);
        }
        self.estimate(segments, window);
        let (now, round) = (millis(what.now), what.shortest / 1_000);
        let age = now.wrapping_sub(self.looked);
        let (young, stale) = (age <= LOOK_EVERY.min(round), self.stale && age >= TICK);
        if self.per == 0 || !young && age >= TICK || stale {
            (self.per, self.looked, self.stale) = (self.pace(window, what), now, false);
        } else if self.stale || round < LOOK_EVERY {
            // RFC 9438, 4.3: at each acknowledgment. Over short paths a loss may come before the next look.
            self.per = self.friendly(window, self.per);
        }
        let before = window.segments;
        window.avoid(segments, self.per);
        self.stale |= window.segments != before;
    }

    /// For how many segments the window grows by one: cwnd / (target - cwnd), where the target is a round trip ahead
    /// and at most half as much again (RFC 9438, 4.2).
    fn pace(&self, window: &Window, what: &Acknowledged) -> u32 {
        let (current, elapsed) = (window.segments, millis(what.now).wrapping_sub(self.epoch));
        let at = u64::from(elapsed) + u64::from(what.shortest) / 1_000;
        let curve = self.curve(at);
        // Before the flat part it is rounded up, as Linux does: so a window grows by one a round trip at once.
        let target = if at < u64::from(self.k) { curve.div_ceil(SCALE) } else { curve / SCALE } as u32;
        // Hardly any where the curve is flat.
        let per = if target > current { current / (target - current) } else { current.saturating_mul(100) };
        // No loss has told where the path ends: a twentieth each round trip at least, as Linux has it.
        let per = if self.most == 0 { per.min(SEARCH) } else { per };
        self.friendly(window, per)
    }

    /// RFC 9438, 4.3: the region that is friendly to Reno.
    fn friendly(&self, window: &Window, per: u32) -> u32 {
        let (estimate, current) = ((self.estimate / FINE) as u32, window.segments);
        let per = if estimate > current { per.min(current / (estimate - current)) } else { per };
        per.max(2)
    }

    fn reduce(&mut self, window: &Window) -> u32 {
        // RFC 9438, 4.7: fast convergence.
        let slower = u64::from(window.segments) * (SCALE + BETA) / (2 * SCALE);
        self.most = if window.segments < self.most { slower as u32 } else { window.segments };
        (self.epoch, self.prior) = (0, window.segments);
        ((u64::from(window.segments) * BETA / SCALE) as u32).max(2)
    }
}

impl Congestion for Cubic {
    const NAME: &'static str = "cubic";

    fn measured(&mut self, window: &mut Window, what: &Acknowledged) {
        if window.in_slow_start() {
            self.start.measured(window, what);
        }
    }

    fn acknowledged(&mut self, window: &mut Window, what: &Acknowledged) {
        let left = if window.in_slow_start() { window.slow_start(what.segments) } else { what.segments };
        if !window.in_slow_start() && left > 0 {
            self.avoid(window, what, left);
        }
    }

    fn lost(&mut self, window: &Window, _in_flight: u32) -> u32 {
        self.reduce(window)
    }

    fn timed_out(&mut self, window: &Window, _in_flight: u32) -> u32 {
        let threshold = self.reduce(window);
        // RFC 9438, 4.8: the curve begins where slow start ends, whatever the window was.
        (self.most, self.start) = (0, HyStart::default());
        threshold
    }

    /// The time in which nothing was sent is none of the epoch's: RFC 9438, 4.2 and 5.8.
    fn resumed(&mut self, now: u64, idle: u64) {
        if self.epoch != 0 {
            let lasted = millis(now).wrapping_sub(self.epoch);
            self.epoch = self.epoch.wrapping_add(millis(idle).min(lasted)).max(1);
        }
    }
}
