//! Input and output, as `std::io` has it.

mod adapters;
mod buf_read;
mod buffered;
mod cursor;
mod error;
mod forward;
mod kind;
mod memory;
mod print;
mod read;
mod seek;
mod slices;
mod standard;
mod utilities;
mod write;

pub use adapters::{Bytes, Chain, Take};
pub use buf_read::{BufRead, Lines, Split};
pub use buffered::{BufReader, BufWriter, IntoInnerError, LineWriter, WriterPanicked};
pub use cursor::Cursor;
pub(crate) use error::Message;
pub use error::{Error, Result};
pub use kind::ErrorKind;
pub(crate) use print::error as say;
#[doc(hidden)]
pub use print::print;
pub use read::{Read, read_to_string};
pub use seek::{Seek, SeekFrom};
pub use slices::{IoSlice, IoSliceMut};
pub(crate) use standard::flush;
pub use standard::{IsTerminal, Stderr, StderrLock, Stdin, StdinLock, Stdout, StdoutLock, stderr, stdin, stdout};
pub use utilities::{Empty, Repeat, Sink, copy, empty, repeat, sink};
pub use write::Write;

/// For `use std::io::prelude::*;`.
pub mod prelude {
    pub use super::{BufRead, Read, Seek, Write};
}
