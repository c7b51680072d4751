//! What each processor has for itself, how processors call each other, and how one of them silences the rest.

mod block;
pub mod rendezvous;
pub mod seat;
pub mod smp;

pub use block::{BOOT, Block, FIRST_FRAME, Home, KERNEL_STACK, SIGN, SIGNAL_STACK, current, of, seat_of};
