//! What a path carries, found without anybody's word: RFC 4821. A path that drops long packets in silence is suspected
//! after timeouts, and longer segments are tried now and then.

use alloc::boxed::Box;
use core::time::Duration;

use packets::{
    Instant,
    tcp::{Flags, SequenceNumber},
};

use super::{Connection, Marks};
use crate::{
    PathProbing, congestion::Congestion, context::Context, info::Phase, recovery::DUPLICATES, send::Fate, wire,
};

/// Timeouts of one segment after which its length is suspected: R1 of RFC 9293, 3.8.3.
const SUSPICIOUS: u8 = 3;
/// A search is over when so few bytes are left: `tcp_probe_threshold`.
const THRESHOLD: u16 = 8;
/// Then it begins anew after so long, for paths change: RFC 4821, 7.2.
const AGAIN: Duration = Duration::from_secs(600);
/// Segments of a window that can spare one which may be lost for its length.
const LEAST_WINDOW: u32 = 8;
/// Nobody goes below: 512 bytes of data, and what each link of IPv6 carries (RFC 8200, 5).
const FLOOR: (u16, u16) = (532, 1240);

/// What is known of the path. Sizes are payloads of IP in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// It carries so much.
    low: u16,
    /// And no more than that.
    high: u16,
    /// The segment under way that is longer than all others: where it begins and ends, and the payload of IP.
    probe: Option<(SequenceNumber, SequenceNumber, u16)>,
    /// When to search anew.
    again: Instant,
    /// Nothing has been acknowledged since segments became shorter: the path may be dead.
    unproved: bool,
}

impl<C: Congestion> Connection<C> {
    /// Begins a search from a length that any path carries.
    pub fn search_path(&mut self, cx: &Context<'_>) {
        let low = cx.shared.limits.base_segment.saturating_add(wire::header_length(false) as u16);
        self.begin_search(cx, low, false);
    }

    fn begin_search(&mut self, cx: &Context<'_>, low: u16, unproved: bool) {
        let again = cx.now + AGAIN;
        self.rare().search = Some(Box::new(Search { low, high: u16::MAX, probe: None, again, unproved }));
        self.marks.insert(Marks::SEARCHING);
    }

    fn search(&mut self) -> Option<&mut Search> {
        self.rare.as_deref_mut().and_then(|rare| rare.search.as_deref_mut())
    }

    /// Sends a segment that is longer than what the path is known to carry, if there is enough behind it.
    pub fn probe_path(&mut self, cx: &mut Context<'_>) {
        let Some(payload) = self.worth_a_probe(cx) else { return };
        let start = self.send.next;
        let size = payload - wire::header_length(self.is(Marks::TIMESTAMPS)) as u16;
        let usual = core::mem::replace(&mut self.send.size, size);
        self.marks.insert(Marks::PATH_PROBE);
        self.send_one(cx, size.into(), Flags::empty());
        self.marks.remove(Marks::PATH_PROBE);
        self.send.size = usual;
        let end = self.send.next;
        if let Some(search) = self.search() {
            search.probe = Some((start, end, payload));
        }
    }

    /// The length of a probe. `None`: not now.
    fn worth_a_probe(&mut self, cx: &mut Context<'_>) -> Option<u16> {
        let calm = self.send.recovery.phase == Phase::Open && self.send.records.sacked == 0;
        let window = self.send.congestion.segments;
        if !calm || self.is(Marks::URGENT) || window < LEAST_WINDOW || window <= self.in_flight() + DUPLICATES {
            return None;
        }
        let payload = self.next_length(cx)?;
        let size = u32::from(payload) - wire::header_length(self.is(Marks::TIMESTAMPS)) as u32;
        // Enough behind it that its loss is told by duplicates: RFC 4821, 7.4.
        let needed = size + (DUPLICATES + 1) * u32::from(self.send.size);
        (self.unsent().min(self.window_room()) >= needed).then_some(payload)
    }

    /// Half way between what the path carries and what it does not, as far as is known.
    fn next_length(&mut self, cx: &mut Context<'_>) -> Option<u16> {
        let (now, most, known) = (cx.now, self.send.most, self.path.payload);
        let search = self.search().filter(|search| search.probe.is_none())?;
        if now >= search.again {
            (search.high, search.again) = (u16::MAX, now + AGAIN);
        }
        let (low, high) = (search.low, search.high);
        if high < known.saturating_add(THRESHOLD) {
            return None;
        }
        let (to, from) = (self.tuple.remote(), self.tuple.local());
        let link = cx.network.route(to, Some(from), self.settings.interface).ok()?.link;
        let high = high.min(link).min(most.saturating_add(wire::header_length(false) as u16));
        let middle = |low: u16| low + high.saturating_sub(low) / 2;
        let payload = if middle(low) > known { middle(low) } else { middle(known) };
        (high >= known.saturating_add(THRESHOLD) && payload > known).then_some(payload)
    }

    /// The stream has moved on: a probe may have arrived.
    pub fn note_path(&mut self, cx: &mut Context<'_>) {
        let (una, known) = (self.send.una, self.path.payload);
        let Some(search) = self.search() else { return };
        let proved = core::mem::take(&mut search.unproved);
        let probe = search.probe.filter(|probe| probe.1.is_at_most(una));
        if let Some((_, _, payload)) = probe {
            (search.low, search.probe) = (payload, None);
            self.path.payload = known.max(payload);
            self.marks.insert(Marks::PATH_SHRUNK);
            self.set_size();
        }
        if proved || probe.is_some() {
            cx.network.proved(cx.now, self.tuple.remote(), self.path.payload);
        }
    }

    /// Whether what was lost is a probe: then its length was the reason, and no congestion (RFC 4821, 7.6.2).
    pub fn lost_a_probe(&mut self) -> bool {
        let una = self.send.una;
        let first_lost = self.send.records.get(0).is_some_and(|first| first.fate.contains(Fate::LOST));
        let Some(search) = self.search() else { return false };
        let Some((_, _, payload)) = search.probe.filter(|probe| first_lost && probe.0 == una) else { return false };
        (search.high, search.probe) = (payload - 1, None);
        self.send.records.resize(self.send.size);
        true
    }

    /// A timeout: a probe says nothing any more, and a segment that never arrives may be too long for its path.
    pub fn suspect_path(&mut self, cx: &Context<'_>) {
        if let Some(search) = self.search() {
            search.probe = None;
        }
        self.send.records.resize(self.send.size);
        let limits = &cx.shared.limits;
        let floor = if self.tuple.is_v4() { FLOOR.0 } else { FLOOR.1 };
        let long = self.send.records.get(0).is_some_and(|first| first.end - first.start > u32::from(floor));
        if limits.path_probing == PathProbing::Never || self.send.tries < SUSPICIOUS || !long {
            return;
        }
        let base = limits.base_segment.saturating_add(wire::header_length(false) as u16);
        let known = self.path.payload;
        let payload = if known > base { base } else { known / 2 }.max(floor);
        if payload < known {
            self.path.payload = payload;
            self.marks.insert(Marks::PATH_SHRUNK);
            self.set_size();
            self.send.records.resize(self.send.size);
            self.begin_search(cx, payload, true);
        }
    }
}
