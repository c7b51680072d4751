//! Providers for images that stay an ordinary process: no system calls are caught, no signals are taken.

mod alone;
mod arguments;
mod exit;
mod plain;
mod port;

pub use alone::{Alone, Deadline};
pub use arguments::{HostArguments, remember};
pub use exit::Exit;
pub use plain::Plain;
pub use port::PortConsole;
