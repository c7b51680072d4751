//! Time as programs have it: time(7). Their clocks, sleeping, and who is told of their timers.

pub mod clocks;
pub mod interval;
pub mod notice;
pub mod sleep;
