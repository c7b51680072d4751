//! No network interfaces.

use nic::{Attributes, Burst, Error, Nics};

/// None: a network over them stays in the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoNics;

impl Nics for NoNics {
    fn count(&self) -> usize {
        0
    }

    fn attributes(&self, _nic: usize) -> Option<Attributes> {
        None
    }

    fn receive(&self, _nic: usize, _queue: usize, _packets: &mut Burst, _most: usize) -> Result<usize, Error> {
        Err(Error::Nowhere)
    }

    fn send(&self, _nic: usize, _queue: usize, _packets: &mut Burst) -> Result<usize, Error> {
        Err(Error::Nowhere)
    }
}
