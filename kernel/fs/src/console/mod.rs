//! The console as files: the three standard streams, and the terminal behind them.
//!
//! A stream that is a terminal looks like `/dev/console`, one that is none like a pipe. A terminal reads and writes
//! through any of its descriptors, as programs expect: `less` reads keys from standard error.

mod buffer;
mod node;
mod terminal;
mod writers;

use alloc::sync::Arc;

use machine::Stream;
use vfs::{Control, Node};

use crate::jobs::jobs;

pub use buffer::first_output;
pub use node::Console;
use node::Face;
pub use writers::begin;

/// The number of `/dev/tty`, the terminal of whoever asks.
pub const TERMINAL: (u32, u32) = (5, 0);
/// The number of `/dev/console`.
pub const CONSOLE: (u32, u32) = (5, 1);

/// Who has the terminal: at first the first process, which leads its session and group.
pub static CONTROL: Control = Control::new(1, 1);

/// Numbers of nodes up to this are taken by standard streams that are pipes.
pub(crate) const PIPES: u64 = 3;

/// Standard input, output and error.
#[must_use]
pub fn streams() -> [Arc<dyn Node>; 3] {
    [Stream::Input, Stream::Output, Stream::Error].map(|stream| {
        let console: Arc<dyn Node> = Arc::new(Console::new(Face::Stream(stream)));
        console
    })
}

/// The device of that number: none if it is no console's, or if the console is not the running process' terminal for
/// `/dev/tty`.
pub(crate) fn open(number: (u32, u32)) -> Option<Arc<dyn Node>> {
    match number {
        TERMINAL if jobs().is_none_or(|jobs| jobs.has_terminal(&CONTROL)) => terminal::stream()?,
        CONSOLE => Stream::Output,
        _ => return None,
    };
    Some(Arc::new(Console::new(Face::Terminal)))
}
