//! The timers of a process by their numbers: timer_create(2).

use alloc::{sync::Arc, vec::Vec};

use numbers::Numbers;

use super::ticker::Ticker;

/// Who is told of a timer, and what it missed.
pub trait Notice: Send + Sync {
    /// What its signals are known by: a signal may outlive its timer, whose number another one has then.
    fn mark(&self) -> u32;

    /// The signal has been taken and the timer goes on; what it missed until then.
    fn taken(&self, ticker: &Arc<Ticker>) -> u32;

    /// What the signal that was taken last missed.
    fn overrun(&self) -> u32;
}

/// A timer and what is told of it.
#[derive(Clone)]
pub struct Timer {
    /// When it rings.
    pub ticker: Arc<Ticker>,
    /// Who is told.
    pub notice: Arc<dyn Notice>,
}

impl Timer {
    /// Its signal has been taken; what it missed until then.
    pub fn taken(&self) -> u32 {
        self.notice.taken(&self.ticker)
    }

    /// What the signal that was taken last missed.
    pub fn overrun(&self) -> u32 {
        self.notice.overrun()
    }
}

/// The timers of a process.
#[derive(Default)]
pub struct Timers {
    by_id: Vec<Option<Timer>>,
    ids: Numbers,
}

impl Timers {
    /// The lowest number that is free.
    pub fn free(&self) -> usize {
        self.ids.lowest(0)
    }

    /// Puts a timer at a number that is free.
    pub fn put(&mut self, id: usize, timer: Timer) {
        self.ids.mark(id, true);
        match self.by_id.get_mut(id) {
            Some(place) => *place = Some(timer),
            None => self.by_id.push(Some(timer)),
        }
    }

    /// The timer with this number.
    pub fn find(&self, id: i32) -> Option<Timer> {
        self.by_id.get(usize::try_from(id).ok()?).cloned().flatten()
    }

    /// Takes a timer out.
    pub fn remove(&mut self, id: i32) -> Option<Timer> {
        let index = usize::try_from(id).ok()?;
        let timer = self.by_id.get_mut(index).and_then(Option::take)?;
        self.ids.mark(index, false);
        Some(timer)
    }

    /// All of them.
    pub fn into_all(self) -> impl Iterator<Item = Timer> {
        self.by_id.into_iter().flatten()
    }
}
