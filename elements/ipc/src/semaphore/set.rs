//! One set: its values, what is to be undone, and who waits.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    vec,
    vec::Vec,
};
use core::task::Waker;

use super::HIGHEST;
use crate::{Error, Ticket};

/// It is undone when the process ends (SEM_UNDO), and not waited for (IPC_NOWAIT).
pub const UNDO: u16 = 0x1000;
const NO_WAIT: u16 = 0o4000;

/// `struct sembuf`: a change of one semaphore; 0 waits until that is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Which.
    pub number: u16,
    /// By how much.
    pub change: i16,
    /// [`UNDO`] and IPC_NOWAIT.
    pub flags: u16,
}

/// How a wait ended.
pub type Ended = Result<(), Error>;

/// What one who waits holds.
#[derive(Debug)]
pub struct Wait {
    /// Called when the operations are done, or never will be.
    pub ticket: Arc<Ticket<Ended>>,
    order: u64,
}

impl Wait {
    /// How it ended, if it has.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.ticket.take()
    }
}

/// Operations that wait.
#[derive(Debug)]
struct Pending {
    operations: Vec<Operation>,
    process: u32,
    /// The one that stops them.
    stop: Operation,
    ticket: Arc<Ticket<Ended>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Semaphore {
    value: i32,
    process: u32,
}

/// A set of semaphores.
#[derive(Debug)]
pub struct Set {
    semaphores: Vec<Semaphore>,
    /// What each process has to be undone.
    debts: BTreeMap<u32, Vec<i16>>,
    /// Those who wait, in the order they came.
    pending: BTreeMap<u64, Pending>,
    /// The same by the semaphore that stops them.
    lines: BTreeSet<(u64, u64)>,
    next: u64,
    /// When an operation succeeded last, and when it was made or changed, in seconds; 0 for never.
    pub operated_at: i64,
    /// See `operated_at`.
    pub changed_at: i64,
}

/// What came of trying.
enum Tried {
    Done,
    Stopped(Operation),
}

impl Set {
    /// `count` semaphores, all 0.
    pub(super) fn new(count: usize, now: i64) -> Result<Self, Error> {
        let mut semaphores = Vec::new();
        semaphores.try_reserve_exact(count).map_err(|_| Error::NoMemory)?;
        semaphores.resize(count, Semaphore::default());
        let (debts, pending, lines) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Ok(Self { semaphores, debts, pending, lines, next: 0, operated_at: 0, changed_at: now })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.semaphores.len()
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = u16> {
        self.semaphores.iter().map(|semaphore| semaphore.value as u16)
    }

    fn semaphore(&self, number: usize) -> Result<&Semaphore, Error> {
        self.semaphores.get(number).ok_or(Error::Invalid)
    }

    /// A value (GETVAL).
    pub fn value(&self, number: usize) -> Result<i32, Error> {
        Ok(self.semaphore(number)?.value)
    }

    /// The process that changed one last (GETPID).
    pub fn process(&self, number: usize) -> Result<u32, Error> {
        Ok(self.semaphore(number)?.process)
    }

    /// How many wait until one is 0, or until it is greater (GETZCNT, GETNCNT).
    pub fn waiting(&self, number: usize, for_zero: bool) -> Result<usize, Error> {
        self.semaphore(number)?;
        let line = self.line(number as u16).filter_map(|order| self.pending.get(&order));
        Ok(line.filter(|pending| (pending.stop.change == 0) == for_zero).count())
    }

    fn line(&self, number: u16) -> impl Iterator<Item = u64> {
        self.lines.range((number.into(), 0)..=(number.into(), u64::MAX)).map(|&(_, order)| order)
    }

    /// Sets values from the first on, or one (SETALL, SETVAL), each at most [`HIGHEST`], and forgets what is to be
    /// undone of them.
    pub fn set(&mut self, first: usize, values: &[u16], process: u32, now: i64) -> Result<(), Error> {
        let range = first..first.checked_add(values.len()).ok_or(Error::Invalid)?;
        let semaphores = self.semaphores.get_mut(range.clone()).ok_or(Error::Invalid)?;
        for (semaphore, &value) in semaphores.iter_mut().zip(values) {
            *semaphore = Semaphore { value: value.into(), process };
        }
        for debts in self.debts.values_mut() {
            debts[range.clone()].fill(0);
        }
        self.changed_at = now;
        self.go_on(range.map(|number| number as u16).collect(), now);
        Ok(())
    }

    pub(super) fn operate(
        &mut self,
        operations: Vec<Operation>,
        process: u32,
        now: i64,
        waker: impl FnOnce() -> Waker,
    ) -> Result<Option<Wait>, Error> {
        match self.attempt(&operations, process)? {
            Tried::Done => {
                self.operated_at = now;
                self.go_on(changed(&operations), now);
                Ok(None)
            }
            Tried::Stopped(stop) if stop.flags & NO_WAIT != 0 => Err(Error::WouldBlock),
            Tried::Stopped(stop) => {
                let ticket = Ticket::new(waker());
                let wait = Wait { ticket: Arc::clone(&ticket), order: self.next };
                self.next += 1;
                self.lines.insert((stop.number.into(), wait.order));
                self.pending.insert(wait.order, Pending { operations, process, stop, ticket });
                Ok(Some(wait))
            }
        }
    }

    /// Does all the operations, or none.
    fn attempt(&mut self, operations: &[Operation], process: u32) -> Result<Tried, Error> {
        for (index, &operation) in operations.iter().enumerate() {
            let value = self.semaphores[usize::from(operation.number)].value;
            let new = value + i32::from(operation.change);
            let stopped = operation.change == 0 && value != 0 || new < 0;
            if stopped || new > HIGHEST || !self.owe(operation, process, 1) {
                self.take_back(&operations[..index], process);
                return if stopped { Ok(Tried::Stopped(operation)) } else { Err(Error::OutOfRange) };
            }
            self.semaphores[usize::from(operation.number)].value = new;
        }
        for operation in operations {
            self.semaphores[usize::from(operation.number)].process = process;
        }
        Ok(Tried::Done)
    }

    fn take_back(&mut self, done: &[Operation], process: u32) {
        for &operation in done.iter().rev() {
            self.semaphores[usize::from(operation.number)].value -= i32::from(operation.change);
            self.owe(operation, process, -1);
        }
    }

    /// Notes what is to be undone of an operation, or no longer; `false` if that is too much.
    fn owe(&mut self, operation: Operation, process: u32, sign: i32) -> bool {
        if operation.flags & UNDO == 0 {
            return true;
        }
        let count = self.semaphores.len();
        let debt = &mut self.debts.entry(process).or_insert_with(|| vec![0; count])[usize::from(operation.number)];
        let new = i32::from(*debt) - sign * i32::from(operation.change);
        let fits = (-HIGHEST - 1..=HIGHEST).contains(&new);
        if fits {
            *debt = new as i16;
        }
        fits
    }

    /// Semaphores have changed: does what others wait to do, as far as it can be done now.
    fn go_on(&mut self, mut changed: Vec<u16>, now: i64) {
        while !self.pending.is_empty() && !changed.is_empty() {
            let mut line: Vec<u64> = changed.iter().flat_map(|&number| self.line(number)).collect();
            line.sort_unstable();
            line.dedup();
            changed = self.first_round(line, now);
        }
    }

    /// Tries those in line; answers what has changed so that earlier ones are to be asked again.
    fn first_round(&mut self, line: Vec<u64>, now: i64) -> Vec<u16> {
        for order in line {
            let Some(mut pending) = self.pending.remove(&order) else { continue };
            self.lines.remove(&(pending.stop.number.into(), order));
            match self.attempt(&pending.operations, pending.process) {
                Ok(Tried::Stopped(stop)) => {
                    pending.stop = stop;
                    self.lines.insert((stop.number.into(), order));
                    self.pending.insert(order, pending);
                }
                Ok(Tried::Done) => {
                    self.operated_at = now;
                    pending.ticket.call(Ok(()));
                    let freeing = self.freeing(&pending.operations);
                    if !freeing.is_empty() {
                        return freeing;
                    }
                }
                Err(error) => pending.ticket.call(Err(error)),
            }
        }
        Vec::new()
    }

    /// The semaphores among those of operations just done for which somebody may have waited: greater ones, and zeros.
    fn freeing(&self, operations: &[Operation]) -> Vec<u16> {
        let frees =
            |operation: &&Operation| operation.change > 0 || self.semaphores[usize::from(operation.number)].value == 0;
        changed(operations.iter().filter(frees))
    }

    /// Takes one who waits out of the line.
    pub(super) fn forget(&mut self, wait: &Wait) {
        if let Some(pending) = self.pending.remove(&wait.order) {
            self.lines.remove(&(pending.stop.number.into(), wait.order));
        }
    }

    /// Nobody waits any more: the set is gone.
    pub(super) fn send_away(self) {
        for pending in self.pending.into_values() {
            pending.ticket.call(Err(Error::Removed));
        }
    }

    pub(super) fn owes(&self, process: u32) -> bool {
        self.debts.contains_key(&process)
    }

    /// Undoes what a process has to be undone; values stay in their range.
    pub(super) fn undo(&mut self, process: u32, now: i64) {
        let Some(debts) = self.debts.remove(&process) else { return };
        let mut changed = Vec::new();
        for (number, (semaphore, &debt)) in self.semaphores.iter_mut().zip(&debts).enumerate() {
            if debt != 0 {
                semaphore.value = (semaphore.value + i32::from(debt)).clamp(0, HIGHEST);
                semaphore.process = process;
                changed.push(number as u16);
            }
        }
        self.operated_at = now;
        self.go_on(changed, now);
    }
}

/// The semaphores that operations change.
fn changed<'a>(operations: impl IntoIterator<Item = &'a Operation>) -> Vec<u16> {
    operations.into_iter().filter(|operation| operation.change != 0).map(|operation| operation.number).collect()
}
