//! The serial port, a 16550: early text and panics, before and behind everything else. No interrupts.
//!
//! Source: National Semiconductor PC16550D data sheet, section 8.

use core::sync::atomic::{AtomicU8, Ordering};

use super::port::Port;

/// The first serial port's registers, where every PC has had it since 1981; looked for before use.
const BASE: u16 = 0x3f8;
/// Transmits what is written, gives what was received.
const DATA: Port = Port(BASE);
const INTERRUPT_ENABLE: Port = Port(BASE + 1);
const FIFO_CONTROL: Port = Port(BASE + 2);
const LINE_CONTROL: Port = Port(BASE + 3);
const LINE_STATUS: Port = Port(BASE + 5);
const SCRATCH: Port = Port(BASE + 7);
/// With this bit in line control, the first two registers are the divisor of 115200 baud.
const DIVISOR_LATCH: u8 = 0x80;
/// Eight data bits, no parity, one stop bit.
const EIGHT_BITS: u8 = 3;
/// In line status: a byte can be sent.
const TRANSMIT_EMPTY: u8 = 0x20;
/// In line status: nothing is being sent.
const TRANSMITTER_IDLE: u8 = 0x40;
/// In line status: a byte has been received.
const DATA_READY: u8 = 1;
/// FIFOs on and emptied.
const FIFO_ON: u8 = 0x07;
/// Polls for a byte to go: at 115200 baud one takes 87 us. A port that takes longer loses it.
const POLLS: u32 = 100_000;

/// What is known about the port.
const UNKNOWN: u8 = 0;
const ABSENT: u8 = 1;
const PRESENT: u8 = 2;
static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Writes text, from any context; silent if there is no port.
pub fn write(text: &[u8]) {
    if !is_present() {
        return;
    }
    for &byte in text {
        if (0..POLLS).any(|_| LINE_STATUS.read8() & TRANSMIT_EMPTY != 0) {
            DATA.write8(byte);
        }
    }
}

/// Waits until the last byte is out.
pub fn drain() {
    (0..POLLS).any(|_| LINE_STATUS.read8() & TRANSMITTER_IDLE != 0);
}

/// A byte that has been received, if there is one; the end of input (ASCII's EOT) if there is no port.
pub fn read() -> Option<u8> {
    if !is_present() {
        return Some(4);
    }
    (LINE_STATUS.read8() & DATA_READY != 0).then(|| DATA.read8())
}

fn is_present() -> bool {
    start();
    STATE.load(Ordering::Relaxed) == PRESENT
}

/// Sets the port up if nobody has.
pub fn start() {
    if STATE.load(Ordering::Relaxed) == UNKNOWN {
        STATE.store(if set_up() { PRESENT } else { ABSENT }, Ordering::Relaxed);
    }
}

/// Sets the port up; `false` if it does not remember what is written to its scratch register.
fn set_up() -> bool {
    let remembers = |value| {
        SCRATCH.write8(value);
        SCRATCH.read8() == value
    };
    if !remembers(0x5a) || !remembers(0xa5) {
        return false;
    }
    INTERRUPT_ENABLE.write8(0);
    LINE_CONTROL.write8(DIVISOR_LATCH | EIGHT_BITS);
    DATA.write8(1);
    INTERRUPT_ENABLE.write8(0);
    LINE_CONTROL.write8(EIGHT_BITS);
    FIFO_CONTROL.write8(FIFO_ON);
    true
}
