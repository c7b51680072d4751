//! One open file that an epoll watches.

use alloc::sync::{Arc, Weak};

use epoll_sets::Told;
use linux_abi::structures::EpollEvent;
use vfs::Node;

use crate::objects::{descriptors::Description, files::poll, sockets};

/// It, in a set.
pub type Item = epoll_sets::Item<Watched>;

/// What is watched.
pub struct Watched {
    pub(super) node: Arc<dyn Node>,
    /// The open file, which the set does not keep open.
    pub(super) file: Weak<Description>,
    /// The socket of a network that the node is, which is looked at by a shorter way.
    socket: Option<contracts::sockets_element::Socket>,
}

impl Watched {
    pub(super) fn new(file: &Arc<Description>) -> Self {
        Self { node: Arc::clone(file.node.counted()), file: Arc::downgrade(file), socket: sockets::opened(file) }
    }
}

impl epoll_sets::Watched for Watched {
    #[inline]
    fn events(&self) -> u32 {
        match self.socket {
            Some(socket) => sockets::events(socket).into(),
            None => poll::events(&*self.node).into(),
        }
    }
}

/// What the program wants to be told of an event.
pub fn data(event: EpollEvent) -> u64 {
    u64::from(event.data[0]) | u64::from(event.data[1]) << u32::BITS
}

/// An event as a program reads it.
pub const fn event(told: Told) -> EpollEvent {
    EpollEvent { events: told.events, data: [told.data as u32, (told.data >> u32::BITS) as u32] }
}
