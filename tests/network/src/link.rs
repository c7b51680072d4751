//! One direction of a link, with the faults of real ones: loss, delay, reordering, duplication, corruption, a rate with
//! a queue, and a largest packet that changes.
//!
//! Corruption changes one byte behind the Ethernet header: any such change is seen by the Internet checksum (RFC 1071),
//! while Ethernet's own, which is not simulated, guards what is before. So what is delivered must still be right.

use std::time::Duration;

use packets::{Instant, ethernet};

use crate::random::Random;

/// What a direction does to frames. Shares are parts of a million.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Frames that are lost.
    pub loss: u32,
    /// Losses that begin a time in which all are lost, of so many.
    pub bursts: u32,
    /// The time from end to end.
    pub delay: Duration,
    /// What comes on top of it, for each frame another, so that they overtake each other.
    pub jitter: Duration,
    /// Frames that come twice.
    pub duplication: u32,
    /// Frames that change on the way.
    pub corruption: u32,
    /// Bits in a second; 0 if it takes no time.
    pub rate: u64,
    /// Bytes that wait while others are sent; what comes on top is lost.
    pub queue: u64,
    /// Bytes of an IP packet. Longer ones are lost, and a router says so.
    pub mtu: usize,
}

/// One direction.
#[derive(Debug)]
pub struct Link {
    /// What it does.
    pub faults: Faults,
    random: Random,
    /// When the last frame's last bit is sent.
    busy_until: Instant,
    /// Nothing passes before.
    dark_until: Instant,
}

/// What becomes of a frame.
#[derive(Debug, PartialEq, Eq)]
pub enum Fate {
    /// It comes, perhaps twice, perhaps changed.
    Delivered(Vec<(Instant, Vec<u8>)>),
    /// It is lost.
    Lost,
    /// It is too long; the router tells the largest length.
    TooLong(usize),
}

impl Link {
    /// An idle one.
    #[must_use]
    pub fn new(faults: Faults, seed: u64) -> Self {
        let start = Instant::default();
        Self { faults, random: Random::new(seed), busy_until: start, dark_until: start }
    }

    /// Takes a frame.
    pub fn offer(&mut self, now: Instant, frame: Vec<u8>) -> Fate {
        if frame.len() > self.faults.mtu + ethernet::HEADER {
            return Fate::TooLong(self.faults.mtu);
        }
        let Some(sent) = self.send(now, frame.len()) else { return Fate::Lost };
        if now < self.dark_until || self.random.happens(self.faults.loss) {
            self.maybe_darken(now);
            return Fate::Lost;
        }
        let copies = 1 + usize::from(self.random.happens(self.faults.duplication));
        Fate::Delivered((0..copies).map(|_| (self.arrival(sent), self.changed(&frame))).collect())
    }

    /// When the last bit of a frame is sent, if it has room in the queue.
    fn send(&mut self, now: Instant, length: usize) -> Option<Instant> {
        if self.faults.rate == 0 {
            return Some(now);
        }
        let waiting = self.busy_until.since(now).as_nanos() as u64 / 8 * self.faults.rate / 1_000_000_000;
        if waiting > self.faults.queue {
            return None;
        }
        let time = Duration::from_nanos(length as u64 * 8 * 1_000_000_000 / self.faults.rate);
        self.busy_until = self.busy_until.max(now) + time;
        Some(self.busy_until)
    }

    /// Losses come in bursts too: up to a tenth of a second, or to two seconds now and then.
    fn maybe_darken(&mut self, now: Instant) {
        if self.random.happens(self.faults.bursts) {
            let most = self.random.one_of(&[100, 100, 100, 2_000]);
            self.dark_until = now + Duration::from_millis(self.random.below(most));
        }
    }

    fn arrival(&mut self, sent: Instant) -> Instant {
        sent + self.faults.delay + self.random.span(Duration::ZERO, self.faults.jitter)
    }

    fn changed(&mut self, frame: &[u8]) -> Vec<u8> {
        let mut frame = frame.to_vec();
        let covered = frame.len().saturating_sub(ethernet::HEADER) as u64;
        if covered > 0 && is_summed(&frame) && self.random.happens(self.faults.corruption) {
            let at = ethernet::HEADER + self.random.below(covered) as usize;
            frame[at] ^= self.random.between(1, 255) as u8;
        }
        frame
    }
}

/// Whether it carries IP. ARP has no checksum of its own, so nothing but Ethernet's could tell that it was changed.
fn is_summed(frame: &[u8]) -> bool {
    matches!(frame.get(12..14), Some([8, 0] | [0x86, 0xdd]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(length: usize) -> Vec<u8> {
        let mut frame = vec![0; length];
        frame[12] = 8;
        frame
    }

    fn count(faults: Faults) -> (usize, usize) {
        let mut link = Link::new(Faults { mtu: 1_500, ..faults }, 1);
        let fates: Vec<_> = (0..1_000).map(|_| link.offer(Instant::default(), frame(100))).collect();
        let arrived = fates.iter().map(|fate| if let Fate::Delivered(copies) = fate { copies.len() } else { 0 });
        let wrong = fates.iter().filter(|fate| matches!(fate, Fate::Delivered(c) if c[0].1 != frame(100)));
        (arrived.sum(), wrong.count())
    }

    #[test]
    fn faults_come_as_often_as_told() {
        assert_eq!(count(Faults::default()), (1_000, 0));
        assert!((850..950).contains(&count(Faults { loss: 100_000, ..Default::default() }).0));
        assert!((1_050..1_150).contains(&count(Faults { duplication: 100_000, ..Default::default() }).0));
        assert!((50..150).contains(&count(Faults { corruption: 100_000, ..Default::default() }).1));
    }

    #[test]
    fn a_rate_spreads_frames_and_fills_its_queue() {
        let faults = Faults { rate: 800_000, queue: 1_000, mtu: 1_500, ..Default::default() };
        let mut link = Link::new(faults, 1);
        let moments: Vec<_> = (0..20)
            .filter_map(|_| match link.offer(Instant::default(), frame(100)) {
                Fate::Delivered(copies) => Some(copies[0].0.as_millis()),
                _ => None,
            })
            .collect();
        assert_eq!(moments, (1..=11).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_too_long_is_told() {
        let mut link = Link::new(Faults { mtu: 1_280, ..Default::default() }, 1);
        assert_eq!(link.offer(Instant::default(), frame(1_295)), Fate::TooLong(1_280));
        assert!(matches!(link.offer(Instant::default(), frame(1_294)), Fate::Delivered(_)));
    }
}
