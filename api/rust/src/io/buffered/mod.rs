//! Buffers before readers and writers.

mod line;
mod reader;
mod writer;

pub use line::LineWriter;
pub use reader::BufReader;
pub use writer::{BufWriter, IntoInnerError, WriterPanicked};

/// Bytes of a buffer unless said otherwise, as the standard library's.
const CAPACITY: usize = 8192;
