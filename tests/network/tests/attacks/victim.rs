//! A whole stack among strangers whose packets are written by hand: so all that is allocated is the stack's.

use std::net::Ipv4Addr;
use std::time::Duration;

use netstack::routes::{Origin, Route};
use netstack::{Attributes, Medium, Offloads, Prefix, Stack};
use packets::tcp::{Flags, Header, Options, SequenceNumber};
use packets::{Bytes, Checksum, Head, Instant, Offload, Packet, ipv4};
use tcp::{Family, Handle, Limits, WriteFlags};
use zerocopy::IntoBytes;

/// Its only interface.
const LINK: u32 = 1;
/// Its address.
pub const OWN: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
/// The port that it listens at.
pub const PORT: u16 = 80;

/// The stack.
pub struct Victim {
    pub stack: Stack,
    pub now: Instant,
    pub listener: Handle,
    burst: Vec<Packet>,
    events: Vec<Handle>,
}

/// A client without a stack.
#[derive(Clone, Copy)]
pub struct Stranger {
    pub address: Ipv4Addr,
    pub port: u16,
    pub sequence: SequenceNumber,
    pub acknowledgment: SequenceNumber,
    pub window: u16,
}

impl Victim {
    /// On a link without neighbours, which leads to everyone.
    pub fn new(limits: Limits, backlog: u32) -> Self {
        let (mut stack, now) = (Stack::with_limits([7; 32], limits), Instant::from_nanos(0));
        let attributes =
            Attributes { address: None, mtu: 1_500, queues: 1, offloads: Offloads::all(), largest: 65_535 };
        assert_eq!(stack.ip.add_interface(now, attributes, Medium::Ip), LINK);
        stack.ip.set_up(now, LINK, true).unwrap();
        stack.ip.add_address(now, LINK, Prefix::new(OWN.into(), 24).unwrap()).unwrap();
        let to_everyone = Route {
            destination: Prefix::everything(true),
            gateway: None,
            interface: LINK,
            metric: 0,
            source: None,
            origin: Origin::Static,
            expires: None,
        };
        stack.ip.add_route(to_everyone).unwrap();
        let listener = stack.tcp.open(Family::V4).unwrap();
        stack.tcp.bind(&stack.ip, listener, (OWN, PORT).into()).unwrap();
        stack.tcp.listen(listener, backlog).unwrap();
        Self { stack, now, listener, burst: Vec::new(), events: Vec::new() }
    }

    /// Lets time pass, and does what is due in it. What is sent is lost.
    pub fn pass(&mut self, span: Duration) {
        let end = self.now + span;
        while let Some(at) = self.stack.deadline().filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.stack.poll(self.now);
            self.stack.outgoing(LINK).unwrap().clear();
        }
        self.now = end;
    }

    /// Gives it a segment, and takes the first that it answers: its header, and how much it carries.
    pub fn give(
        &mut self,
        from: &Stranger,
        flags: Flags,
        options: &Options,
        payload: &[u8],
    ) -> Option<(Header, usize)> {
        let packet = segment(from, flags, options, payload);
        self.burst.push(packet);
        self.stack.receive(self.now, LINK, &mut self.burst);
        // Nobody waits for them here, but they are taken, as whoever drives a stack does.
        self.events.clear();
        self.stack.tcp.take_events(&mut self.events);
        let sent = self.stack.outgoing(LINK).unwrap();
        let answer = sent.first().map(|packet| {
            let bytes = packet.to_vec();
            let (header, options) = packets::tcp::parse(&bytes[ipv4::HEADER..], bytes.len() - ipv4::HEADER).unwrap();
            (*header, bytes.len() - ipv4::HEADER - packets::tcp::HEADER - options.len())
        });
        sent.clear();
        answer
    }

    /// Begins a connection, and ends its handshake.
    pub fn connect(&mut self, stranger: &mut Stranger) {
        let options = Options { segment_size: Some(1_460), window_scale: Some(7), ..Options::default() };
        let (answer, _) = self.give(stranger, Flags::SYN, &options, &[]).expect("a SYN is answered");
        assert_eq!(answer.flags(), Flags::SYN | Flags::ACK);
        stranger.sequence += 1;
        stranger.acknowledgment = answer.sequence() + 1;
        self.give(stranger, Flags::ACK, &Options::default(), &[]);
    }

    /// The next connection that is there.
    pub fn accept(&mut self) -> Handle {
        self.stack.tcp.accept(self.listener).expect("somebody has connected").0
    }

    /// Sends bytes of a stranger's, which are acknowledged or not.
    pub fn say(&mut self, stranger: &mut Stranger, payload: &[u8]) -> Option<(Header, usize)> {
        let answer = self.give(stranger, Flags::ACK | Flags::PSH, &Options::default(), payload);
        stranger.sequence += payload.len() as u32;
        answer
    }

    /// All that waits to be read.
    pub fn read(&mut self, handle: Handle) -> usize {
        let mut bytes = [0; 4_096];
        let mut sum = 0;
        while let Ok(count @ 1..) = self.stack.tcp.read(self.now, &mut self.stack.ip, handle, &mut bytes) {
            sum += count;
        }
        self.stack.outgoing(LINK).unwrap().clear();
        sum
    }

    /// Writes as much as is taken.
    pub fn write(&mut self, handle: Handle, payload: &[u8]) -> usize {
        let Self { stack, now, .. } = self;
        let count =
            stack.tcp.write(*now, &mut stack.ip, handle, &mut Head::payload(payload), WriteFlags::empty()).unwrap_or(0);
        stack.outgoing(LINK).unwrap().clear();
        count
    }

    /// Gives a socket back.
    pub fn close(&mut self, handle: Handle) {
        let Self { stack, now, .. } = self;
        stack.tcp.close(*now, &mut stack.ip, handle).unwrap();
        stack.outgoing(LINK).unwrap().clear();
    }
}

impl Stranger {
    /// Number so and so of many, with an address and a port of its own.
    pub fn new(number: u32) -> Self {
        let [_, b, c, d] = (number / 50_000).to_be_bytes();
        let address = Ipv4Addr::new(198, 18 | b & 1, c, d);
        let sequence = SequenceNumber(number.wrapping_mul(2_654_435_761));
        let port = 10_000 + (number % 50_000) as u16;
        Self { address, port, sequence, acknowledgment: SequenceNumber(0), window: 512 }
    }
}

/// A packet as a device hands it over that looks at checksums.
fn segment(from: &Stranger, flags: Flags, options: &Options, payload: &[u8]) -> Packet {
    let mut written = [0; 40];
    let length = options.emit(&mut written);
    let mut header = Header::new((from.port, PORT), from.sequence, from.acknowledgment, flags, length);
    header.window = from.window.into();
    let carried = packets::tcp::HEADER + length + payload.len();
    let outer = ipv4::Header::new(ipv4::protocol::TCP, from.address, OWN, 64, carried);
    let bytes = [outer.as_bytes(), header.as_bytes(), &written[..length], payload].concat();
    Packet::received(Bytes::from(bytes), Offload { checksum: Checksum::Good, ..Offload::default() })
}
