//! One segment out.

use packets::{
    Packet,
    tcp::{Flags, Options, SackBlocks, SequenceNumber, Timestamps},
};

use super::{Connection, Marks, NEVER};
use crate::{
    Outgoing,
    context::Context,
    receive,
    wire::{self, Words},
};

/// ECT(0): RFC 3168, 5.
const CAPABLE: u8 = 2;

impl<C> Connection<C> {
    /// Sends the bytes of the queue from `from` on, none perhaps. `false`: there is no room before the device.
    pub fn emit(&mut self, cx: &mut Context<'_>, from: SequenceNumber, length: usize, flags: Flags) -> bool {
        let fresh = !from.is_before(self.send.next);
        let mut flags = flags | self.notification(length > 0 && fresh);
        let urgent = self.urgent_pointer(from, length);
        flags.set(Flags::URG, urgent.is_some());
        let options = self.options(cx, length);
        let window = self.offer(cx);
        let words = Words {
            sequence: from,
            acknowledgment: self.receive.next,
            flags: flags | Flags::ACK,
            window,
            urgent: urgent.unwrap_or(0),
            options: &options,
        };
        let capable = length > 0 && fresh && self.is(Marks::NOTIFIED);
        let mut outgoing = self.outgoing(capable);
        wire::begin(&mut outgoing.packet, &self.tuple, &words);
        if length > 0 {
            self.send.queue.gather(from, length, &mut outgoing.packet);
        }
        wire::seal(&self.tuple, &mut outgoing.packet, length, self.send.size);
        let sent = Self::hand_over(cx, &mut outgoing);
        self.marks.set(Marks::REFUSED, !sent);
        self.acknowledged_theirs(cx, length > 0 && sent);
        sent
    }

    /// Hands a sealed segment to the network, which may have no room for it.
    #[inline(always)]
    pub fn hand_over(cx: &mut Context<'_>, outgoing: &mut Outgoing) -> bool {
        cx.shared.statistics.segments_sent += 1;
        cx.network.send(cx.now, outgoing)
    }

    /// What the network is told of a segment, which is not made yet.
    #[inline(always)]
    pub fn outgoing(&self, capable: bool) -> Outgoing {
        let ends = if self.tuple.is_v4() { self.tuple.as_v4() } else { (self.tuple.local(), self.tuple.remote()) };
        Outgoing {
            from: ends.0,
            to: ends.1,
            interface: self.path.interface,
            traffic_class: self.settings.traffic_class & !3 | if capable { CAPABLE } else { 0 },
            hop_limit: self.settings.hop_limit,
            probe: self.is(Marks::PATH_PROBE),
            packet: Packet::default(),
        }
    }

    /// The bits of RFC 3168, 6.1.
    fn notification(&mut self, fresh: bool) -> Flags {
        let mut flags = Flags::empty();
        flags.set(Flags::ECE, self.is(Marks::ECHO));
        if fresh && self.is(Marks::REDUCED) {
            self.marks.remove(Marks::REDUCED);
            flags |= Flags::CWR;
        }
        flags
    }

    /// The urgent pointer, if it counts: RFC 6093, 3.1 says that all point behind the byte.
    fn urgent_pointer(&self, from: SequenceNumber, length: usize) -> Option<u16> {
        if !self.is(Marks::URGENT) || !self.send.urgent.is_behind(from) {
            return None;
        }
        let _ = length;
        u16::try_from(self.send.urgent - from).ok()
    }

    /// Timestamps always; SACK where no payload wants the room.
    pub fn options(&mut self, cx: &Context<'_>, length: usize) -> Options {
        let mut options = Options::default();
        if self.is(Marks::TIMESTAMPS) {
            options.timestamps = Some(Timestamps { value: self.clock(cx.millis()), echo: self.receive.recent });
        }
        if self.is(Marks::SACK) && length == 0 {
            options.sack = self.blocks();
        }
        options
    }

    /// What we hold beyond what we acknowledge, a duplicate first: RFC 2018, RFC 2883.
    fn blocks(&mut self) -> SackBlocks {
        let mut blocks = SackBlocks::default();
        let rare = self.rare.as_deref_mut();
        if let Some((first, end)) = rare.and_then(|rare| rare.duplicate.take()) {
            blocks.push(first, end);
        }
        if let Some(early) = &self.receive.early {
            early.blocks(&mut blocks);
        }
        blocks
    }

    /// The window to offer, as the header has it: RFC 9293, 3.8.6; RFC 7323, 2.
    #[inline(always)]
    pub fn offer(&mut self, cx: &Context<'_>) -> u16 {
        let space = self.space(cx);
        let offered = self.receive.window_end - self.receive.next;
        let window = receive::select(space, self.receive.limit, offered, self.receive.size.into());
        // Units that do not fit are rounded up while there is room, so that nothing offered is taken back (RFC 7323,
        // 2.4); and down at the limit, where what was told before is still taken.
        let up = window.div_ceil(1 << self.receive.shift);
        let told = if up << self.receive.shift <= space { up } else { window >> self.receive.shift };
        let told = told.min(u16::MAX.into());
        self.receive.window_end = self.receive.next + (told << self.receive.shift).max(offered);
        told as u16
    }

    /// Bytes that there is room for, as far as a header can tell them.
    #[inline(always)]
    fn space(&self, cx: &Context<'_>) -> u32 {
        let held = self.receive.queue.len() as u32;
        let full = cx.shared.is_full() && held > 0;
        let space = if full { 0 } else { self.receive.limit.saturating_sub(held) };
        let most = u32::from(u16::MAX) << self.receive.shift;
        space.min(self.settings.window_clamp.unwrap_or(u32::MAX)).min(most)
    }

    /// Whether a window that is told now is as wide as the last one: its end moves by all that has come since.
    pub fn window_advances(&self, cx: &Context<'_>) -> bool {
        let (offered, told) =
            (self.receive.window_end - self.receive.next, self.receive.window_end - self.receive.told);
        receive::select(self.space(cx), self.receive.limit, offered, self.receive.size.into()) >= told
    }

    /// Each segment acknowledges: nothing is owed any more.
    #[inline(always)]
    pub(super) fn acknowledged_theirs(&mut self, cx: &Context<'_>, with_data: bool) {
        if with_data && self.receive.heard != NEVER && cx.now < self.receive.heard + super::data::DELAY {
            self.marks.insert(Marks::INTERACTIVE);
        }
        if self.receive.told != self.receive.next {
            self.receive.quick = self.receive.quick.saturating_sub(1);
        }
        self.receive.told = self.receive.next;
        self.receive.owed_at = NEVER;
        self.marks.remove(Marks::ACK_NOW | Marks::ACK_PENDING);
    }

    /// Acknowledges, without data.
    pub fn emit_acknowledgment(&mut self, cx: &mut Context<'_>) {
        self.emit(cx, self.send.next, 0, Flags::empty());
    }
}
