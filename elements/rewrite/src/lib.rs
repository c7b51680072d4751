//! Which bytes of a program may stand in the place of others, so that a system call becomes a call.
//!
//! A site is a `syscall` that has trapped. [`Plan::of`] looks at the bytes around it, and says where a `jmp` of five
//! bytes may stand, or why none may ([`Left`]). The `jmp` leads to a stub, which holds what it took the place of, and
//! enters the kernel by a call. A [`Patcher`] counts traps, and says what to write when. Nothing here touches a
//! program: it is all bytes and addresses, so each part is tested on any host.
//!
//! # Three kinds
//! [`Kind::Number`]: nearly all sites have `mov $n, %eax` right before the `syscall`, which is five bytes long. The
//! `jmp` takes its place and the `syscall` stays. [`Kind::Before`]: the same over other instructions before it.
//! [`Kind::Behind`]: the `syscall` itself and instructions behind it, for sites that have nothing before them.
//!
//! [`Kind::Cpuid`] is another instruction: see [`cpuid_plans`].
//!
//! # What makes it right
//! - **Boundaries.** Instructions have many lengths, so bytes before a site can be read in several ways. One is
//!   believed that follows from the start of the function, or on which all readings agree that began well before. And a
//!   stub is first reached by a trap: the patcher writes one byte that faults, and the `jmp` when that was executed.
//! - **Branches.** Whoever jumps between the instructions that were taken away meets a byte that faults, and is led to
//!   its place in the stub ([`Plan::stub_of`]). The bytes of a `jmp` are its distance: so stubs stand only where all of
//!   them fault at which an instruction began ([`Plan::place`]).
//! - **Positions.** Only instructions are moved that do the same anywhere: none that branches, none that reads by its
//!   own address, none that is not known here.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod boundaries;
mod cpuid;
mod functions;
mod movable;
mod named;
mod patcher;
mod place;
mod plan;
mod site;
mod stub;
#[cfg(test)]
mod tests;
mod ways;

pub use cpuid::{Read, ReadFrames, cpuid_plans};
pub use named::{Malformed, Named, Object, digits};
pub use patcher::{Code, Others, Patcher, Seen, TRAPS, Told};
pub use place::{FAULTS, Room};
pub use plan::{JUMP, Kind, Left, Plan};
pub use site::{SYSCALL, Site};
pub use stub::{Call, CpuidEntry, Entry, Jump, Target};
pub use ways::{TURNS as MEASURED_TURNS, measuring};
