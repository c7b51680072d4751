//! An open queue, as descriptors have it.

use alloc::sync::{Arc, Weak};

use ipc::post;
use linux_abi::{
    constants::{SI_MESGQ, SIGEV_SIGNAL},
    structures::{SignalEvent, SignalInformation},
};
use sync::WaitQueue;
use vfs::{Change, FileError, Kind, Metadata, Node, Readiness, Seeking, Sink};

use super::Named;
use crate::{Process, objects::signals};

/// Who is to be told of a message.
pub struct Notice {
    /// His process.
    pub process: Weak<Process>,
    /// Its id.
    pub id: u32,
    /// How.
    pub event: SignalEvent,
}

impl Notice {
    /// Tells him of a message that the running process has sent.
    pub fn tell(&self) {
        let Some(process) = self.process.upgrade().filter(|_| self.event.sigev_notify == SIGEV_SIGNAL) else { return };
        let sender = (crate::process().id, crate::objects::process::identity().user.real);
        // Signal 0 is none.
        if self.event.sigev_signo > 0 {
            let (signal, value) = (self.event.sigev_signo as u8, self.event.sigev_value);
            let information = SignalInformation::sent(signal, SI_MESGQ, sender.0, sender.1, value);
            // One that finds no room is lost, as on Linux.
            let _ = signals::send_to_process(&process, information);
        }
    }
}

/// A queue that was opened.
pub struct Opened {
    /// The queue.
    pub queue: Arc<Named>,
    process: u32,
}

impl Opened {
    /// Opened by the running process.
    #[must_use]
    pub fn new(queue: Arc<Named>) -> Arc<Self> {
        Arc::new(Self { queue, process: crate::process().id })
    }
}

impl Drop for Opened {
    /// Who closes a queue does not want to hear of it any more.
    fn drop(&mut self) {
        let gone = self.queue.post.lock().notice.take_if(|notice| notice.id == self.process);
        drop(gone);
    }
}

impl Node for Opened {
    fn kind(&self) -> Kind {
        Kind::Event
    }

    fn metadata(&self) -> Metadata {
        *self.queue.metadata.lock()
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.queue.change(change);
        Ok(())
    }

    fn seeking(&self) -> Seeking {
        Seeking::Bytes
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let text = {
            let post = self.queue.post.lock();
            let notice = post.notice.as_ref();
            post::text(
                post.bytes(),
                notice.map(|notice| (notice.event.sigev_notify, notice.event.sigev_signo as u32, notice.id)),
            )
        };
        let rest = usize::try_from(offset).ok().and_then(|offset| text.get(offset..)).unwrap_or_default();
        Ok(sink.put(&rest[..rest.len().min(sink.room())]))
    }

    fn readiness(&self) -> Readiness {
        let post = self.queue.post.lock();
        Readiness::READABLE.when(post.count() > 0) | Readiness::WRITABLE.when(post.has_room())
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.queue.polled)
    }
}
