//! The way in and out of the kernel: system calls to their handlers, faults to signals, signals to the program.

pub mod deliver;
pub mod dispatch;
pub mod fatal;
pub mod fault;
pub mod interrupt;
pub mod launch;
pub mod trace;
