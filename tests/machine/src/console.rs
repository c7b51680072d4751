//! The slot `console`: tests type its input and read its output. What the kernel says to people goes to the test's own
//! error stream too.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use machine::{ConsoleError, Readiness, Record, Stream};

use crate::processor;

/// Fills the slot.
#[derive(Debug)]
pub struct Console;

#[derive(Default)]
struct State {
    input: VecDeque<u8>,
    at_end: bool,
    output: Vec<u8>,
    is_broken: bool,
    is_full: bool,
    signals: VecDeque<u8>,
    records: Vec<(Record, String)>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn with<R>(look: impl FnOnce(&mut State) -> R) -> R {
    let mut state: MutexGuard<'_, Option<State>> = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    look(state.get_or_insert_default())
}

/// Somebody types.
pub fn types(bytes: &[u8]) {
    with(|state| state.input.extend(bytes));
    processor::mark(0);
}

/// Nobody types any more, or somebody does again.
pub fn ends_input(at_end: bool) {
    with(|state| state.at_end = at_end);
    processor::mark(0);
}

/// The person sends a signal.
pub fn sends(signal: u8) {
    with(|state| state.signals.push_back(signal));
    processor::mark(0);
}

/// Whether nobody reads the output any more.
pub fn breaks(is_broken: bool) {
    with(|state| state.is_broken = is_broken);
}

/// Whether there is no room for output now.
pub fn fills(is_full: bool) {
    with(|state| state.is_full = is_full);
    processor::mark(0);
}

/// What was written since the last look.
pub fn written() -> String {
    String::from_utf8_lossy(&with(|state| std::mem::take(&mut state.output))).into_owned()
}

/// What people were told since the last look.
pub fn told() -> Vec<(Record, String)> {
    with(|state| std::mem::take(&mut state.records))
}

impl machine::Console for Console {
    fn read(&self, buffer: &mut [u8]) -> Result<usize, ConsoleError> {
        with(|state| {
            let count = buffer.len().min(state.input.len());
            if count == 0 && !state.at_end && !buffer.is_empty() {
                return Err(ConsoleError::WouldBlock);
            }
            buffer.iter_mut().zip(state.input.drain(..count)).for_each(|(place, byte)| *place = byte);
            Ok(count)
        })
    }

    fn write(&self, _: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        with(|state| {
            if state.is_broken {
                return Err(ConsoleError::Broken);
            }
            if state.is_full {
                return Err(ConsoleError::WouldBlock);
            }
            state.output.extend(bytes);
            Ok(bytes.len())
        })
    }

    fn readiness(&self, stream: Stream) -> Readiness {
        with(|state| Readiness {
            readable: stream == Stream::Input && (state.at_end || !state.input.is_empty()),
            writable: stream != Stream::Input && !state.is_full,
            hangup: state.is_broken,
        })
    }

    fn take_signal(&self) -> Option<u8> {
        with(|state| state.signals.pop_front())
    }

    fn record(&self, record: Record, payload: &[u8]) {
        let text = String::from_utf8_lossy(payload).into_owned();
        eprintln!("{text}");
        with(|state| state.records.push((record, text)));
    }
}
