//! Our TCP as the shared library that packetdrill (`--so_filename`) calls in the place of Linux.
//!
//! Time is this library's: it stands while code runs, and moves when packetdrill sleeps or waits for a packet. So a
//! script never misses a moment, however busy the machine is. Calls that block come on a second thread of
//! packetdrill's; one lock guards everything, and time goes on only when that thread has done what it can
//! ([`machine`]).
//!
//! The same file is loaded before packetdrill's own libraries (`LD_PRELOAD`): it answers the few calls that packetdrill
//! makes of the C library instead of this interface ([`preloaded`]).
//!
//! Unsafe: all of it is called from C, with pointers that the caller vouches for.

#![allow(unsafe_code)]

mod calls;
mod errno;
mod info;
mod interface;
mod machine;
mod options;
mod preloaded;
mod sysctl;
