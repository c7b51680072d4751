//! Time: time(7). Clocks ([`mod@clock`]), sleeping, and timers: all kinds are a [`mod@ticker`] and who is told.

pub mod interval;
pub mod notice;
pub mod sleep;

pub use sleep::Sleep;
