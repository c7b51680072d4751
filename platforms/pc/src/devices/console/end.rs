//! The last words: the exit, and panics from any context.

use machine::{ExitReason, Record};
use wire::guest::{send_exit, send_record};

use super::{
    super::uart,
    STATE,
    state::{Connected, PortLink},
    wait_for,
};

/// Looks at the device that a panic takes before it gives up: some tenths of a second.
const PANIC_POLLS: u32 = 2_000_000;

/// Tells the host the end and returns when the device has taken all output. Waits as long as the host's reader does,
/// as any program that writes to a pipe.
pub(in super::super) fn exit(reason: ExitReason) {
    let sent = wait_for(|connected| connected.try_send(|link| send_exit(reason, link)).then_some(()));
    if sent.is_some() {
        wait_for(|connected| connected.is_flushed().then_some(()));
    }
}

/// Writes the lines of `text` as panic records; on the serial port if the console is not there, is in use by whoever
/// panicked, or takes nothing.
pub(in super::super) fn panic_write(text: &str) {
    for line in text.lines() {
        if !polled(|link| send_record(Record::Panic, line.as_bytes(), link)) {
            uart::write(line.as_bytes());
            uart::write(b"\n");
        }
    }
}

/// As [`exit`] for a kernel that panicked: neither idles nor waits for ever.
pub(in super::super) fn panic_exit() {
    polled(|link| send_exit(ExitReason::Failed, link));
}

/// Sends without interrupts and waits until it is gone; `false` if that does not work.
fn polled(send: impl Fn(&mut PortLink) -> bool) -> bool {
    let Some(mut state) = STATE.try_lock() else { return false };
    let Some(connected) = state.as_mut() else { return false };
    let mut poll = |done: &dyn Fn(&mut Connected) -> bool| {
        (0..PANIC_POLLS).any(|_| {
            core::hint::spin_loop();
            connected.take_in().is_ok() && done(connected)
        })
    };
    poll(&|connected| connected.try_send(&send)) && poll(&Connected::is_flushed)
}
