//! The SYN of who opens, and its options: RFC 7323, RFC 2018, RFC 3168.

use packets::tcp::{Flags, Options, SequenceNumber, Timestamps};

use super::{Connection, Marks};
use crate::{
    State,
    congestion::Congestion,
    context::Context,
    wire::{self, Words},
};

/// The shift that the largest window wants: RFC 7323, 2.3.
pub fn shift_for(most: u32) -> u8 {
    (0..14).find(|shift| most >> shift <= 0xffff).unwrap_or(14)
}

/// The window in a SYN, which is never scaled.
pub const fn first_window(limit: u32) -> u32 {
    if limit < 0xffff { limit } else { 0xffff }
}

impl<C: Congestion> Connection<C> {
    /// SYN, or SYN and ACK when both open at once.
    pub fn emit_syn(&mut self, cx: &mut Context<'_>) {
        let answer = self.state == State::SynReceived;
        let options = self.syn_options(cx, answer);
        let mut flags = Flags::SYN;
        flags.set(Flags::ACK, answer);
        let asks = self.settings.congestion_notification && self.send.tries < 2;
        flags.set(Flags::ECE, if answer { self.is(Marks::NOTIFIED) } else { asks });
        flags.set(Flags::CWR, !answer && asks);
        let window = first_window(self.receive.limit) as u16;
        let words = Words {
            sequence: self.send.una,
            acknowledgment: if answer { self.receive.next } else { SequenceNumber(0) },
            flags,
            window,
            urgent: 0,
            options: &options,
        };
        let mut outgoing = self.outgoing(false);
        wire::begin(&mut outgoing.packet, &self.tuple, &words);
        let data = self.opening().map_or(0, |opening| usize::from(opening.length));
        if data > 0 {
            self.send.queue.gather(self.send.next, data, &mut outgoing.packet);
        }
        wire::seal(&self.tuple, &mut outgoing.packet, data, u16::MAX);
        Self::hand_over(cx, &mut outgoing);
    }

    pub fn syn_options(&self, cx: &Context<'_>, answer: bool) -> Options {
        let path = self.path.payload.saturating_sub(wire::header_length(false) as u16);
        let size = path.min(self.settings.segment_size.unwrap_or(u16::MAX));
        let clocks = Timestamps { value: self.clock(cx.millis()), echo: self.receive.recent };
        Options {
            segment_size: Some(size),
            window_scale: (!answer || self.is(Marks::SCALED)).then_some(self.receive.shift),
            sack_permitted: !answer || self.is(Marks::SACK),
            cookie: self.opening().map(|opening| opening.cookie),
            timestamps: if answer { self.is(Marks::TIMESTAMPS) } else { cx.shared.limits.timestamps }.then_some(clocks),
            ..Options::default()
        }
    }
}
