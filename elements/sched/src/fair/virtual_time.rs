//! Virtual time: how much service a thread of weight 1 would have had by now.

use intrusive::Word;

/// Fractions of a virtual nanosecond: so that short runs of heavy threads count.
const FRACTION: u32 = 14;

/// Virtual time that `service` nanoseconds are for a thread of that weight.
pub fn elapsed(service: u64, weight: u64) -> u64 {
    // Eighteen minutes without a switch are as good as any longer time, and cannot overflow.
    (service.min(1 << 40) << FRACTION) / weight
}

/// Nanoseconds of service that the virtual time is for a thread of that weight.
pub fn service(elapsed: i64, weight: u64) -> i64 {
    elapsed.saturating_mul(weight.cast_signed()) >> FRACTION
}

/// The virtual time of a set of threads: the mean of theirs, by weight.
///
/// The mean is kept as a sum of weighted distances from an origin, which follows it, so that numbers stay small and
/// nothing is lost by rounding (as in Linux's `avg_vruntime`). Virtual times wrap around; only differences count.
#[derive(Debug)]
pub struct VirtualTime {
    origin: Word,
    sum: Word,
    load: Word,
}

impl VirtualTime {
    pub const fn new() -> Self {
        Self { origin: Word::new(0), sum: Word::new(0), load: Word::new(0) }
    }

    /// The weights of all threads together.
    pub fn load(&self) -> u64 {
        self.load.get()
    }

    fn distance(&self, time: u64) -> i64 {
        time.wrapping_sub(self.origin.get()).cast_signed()
    }

    /// The mean now.
    pub fn now(&self) -> u64 {
        if self.load() != 0 {
            let load = self.load().cast_signed();
            let step = self.sum.get().cast_signed().div_euclid(load);
            self.origin.set(self.origin.get().wrapping_add_signed(step));
            self.sum.set((self.sum.get().cast_signed() - step * load).cast_unsigned());
        }
        self.origin.get()
    }

    /// Whether a thread at that time has had no more than its share.
    pub fn is_eligible(&self, time: u64) -> bool {
        i128::from(self.distance(time)) * i128::from(self.load()) <= i128::from(self.sum.get().cast_signed())
    }

    /// A thread joins, at a time near the mean.
    pub fn join(&self, time: u64, weight: u64) {
        self.add(self.distance(time), weight);
        self.load.set(self.load() + weight);
    }

    /// A thread leaves.
    pub fn leave(&self, time: u64, weight: u64) {
        self.add(-self.distance(time), weight);
        self.load.set(self.load() - weight);
        if self.load() == 0 {
            self.origin.set(time);
            self.sum.set(0);
        }
    }

    /// A thread's time goes on.
    pub fn advance(&self, elapsed: u64, weight: u64) {
        self.add(elapsed.cast_signed(), weight);
    }

    fn add(&self, distance: i64, weight: u64) {
        self.sum.set(self.sum.get().wrapping_add_signed(distance * weight.cast_signed()));
    }
}
