//! Stacks behind one trait: ours, and those of others.

mod framed;
mod ours;
mod smoltcp;

pub use self::ours::Ours;
pub use self::smoltcp::Smoltcp;
use crate::host::{Host, Place};

/// A kind of stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// Our TCP over bare IP.
    Bare,
    /// All of our stack.
    Ours,
    /// smoltcp.
    Smoltcp,
}

impl Peer {
    /// A stack of this kind at a place, which draws what it draws from a seed. Those that know no neighbours are among
    /// themselves.
    #[must_use]
    pub fn start(self, place: Place, seed: u64, neighbours: bool) -> Box<dyn Host> {
        match self {
            Self::Bare => Box::new(Ours::over(ours::bare(place, seed))),
            Self::Ours => Box::new(Ours::over(ours::whole(place, seed, neighbours))),
            Self::Smoltcp => Box::new(Smoltcp::new(place, seed, neighbours)),
        }
    }

    /// Whether it asks for, and tells, addresses of Ethernet.
    #[must_use]
    pub const fn knows_neighbours(self) -> bool {
        !matches!(self, Self::Bare)
    }
}
