//! The packet that nearly all are: a short segment of TCP over IPv4, for a connection between the same addresses as the
//! one before. It is looked at here in few steps; [`Stack::receive`] would do the same with it otherwise.

use packets::{Checksum, Instant, Offload, Packet, ethernet, ipv4, ipv4::protocol, tcp::Flags};

use crate::{interface::Medium, ip::Ip, parts::Parts, stack::Stack};

/// Where the flags of TCP are in such a frame, and those that it has.
const FLAGS: usize = size_of::<ethernet::Header>() + ipv4::HEADER + 13;
const PUSH: u8 = Flags::PSH.bits();
const ACKNOWLEDGE: u8 = Flags::ACK.bits();

impl<P: Parts> Stack<P> {
    /// As [`Stack::take_usual`], of one that has memory of its own.
    #[inline(always)]
    pub(crate) fn take_usual_packet(&mut self, now: Instant, number: u32, packet: &Packet) -> bool {
        packet.parts.is_empty() && self.take_usual(now, number, packet.head.bytes(), &packet.offload)
    }

    /// Takes a packet, if it is as most are, wherever it lies: what is kept of it is copied. `false`: it is another,
    /// and nothing was done.
    pub fn take_usual(&mut self, now: Instant, number: u32, frame: &[u8], offload: &Offload) -> bool {
        if !P::TCP || !P::IPV4 || P::RAW && self.tcp.is_watched() {
            return false;
        }
        let Some((header, segment)) = self.ip.usual_segment(number, frame, offload) else { return false };
        self.ip.set_time(now);
        let ends = (header.source(), header.destination());
        let size = offload.segmentation.map_or(0, |segmentation| segmentation.size.into());
        let taken = self.tcp.take_usual(now, &mut self.ip, ends, (segment, size));
        if taken {
            self.ip.count_usual(number, frame.len());
        }
        taken
    }
}

impl<P: Parts> Ip<P> {
    /// The header of such a packet, and its segment, whose checksum is right.
    #[inline(always)]
    fn usual_segment<'a>(
        &self,
        number: u32,
        frame: &'a [u8],
        offload: &Offload,
    ) -> Option<(&'a ipv4::Header, &'a [u8])> {
        let interface = self.interface(number).filter(|interface| interface.up)?;
        let Medium::Ethernet(own) = interface.medium else { return None };
        if offload.checksum == Checksum::Complete {
            return None;
        }
        // Those that begin or end a connection are told from others first.
        if frame.get(FLAGS).is_none_or(|flags| flags & !PUSH != ACKNOWLEDGE) {
            return None;
        }
        let (link, bytes) = ethernet::parse(frame)?;
        let others = link.destination != own || link.source == own || link.source.is_multicast();
        if others || link.kind.get() != ethernet::IPV4 {
            return None;
        }
        let header = ipv4::parse(bytes, bytes.len()).ok()?;
        if header.length() != ipv4::HEADER || header.protocol != protocol::TCP || header.is_fragment() {
            return None;
        }
        let segment = bytes.get(ipv4::HEADER..header.total_length.get().into())?;
        self.is_familiar(number, header).then_some((header, segment))
    }

    /// Such a packet was taken.
    #[inline(always)]
    fn count_usual(&mut self, number: u32, length: usize) {
        if let Some(interface) = self.interface_mut(number) {
            interface.statistics.received_packets += 1;
            interface.statistics.received_bytes += length as u64;
        }
        let counts = self.counts(true);
        counts.received += 1;
        counts.delivered += 1;
    }
}
