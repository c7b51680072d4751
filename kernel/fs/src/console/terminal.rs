//! The terminal behind the streams, if there is one.

use contracts::console;
use machine::{SetWhen, Stream};
use vfs::{Control, FileError, Terminal};

use super::{Console, buffer::file_error, writers};

/// A stream that is the terminal.
pub fn stream() -> Option<Stream> {
    [Stream::Input, Stream::Output, Stream::Error].into_iter().find(|&stream| console::is_terminal(stream))
}

/// A stream through which the terminal is written to.
pub fn output() -> Option<Stream> {
    [Stream::Output, Stream::Error].into_iter().find(|&stream| console::is_terminal(stream))
}

impl Terminal for Console {
    fn attributes(&self) -> Result<[u8; 36], FileError> {
        console::attributes(self.terminal_stream()?).map_err(file_error)
    }

    fn set_attributes(&self, when: u8, attributes: &[u8; 36]) -> Result<(), FileError> {
        let when = match when {
            0 => SetWhen::Now,
            1 => SetWhen::Drain,
            _ => SetWhen::Flush,
        };
        console::set_attributes(self.terminal_stream()?, when, attributes).map_err(file_error)?;
        writers::note(attributes);
        Ok(())
    }

    fn window_size(&self) -> Result<[u16; 4], FileError> {
        let size = console::window_size(self.terminal_stream()?).map_err(file_error)?;
        Ok([size.rows, size.columns, size.pixels_x, size.pixels_y])
    }
    fn control(&self) -> &Control {
        &super::CONTROL
    }

    /// Input that has not been read goes as it does with new attributes (TCSETSF). Output is on its way already.
    fn flush(&self, input: bool, _output: bool) -> Result<(), FileError> {
        if input { self.set_attributes(2, &self.attributes()?) } else { Ok(()) }
    }
}
