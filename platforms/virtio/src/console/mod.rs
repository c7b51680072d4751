//! The console of this machine: [`wire`] frames over a virtio console port, the serial port without one.
//!
//! What arrives is taken in whenever the kernel asks the console anything; the interrupt only marks work as pending.
//! Calls that must wait for the host (records, terminal settings, the end) idle without holding the lock.

mod end;
mod state;

use core::cell::Cell;

pub use end::{exit, last_words, panic_exit};
use launch::Launch;
use machine::{ConsoleError, Readiness, Record, SetWhen, Stream, TerminalAttributes, WindowSize};
use state::{Connected, STATE};
use sync::MutexGuard;
use wire::guest::{send_job_control, send_record};

use crate::{
    board::{self, Listening},
    discovery::Sources,
};

/// The console, for `contracts::provide_console!`.
#[derive(Debug, Default)]
pub struct Console;

impl Console {
    /// The instance; its state is the machine's.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// Finds the console and takes it over. Needs device mappings, frames and interrupt routing, not the kernel's heap.
/// Without a console (`false`), everything stays on the serial port.
pub fn start(launch: &Launch<'_>) -> bool {
    Sources::remembered().find(virtio::device::CONSOLE).is_some_and(|device| state::connect(device, launch))
}

/// The console, with what has arrived taken in.
#[inline(never)]
fn lock() -> MutexGuard<'static, Option<Cell<Connected>>> {
    let mut state = STATE.lock();
    if state.as_mut().is_some_and(|connected| connected.get_mut().take_in().is_err()) {
        *state = None;
    }
    state
}

/// Runs `body` on the connected console; `None` if there is none.
fn with<R>(body: impl FnOnce(&mut Connected) -> R) -> Option<R> {
    lock().as_mut().map(|connected| body(connected.get_mut()))
}

/// Runs `attempt` until it says that it is done, idling in between; `false` if there is no console.
#[inline(never)]
fn wait_for(attempt: &mut dyn FnMut(&mut Connected) -> bool) -> bool {
    let mut idled = false;
    let _listening = Listening::begin();
    let answer = loop {
        match with(&mut *attempt) {
            None => break false,
            Some(true) => break true,
            Some(false) => board::idle(),
        }
        idled = true;
    };
    if idled {
        // Idling took the mark of work that is not ours away.
        board::mark_pending();
    }
    answer
}

/// Waits until the command says what became of a write: as long as a disk takes.
#[cold]
fn answer(stream: Stream) -> Result<usize, ConsoleError> {
    let mut answer = None;
    wait_for(&mut |connected| {
        answer = connected.answer(stream);
        answer.is_some()
    });
    answer.unwrap_or(Err(ConsoleError::Broken))
}

impl machine::Console for Console {
    fn read(&self, buffer: &mut [u8]) -> Result<usize, ConsoleError> {
        with(|connected| connected.read(buffer)).unwrap_or(Ok(0))
    }

    fn cancel_read(&self) {
        with(Connected::cancel_read);
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        let sent = with(|connected| (connected.write(stream, bytes), connected.guest().is_answered(stream)));
        match sent {
            Some((Ok(1..), true)) => answer(stream),
            Some((sent, _)) => sent,
            None => {
                board::write_text(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn readiness(&self, stream: Stream) -> Readiness {
        // Without a console, input is at its end and output goes somewhere.
        let input = stream == Stream::Input;
        let without = Readiness { readable: input, writable: !input, hangup: input };
        with(|connected| connected.readiness(stream)).unwrap_or(without)
    }

    #[inline(never)]
    fn is_terminal(&self, stream: Stream) -> bool {
        with(|connected| connected.guest().is_terminal(stream)).unwrap_or(false)
    }

    fn attributes(&self, stream: Stream) -> Result<TerminalAttributes, ConsoleError> {
        with(|connected| connected.guest().attributes(stream)).unwrap_or(Err(ConsoleError::NotTerminal))
    }

    fn set_attributes(
        &self,
        stream: Stream,
        when: SetWhen,
        attributes: &TerminalAttributes,
    ) -> Result<(), ConsoleError> {
        let mut asked = Err(ConsoleError::NotTerminal);
        wait_for(&mut |connected| {
            asked = connected.set_attributes(stream, when, attributes);
            asked != Err(ConsoleError::WouldBlock)
        });
        asked?;
        let mut answer = None;
        wait_for(&mut |connected| {
            answer = connected.attributes_answer();
            answer.is_some()
        });
        answer.unwrap_or(Err(ConsoleError::Broken))
    }

    fn window_size(&self, stream: Stream) -> Result<WindowSize, ConsoleError> {
        with(|connected| connected.guest().window_size(stream)).unwrap_or(Err(ConsoleError::NotTerminal))
    }

    fn take_signal(&self) -> Option<u8> {
        with(Connected::take_signal).flatten()
    }

    fn job_control(&self, stopped: Option<u8>) {
        wait_for(&mut |connected| send_job_control(stopped, connected.link()));
    }

    fn record(&self, record: Record, payload: &[u8]) {
        let sent = wait_for(&mut |connected| send_record(record, payload, connected.link()));
        // Traces are not text.
        if !sent && record != Record::Trace {
            board::write_text(payload);
            board::write_text(b"\n");
        }
    }
}
