//! What wrappers have in common: they see each packet that passes, and everything else goes on to the interface inside.

use packets::Instant;

/// Which way a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the link.
    Received,
    /// To the link.
    Sent,
}

/// A clock.
pub trait Time: Sync {
    /// The moment.
    fn now(&self) -> Instant;
}

impl<F: Fn() -> Instant + Sync> Time for F {
    fn now(&self) -> Instant {
        self()
    }
}

/// The methods of [`crate::Nics`] that a wrapper passes on to its field `inner` as they are. While it is switched on it
/// sees all packets that are received.
macro_rules! pass_on {
    () => {
        fn count(&self) -> usize {
            self.inner.count()
        }

        fn attributes(&self, nic: usize) -> Option<$crate::Attributes> {
            self.inner.attributes(nic)
        }

        fn receive_or_take(
            &self,
            nic: usize,
            queue: usize,
            packets: &mut $crate::Burst,
            most: usize,
            take: &mut $crate::Take<'_>,
        ) -> Result<usize, $crate::Error> {
            if self.is_on() {
                return self.receive(nic, queue, packets, most);
            }
            self.inner.receive_or_take(nic, queue, packets, most, take)
        }

        fn is_up(&self, nic: usize) -> bool {
            self.inner.is_up(nic)
        }

        fn set_filter(&self, nic: usize, filter: $crate::Filter) -> Result<(), $crate::Error> {
            self.inner.set_filter(nic, filter)
        }
    };
}
pub(crate) use pass_on;
