//! Clocks and timers: all kinds are a [`mod@ticker`] by a [`mod@clock`], and somebody who is told.

pub mod clock;
pub mod moments;
pub mod numbered;
pub mod sleep;
pub mod ticker;

pub use numbered::{Notice, Timer, Timers};
pub use sleep::Sleep;

/// How many interval timers a process has: setitimer(2).
pub const INTERVAL_TIMERS: usize = 3;
