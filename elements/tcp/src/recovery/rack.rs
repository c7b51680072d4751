//! RACK: RFC 8985. What was sent well before something that has arrived is lost.

use core::time::Duration;

use packets::{Instant, tcp::SequenceNumber};

use crate::send::{Fate, Record, Records};

/// RFC 8985, 6.2 step 4: for how many recoveries a reordering window that was grown lasts.
const PERSISTS: u8 = 16;
/// The largest multiple of a quarter of the round trip. The window ends at SRTT anyway.
const MOST_QUARTERS: u8 = 16;
/// RFC 5681's duplicates, after which order is no excuse until reordering has been seen.
pub const DUPLICATES: u32 = 3;

/// No path overtakes more segments than that, as far as is told: Linux' `tcp_max_reordering`.
const MOST_DEGREE: u32 = 300;

/// What has arrived last, of what was sent last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rack {
    sent: Instant,
    end: SequenceNumber,
    /// Its round trip in microseconds; 0: nothing has arrived yet.
    pub round_trip: u32,
    /// The highest number that has arrived.
    highest: SequenceNumber,
    /// How often something has arrived behind a later one, sent once only.
    pub reorderings: u16,
    /// And how many segments behind it, at the most: RFC 5681's duplicates at first.
    pub degree: u16,
    quarters: u8,
    persists: u8,
    /// One duplicate per round trip grows the window.
    grown_until: SequenceNumber,
}

/// What a look at the records has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Segments that are lost, and were not known to be.
    pub lost: u32,
    /// When to look again, from now, if something is late but not yet lost.
    pub wait: Option<Duration>,
}

impl Rack {
    /// A connection's first number is `start`.
    pub fn new(start: SequenceNumber) -> Self {
        Self {
            highest: start,
            end: start,
            grown_until: start,
            quarters: 1,
            degree: DUPLICATES as u16,
            ..Self::default()
        }
    }

    /// All before `to` has arrived, and not as segments.
    pub fn pass(&mut self, to: SequenceNumber) {
        (self.highest, self.end, self.grown_until) = (to, to, to);
    }

    /// An acknowledgment has shown that something from `lowest` on was overtaken, in segments of so many bytes.
    pub fn overtaken(&mut self, lowest: SequenceNumber, size: u16) {
        let degree = (self.highest - lowest).div_ceil(size.into()).min(MOST_DEGREE);
        self.degree = self.degree.max(degree as u16);
        self.reorderings = self.reorderings.saturating_add(1);
    }

    /// A recovery was needless: order on this path is no proof.
    pub fn undone(&mut self) {
        self.reorderings = self.reorderings.max(1);
    }

    /// A record has arrived: RFC 8985, 6.2, steps 1 to 3. `echo_is_old`: the timestamp that came with the news is of an
    /// earlier transmission. Says whether later ones have overtaken it, though it was sent once.
    #[inline]
    pub fn delivered(&mut self, record: &Record, now: Instant, shortest: Option<u32>, echo_is_old: bool) -> bool {
        let mut overtaken = false;
        let repeated = record.fate.contains(Fate::REPEATED);
        if record.end.is_behind(self.highest) {
            self.highest = record.end;
        } else if !repeated && record.end.is_before(self.highest) {
            overtaken = true;
        }
        let round_trip = (now.micros_since(record.sent) as u32).max(1);
        if repeated && (echo_is_old || round_trip < shortest.unwrap_or(0)) {
            return overtaken; // It is the first transmission's.
        }
        let later = (record.sent, 0) > (self.sent, 0) || record.sent == self.sent && record.end.is_behind(self.end);
        if self.round_trip == 0 || later {
            (self.sent, self.end) = (record.sent, record.end);
        }
        // Of what was delivered last, whenever it was sent: so that what left with it is not late.
        self.round_trip = round_trip;
        overtaken
    }

    /// How much later than others something may arrive, in microseconds: step 4.
    fn window(&self, shortest: u32, smoothed: u32, sacked: u32, recovering: bool) -> u32 {
        if self.reorderings == 0 && (recovering || sacked >= DUPLICATES) {
            return 0;
        }
        (shortest / 4).saturating_mul(self.quarters.into()).min(smoothed)
    }

    /// SACK told of a duplicate: what was sent again had not been lost. Step 4.
    pub fn duplicated(&mut self, acknowledged: SequenceNumber, next: SequenceNumber) {
        if self.grown_until.is_at_most(acknowledged) {
            self.grown_until = next;
            self.quarters = (self.quarters + 1).min(MOST_QUARTERS);
            self.persists = PERSISTS;
        }
    }

    /// A recovery has ended.
    pub fn recovered(&mut self) {
        self.persists = self.persists.saturating_sub(1);
        if self.persists == 0 {
            self.quarters = 1;
        }
    }

    /// Marks what is lost: step 5. Records that were sent once are in the order of their times, so the first of them
    /// that is too late ends the search.
    pub fn detect(&self, records: &mut Records, now: Instant, shortest: u32, smoothed: u32, recovering: bool) -> Found {
        let mut found = Found::default();
        if self.round_trip == 0 {
            return found;
        }
        let window = self.window(shortest, smoothed, records.sacked, recovering);
        let patience = Duration::from_micros(u64::from(self.round_trip) + u64::from(window));
        for index in 0..records.len() {
            let Some(&record) = records.get(index) else { break };
            let before = record.sent < self.sent || record.sent == self.sent && record.end.is_before(self.end);
            if !before && !record.fate.contains(Fate::REPEATED) {
                break;
            }
            let known = record.fate.contains(Fate::LOST) && !record.fate.contains(Fate::RETRANSMITTED);
            if !before || known || record.fate.contains(Fate::SACKED) {
                continue;
            }
            let due = record.sent + patience;
            if due <= now {
                records.change(index, |record| {
                    record.fate.remove(Fate::RETRANSMITTED);
                    record.fate.insert(Fate::LOST);
                });
                found.lost += u32::from(record.segments);
            } else {
                found.wait = found.wait.max(Some(due.since(now)));
            }
        }
        found
    }
}
