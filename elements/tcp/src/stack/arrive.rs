//! A segment has come: whose is it?

use core::net::Ipv4Addr;

use packets::{
    Instant, Packet,
    tcp::{Flags, Options, Timestamps, parse},
};

use super::{Tcp, places::Place};
use crate::{
    Arrival, Network, Outgoing,
    congestion::Congestion,
    connection::{Path, reset_reply},
    context::Context,
    segment::Segment,
    time_wait::Verdict,
    tuple::{Tuple, mapped},
    wire::{self, Words},
};

impl<C: Congestion> Tcp<C> {
    /// Takes a segment: the packet begins with the header of TCP, and ends with the payload of IP.
    pub fn receive(&mut self, now: Instant, network: &mut dyn Network, arrival: &Arrival, mut packet: Packet) {
        self.take_in(now, network, arrival, &mut packet);
    }

    /// As [`Tcp::receive`], and leaves the packet empty, or as it was.
    pub fn take_in(&mut self, now: Instant, network: &mut dyn Network, arrival: &Arrival, packet: &mut Packet) {
        self.shared.statistics.segments_received += 1;
        if arrival.from.is_unspecified() || arrival.from.is_multicast() || arrival.to.is_multicast() {
            self.shared.statistics.malformed += 1;
            return;
        }
        let Some(header) = Segment::header(arrival, packet, &mut self.shared.statistics) else { return };
        let tuple = Tuple {
            local: mapped(arrival.to),
            remote: mapped(arrival.from),
            local_port: header.destination.get(),
            remote_port: header.source.get(),
        };
        let mut segment = Segment::of(&header, arrival);
        segment.take(header.length(), packet);
        if segment.flags.contains(Flags::SYN | Flags::FIN) || segment.flags.contains(Flags::SYN | Flags::RST) {
            self.shared.statistics.malformed += 1;
            return;
        }
        if segment.options.signed {
            // Nobody here has a key: whoever signs speaks to somebody else. Linux drops it too.
            self.shared.statistics.signed += 1;
            return;
        }
        match self.places.find_again(&self.shared.secrets, &tuple) {
            Some(Place::Connection(index)) => {
                self.with(now, network, index, |connection, cx| connection.receive(cx, &mut segment));
            }
            Some(Place::HalfOpen(index)) => self.receive_half_open(now, network, index, segment),
            Some(Place::TimeWait(index)) => self.receive_in_time_wait(now, network, arrival, index, segment),
            None => self.receive_unknown(now, network, arrival, &tuple, segment, None),
        }
    }

    /// Takes a segment between two addresses of IPv4, its and ours, whose checksum is right, if it is as most are: ACK,
    /// PSH perhaps, no option but the clocks, and what a connection waits for. `false`: it is another, and nothing was
    /// done.
    #[inline]
    pub fn take_usual(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        (from, to): (Ipv4Addr, Ipv4Addr),
        (bytes, size): (&[u8], u32),
    ) -> bool {
        let Ok((header, options)) = parse(bytes, bytes.len()) else { return false };
        if header.flags() - Flags::PSH != Flags::ACK {
            return false;
        }
        let timestamps = match options {
            [] => None,
            options => match Timestamps::of(options) {
                None => return false,
                clocks => clocks,
            },
        };
        let tuple = Tuple {
            local: to.to_ipv6_mapped(),
            remote: from.to_ipv6_mapped(),
            local_port: header.destination.get(),
            remote_port: header.source.get(),
        };
        let Some(Place::Connection(index)) = self.places.find_again(&self.shared.secrets, &tuple) else { return false };
        let payload = &bytes[header.length()..];
        let segment = Segment::usual(header, timestamps, payload.len(), size);
        let Some(connection) = self.places.connection(index) else { return false };
        let mut cx = Context { now, network, shared: &mut self.shared };
        let taken = connection.receive_usual(&mut cx, &segment, payload);
        // It has no memory that would have to be given back, which is not looked for.
        core::mem::forget(segment);
        if taken {
            self.shared.statistics.segments_received += 1;
            self.settle(now, index);
        }
        taken
    }

    /// No connection: a listener, or nobody.
    pub(super) fn receive_unknown(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        arrival: &Arrival,
        tuple: &Tuple,
        segment: Segment,
        at_least: Option<packets::tcp::SequenceNumber>,
    ) {
        let choice = self.shared.secrets.place(tuple);
        let listener = self.places.ports.listener(tuple.local_port, tuple.local, choice);
        let kind = segment.flags & (Flags::SYN | Flags::ACK | Flags::RST);
        match listener {
            Some(_) if kind.contains(Flags::RST) => {}
            Some(listener) if kind == Flags::SYN => {
                self.receive_syn(now, network, *tuple, listener, &segment, at_least);
            }
            Some(listener) if kind == Flags::ACK && self.takes_cookies(listener, now) => {
                if !self.receive_cookie(now, network, tuple, listener, segment.clone()) {
                    self.refuse(now, network, arrival, tuple, &segment);
                }
            }
            _ => self.refuse(now, network, arrival, tuple, &segment),
        }
    }

    /// RFC 9293, 3.10.7.1.
    pub(super) fn refuse(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        arrival: &Arrival,
        tuple: &Tuple,
        segment: &Segment,
    ) {
        let Ok(route) = network.route(tuple.remote(), Some(tuple.local()), arrival.interface) else { return };
        let mut cx = Context { now, network, shared: &mut self.shared };
        reset_reply(&mut cx, tuple, segment, Path::from(route));
    }

    fn receive_in_time_wait(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        arrival: &Arrival,
        index: u32,
        segment: Segment,
    ) {
        let Some(entry) = self.places.all.time_waits.get_mut(index) else { return };
        let tuple = entry.tuple;
        match entry.judge(&segment) {
            Verdict::Nothing => {}
            Verdict::Acknowledge => self.acknowledge_in_time_wait(now, network, arrival, index),
            Verdict::Restart => {
                // The last acknowledgment was lost.
                entry.since = now.as_millis() as u32;
                self.acknowledge_in_time_wait(now, network, arrival, index);
            }
            Verdict::Reopen => {
                // RFC 1122, 4.2.2.13: its first number is behind the last one of before.
                let at_least = entry.next + 65_537;
                self.end_time_wait(index);
                self.receive_unknown(now, network, arrival, &tuple, segment, Some(at_least));
            }
        }
    }

    fn acknowledge_in_time_wait(&mut self, now: Instant, network: &mut dyn Network, arrival: &Arrival, index: u32) {
        let Some(entry) = self.places.all.time_waits.get(index) else { return };
        let tuple = entry.tuple;
        let Ok(route) = network.route(tuple.remote(), Some(tuple.local()), arrival.interface) else { return };
        let value = (now.as_millis() as u32).wrapping_add(self.shared.secrets.clock_offset(&tuple));
        let timestamps = entry.timestamps.then_some(Timestamps { value, echo: entry.recent });
        let options = Options { timestamps, ..Options::default() };
        let words = Words {
            sequence: entry.next,
            acknowledgment: entry.expected,
            flags: Flags::ACK,
            window: entry.window,
            urgent: 0,
            options: &options,
        };
        let packet = wire::packet(&tuple, &words);
        self.shared.statistics.segments_sent += 1;
        send_alone(now, network, &tuple, route.into(), packet);
    }
}

/// Sends a segment of no connection.
pub(super) fn send_alone(now: Instant, network: &mut dyn Network, tuple: &Tuple, path: Path, mut packet: Packet) {
    wire::seal(tuple, &mut packet, 0, u16::MAX);
    let mut outgoing = Outgoing {
        from: tuple.local(),
        to: tuple.remote(),
        interface: path.interface,
        traffic_class: 0,
        hop_limit: 0,
        probe: false,
        packet,
    };
    let _ = network.send(now, &mut outgoing);
}
