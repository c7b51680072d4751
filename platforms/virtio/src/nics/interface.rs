//! One interface: its device, and its queues, each half behind a lock of its own.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};

use machine::PAGE_SIZE;
use nic::{Address, Attributes, Burst, Error, Filter, Interrupts, Offloads, Take};
use sync::Mutex;
use virtio::{
    Shared,
    net::{
        BUFFER, CONTROL_MEMORY, Configuration, Control, Device, QUEUE_MEMORY, Receive, SLOTS_MEMORY, Transmit,
        header::HEADER,
    },
    queue::Broken,
};

use super::buffer::{Room, lend};
use crate::{
    board,
    transport::{AnyTransport, Own},
};

/// Most pairs of queues that are used.
const PAIRS: usize = 8;
/// Bytes of an Ethernet header.
const ETHERNET: usize = 14;
/// What an Ethernet carries (IEEE 802.3, 3.2.7), where the device says nothing.
const MTU: usize = 1500;
/// The longest packet of IP, in a frame.
const LARGEST: usize = 65_535 + ETHERNET;

/// An interface.
pub struct Interface {
    device: Mutex<Whole>,
    queues: Vec<Queue>,
    attributes: Attributes,
    interrupts: bool,
    /// It broke the protocol, and was stopped.
    broken: AtomicBool,
}

struct Whole {
    device: Device<AnyTransport>,
    control: Option<Control>,
    own: Own,
}

struct Queue {
    receive: Mutex<Receive<Room>>,
    transmit: Mutex<Transmit>,
    /// It interrupts for room.
    tells_room: AtomicBool,
}

fn pages(bytes: usize) -> Option<Shared> {
    let count = bytes.div_ceil(PAGE_SIZE);
    let (start, physical) = board::allocate_frames(count)?;
    // SAFETY: fresh frames, page aligned, mapped for ever, and nobody else's.
    Some(unsafe { Shared::new(start, physical, count * PAGE_SIZE) })
}

impl Interface {
    /// Takes a device over. `number` makes its address different where it has none.
    pub fn start(transport: AnyTransport, own: Own, interrupts: bool, number: u8) -> Option<Self> {
        let configuration = Configuration::read(|at| own.read8(at));
        let mut device = Device::begin(transport, configuration).ok()?;
        let pairs = contracts::processor::count().min(PAIRS).min(device.pairs().into());
        let mut queues = Vec::with_capacity(pairs);
        for pair in 0..pairs as u16 {
            let receive = device.receive(pair, &pages(QUEUE_MEMORY)?).ok()?;
            let transmit = device.transmit(pair, &pages(QUEUE_MEMORY)?, pages(SLOTS_MEMORY)?).ok()?;
            queues.push(Queue {
                receive: Mutex::new(receive),
                transmit: Mutex::new(transmit),
                tells_room: AtomicBool::new(true),
            });
        }
        let mut control = device.control(pages(CONTROL_MEMORY)?).ok()?;
        device.finish();
        let many = control.as_mut().filter(|_| pairs > 1);
        // A device that was not told uses the first pair alone.
        if many.is_none_or(|control| !control.use_pairs(&device, pairs as u16, sync::relax)) {
            queues.truncate(1);
        }
        let attributes = attributes(&device, queues.len(), number);
        let device = Mutex::new(Whole { device, control, own });
        let interface = Self { device, queues, attributes, interrupts, broken: AtomicBool::new(false) };
        interface.queues.iter().for_each(|queue| interface.refill(&mut queue.receive.lock()));
        Some(interface)
    }

    /// What it is like.
    pub const fn attributes(&self) -> Attributes {
        self.attributes
    }

    fn queue(&self, queue: usize) -> Result<&Queue, Error> {
        let queue = self.queues.get(queue).ok_or(Error::Nowhere)?;
        if self.broken.load(Ordering::Acquire) { Err(Error::Failed) } else { Ok(queue) }
    }

    fn refill(&self, receive: &mut Receive<Room>) {
        if receive.refill() {
            self.device.lock().device.notify(receive.number());
        }
    }

    /// All queues are of no more use once the device is stopped.
    fn fail(&self, _: Broken) -> Error {
        self.broken.store(true, Ordering::Release);
        self.device.lock().device.stop();
        Error::Failed
    }

    /// See [`nic::Nics::receive_or_take`].
    pub fn receive(&self, queue: usize, packets: &mut Burst, most: usize, take: &mut Take<'_>) -> Result<usize, Error> {
        let queue = self.queue(queue)?;
        let mut receive = queue.receive.lock_in_line();
        let count = receive.receive(packets, most, take).map_err(|broken| self.fail(broken))?;
        if count > 0 {
            self.refill(&mut receive);
        }
        Ok(count)
    }

    /// See [`nic::Nics::send`].
    pub fn send(&self, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        let mut transmit = self.queue(queue)?.transmit.lock_in_line();
        let count = transmit.send(packets, &mut lend).map_err(|broken| self.fail(broken))?;
        if transmit.take_notification() {
            self.device.lock_in_line().device.notify(transmit.number());
        }
        Ok(count)
    }

    /// See [`nic::Nics::set_interrupts`].
    pub fn set_interrupts(&self, queue: usize, wanted: Interrupts) -> bool {
        let Ok(queue) = self.queue(queue) else { return false };
        if self.interrupts {
            queue.receive.lock_in_line().set_interrupts(wanted.contains(Interrupts::RECEIVED));
            let room = wanted.contains(Interrupts::ROOM);
            // The other half is asked behind nearly each burst, and nearly never for anything new. An index that was
            // named long ago comes round once in 65,536 packets, and is one interrupt.
            if room || queue.tells_room.load(Ordering::Relaxed) {
                let mut transmit = queue.transmit.lock_in_line();
                transmit.set_interrupts(room);
                queue.tells_room.store(room, Ordering::Relaxed);
            }
        }
        self.interrupts
    }

    /// See [`nic::Nics::is_up`].
    pub fn is_up(&self) -> bool {
        let whole = self.device.lock();
        !self.broken.load(Ordering::Acquire) && whole.device.is_up(|at| whole.own.read8(at))
    }

    /// See [`nic::Nics::set_filter`].
    pub fn set_filter(&self, filter: Filter) -> Result<(), Error> {
        let Whole { device, control, .. } = &mut *self.device.lock();
        let control = control.as_mut().ok_or(Error::Unsupported)?;
        let (everything, groups) = (filter == Filter::Everything, filter == Filter::Groups);
        control.set_filter(device, everything, groups, sync::relax).then_some(()).ok_or(Error::Unsupported)
    }
}

fn attributes(device: &Device<AnyTransport>, queues: usize, number: u8) -> Attributes {
    let [tcp_ipv4, tcp_ipv6, udp] = device.cuts();
    let has = [
        (device.completes_checksums(), Offloads::SEND_CHECKSUM),
        (tcp_ipv4, Offloads::SEND_TCP_IPV4),
        (tcp_ipv6, Offloads::SEND_TCP_IPV6),
        (udp, Offloads::SEND_UDP),
        (device.checks(), Offloads::RECEIVE_CHECKSUM),
        (device.coalesces(), Offloads::RECEIVE_COALESCED),
    ];
    let offloads: Offloads = has.into_iter().filter(|(has, _)| *has).map(|(_, offload)| offload).collect();
    let cuts = tcp_ipv4 || tcp_ipv6 || udp;
    // Where a packet lies in one buffer, that is all that can be received.
    let mtu = device.mtu().map_or(MTU, usize::from);
    let mtu = if device.merges() { mtu } else { mtu.min(BUFFER - HEADER - ETHERNET) };
    // Locally administered (IEEE 802, 8.2).
    let address = Address(device.address().unwrap_or([2, 0, 0, 0, 0, number]));
    Attributes { address: Some(address), mtu, queues, offloads, largest: if cuts { LARGEST } else { 0 } }
}
