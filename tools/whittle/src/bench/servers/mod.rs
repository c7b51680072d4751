//! `whittle bench servers`: what a request of a server's costs in the kernel and in the program, on pc beside a Linux guest
//! in the same QEMU. The servers are Debian's, as they are.

mod count;
mod load;
mod sides;

pub use count::count as servers;
