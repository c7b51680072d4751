//! Ways that were found of late: what a packet needs to know is asked once, and not for each packet.
//!
//! An answer counts as long as nothing has changed that it follows from, and for a second at most: what depends on the
//! time alone (a neighbour gets stale, an address deprecated) is looked at again then. Another question for the same
//! place takes it. So there is nothing to be forgotten, and whoever makes questions collide only has them asked again.

use alloc::vec::Vec;
use core::{net::IpAddr, time::Duration};

use packets::Instant;

use crate::{delivery::Way, template::Template};

/// Places, a power of two.
const PLACES: usize = 64;
/// How long an answer counts at most.
const LIFE: Duration = Duration::from_secs(1);

/// Whom a way is asked for: the destination, the source if it is said, and the interface or 0.
pub type Question = (IpAddr, Option<IpAddr>, u32);

/// A way, and what is put before what goes there.
pub type Made = (Way, Option<Template>);

#[derive(Clone, Debug)]
struct Known {
    question: Question,
    way: Way,
    /// Of everything that it follows from.
    version: u64,
    until: Instant,
    /// What is put before what goes this way, where that is always the same.
    template: Option<Template>,
    /// What is asked for if it is as most are: between these addresses of IPv4, by way of a link that has headers.
    usual: Option<(u32, u32)>,
    /// An answer has confirmed the neighbour since.
    confirmed: bool,
}

/// The ways. There are no places before the first one.
#[derive(Debug, Default)]
pub struct Ways {
    places: Vec<Option<Known>>,
    /// Changes that their owners have told.
    changes: u64,
}

fn index(to: IpAddr) -> usize {
    let bits = match to {
        IpAddr::V4(to) => to.to_bits().into(),
        IpAddr::V6(to) => (to.to_bits() ^ to.to_bits() >> 64) as u64,
    };
    place(bits)
}

const fn place(bits: u64) -> usize {
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.ilog2())) as usize
}

/// What is asked for, if that is as most are.
fn usual(question: &Question, template: Option<&Template>) -> Option<(u32, u32)> {
    match *question {
        (IpAddr::V4(to), Some(IpAddr::V4(from)), 0) if template?.has_link() => Some((from.to_bits(), to.to_bits())),
        _ => None,
    }
}

impl Ways {
    /// Something has changed that ways follow from, and that has no count of its own.
    pub const fn changed(&mut self) {
        self.changes += 1;
    }

    /// How often that was so.
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// The way, if it is known. `version` counts all changes to what it follows from.
    #[inline]
    pub fn find(&self, now: Instant, version: u64, question: &Question) -> Option<(&Way, Option<&Template>)> {
        let known = self.places.get(index(question.0))?.as_ref()?;
        let fits = known.version == version && now < known.until && known.question == *question;
        fits.then_some((&known.way, known.template.as_ref()))
    }

    /// The way between two addresses of IPv4 if it is as most are: its interface, the longest packet, and what is put
    /// before it.
    #[inline(always)]
    pub fn find_usual(&self, now: Instant, version: u64, ends: (u32, u32)) -> Option<(u32, usize, &Template)> {
        let known = self.places.get(place(ends.1.into()))?.as_ref()?;
        let fits = known.usual == Some(ends) && known.version == version && now < known.until;
        let template = known.template.as_ref().filter(|_| fits)?;
        Some((known.way.interface, known.way.mtu, template))
    }

    /// The interface that the way to an address leads over, as far as can be told at once: it may be another address'.
    #[inline]
    pub fn hint(&self, to: IpAddr) -> Option<u32> {
        self.places.get(index(to))?.as_ref().map(|known| known.way.interface)
    }

    /// Whether an answer from an address is worth noting at its neighbour's: once for each time that its way is asked
    /// for.
    pub fn confirm(&mut self, now: Instant, version: u64, to: IpAddr) -> bool {
        let known = self.places.get_mut(index(to)).and_then(Option::as_mut);
        let fits = |known: &&mut Known| known.version == version && now < known.until && known.question.0 == to;
        known.filter(fits).is_none_or(|known| !core::mem::replace(&mut known.confirmed, true))
    }

    /// Keeps a way, until `until` at most.
    pub fn keep(
        &mut self,
        now: Instant,
        version: u64,
        question: Question,
        (way, template): Made,
        until: Option<Instant>,
    ) {
        if self.places.is_empty() {
            self.places.resize(PLACES, None);
        }
        let until = until.map_or(now + LIFE, |until| until.min(now + LIFE));
        let usual = usual(&question, template.as_ref());
        self.places[index(question.0)] =
            Some(Known { question, way, version, until, template, usual, confirmed: false });
    }
}
