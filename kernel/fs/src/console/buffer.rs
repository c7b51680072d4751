//! Buffers between the console, which works on memory of the kernel, and wherever bytes go to or come from.

use alloc::vec::Vec;

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use contracts::console;
use machine::{ConsoleError, Stream};
use sync::Mutex;
use vfs::{FileError, Sink, Source};

/// Bytes moved at a time, at most.
const MOST: usize = 64 << 10;
/// ENOSPC, as a host says it.
const NO_SPACE: i32 = 28;
/// Bytes of the smallest buffer.
const LEAST: usize = 256;

/// What was read and not yet taken: only after a transfer that failed in the middle.
struct Input {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

static INPUT: Mutex<Input> = Mutex::new(Input { bytes: Vec::new(), start: 0, end: 0 });
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Cycles just before the first output; 0 if there was none.
static FIRST: AtomicU64 = AtomicU64::new(0);

/// Cycles just before the program's first output; 0 if there was none.
pub fn first_output() -> u64 {
    FIRST.load(Relaxed)
}

/// Bytes that were read and not yet taken.
pub fn waiting() -> usize {
    let input = INPUT.lock();
    input.end - input.start
}

/// Reads standard input into `sink`; 0 at its end.
pub fn read(sink: &mut dyn Sink) -> Result<usize, FileError> {
    let room = sink.room();
    if room == 0 {
        return Ok(0);
    }
    let input = &mut *INPUT.lock();
    if input.start == input.end {
        let wanted = grow(&mut input.bytes, room)?;
        input.end = console::read(&mut input.bytes[..wanted]).map_err(file_error)?;
        input.start = 0;
    }
    let count = sink.put(&input.bytes[input.start..input.end]);
    input.start += count;
    Ok(count)
}

/// Writes `source` to `stream`, as much as has room there.
pub fn write(stream: Stream, source: &mut dyn Source) -> Result<usize, FileError> {
    let output = &mut *OUTPUT.lock();
    if FIRST.load(Relaxed) == 0 {
        FIRST.store(instruction_set::instructions::time_stamp(), Relaxed);
    }
    let mut total = 0;
    while source.left() > 0 {
        let part = grow(output, source.left())?;
        let taken = source.take(&mut output[..part]);
        if taken == 0 {
            break;
        }
        match console::write(stream, &output[..taken]) {
            Ok(count) => {
                source.give_back(taken - count);
                total += count;
            }
            Err(error) => {
                source.give_back(taken);
                return if total > 0 { Ok(total) } else { Err(file_error(error)) };
            }
        }
    }
    Ok(total)
}

/// Makes `bytes` long enough for `wanted` bytes, or for [`MOST`]; answers for how many it is.
fn grow(bytes: &mut Vec<u8>, wanted: usize) -> Result<usize, FileError> {
    let wanted = wanted.min(MOST);
    if bytes.len() < wanted {
        let length = wanted.next_power_of_two().max(LEAST);
        bytes.try_reserve_exact(length - bytes.len()).map_err(|_| FileError::NoSpace)?;
        bytes.resize(length, 0);
    }
    Ok(wanted)
}

/// The console's errors as those of a file.
pub fn file_error(error: ConsoleError) -> FileError {
    match error {
        ConsoleError::WouldBlock => FileError::WouldBlock,
        ConsoleError::Broken => FileError::Broken,
        ConsoleError::NotTerminal => FileError::NotTerminal,
        ConsoleError::Host(NO_SPACE) => FileError::NoSpace,
        ConsoleError::Host(_) => FileError::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_console_are_errors_of_files() {
        let errors = [
            (ConsoleError::WouldBlock, FileError::WouldBlock),
            (ConsoleError::Broken, FileError::Broken),
            (ConsoleError::NotTerminal, FileError::NotTerminal),
            (ConsoleError::Host(28), FileError::NoSpace),
            (ConsoleError::Host(5), FileError::Failed),
        ];
        errors.iter().for_each(|&(console, file)| assert_eq!(file_error(console), file));
    }

    #[test]
    fn buffers_grow_to_what_is_wanted_and_no_further_than_the_most() {
        let mut bytes = Vec::new();
        assert_eq!((grow(&mut bytes, 1), bytes.len()), (Ok(1), LEAST));
        assert_eq!((grow(&mut bytes, 1000), bytes.len()), (Ok(1000), 1024));
        assert_eq!((grow(&mut bytes, 1 << 30), bytes.len()), (Ok(MOST), MOST));
    }
}
