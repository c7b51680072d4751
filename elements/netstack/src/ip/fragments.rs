//! Fragments, both ways.

use core::net::IpAddr;

use packets::{Head, Instant, Packet, ipv4, ipv6};
use zerocopy::IntoBytes;

use super::Ip;
use crate::{
    delivery::{Arrived, Cutting, Delivery, Departure},
    error::Error,
    extensions::{Wrong, walk},
    icmp::Problem,
    parts::Parts,
    reassembly::{Fragment, Key, Outcome},
    software::{complete, into_parts, slice},
};

/// The longest packet of IP.
const LONGEST: usize = 65_535;

impl<P: Parts> Ip<P> {
    pub(super) fn fragment_v4(
        &mut self,
        arrived: Arrived,
        header: ipv4::Header,
        packet: &mut Packet,
    ) -> Option<Delivery> {
        self.counts(true).reassembly_wanted += 1;
        let (offset, more) = (header.fragment_offset(), header.fragment.get() & ipv4::MORE_FRAGMENTS != 0);
        let length = packet.len();
        // Others end at a multiple of 8, none is empty, and the packet must not get too long ("ping of death").
        let wrong = length == 0 || more && !length.is_multiple_of(8) || offset + length > LONGEST - ipv4::HEADER;
        // RFC 1858: one that ends within the header of its transport hides the rest of it.
        let tiny = offset == 0 && length < 8 || offset == 8 && header.protocol == ipv4::protocol::TCP;
        if !P::FRAGMENTS || wrong || tiny {
            self.counts(true).reassembly_failed += 1;
            return None;
        }
        let key = Key {
            from: header.source().into(),
            to: header.destination().into(),
            identification: header.identification.get().into(),
            protocol: header.protocol,
            interface: arrived.interface,
        };
        let fragment = Fragment { offset, more, bytes: packet.to_vec(), arrived, protocol: header.protocol };
        let (arrived, protocol, whole) = self.put_together(key, fragment)?;
        *packet = whole;
        self.dispatch(arrived, protocol, 9, packet)
    }

    /// `before`: bytes of extension headers up to the end of the fragment's own.
    pub(super) fn fragment_v6(
        &mut self,
        mut arrived: Arrived,
        header: ipv6::Fragment,
        before: usize,
        packet: &mut Packet,
    ) -> Option<Delivery> {
        self.counts(false).reassembly_wanted += 1;
        let (offset, more, length) = (header.offset(), header.has_more(), packet.len());
        // RFC 6946: one that is all of its packet is taken alone, whatever waits under its number.
        if offset == 0 && !more {
            arrived.fragmented = true;
            self.counts(false).reassembled += 1;
            return self.payload_v6(arrived, header.next_header, packet);
        }
        let wrong = if more && !length.is_multiple_of(8) {
            Some(Wrong::Problem(0, 4, false))
        } else if offset + length > LONGEST {
            Some(Wrong::Problem(0, (ipv6::HEADER + before - 6) as u32, false))
        } else if offset == 0 && matches!(walk(packet.front(), header.next_header), Err(Wrong::Short)) {
            // RFC 7112, 5: the first one has all headers.
            Some(Wrong::Problem(3, 0, false))
        } else {
            (length == 0 || !P::FRAGMENTS).then_some(Wrong::Discard)
        };
        if let Some(wrong) = wrong {
            self.counts(false).reassembly_failed += 1;
            self.wrong_extension(&arrived, wrong, packet);
            return None;
        }
        let (from, to) = arrived.ends();
        let identification = header.identification.get();
        let key = Key { from, to, identification, protocol: 0, interface: arrived.interface };
        let fragment = Fragment { offset, more, bytes: packet.to_vec(), arrived, protocol: header.next_header };
        let (arrived, protocol, whole) = self.put_together(key, fragment)?;
        *packet = whole;
        self.payload_v6(arrived, protocol, packet)
    }

    fn put_together(&mut self, key: Key, fragment: Fragment) -> Option<(Arrived, u8, Packet)> {
        let v4 = key.from.is_ipv4();
        match self.reassembly.add(self.now, key, fragment) {
            Outcome::Waiting => None,
            Outcome::Dropped => {
                self.counts(v4).reassembly_failed += 1;
                None
            }
            Outcome::Whole(mut arrived, protocol, parts) => {
                self.counts(v4).reassembled += 1;
                arrived.fragmented = true;
                Some((arrived, protocol, Packet { parts, ..Packet::default() }))
            }
        }
    }

    /// Tells senders whose fragments did not all come: RFC 792; RFC 8200, 4.5.
    pub(super) fn poll_reassembly(&mut self, now: Instant) {
        while let Some(late) = self.reassembly.late(now) {
            let Some((arrived, bytes)) = late else { continue };
            self.counts(arrived.is_ipv4()).reassembly_timeouts += 1;
            let payload = Packet::received(bytes, Default::default());
            self.problem(&arrived, Problem::Reassembly, &payload);
        }
    }

    /// Cuts a packet that is longer than its way carries.
    pub(super) fn send_fragments(&mut self, departure: &mut Departure, mtu: usize) -> Result<(), Error> {
        let v4 = departure.way.to.is_ipv4();
        let header = if v4 { ipv4::HEADER } else { ipv6::HEADER };
        let longest = LONGEST - if v4 { header } else { 0 };
        let forbidden = matches!(departure.cutting, Cutting::Nowhere | Cutting::Probe);
        if !P::FRAGMENTS || forbidden || departure.packet.len() > longest {
            self.counts(v4).fragments_refused += 1;
            return Err(Error::TooBig(if forbidden { mtu } else { longest } as u16));
        }
        self.counts(v4).fragmented += 1;
        self.counts(v4).sent += 1;
        let mut packet = core::mem::take(&mut departure.packet);
        complete(&mut packet);
        let parts = into_parts(packet);
        let total: usize = parts.iter().map(packets::Bytes::len).sum();
        let extension = if v4 { 0 } else { size_of::<ipv6::Fragment>() };
        let size = mtu.saturating_sub(header + extension).max(8) / 8 * 8;
        let identification = if v4 { u32::from(self.next_identification()) } else { self.random.next() as u32 };
        for offset in (0..total).step_by(size) {
            let length = size.min(total - offset);
            let head = headers(departure, identification, offset, length, offset + length < total);
            let mut piece = Packet { head, parts: slice(&parts, offset, length), ..Packet::default() };
            self.counts(v4).fragments_made += 1;
            if departure.way.several {
                self.loop_back(departure, &piece);
            }
            self.go(&departure.way, &mut piece);
        }
        Ok(())
    }
}

/// The headers of a fragment.
fn headers(departure: &Departure, identification: u32, offset: usize, length: usize, more: bool) -> Head {
    let mut head = Head::default();
    match (departure.way.from, departure.way.to) {
        (IpAddr::V4(from), IpAddr::V4(to)) => {
            let mut header = ipv4::Header::new(departure.protocol, from, to, departure.hop_limit, length);
            header.traffic_class = departure.traffic_class;
            header.identification = (identification as u16).into();
            header.fragment = ((offset / 8) as u16 | if more { ipv4::MORE_FRAGMENTS } else { 0 }).into();
            header.set_checksum();
            head.push(header.as_bytes());
        }
        (IpAddr::V6(from), IpAddr::V6(to)) => {
            let fragment = ipv6::Fragment {
                next_header: departure.protocol,
                reserved: 0,
                offset_and_more: (offset as u16 | u16::from(more)).into(),
                identification: identification.into(),
            };
            let payload = size_of_val(&fragment) + length;
            let mut header = ipv6::Header::new(ipv6::extension::FRAGMENT, from, to, departure.hop_limit, payload);
            header.set_traffic_class(departure.traffic_class);
            head.push(header.as_bytes());
            head.push(fragment.as_bytes());
        }
        _ => {}
    }
    head
}
