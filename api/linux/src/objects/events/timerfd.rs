//! How often a timer rang: timerfd_create(2).

use alloc::{boxed::Box, sync::Arc};

use linux_abi::UserAddress;
use sync::{Mutex, WaitQueue};
use vfs::{FileError, Node, Readiness, Sink};

use super::give;
use crate::objects::timers::{
    clock::Clock,
    ticker::{self, Heard, Ring, Ticker},
};

/// A timer as a node.
pub struct TimerFd {
    ticker: Arc<Ticker>,
    rung: Arc<Rung>,
}

/// What it counts.
#[derive(Default)]
struct Rung {
    count: Mutex<u64>,
    queue: WaitQueue,
}

struct Bell(Arc<Rung>);

impl Ring for Bell {
    fn ring(&self, count: u64) -> Heard {
        *self.0.count.lock() += count;
        self.0.queue.wake_all();
        // It stands still until somebody reads; what it missed is added then.
        Heard::Enough
    }
}

impl TimerFd {
    /// One that is off.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let rung = Arc::new(Rung::default());
        Self { ticker: Ticker::new(clock, Box::new(Bell(Arc::clone(&rung)))), rung }
    }

    /// The timer.
    pub const fn ticker(&self) -> &Arc<Ticker> {
        &self.ticker
    }

    /// Sets it: see [`Ticker::set_as`]. What it counted until then is forgotten.
    pub fn set(&self, address: UserAddress, is_absolute: bool, old: UserAddress) -> crate::Result {
        let wanted = ticker::wanted(address)?;
        *self.rung.count.lock() = 0;
        self.ticker.set_as(wanted, is_absolute, old)
    }
}

impl Drop for TimerFd {
    fn drop(&mut self) {
        self.ticker.set(0, true, 0);
    }
}

impl Node for TimerFd {
    nameless_stream!(Still);

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if sink.room() < size_of::<u64>() {
            return Err(FileError::Invalid);
        }
        let count = core::mem::take(&mut *self.rung.count.lock());
        if count == 0 {
            return Err(FileError::WouldBlock);
        }
        give(count + self.ticker.go_on(0), sink)
    }

    fn readiness(&self) -> Readiness {
        Readiness::READABLE.when(*self.rung.count.lock() > 0)
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.rung.queue)
    }
}
