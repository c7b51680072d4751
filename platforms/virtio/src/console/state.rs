//! A console that is connected: the port, the guest's end of the frames, and memory for both.

use core::{cell::Cell, slice};

use launch::{Key, Launch};
use machine::{ConsoleError, PAGE_SIZE, Readiness, SetWhen, Stream, TerminalAttributes, WindowSize};
use sync::Mutex;
use virtio::{
    Shared,
    console::{PORT_MEMORY, Port, RECEIVE_BUFFER},
    queue::Broken,
};
use wire::{
    HEADER, Header, MAX_PAYLOAD,
    guest::{Guest, Link, Streams},
};

use crate::{board, transport::AnyTransport};

/// The machine's console; `None` before it is found, when there is none, and after it broke. In a cell, because then
/// `None` is not told by some byte inside, and the image holds no kilobyte of zeros around it.
pub static STATE: Mutex<Option<Cell<Connected>>> = Mutex::new(None);

/// Bytes of input memory: a page at first, which does for a terminal; for a pipe, two frames' worth from the first
/// read.
const FIRST_INPUT: usize = PAGE_SIZE;
const PIPE_INPUT: usize = 2 * MAX_PAYLOAD;

/// Nanoseconds for which the host is waited for before input counts as not there: it answers within one, unless whoever
/// reads the program's output stands still.
const PATIENCE: u64 = 50_000_000;

/// A console with a device.
#[derive(Debug)]
pub struct Connected {
    link: PortLink,
    guest: Guest<'static>,
    staging: &'static mut [u8; RECEIVE_BUFFER],
}

/// The port as a [`Link`].
#[derive(Debug)]
pub struct PortLink {
    port: Port<AnyTransport>,
    /// Interrupts are on for what has been sent: somebody waits for room.
    watching: bool,
}

/// Takes a console device over. `false` if it refuses or memory is short: everything then stays on the serial port.
pub fn connect(transport: AnyTransport, launch: &Launch<'_>) -> bool {
    let pages = PORT_MEMORY.div_ceil(PAGE_SIZE);
    let Some((start, physical)) = board::allocate_frames(pages) else { return false };
    // SAFETY: fresh frames, page aligned, mapped as long as they are not given back, which nobody does.
    let shared = unsafe { Shared::new(start, physical, pages * PAGE_SIZE) };
    let Some(first_input) = bytes(FIRST_INPUT) else { return false };
    let Some(staging) = bytes(RECEIVE_BUFFER).and_then(|bytes| bytes.as_mut_array()) else { return false };
    let mut guest = Guest::new();
    guest.configure(&streams(launch));
    guest.set_input_buffer(first_input);
    // The port last: it is large, and what comes between would have it moved once more.
    let port = Port::start(transport, &shared).map(|port| PortLink { port, watching: false });
    let connected = port.map(|link| Cell::new(Connected { link, guest, staging }));
    let worked = connected.is_ok();
    *STATE.lock() = connected.ok();
    worked
}

/// Memory of `length` bytes, whole pages.
fn bytes(length: usize) -> Option<&'static mut [u8]> {
    let (start, _) = board::allocate_frames(length.div_ceil(PAGE_SIZE))?;
    // SAFETY: fresh frames that are never given back. They hold whatever bytes the machine left there, which is
    // initialised memory to Rust; zeroing them would cost every boot 512 stores a page.
    Some(unsafe { slice::from_raw_parts_mut(start.as_ptr(), length) })
}

/// What the launch record says about the streams.
fn streams(launch: &Launch<'_>) -> Streams {
    let terminals = launch.first(Key::Terminals).unwrap_or_default();
    let answered = launch.first(Key::Answered).unwrap_or_default();
    let [rows, columns, pixels_x, pixels_y] =
        launch.numbers::<4>(Key::Window).unwrap_or_default().map(|number| u16::try_from(number).unwrap_or(0));
    Streams {
        terminals: [b'0', b'1', b'2'].map(|stream| terminals.contains(&stream)),
        answered: [b'0', b'1', b'2'].map(|stream| answered.contains(&stream)),
        attributes: launch.hexadecimal(Key::TerminalAttributes),
        window: WindowSize { rows, columns, pixels_x, pixels_y },
    }
}

impl Connected {
    /// Takes in what has arrived and what has been sent.
    pub fn take_in(&mut self) -> Result<(), Broken> {
        if !self.link.port.has_news() {
            return Ok(());
        }
        let had_signal = self.guest.has_signal();
        let guest = &mut self.guest;
        let more = self.link.port.receive(self.staging, |bytes| guest.receive(bytes))?;
        self.link.reclaim()?;
        if let Some(time) = self.guest.take_time() {
            board::set_wall_clock(time);
        }
        // Somebody above must look: for a signal that has just come, or for what is still in the queue.
        if more || (self.guest.has_signal() && !had_signal) {
            board::mark_pending();
        }
        Ok(())
    }

    pub const fn guest(&self) -> &Guest<'static> {
        &self.guest
    }

    pub fn take_signal(&mut self) -> Option<u8> {
        self.guest.take_signal()
    }

    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ConsoleError> {
        if !self.guest.is_terminal(Stream::Input) && self.guest.input_capacity() < PIPE_INPUT {
            // Where memory is short, the first page goes on serving.
            let _ = bytes(PIPE_INPUT).map(|storage| self.guest.set_input_buffer(storage));
        }
        let told = self.guest.has_told();
        match self.guest.read(buffer, &mut self.link) {
            // A program that knows of input, and does not wait, is not to hear that there is none.
            Err(ConsoleError::WouldBlock) if told && self.hear(&Guest::is_wishing) => {
                self.guest.read(buffer, &mut self.link)
            }
            result => result,
        }
    }

    pub fn cancel_read(&mut self) {
        self.guest.cancel_read(&mut self.link);
    }

    pub fn write(&mut self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        self.guest.write(stream, bytes, &mut self.link)
    }

    pub fn answer(&mut self, stream: Stream) -> Option<Result<usize, ConsoleError>> {
        self.guest.answer(stream)
    }

    pub fn readiness(&mut self, stream: Stream) -> Readiness {
        let now = self.guest.readiness(stream, &mut self.link);
        if stream == Stream::Input {
            return if self.guest.is_asking() && self.hear(&Guest::is_asking) {
                self.guest.readiness(stream, &mut self.link)
            } else {
                now
            };
        }
        if now.writable {
            return now;
        }
        self.link.watch();
        self.guest.readiness(stream, &mut self.link)
    }

    /// Waits for what the host says of its input, or has of it, so that a program which only looks sees a key that was
    /// typed before. `false` if it takes its time: it says so later then, as it does of keys that are typed later.
    #[cold]
    fn hear(&mut self, is_open: &dyn Fn(&Guest<'static>) -> bool) -> bool {
        let end = board::monotonic() + PATIENCE;
        while is_open(&self.guest) && board::monotonic() < end {
            sync::relax();
            if self.take_in().is_err() {
                return false;
            }
        }
        !is_open(&self.guest)
    }

    pub fn set_attributes(
        &mut self,
        stream: Stream,
        when: SetWhen,
        attributes: &TerminalAttributes,
    ) -> Result<(), ConsoleError> {
        self.guest.set_attributes(stream, when, attributes, &mut self.link)
    }

    pub fn attributes_answer(&mut self) -> Option<Result<(), ConsoleError>> {
        self.guest.attributes_answer()
    }

    pub const fn link(&mut self) -> &mut PortLink {
        &mut self.link
    }

    /// Whether the device has taken everything; watches for it if not.
    pub fn is_flushed(&mut self) -> bool {
        self.link.port.is_flushed() || {
            self.link.watch();
            self.link.port.is_flushed()
        }
    }
}

impl PortLink {
    fn reclaim(&mut self) -> Result<(), Broken> {
        self.port.reclaim()?;
        if self.watching {
            self.watching = false;
            self.port.set_sent_interrupts(false);
        }
        Ok(())
    }

    /// Makes the next thing sent interrupt, and takes back what went before that was in force.
    fn watch(&mut self) {
        if !self.watching {
            self.watching = true;
            self.port.set_sent_interrupts(true);
        }
        // A device that lies here is found out by the next `take_in`.
        let _ = self.port.reclaim();
    }
}

impl Link for PortLink {
    fn room(&self) -> usize {
        self.port.room()
    }

    fn send(&mut self, header: Header, payload: &[u8]) -> bool {
        let header: [u8; HEADER] = header.encode();
        self.port.send(&header, payload) || {
            self.watch();
            self.port.send(&header, payload)
        }
    }
}
