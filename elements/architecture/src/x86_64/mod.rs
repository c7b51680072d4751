//! x86-64, by Intel's manual and Linux' headers.

mod context;
pub mod exception;
mod handler;
pub mod length;
pub mod page_table;
mod signal_context;

pub use context::Context;
pub use exception::PageFaultCode;
pub use page_table::PageTableEntry;
pub use signal_context::SignalContext;

/// The code segment of a 64-bit program on Linux; handlers that look find what they know.
pub const CODE_SEGMENT: u16 = 0x33;
/// Its stack segment.
pub const STACK_SEGMENT: u16 = 0x2b;
