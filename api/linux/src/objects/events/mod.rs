//! What only descriptors lead to: eventfd(2), timerfd_create(2), signalfd(2), pidfd_open(2), epoll(7). And what they
//! lead to by themselves: signals for a file that becomes ready.

/// What is the same for all of them as nodes: a stream without a name, of which stat(2) tells little, and what lseek(2)
/// answers.
macro_rules! nameless_stream {
    ($seeking:ident) => {
        fn kind(&self) -> vfs::Kind {
            vfs::Kind::Event
        }

        fn metadata(&self) -> vfs::Metadata {
            super::METADATA
        }

        fn seeking(&self) -> vfs::Seeking {
            vfs::Seeking::$seeking
        }
    };
}

pub mod epoll;
pub mod eventfd;
pub mod ownership;
pub mod pidfd;
pub mod signalfd;
pub mod timerfd;

pub use epoll::{Epoll, Events};
pub use eventfd::EventFd;
pub use pidfd::PidFd;
pub use signalfd::SignalFd;
pub use timerfd::TimerFd;

use alloc::{borrow::Cow, sync::Arc};

use linux_abi::{Errno, constants::OpenFlags};
use vfs::{FileError, Kind, Metadata, Node, Sink};

use crate::objects::{
    descriptors::{description::Description, origin::Origin},
    files::install,
};

/// Gives `node` a descriptor. `flags` are O_CLOEXEC and O_NONBLOCK, which have other names at other calls but the same
/// values; EINVAL for others.
#[inline(never)]
pub fn open(node: Arc<dyn Node>, name: &'static [u8], flags: OpenFlags) -> crate::Result {
    if !(OpenFlags::O_CLOEXEC | OpenFlags::O_NONBLOCK).contains(flags) {
        return Err(Errno::EINVAL);
    }
    open_as(node, name, OpenFlags::O_RDWR, flags)
}

/// As [`open`], with an access mode, for one who has looked at the flags.
pub fn open_as(node: Arc<dyn Node>, name: &'static [u8], access: OpenFlags, flags: OpenFlags) -> crate::Result {
    let description = Description::new(
        Arc::clone(&node),
        node,
        access | flags & OpenFlags::O_NONBLOCK,
        Origin::Named(Cow::Borrowed(name)),
    );
    install(description, flags.contains(OpenFlags::O_CLOEXEC))
}

/// What stat(2) tells of any of them.
pub const METADATA: Metadata = Metadata::new(Kind::Event, 0o600);

/// Gives the number that a read of one of them answers.
pub fn give(number: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
    Ok(sink.put_word(number))
}
