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

/// A window that grows with the cube of the time since the last loss.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cubic {
    start: HyStart,
    /// W_max, scaled.
    most: u64,
    /// W_est in parts of [`FINE`]: what NewReno would have.
    estimate: u64,
    /// When the epoch began, in nanoseconds; 0: none runs.
    epoch: u64,
    /// K in milliseconds.
    k: u32,
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

impl Cubic {
    /// Begins an epoch of congestion avoidance: RFC 9438, 4.2. K = cubic root of (W_max - cwnd_epoch) / C.
    fn begin(&mut self, window: &Window, now: u64) {
        let first = u64::from(window.segments) * SCALE;
        (self.epoch, self.estimate) = (now.max(1), u64::from(window.segments) * FINE);
        if self.most <= first {
            (self.most, self.k) = (first, 0);
            return;
        }
        // In milliseconds: K^3 = difference * 10^9 / 0.4, and the difference has SCALE in it.
        let cube = u128::from(self.most - first) * 2_500_000_000 / u128::from(SCALE);
        self.k = cube_root(u64::try_from(cube).unwrap_or(u64::MAX)) as u32;
    }

    /// W_cubic at so many milliseconds of the epoch, scaled: RFC 9438, equation 1.
    pub fn curve(&self, millis: u64) -> u64 {
        let distance = i128::from(millis.min(1 << 32)) - i128::from(self.k);
        let change = distance * distance * distance * 2 * i128::from(SCALE) / 5_000_000_000;
        let target = i128::from(self.most) + change;
        target.clamp(0, i128::from(u64::from(MOST) * SCALE)) as u64
    }

    /// W_est: RFC 9438, equation 4. Alpha is one once the window of before is reached.
    fn estimate(&mut self, segments: u32, window: &Window) {
        let (up, down) = if self.estimate / FINE >= self.most / SCALE { (1, 1) } else { ALPHA };
        self.estimate += up * u64::from(segments) * FINE / (down * u64::from(window.segments).max(1));
        self.estimate = self.estimate.min(u64::from(MOST) * FINE);
    }

    fn avoid(&mut self, window: &mut Window, what: &Acknowledged, segments: u32) {
        if self.epoch == 0 {
            self.begin(window, what.now);
        }
        self.estimate(segments, window);
        let elapsed = what.now.saturating_sub(self.epoch) / 1_000_000;
        let current = u64::from(window.segments) * SCALE;
        if self.curve(elapsed) / SCALE < self.estimate / FINE {
            // RFC 9438, 4.3: the region that is friendly to Reno.
            window.segments = window.segments.max((self.estimate / FINE) as u32);
            return;
        }
        // RFC 9438, 4.2: the target of a round trip ahead, at most half as much again.
        let target = self.curve(elapsed + u64::from(what.shortest) / 1_000).clamp(current, current * 3 / 2);
        // A segment more for each cwnd / (target - cwnd) acknowledged; hardly any where the curve is flat.
        let per = if target > current { (u64::from(window.segments) * SCALE).div_ceil(target - current) } else { 0 };
        let per = if per == 0 { window.segments.saturating_mul(100) } else { per.min(u32::MAX.into()) as u32 };
        window.avoid(segments, per);
    }

    fn reduce(&mut self, window: &Window) -> u32 {
        let current = u64::from(window.segments) * SCALE;
        // RFC 9438, 4.7: fast convergence.
        self.most = if current < self.most { current * (SCALE + BETA) / (2 * SCALE) } else { current };
        self.epoch = 0;
        ((u64::from(window.segments) * BETA / SCALE) as u32).max(2)
    }
}

impl Congestion for Cubic {
    const NAME: &'static str = "cubic";

    fn acknowledged(&mut self, window: &mut Window, what: &Acknowledged) {
        let left = if window.in_slow_start() { self.start.acknowledged(window, what) } else { what.segments };
        if !window.in_slow_start() && left > 0 {
            self.avoid(window, what, left);
        }
    }

    fn lost(&mut self, window: &Window, _in_flight: u32) -> u32 {
        self.reduce(window)
    }

    fn timed_out(&mut self, window: &Window, _in_flight: u32) -> u32 {
        let threshold = self.reduce(window);
        self.start = HyStart::default();
        threshold
    }

    /// The time in which nothing was sent is none of the epoch's: RFC 9438, 4.2 and 5.8.
    fn resumed(&mut self, idle: u64) {
        if self.epoch != 0 {
            self.epoch += idle;
        }
    }
}
