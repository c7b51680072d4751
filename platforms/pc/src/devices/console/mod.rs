//! The console of this machine: [`wire`] frames over a virtio console port, the serial port without one.
//!
//! What arrives is taken in whenever the kernel asks the console anything; the interrupt only marks work as pending.
//! Calls that must wait for the host (records, terminal settings, the end) idle without holding the lock.

mod end;
mod state;

pub(super) use end::{exit, panic_exit, panic_write};
use machine::{ConsoleError, Readiness, Record, SetWhen, Stream, TerminalAttributes, WindowSize};
pub(super) use state::connect;
use state::{Connected, STATE};
use wire::guest::send_record;

use super::uart;
use crate::processor;

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

/// Runs `body` on the connected console, with what has arrived taken in; `None` if there is none.
fn with<R>(body: impl FnOnce(&mut Connected) -> R) -> Option<R> {
    let mut state = STATE.lock();
    let connected = state.as_mut()?;
    if connected.take_in().is_err() {
        *state = None;
        return None;
    }
    Some(body(connected))
}

/// Runs `attempt` until it gives an answer, idling in between.
fn wait_for<R>(mut attempt: impl FnMut(&mut Connected) -> Option<R>) -> Option<R> {
    let mut idled = false;
    let answer = loop {
        match with(&mut attempt) {
            None => break None,
            Some(Some(answer)) => break Some(answer),
            Some(None) => processor::idle(),
        }
        idled = true;
    };
    if idled {
        // Idling took the mark of work that is not ours away.
        processor::mark_pending();
    }
    answer
}

impl machine::Console for Console {
    fn read(&self, buffer: &mut [u8]) -> Result<usize, ConsoleError> {
        with(|connected| connected.read(buffer)).unwrap_or(Ok(0))
    }

    fn cancel_read(&self) {
        with(Connected::cancel_read);
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        with(|connected| connected.write(stream, bytes)).unwrap_or_else(|| {
            uart::write(bytes);
            Ok(bytes.len())
        })
    }

    fn readiness(&self, stream: Stream) -> Readiness {
        // Without a console, input is at its end and output goes somewhere.
        let input = stream == Stream::Input;
        let without = Readiness { readable: input, writable: !input, hangup: input };
        with(|connected| connected.readiness(stream)).unwrap_or(without)
    }

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
        let asked = wait_for(|connected| match connected.set_attributes(stream, when, attributes) {
            Err(ConsoleError::WouldBlock) => None,
            other => Some(other),
        });
        asked.unwrap_or(Err(ConsoleError::NotTerminal))?;
        wait_for(Connected::attributes_answer).unwrap_or(Err(ConsoleError::Broken))
    }

    fn window_size(&self, stream: Stream) -> Result<WindowSize, ConsoleError> {
        with(|connected| connected.guest().window_size(stream)).unwrap_or(Err(ConsoleError::NotTerminal))
    }

    fn take_signal(&self) -> Option<u8> {
        with(Connected::take_signal).flatten()
    }

    fn record(&self, record: Record, payload: &[u8]) {
        let sent = wait_for(|connected| connected.try_send(|link| send_record(record, payload, link)).then_some(()));
        // Traces are not text.
        if sent.is_none() && record != Record::Trace {
            uart::write(payload);
            uart::write(b"\n");
        }
    }
}
