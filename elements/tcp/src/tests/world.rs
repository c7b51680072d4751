//! Two machines, a link with seeded faults between them, and a clock that jumps.

use alloc::{collections::BTreeMap, vec::Vec};
use core::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use bytes::Bytes;
use packets::{
    Head, Instant, Offload, Packet,
    checksum::Sum,
    tcp::{CHECKSUM_OFFSET, Flags, Header, Options, parse},
};
use zerocopy::IntoBytes;

pub use super::forged::Forged;
use crate::{
    Arrival, Congestion, Cubic, Error, Family, Handle, Limits, Network, Outgoing, Readiness, Route, Tcp, Unreachable,
    WriteFlags,
};

/// Numbers from a seed.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) % bound.max(1)
    }
}

/// What goes wrong on the link, in thousandths.
#[derive(Clone, Copy, Default)]
pub struct Faults {
    pub loss: u64,
    /// Packets that are lost as a whole, before a device cuts them.
    pub packets: u64,
    pub late: u64,
    pub twice: u64,
    pub broken: u64,
    /// Congestion marks instead of loss.
    pub marks: u64,
}

/// A machine's way down: what it sends is kept here.
pub struct Wire {
    pub own: Ipv4Addr,
    pub payload: u16,
    pub burst: u32,
    pub sent: Vec<Outgoing>,
    pub dead: bool,
    pub refuses: bool,
    /// It ends at the machine that it begins at.
    pub near: bool,
}

impl Network for Wire {
    fn route(&mut self, _: IpAddr, from: Option<IpAddr>, _: u32) -> Result<Route, Unreachable> {
        if self.dead {
            return Err(Unreachable::Network);
        }
        let source = from.unwrap_or(self.own.into());
        Ok(Route {
            source,
            payload: self.payload,
            link: self.payload,
            burst: self.burst,
            interface: 1,
            near: self.near,
        })
    }

    fn is_local(&self, address: IpAddr) -> bool {
        address == IpAddr::V4(self.own)
    }

    fn send(&mut self, _: Instant, outgoing: &mut Outgoing) -> bool {
        if !self.refuses {
            let packet = core::mem::take(&mut outgoing.packet);
            self.sent.push(Outgoing { packet, ..*outgoing });
        }
        !self.refuses
    }
}

/// A segment as one sees it on the wire.
#[derive(Clone, Debug)]
pub struct Seen {
    pub at: Instant,
    pub from: usize,
    pub header: Header,
    pub options: Options,
    pub payload: Vec<u8>,
    pub class: u8,
}

impl Seen {
    pub fn flags(&self) -> Flags {
        self.header.flags()
    }

    pub fn has(&self, flags: Flags) -> bool {
        self.flags().contains(flags)
    }
}

pub struct Side<C: Congestion> {
    pub tcp: Tcp<C>,
    pub wire: Wire,
}

pub struct World<C: Congestion = Cubic> {
    pub now: Instant,
    pub sides: [Side<C>; 2],
    pub delay: Duration,
    pub faults: Faults,
    pub random: Random,
    /// Which segments, by their number in `log`, are lost.
    pub drop: fn(&Seen, usize) -> bool,
    /// All that was sent, lost or not, if kept.
    pub log: Vec<Seen>,
    pub keep_log: bool,
    /// What comes at one moment is told to be so.
    pub gathers: bool,
    /// Packets with payload, before a device cuts them.
    pub packets: usize,
    under_way: BTreeMap<(Instant, u64), (usize, Vec<u8>, u8)>,
    number: u64,
    /// Links that take time for each byte: nanoseconds.
    pub byte_time: u64,
    free_at: [Instant; 2],
}

pub const ADDRESSES: [Ipv4Addr; 2] = [Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2)];
pub const PORT: u16 = 80;
pub const MSS: usize = 1448;

pub fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

impl World<Cubic> {
    pub fn new() -> Self {
        Self::with(1, Limits::default())
    }
}

impl<C: Congestion> World<C> {
    pub fn with(seed: u64, limits: Limits) -> Self {
        let side = |number: usize| Side {
            tcp: Tcp::new([seed as u8 ^ (number as u8 * 77); 32], limits),
            wire: Wire {
                own: ADDRESSES[number],
                payload: 1480,
                burst: 65_535,
                sent: Vec::new(),
                dead: false,
                refuses: false,
                near: false,
            },
        };
        Self {
            now: Instant::from_nanos(1_000_000_000),
            sides: [side(0), side(1)],
            delay: millis(5),
            faults: Faults::default(),
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            drop: |_, _| false,
            log: Vec::new(),
            keep_log: true,
            gathers: false,
            packets: 0,
            under_way: BTreeMap::new(),
            number: 0,
            byte_time: 0,
            free_at: [Instant::default(); 2],
        }
    }

    /// Puts what the machines have sent on the link, each super-segment cut as a device would.
    pub fn flush(&mut self) {
        for from in 0..2 {
            for outgoing in core::mem::take(&mut self.sides[from].wire.sent) {
                self.packets += usize::from(outgoing.packet.len() > 100);
                if self.faults.packets > 0 && self.random.below(1000) < self.faults.packets {
                    continue;
                }
                for bytes in cut(&outgoing) {
                    self.transmit(from, bytes, outgoing.traffic_class);
                }
            }
        }
    }

    fn transmit(&mut self, from: usize, mut bytes: Vec<u8>, mut class: u8) {
        let (header, options) = parse(&bytes, bytes.len()).unwrap();
        let payload = bytes[header.length()..].to_vec();
        let options = Options::parse(options);
        let seen = Seen { at: self.now, from, header: *header, options, payload, class };
        let dropped = (self.drop)(&seen, self.log.len());
        if self.keep_log {
            self.log.push(seen);
        }
        let faults = self.faults;
        if dropped || self.random.below(1000) < faults.loss {
            return;
        }
        if class & 3 == 2 && self.random.below(1000) < faults.marks {
            class |= 3;
        }
        if self.random.below(1000) < faults.broken {
            let at = self.random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << self.random.below(8);
        }
        let begin = self.free_at[from].max(self.now);
        self.free_at[from] = begin + Duration::from_nanos(self.byte_time * bytes.len() as u64);
        let mut arrives = self.free_at[from] + self.delay;
        if self.random.below(1000) < faults.late {
            arrives += Duration::from_micros(self.random.below(30_000));
        }
        let copies = if self.random.below(1000) < faults.twice { 2 } else { 1 };
        for _ in 0..copies {
            self.number += 1;
            self.under_way.insert((arrives, self.number), (1 - from, bytes.clone(), class));
        }
    }

    /// Goes to the next moment when something happens, `until` at most. `false`: nothing does before it.
    pub fn step(&mut self, until: Instant) -> bool {
        self.flush();
        let arrival = self.under_way.first_key_value().map(|(key, _)| key.0);
        let due = self.sides.iter().filter_map(|side| side.tcp.deadline()).min();
        let Some(next) = [arrival, due].into_iter().flatten().min().filter(|next| *next <= until) else {
            self.now = until;
            return false;
        };
        self.now = self.now.max(next);
        if due.is_some_and(|due| due <= self.now) {
            for side in &mut self.sides {
                side.tcp.poll(self.now, &mut side.wire);
            }
        }
        let gathers = self.gathers;
        self.sides.iter_mut().filter(|_| gathers).for_each(|side| side.tcp.gather());
        while let Some(first) = self.under_way.first_entry().filter(|first| first.key().0 <= self.now) {
            let (to, bytes, class) = first.remove();
            self.deliver(to, bytes, class);
        }
        let now = self.now;
        self.sides.iter_mut().filter(|_| gathers).for_each(|side| side.tcp.gathered(now, &mut side.wire));
        self.flush();
        true
    }

    /// Lets time pass.
    pub fn run(&mut self, span: Duration) {
        let until = self.now + span;
        while self.step(until) {}
    }

    /// Gives bytes to a machine as if the other one had sent them.
    pub fn deliver(&mut self, to: usize, bytes: Vec<u8>, class: u8) {
        let arrival = Arrival {
            from: ADDRESSES[1 - to].into(),
            to: ADDRESSES[to].into(),
            interface: 1,
            traffic_class: class,
            hop_limit: 64,
        };
        let packet = Packet::received(Bytes::from(bytes), Offload::default());
        let side = &mut self.sides[to];
        side.tcp.receive(self.now, &mut side.wire, &arrival, packet);
    }

    /// Gives a segment to a machine that its peer never sent, and sends what it answers.
    pub fn forge(&mut self, to: usize, segment: &Forged) {
        let bytes = segment.bytes(ADDRESSES[1 - to].into(), ADDRESSES[to].into());
        self.deliver(to, bytes, 0);
        self.flush();
    }

    /// What was sent since the log had `from` entries, by one machine.
    pub fn seen(&self, from: usize, side: usize) -> Vec<Seen> {
        self.log[from..].iter().filter(|seen| seen.from == side).cloned().collect()
    }

    pub fn listen(&mut self, backlog: u32) -> Handle {
        let side = &mut self.sides[1];
        let handle = side.tcp.open(Family::V4).unwrap();
        side.tcp.bind(&side.wire, handle, SocketAddr::new(ADDRESSES[1].into(), PORT)).unwrap();
        side.tcp.listen(handle, backlog).unwrap();
        handle
    }

    pub fn connect(&mut self) -> Handle {
        let side = &mut self.sides[0];
        let handle = side.tcp.open(Family::V4).unwrap();
        side.tcp.connect(self.now, &mut side.wire, handle, SocketAddr::new(ADDRESSES[1].into(), PORT)).unwrap();
        self.flush();
        handle
    }

    /// A connection: the client's handle, the server's, and the listener.
    pub fn pair(&mut self) -> (Handle, Handle, Handle) {
        let listener = self.listen(128);
        let client = self.connect();
        self.run(millis(30));
        let server = self.sides[1].tcp.accept(listener).unwrap().0;
        (client, server, listener)
    }

    pub fn write(&mut self, side: usize, handle: Handle, data: &[u8]) -> Result<usize, Error> {
        let Side { tcp, wire } = &mut self.sides[side];
        let result = tcp.write(self.now, wire, handle, &mut Head::payload(data), WriteFlags::empty());
        self.flush();
        result
    }

    pub fn room(&mut self, side: usize, handle: Handle) -> Result<usize, Error> {
        let Side { tcp, wire } = &mut self.sides[side];
        tcp.room(self.now, wire, handle)
    }

    pub fn read(&mut self, side: usize, handle: Handle) -> Result<Vec<u8>, Error> {
        let mut all = std::vec![0; 1 << 20];
        let Side { tcp, wire } = &mut self.sides[side];
        let result = tcp.read(self.now, wire, handle, &mut all);
        self.flush();
        result.map(|count| all[..count].to_vec())
    }

    pub fn close(&mut self, side: usize, handle: Handle) {
        let Side { tcp, wire } = &mut self.sides[side];
        tcp.close(self.now, wire, handle).unwrap();
        self.flush();
    }

    pub fn set(&mut self, side: usize, handle: Handle, change: impl FnOnce(&mut crate::Settings)) {
        let Side { tcp, wire } = &mut self.sides[side];
        tcp.change_settings(self.now, wire, handle, change).unwrap();
        self.flush();
    }

    pub fn ready(&mut self, side: usize, handle: Handle) -> Readiness {
        self.sides[side].tcp.readiness(handle).unwrap()
    }

    pub fn events(&mut self, side: usize) -> Vec<Handle> {
        let mut events = Vec::new();
        self.sides[side].tcp.take_events(&mut events);
        events
    }

    /// Lets TIME-WAIT pass, and looks that nothing is left but so many sockets.
    pub fn check_empty(&mut self, sockets: [u32; 2]) {
        self.run(Duration::from_secs(400));
        for (side, sockets) in self.sides.iter().zip(sockets) {
            let counts = side.tcp.counts();
            assert_eq!(counts, crate::Counts { sockets, ..Default::default() });
            assert_eq!(side.tcp.memory(), 0, "bytes are left");
        }
    }
}

/// Cuts a super-segment, as a device does, and completes checksums.
fn cut(outgoing: &Outgoing) -> Vec<Vec<u8>> {
    let all = outgoing.packet.to_vec();
    let (header, _) = parse(&all, all.len()).unwrap();
    let (header, length) = (*header, header.length());
    let payload = &all[length..];
    let size = outgoing.packet.offload.segmentation.map_or(payload.len(), |cut| cut.size.into()).max(1);
    let count = payload.len().div_ceil(size).max(1);
    (0..count)
        .map(|index| {
            let part = &payload[(index * size).min(payload.len())..((index + 1) * size).min(payload.len())];
            let mut flags = header.flags();
            if index + 1 < count {
                flags -= Flags::FIN | Flags::PSH;
            }
            if index > 0 {
                flags -= Flags::CWR;
            }
            let ports = (header.source.get(), header.destination.get());
            let sequence = header.sequence() + (index * size) as u32;
            let mut new = Header::new(ports, sequence, header.acknowledgment(), flags, length - 20);
            (new.window, new.urgent) = (header.window, header.urgent);
            let mut bytes = new.as_bytes().to_vec();
            bytes.extend_from_slice(&all[20..length]);
            bytes.extend_from_slice(part);
            complete(&mut bytes, outgoing.from, outgoing.to);
            bytes
        })
        .collect()
}

pub fn complete(bytes: &mut [u8], from: IpAddr, to: IpAddr) {
    bytes[CHECKSUM_OFFSET..CHECKSUM_OFFSET + 2].fill(0);
    let sum = Sum::new().with_pseudo_header(from, to, 6, bytes.len()).with(bytes).finish();
    bytes[CHECKSUM_OFFSET..CHECKSUM_OFFSET + 2].copy_from_slice(&sum.to_be_bytes());
}

/// Bytes that say where they are in a stream.
pub fn stream(from: usize, length: usize) -> Vec<u8> {
    (from..from + length).map(|at| (at ^ (at >> 8) ^ (at >> 16).wrapping_mul(31)) as u8).collect()
}
