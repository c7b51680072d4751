//! How long the next packet is: pieces, windows, Nagle and cork (RFC 9293, 3.7.4 and 3.8.6.2.1; RFC 1122, 4.2.3.4), and
//! the pace of the connection.

use core::time::Duration;

use super::{Connection, Marks};
use crate::{congestion::Congestion, context::Context, wire};

/// The longest payload of one packet: the length of IP has 16 bits, and headers are in it.
pub const LONGEST: u32 = 65_535 - 120;
/// Packets within this time belong together.
const CLUMP: Duration = Duration::from_millis(1);

impl<C: Congestion> Connection<C> {
    /// The length of the next packet and whether FIN goes along; `None`: nothing goes now. A packet is of one piece,
    /// and only the last piece may still grow.
    pub fn next_segment(&self, quota: u32, least: u32) -> Option<(u32, bool)> {
        let (unsent, room, size) = (self.unsent(), self.window_room(), u32::from(self.send.size));
        let border = self.send.pieces.first().map(|border| border.at - self.send.next);
        let (piece, is_last) = (border.unwrap_or(unsent), border.is_none_or(|border| border == unsent));
        let burst = self.longest_packet(piece.min(room), least);
        let most = piece.min(room).min(quota.saturating_mul(size)).min(burst);
        let length = if most == piece {
            let rest = piece % size;
            match rest {
                0 => piece,
                _ if border.is_some() || self.may_send_small() => piece,
                _ if piece > rest => piece - rest,
                _ => return None,
            }
        } else if most >= size {
            most - most % size
        } else if most > 0 && (most >= self.send.largest_window / 2 || self.is(Marks::PUSH)) {
            // RFC 9293, 3.8.6.2.1 (3): half of the largest window is worth a segment.
            most
        } else {
            return None;
        };
        let fin = self.owes_fin() && is_last && length == unsent && room > length;
        (length > 0 || fin).then_some((length, fin))
    }

    /// Whether a packet that is a part of its piece waits for the rest: a small part of the window, right behind
    /// another packet, and with an acknowledgment to come soon. So windows do not fall apart into small packets.
    pub fn waits_for_more(&self, cx: &Context<'_>, length: u32) -> bool {
        let size = u32::from(self.send.size);
        let border = self.send.pieces.first().map(|border| border.at - self.send.next);
        // What there is counts, and not what there is room for: a window's last segment alone is the smallest part.
        let several = border.unwrap_or_else(|| self.unsent()) > size;
        let Some(oldest) = self.send.records.get(0).filter(|_| several) else { return false };
        let window = self.send.congestion.segments;
        let free = window.saturating_sub(self.in_flight()).saturating_mul(size).min(self.window_room());
        let (unsent, limits) = (self.unsent(), &cx.shared.limits);
        let all = border.is_some_and(|border| border <= free) || length >= unsent || self.owes_fin();
        if all || free >= self.longest_packet(unsent, limits.least_burst) || self.send.recovery.is_on() {
            return false;
        }
        let part = self.send.window.min(window.saturating_mul(size)) / limits.burst_divisor.max(1);
        let soon = cx.now.since(oldest.sent).as_micros() as u64 * 2 >= u64::from(self.send.round_trip.smoothed());
        free < part && soon && cx.now.since(self.send.last_sent) <= CLUMP
    }

    /// The longest packet now, in bytes: what the device or the network cuts, and about what goes in a millisecond at
    /// the pace of the connection, so that it does not come in clumps. Over short paths it matters less.
    fn longest_packet(&self, wanted: u32, least: u32) -> u32 {
        let size = u32::from(self.send.size);
        // One urgent pointer would stand in each segment that a device cuts.
        if wanted <= size || self.is(Marks::URGENT) {
            return size;
        }
        let headers = wire::header_length(self.is(Marks::TIMESTAMPS));
        let burst = (self.path.burst as usize).saturating_sub(headers).min(LONGEST as usize) as u32;
        let burst = (burst / size * size).max(size);
        if wanted <= least.saturating_mul(size) {
            return burst;
        }
        burst.min(self.pace(size).max(least).saturating_mul(size))
    }

    /// Segments that go in 1/1024 s at twice the rate that the window allows, or at 1.2 times near its limit; and more
    /// where the shortest round trip is below 8 ms. As Linux does (`tcp_min_tso_segs`).
    fn pace(&self, size: u32) -> u32 {
        let round_trip = self.send.round_trip.smoothed();
        if round_trip == 0 {
            return u32::MAX;
        }
        let window = self.send.congestion.segments.max(self.send.records.sent);
        let faster = self.pacing_ratio();
        let segments = (u64::from(window) * faster * 10_000 / u64::from(round_trip)) >> 10;
        let shortest = self.send.round_trip.shortest().unwrap_or(0);
        let more = LONGEST.checked_shr(shortest >> 9).unwrap_or(0) / size;
        u32::try_from(segments).unwrap_or(u32::MAX).saturating_add(more)
    }

    /// Nagle's rule as Minshall has it: a small segment waits only for a small one that is under way.
    fn may_send_small(&self) -> bool {
        if self.owes_fin() || self.is(Marks::PUSH | Marks::URGENT) {
            return true;
        }
        if self.settings.cork || self.is(Marks::MORE) {
            return false;
        }
        let waits = self.send.small_until.is_behind(self.send.una);
        self.settings.no_delay || self.send.records.is_empty() || !waits
    }
}
