//! For tests: the memory that sockets take, with their places in tables.

use super::{Tcp, places::Socket};
use crate::congestion::Congestion;

impl<C: Congestion> Tcp<C> {
    /// Bytes of all tables, and of all boxes behind them.
    pub fn footprint(&self) -> usize {
        let boxed = |index| match self.places.all.sockets.get(index) {
            Some(Socket::Connection(connection)) => connection.footprint(),
            _ => 0,
        };
        let sockets = &self.places.all.sockets;
        let tables = sockets.footprint() + self.places.index.footprint() + self.deadlines.footprint();
        tables + (0..sockets.places()).map(boxed).sum::<usize>() + self.shared.events.capacity() * 8
    }
}
