//! What a kernel asks of the machine underneath: traits and plain data, almost no code.
//!
//! Each contract here is behind a slot in the crate `contracts`; a platform (pc, process) implements it, an image says
//! which. Units stand in the names or the documentation: addresses and lengths are bytes, times are nanoseconds.
#![no_std]
#![forbid(unsafe_code)]

// The texts of contracts stand in the crate `contracts` too: their links name this crate, and hold in both.
extern crate self as machine;

mod alarm;
mod application;
mod arguments;
mod boot;
mod clock;
mod console;
mod entropy;
mod handlers;
mod kernel;
mod memory;
mod power;
mod processor;

pub use alarm::Alarm;
pub use application::Application;
pub use architecture::{Access, Context, ExtendedState, Trap, TrapKind};
pub use arguments::Arguments;
pub use boot::{Begin, Boot, Stage};
pub use clock::Clock;
pub use console::{
    Console, ConsoleError, Readiness, Record, SetWhen, Stream, TERMINAL_ATTRIBUTES, TerminalAttributes, WindowSize,
};
pub use entropy::Entropy;
pub use handlers::{Handler, Handlers};
pub use kernel::{BootInfo, Kernel};
pub use memory::{
    Audit, AuditError, Fault, KernelMemory, LARGE_PAGE_SIZE, Larger, MemoryRefused, MemoryReport, MemoryUse, PAGE_SIZE,
    PageRange, Protection, Source, SpaceHandle, Translations, UserMemory, page_align_down, page_align_up,
};
pub use power::{ExitReason, Power};
pub use processor::{CONTEXT_ROOM, CallEntries, MAX_PROCESSORS, Processor, ThreadHandle, ThreadResources};
pub use unfilled::Unfilled;
