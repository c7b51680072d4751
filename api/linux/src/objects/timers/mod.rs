//! Clocks and timers.

pub mod clock;
pub mod moments;
pub mod ticker;
