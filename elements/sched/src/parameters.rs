//! What a program can say about a thread: sched(7).

/// A thread's scheduling class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// A share of the time by its nice value: `SCHED_OTHER`.
    #[default]
    Fair,
    /// The same without the favour for those that just woke: `SCHED_BATCH`.
    Batch,
    /// The least share: `SCHED_IDLE`.
    Idle,
    /// By priority, as long as it likes: `SCHED_FIFO`.
    Fifo,
    /// By priority, in turns with those of the same: `SCHED_RR`.
    RoundRobin,
}

/// A thread's class and its place in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// The class.
    pub class: Class,
    /// 1 to 99 for [`Class::Fifo`] and [`Class::RoundRobin`], greater first; 0 for the others.
    pub priority: u8,
    /// -20 (the greatest share) to 19.
    pub nice: i8,
}

impl Parameters {
    /// In one word.
    pub(crate) const fn packed(self) -> u32 {
        u32::from_le_bytes([self.class as u8, self.priority, self.nice.cast_unsigned(), 0])
    }

    /// From such a word.
    pub(crate) const fn unpacked(word: u32) -> Self {
        let [class, priority, nice, _] = word.to_le_bytes();
        let class = match class {
            1 => Class::Batch,
            2 => Class::Idle,
            3 => Class::Fifo,
            4 => Class::RoundRobin,
            _ => Class::Fair,
        };
        Self { class, priority, nice: nice.cast_signed() }
    }
}
