//! Fast open, the side that connects: RFC 7413. A server's cookie is kept, and with it the next SYN carries data.
//!
//! A SYN that is repeated has neither cookie nor data, for boxes on paths that drop both (RFC 7413, 4.1.3).

use packets::tcp::{Cookie, SequenceNumber};

use super::Connection;
use crate::{congestion::Congestion, context::Context, fast_open::Opening, segment::Segment, wire};

impl<C: Congestion> Connection<C> {
    /// Prepares the first SYN: with the server's cookie and these bytes, or with the wish for a cookie. How many bytes
    /// go along.
    pub fn open_fast(&mut self, cx: &mut Context<'_>, data: &[u8]) -> usize {
        let known = cx.shared.cookies.of(self.tuple.remote);
        let (cookie, size) = known.unwrap_or_default();
        let path = usize::from(self.path.payload).saturating_sub(wire::header_length(true) + 2 + Cookie::MOST);
        let most = path.min(size.into()).min(usize::from(self.settings.segment_size.unwrap_or(u16::MAX)));
        let count = data.len().min(most);
        self.send.queue.push(&data[..count]);
        self.send.pushed = self.send.queue.end();
        cx.shared.memory += count;
        self.rare().opening = Some(Opening { cookie, length: count as u16 });
        count
    }

    /// What the SYN that goes now has of it.
    pub fn opening(&self) -> Option<Opening> {
        let first = self.send.tries == 0;
        self.rare.as_deref().and_then(|rare| rare.opening).filter(|_| first)
    }

    /// Whether a SYN's answer acknowledges the SYN, and nothing that was not sent.
    pub fn acknowledges_syn(&self, ack: SequenceNumber) -> bool {
        let length = self.rare.as_deref().and_then(|rare| rare.opening).map_or(0, |opening| opening.length);
        self.send.next.is_at_most(ack) && ack.is_at_most(self.send.next + u32::from(length))
    }

    /// The answer to our SYN: the cookie in it is kept, and what it does not acknowledge of the data goes again.
    pub fn opened_fast(&mut self, cx: &mut Context<'_>, segment: &Segment) {
        let Some(opening) = self.rare.as_deref_mut().and_then(|rare| rare.opening.take()) else { return };
        let told = segment.options.cookie.filter(|cookie| !cookie.as_slice().is_empty());
        if let Some(cookie) = told {
            cx.shared.cookies.keep(self.tuple.remote, cookie, segment.options.segment_size.unwrap_or(536));
        }
        if opening.length > 0 && segment.acknowledgment.is_behind(self.send.next) {
            cx.shared.statistics.fast_opens += 1;
            let bytes = self.send.queue.acknowledge(segment.acknowledgment);
            cx.shared.memory -= bytes as usize;
            self.totals.1 += u64::from(bytes);
            (self.send.una, self.send.next) = (segment.acknowledgment, segment.acknowledgment);
        }
    }
}
