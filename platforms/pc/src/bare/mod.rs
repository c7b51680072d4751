//! Providers for images without memory management, interrupts or devices found: they need nothing but the boot code.

mod alone;
mod arguments;
mod plain;
mod port;
mod reset;

pub use alone::{Alone, Deadline};
pub use arguments::{CommandLine, remember};
pub use plain::Plain;
pub use port::PortConsole;
pub use reset::Reset;
