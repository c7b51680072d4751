//! A virtio device of this machine, however it is reached, and its interrupt.

use core::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

use bootinfo::VirtioMmio;
use virtio::{
    queue::Areas,
    transport::{
        Registers, Status, Transport, Vector,
        mmio::{self, Mmio},
        pci::{COMMON, Configuration, Layout, MessageTable, Pci, Place, Windows, bar, device_id},
    },
};

use crate::{
    board,
    window::{Stretch, Window},
};

/// Bytes of mmio registers that are used.
const MMIO_REGISTERS: usize = 0x200;

/// A device, by its transport.
#[derive(Debug)]
pub enum AnyTransport {
    Mmio(Mmio<Window<MMIO_REGISTERS>>),
    Pci(Pci<Window<COMMON>, Stretch>),
}

/// Where a device may be.
pub enum Candidate<'a> {
    Mmio(&'a VirtioMmio),
    Pci(&'a dyn Configuration),
}

/// Mmio devices that can interrupt: as many as QEMU's microvm has places.
const INTERRUPTING: usize = 8;

/// The registers of the mmio devices whose interrupts are to be acknowledged, the first ones; null behind them. The
/// interrupt handler has nothing else: it must not take a lock.
static ACKNOWLEDGE: [AtomicPtr<u8>; INTERRUPTING] = [const { AtomicPtr::new(ptr::null_mut()) }; INTERRUPTING];

impl AnyTransport {
    /// The device at `place`, if one of kind `wanted` is there; its interrupt is routed.
    pub fn mmio(place: &VirtioMmio, wanted: u32) -> Option<Self> {
        if place.length < MMIO_REGISTERS as u64 {
            return None;
        }
        let window = Window::map(place.base)?;
        let device = Mmio::probe(window).ok()?;
        if device.device_id() != wanted {
            return None;
        }
        route(place, &window).then_some(Self::Mmio(device))
    }

    /// The device behind a PCI function, if it is one of kind `wanted`; its interrupt is a message.
    pub fn pci(function: &dyn Configuration, wanted: u32) -> Option<Self> {
        if device_id(function)? != wanted {
            return None;
        }
        let layout = Layout::read(function)?;
        let messages = layout.messages?;
        if (layout.common.length as usize) < COMMON {
            return None;
        }
        enable(function);
        let address = |place: &Place| bar(function, place.bar)?.checked_add(u64::from(place.offset));
        send_messages(function, &messages, Window::map(address(&messages.table)?)?)?;
        let common = Window::map(address(&layout.common)?)?;
        let notify = Stretch::map(address(&layout.notify)?, layout.notify.length as usize)?;
        Some(Self::Pci(Pci::new(wanted, Windows { common, notify }, layout.notify_multiplier, Vector(0))))
    }
}

/// Offset of what is particular to a kind of device among mmio registers (section 4.2.2).
const MMIO_CONFIGURATION: usize = 0x100;
/// The vector that is none (section 4.1.5.1.2).
const NO_VECTOR: Vector = Vector(u16::MAX);

/// What is particular to a kind of device: its configuration, which may change as it runs.
#[derive(Clone, Copy, Debug)]
pub enum Own {
    Mmio(Window<MMIO_REGISTERS>),
    Pci(Stretch),
}

impl Own {
    /// Reads one byte of it; 0 behind its end.
    pub fn read8(&self, at: usize) -> u8 {
        match self {
            Self::Mmio(window) => window.read8(MMIO_CONFIGURATION + at),
            Self::Pci(stretch) => stretch.read8(at),
        }
    }
}

impl AnyTransport {
    /// The device at `candidate`, if one of kind `wanted` is there and `is_it` knows it by its configuration; and
    /// whether it interrupts, as far as that is asked for and can be.
    pub fn known(
        candidate: Candidate<'_>,
        wanted: u32,
        interrupts: bool,
        is_it: &mut dyn FnMut(Own) -> bool,
    ) -> Option<(Self, bool)> {
        match candidate {
            Candidate::Mmio(place) => Self::known_mmio(place, wanted, interrupts, is_it),
            Candidate::Pci(function) => Self::known_pci(function, wanted, interrupts, is_it),
        }
    }

    fn known_mmio(
        place: &VirtioMmio,
        wanted: u32,
        interrupts: bool,
        is_it: &mut dyn FnMut(Own) -> bool,
    ) -> Option<(Self, bool)> {
        if place.length < MMIO_REGISTERS as u64 {
            return None;
        }
        let window: Window<MMIO_REGISTERS> = Window::map(place.base)?;
        let device = Mmio::probe(window).ok()?;
        let known = device.device_id() == wanted && is_it(Own::Mmio(window));
        known.then(|| (Self::Mmio(device), interrupts && route(place, &window)))
    }

    fn known_pci(
        function: &dyn Configuration,
        wanted: u32,
        interrupts: bool,
        is_it: &mut dyn FnMut(Own) -> bool,
    ) -> Option<(Self, bool)> {
        if device_id(function)? != wanted {
            return None;
        }
        let layout = Layout::read(function)?;
        if (layout.common.length as usize) < COMMON {
            return None;
        }
        enable(function);
        let address = |place: &Place| bar(function, place.bar)?.checked_add(u64::from(place.offset));
        let own = layout.device?;
        if !is_it(Own::Pci(Stretch::map(address(&own)?, own.length as usize)?)) {
            return None;
        }
        let common = Window::map(address(&layout.common)?)?;
        let notify = Stretch::map(address(&layout.notify)?, layout.notify.length as usize)?;
        let sends = || {
            let messages = layout.messages?;
            send_messages(function, &messages, Window::map(address(&messages.table)?)?)
        };
        let vector = if interrupts { sends().map(|()| Vector(0)) } else { None };
        let windows = Windows { common, notify };
        let device = Pci::new(wanted, windows, layout.notify_multiplier, vector.unwrap_or(NO_VECTOR));
        Some((Self::Pci(device), vector.is_some()))
    }
}

/// Lets a function answer and send messages.
fn enable(function: &dyn Configuration) {
    /// Command bits: answer memory accesses, access memory (needed for messages, too), send no line interrupts.
    const MEMORY: u32 = 1 << 1;
    const BUS_MASTER: u32 = 1 << 2;
    const NO_LINE: u32 = 1 << 10;
    // The upper half is status, whose bits are cleared by writing ones.
    let command = function.read32(0x04) & 0xffff;
    function.write32(0x04, command | MEMORY | BUS_MASTER | NO_LINE);
}

/// Bytes of an entry of the message table.
const MESSAGE: usize = 16;

/// Fills and unmasks the first entry of the message table (PCI 3.0, section 6.8.2.6).
fn send_messages(function: &dyn Configuration, messages: &MessageTable, entry: Window<MESSAGE>) -> Option<()> {
    let message = board::allocate_message(board::mark_pending)?;
    messages.enable(function, true);
    entry.write32(0, message.address as u32);
    entry.write32(4, (message.address >> 32) as u32);
    entry.write32(8, message.data);
    entry.write32(12, 0);
    Some(())
}

/// Routes a device's line; `false` if it has none, or too many others have.
fn route(place: &VirtioMmio, window: &Window<MMIO_REGISTERS>) -> bool {
    let entry = |at: &AtomicPtr<u8>| {
        at.compare_exchange(ptr::null_mut(), window.address(), Ordering::Release, Ordering::Relaxed).is_ok()
    };
    ACKNOWLEDGE.iter().any(entry) && board::route(place.line, place.trigger, line_interrupt)
}

fn line_interrupt() {
    for address in &ACKNOWLEDGE {
        // SAFETY: the pointer was stored from a window of this length, or is null.
        let Some(window) = (unsafe { Window::<MMIO_REGISTERS>::from_address(address.load(Ordering::Acquire)) }) else {
            break;
        };
        mmio::acknowledge_interrupt(&window);
    }
    board::mark_pending();
}

/// Passes every method on to the transport there is. One copy of each, since starting a device uses them many times.
macro_rules! each {
    ($self:ident, $device:ident => $call:expr) => {
        match $self {
            Self::Mmio($device) => $call,
            Self::Pci($device) => $call,
        }
    };
}

impl Transport for AnyTransport {
    #[inline(never)]
    fn device_id(&self) -> u32 {
        each!(self, device => device.device_id())
    }

    #[inline(never)]
    fn status(&self) -> Status {
        each!(self, device => device.status())
    }

    #[inline(never)]
    fn set_status(&mut self, status: Status) {
        each!(self, device => device.set_status(status));
    }

    #[inline(never)]
    fn offered_features(&mut self) -> u64 {
        each!(self, device => device.offered_features())
    }

    #[inline(never)]
    fn accept_features(&mut self, features: u64) {
        each!(self, device => device.accept_features(features));
    }

    #[inline(never)]
    fn queue_limit(&mut self, queue: u16) -> u16 {
        each!(self, device => device.queue_limit(queue))
    }

    #[inline(never)]
    fn start_queue(&mut self, queue: u16, size: u16, areas: &Areas) -> bool {
        each!(self, device => device.start_queue(queue, size, areas))
    }

    #[inline(never)]
    fn notify(&self, queue: u16) {
        each!(self, device => device.notify(queue));
    }
}
