//! A virtio device in memory space, as the command line or the DSDT lists it.

/// How an interrupt line is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// By a rising edge.
    EdgeHigh,
    /// By a falling edge.
    EdgeLow,
    /// As long as it is high.
    LevelHigh,
    /// As long as it is low.
    LevelLow,
}

/// Where a virtio-mmio device is (virtio 1.2, section 4.2). What it is, its registers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VirtioMmio {
    /// Physical address of its registers.
    pub base: u64,
    /// Bytes of its registers; `base + length` does not overflow.
    pub length: u64,
    /// Its global interrupt line.
    pub line: u32,
    /// How the line is driven.
    pub trigger: Trigger,
}
