//! The socket to the command: records and the exit, as frames.

use core::sync::atomic::Ordering::SeqCst;

use machine::Record;
use sync::{Mutex, MutexGuard};
use wire::{FromGuest, Header, MAX_PAYLOAD};

use crate::{
    host::files,
    per_cpu::{self, Block, rendezvous, smp},
};

const ERROR_OUTPUT: i32 = 2;
const CONTROL: i32 = 4;

/// Whose turn it is to write a frame.
static FRAMES: Mutex<()> = Mutex::new(());

/// A processor's turn, where there are several. Who dies in its own turn does not wait for it.
struct Turn(Option<(MutexGuard<'static, ()>, &'static Block)>);

impl Turn {
    fn take() -> Self {
        if !smp::run() || per_cpu::current().sends.load(SeqCst) {
            return Self(None);
        }
        let guard = FRAMES.lock();
        let block = per_cpu::current();
        block.sends.store(true, SeqCst);
        Self(Some((guard, block)))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some((guard, block)) = self.0.take() {
            drop(guard);
            block.sends.store(false, SeqCst);
            rendezvous::respect(block);
        }
    }
}

/// Sends one frame; waits until there is room. `false` if there is no command.
pub fn send(header: Header, payload: &[u8]) -> bool {
    let _turn = Turn::take();
    files::write_all(CONTROL, &header.encode()).is_ok() && files::write_all(CONTROL, payload).is_ok()
}

/// See [`machine::Console::record`].
///
/// Debug lines go to standard error directly: the program's own words go there too, and only so both keep their order.
/// The rest goes to the command, which makes lines of traces and remembers that the end has been explained; without a
/// command (the image was started by hand) to standard error, but for traces, which are not text.
#[inline(never)]
pub fn record(record: Record, payload: &[u8]) {
    let sent = &payload[..payload.len().min(MAX_PAYLOAD)];
    let kind = FromGuest::Record as u8;
    let header = Header { kind, argument: record as u8, length: sent.len() as u32, number: 0 };
    if record != Record::Debug && send(header, sent) {
        return;
    }
    match record {
        Record::Debug | Record::Error | Record::Notice => write_line("whittle: ", payload),
        Record::Panic | Record::Figures => write_line("", payload),
        Record::Trace | Record::Sites => {}
    }
}

/// One write for one line, so that lines of several processes do not mix. A long one is written in parts.
fn write_line(prefix: &str, line: &[u8]) {
    let mut buffer = [0; 1024];
    let mut filled = 0;
    for &byte in prefix.as_bytes().iter().chain(line).chain(b"\n") {
        if filled == buffer.len() {
            let _ = files::write_all(ERROR_OUTPUT, &buffer);
            filled = 0;
        }
        buffer[filled] = byte;
        filled += 1;
    }
    let _ = files::write_all(ERROR_OUTPUT, &buffer[..filled]);
}

/// A sentence made of parts, cut off where it gets too long.
pub struct Sentence {
    bytes: [u8; 200],
    length: usize,
}

impl Sentence {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { bytes: [0; 200], length: 0 }
    }

    /// What was written.
    pub fn text(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or("something failed")
    }
}

impl core::fmt::Write for Sentence {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let room = self.bytes[self.length..].get_mut(..text.len()).ok_or(core::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}
