//! The last words: the exit, and panics from any context.

use core::cell::Cell;

use machine::{ExitReason, Record};
use wire::guest::{send_exit, send_record};

use super::{
    STATE,
    state::{Connected, PortLink},
    wait_for,
};
use crate::board;

/// Looks at the device that a panic takes before it gives up: less than a second.
const PANIC_POLLS: u32 = 4_000_000;

/// Tells the host the end and returns when the device has taken all output. Waits as long as the host's reader does,
/// as any program that writes to a pipe.
pub fn exit(reason: ExitReason) {
    if wait_for(&mut |connected| send_exit(reason, connected.link())) {
        wait_for(&mut Connected::is_flushed);
    }
}

/// Writes `line` as a record; on the serial port if the console is not there, is in use by whoever panicked, or
/// takes nothing.
pub fn last_words(record: Record, line: &[u8]) {
    if !polled(&|link| send_record(record, line, link)) {
        board::write_text(line);
        board::write_text(b"\n");
    }
}

/// As [`exit`] for a kernel that panicked: neither idles nor waits for ever.
pub fn panic_exit(reason: ExitReason) {
    polled(&|link| send_exit(reason, link));
}

/// Sends without interrupts and waits until it is gone; `false` if that does not work.
fn polled(send: &dyn Fn(&mut PortLink) -> bool) -> bool {
    let Some(mut state) = STATE.try_lock() else { return false };
    let Some(connected) = state.as_mut().map(Cell::get_mut) else { return false };
    let mut sent = false;
    (0..PANIC_POLLS).any(|_| {
        core::hint::spin_loop();
        let works = connected.take_in().is_ok();
        sent = sent || works && send(connected.link());
        works && sent && connected.is_flushed()
    })
}
