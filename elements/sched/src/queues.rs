//! A scheduler of a policy: a queue and a lock for each processor.
//!
//! A processor locks one queue at a time. Nothing that waits is overlooked while a processor idles that may run it: a
//! processor whose queue is empty first says so and then looks at the others', and who queues a thread looks for an
//! idle processor afterwards; whichever comes second sees the other. A processor that was told to look and finds
//! something may have been meant for something else, so it passes that on while threads wait.

use sync::SpinLock;
use sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};

use crate::entity::Place;
use crate::idle::Idle;
use crate::{Arrival, EntityRef, Leaving, Next, Notice, Parameters, Placed, Policy, Scheduler};

/// The policy `P` on `PROCESSORS` processors, at most 64.
#[derive(Debug)]
pub struct Queues<P, const PROCESSORS: usize> {
    processors: [Processor<P, PROCESSORS>; PROCESSORS],
    idle: Idle<PROCESSORS>,
    /// A bit for each processor that there is not.
    absent: AtomicU64,
}

/// One processor's part, on cache lines of its own.
#[derive(Debug)]
#[repr(align(64))]
struct Processor<P, const PROCESSORS: usize> {
    lock: SpinLock<PROCESSORS>,
    waiting: AtomicUsize,
    policy: P,
}

impl<P: Policy, const PROCESSORS: usize> Processor<P, PROCESSORS> {
    const fn new() -> Self {
        Self { lock: SpinLock::new(), waiting: AtomicUsize::new(0), policy: P::NEW }
    }

    fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn set_waiting(&self, count: usize) {
        self.waiting.store(count, Ordering::Relaxed);
    }

    /// Takes the best thread to run, in place of `left` if that ran until now; under the lock.
    #[inline]
    fn take(&self, processor: u32, left: Option<EntityRef>) -> Option<EntityRef> {
        let thread = match left {
            Some(left) => {
                left.set_place(Place::Out(processor));
                self.policy.succeed(left)?
            }
            None => self.policy.take()?,
        };
        self.set_waiting(self.waiting() - 1);
        thread.set_place(Place::Running(processor));
        Some(thread)
    }
}

impl<P: Policy, const PROCESSORS: usize> Queues<P, PROCESSORS> {
    const ALL: u64 = u64::MAX >> (64 - PROCESSORS);

    /// Without threads.
    #[must_use]
    pub const fn new() -> Self {
        Self { processors: [const { Processor::new() }; PROCESSORS], idle: Idle::new(), absent: AtomicU64::new(0) }
    }

    /// Makes all parts of the model's.
    #[cfg(loom)]
    pub(crate) fn touch(&self) {
        self.idle.find(0, 0);
        self.present();
        for processor in &self.processors {
            let _guard = processor.lock.lock();
            processor.waiting();
        }
    }

    /// Whether processor 0 is the only one that there is.
    #[inline]
    fn is_alone(&self) -> bool {
        PROCESSORS == 1 || self.absent.load(Ordering::Relaxed) == !1
    }

    #[inline]
    fn processor(&self, number: u32) -> &Processor<P, PROCESSORS> {
        &self.processors[if PROCESSORS == 1 { 0 } else { number as usize }]
    }

    /// The processors that there are.
    #[inline]
    fn present(&self) -> u64 {
        Self::ALL & !self.absent.load(Ordering::Relaxed)
    }

    /// The processors that a thread may run on.
    #[inline]
    fn allowed(&self, thread: EntityRef) -> u64 {
        if PROCESSORS == 1 {
            return 1;
        }
        let present = self.present();
        match thread.affinity() & present {
            0 => present,
            some => some,
        }
    }

    #[inline]
    fn allows(&self, thread: EntityRef, processor: u32) -> bool {
        self.allowed(thread) >> processor & 1 != 0
    }

    /// Of the processors that a thread may run on the one with the fewest waiting, `first` before others.
    fn shortest(&self, thread: EntityRef, first: u32) -> u32 {
        if PROCESSORS == 1 {
            return 0;
        }
        let allowed = self.allowed(thread);
        let first = if allowed >> first & 1 != 0 { first } else { allowed.trailing_zeros() };
        let fewer = |best: u32, other: u32| {
            if self.processor(other).waiting() < self.processor(best).waiting() { other } else { best }
        };
        numbers(allowed & !(1 << first)).fold(first, fewer)
    }

    /// Queues a thread, and says whom to tell.
    #[inline]
    fn enter(&self, thread: EntityRef, arrival: Arrival, here: u32) -> Placed {
        if self.is_alone() {
            let notice = self.queue(thread, arrival, 0);
            // One that idles looks: there is nobody to interrupt.
            let notice = if self.idle.clear(0) { Notice::Look } else { notice };
            return Placed { processor: 0, notice };
        }
        let first = if arrival == Arrival::New { here } else { thread.processor() };
        let idle = self.idle.find(self.allowed(thread), first);
        let target = idle.unwrap_or_else(|| self.shortest(thread, first));
        let notice = self.queue(thread, arrival, target);
        if PROCESSORS > 1 {
            fence(Ordering::SeqCst);
            if !self.allows(thread, target) {
                return self.settle(thread, here);
            }
        }
        // Who is interrupted for this thread is offered to an idle processor when that has happened.
        let wants_idle = idle.is_some() || notice != Notice::Preempt;
        if wants_idle && let Some(idle) = self.idle.claim(self.allowed(thread), target) {
            return Placed { processor: idle, notice: Notice::Look };
        }
        Placed { processor: target, notice }
    }

    /// Puts a thread in a processor's queue: what that means for the thread that runs there.
    fn queue(&self, thread: EntityRef, arrival: Arrival, target: u32) -> Notice {
        let processor = self.processor(target);
        let _guard = processor.lock.lock();
        let notice = processor.policy.enter(thread, arrival);
        thread.set_place(Place::Queued(target));
        processor.set_waiting(processor.waiting() + 1);
        notice
    }

    /// Moves a thread that is where it may not be, or says who has to.
    fn settle(&self, thread: EntityRef, here: u32) -> Placed {
        loop {
            let place = thread.place();
            let (Place::Out(at) | Place::Queued(at) | Place::Running(at)) = place;
            let untouched = Placed { processor: at, notice: Notice::None };
            match place {
                Place::Out(_) => return untouched,
                Place::Running(_) if self.allows(thread, at) => return untouched,
                Place::Running(_) => return Placed { processor: at, notice: Notice::Preempt },
                Place::Queued(_) if self.allows(thread, at) => {
                    return match self.idle.claim(self.allowed(thread), at) {
                        Some(idle) => Placed { processor: idle, notice: Notice::Look },
                        None => untouched,
                    };
                }
                Place::Queued(_) => {
                    if self.withdraw(thread, at) {
                        return self.enter(thread, Arrival::Moved, here);
                    }
                }
            }
        }
    }

    /// Takes a thread out of a processor's queue, if it is still there.
    fn withdraw(&self, thread: EntityRef, from: u32) -> bool {
        let processor = self.processor(from);
        let _guard = processor.lock.lock();
        let there = thread.place() == Place::Queued(from);
        if there {
            processor.policy.remove(thread);
            processor.set_waiting(processor.waiting() - 1);
            thread.set_place(Place::Out(from));
        }
        there
    }

    /// The next thread where the one that ran does not go on here, or the processor was idle.
    fn replace(&self, processor: u32, leaving: Option<(EntityRef, Leaving)>) -> Next {
        let own = self.processor(processor);
        let guard = own.lock.lock();
        let mut next = Next { thread: own.take(processor, leaving.map(|(thread, _)| thread)), wake: 0 };
        if next.thread.is_none() {
            self.idle.set(processor);
        }
        drop(guard);
        if leaving.is_none() && next.thread.is_some() {
            next.wake = self.busy(processor);
        }
        let stays_here = matches!(leaving, None | Some((_, Leaving::Blocked | Leaving::Ended)));
        if PROCESSORS == 1 || stays_here && next.thread.is_some() {
            return next;
        }
        self.look_elsewhere(processor, leaving, next)
    }

    /// Takes a leaving thread that may not run here to where it may, and finds one elsewhere where none was here.
    // Never inlined: it would have every yield save registers for it.
    #[inline(never)]
    fn look_elsewhere(&self, processor: u32, leaving: Option<(EntityRef, Leaving)>, mut next: Next) -> Next {
        if let Some((thread, Leaving::Yielded | Leaving::Preempted)) = leaving {
            next.wake |= self.move_on(thread, processor);
        }
        if next.thread.is_none() {
            let stolen = self.steal(processor);
            next = Next { thread: stolen.thread, wake: stolen.wake | next.wake };
        }
        next
    }

    /// The processor idles no more; whom to tell to look in its place.
    fn busy(&self, processor: u32) -> u64 {
        let told = !self.idle.clear(processor);
        let pass_on = PROCESSORS > 1 && told && self.processors.iter().any(|other| other.waiting() > 0);
        if pass_on { self.idle.claim_all() } else { 0 }
    }

    /// Queues a thread that may not run here elsewhere, and says whom to tell.
    fn move_on(&self, thread: EntityRef, here: u32) -> u64 {
        let placed = self.enter(thread, Arrival::Moved, here);
        u64::from(placed.notice != Notice::None) << placed.processor
    }

    /// Takes a thread from another processor's queue.
    fn steal(&self, thief: u32) -> Next {
        let mut next = Next { thread: None, wake: 0 };
        // Those behind the thief first, then those before it.
        for distance in numbers(self.present().rotate_right(thief) & !1) {
            let Some(thread) = self.steal_from((thief + distance) % u64::BITS, thief) else { continue };
            if self.start(thread, thief) {
                next.wake |= self.busy(thief);
                next.thread = Some(thread);
                break;
            }
            next.wake |= self.move_on(thread, thief);
        }
        next
    }

    fn steal_from(&self, victim: u32, thief: u32) -> Option<EntityRef> {
        let other = self.processor(victim);
        if other.waiting() == 0 {
            return None;
        }
        let _guard = other.lock.lock();
        let thread = other.policy.give(|thread| self.allows(thread, thief))?;
        other.set_waiting(other.waiting() - 1);
        thread.set_place(Place::Out(thief));
        Some(thread)
    }

    /// Makes a stolen thread the running one, unless it may not run here any more.
    fn start(&self, thread: EntityRef, thief: u32) -> bool {
        let own = self.processor(thief);
        let _guard = own.lock.lock();
        own.policy.start(thread);
        thread.set_place(Place::Running(thief));
        fence(Ordering::SeqCst);
        let allowed = self.allows(thread, thief);
        if !allowed {
            own.policy.depart(thread);
            thread.set_place(Place::Out(thief));
        }
        allowed
    }
}

/// The numbers of a mask's bits, lowest first.
fn numbers(mut mask: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let number = (mask != 0).then(|| mask.trailing_zeros());
        mask &= mask.wrapping_sub(1);
        number
    })
}

impl<P: Policy, const PROCESSORS: usize> Default for Queues<P, PROCESSORS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Policy, const PROCESSORS: usize> Scheduler for Queues<P, PROCESSORS> {
    fn capacity(&self) -> usize {
        usize::MAX
    }

    fn processors(&self) -> usize {
        PROCESSORS
    }

    fn set_processors(&self, count: usize) {
        self.absent.store(u64::MAX.checked_shl(count as u32).unwrap_or(0), Ordering::SeqCst);
    }

    fn add(&self, thread: EntityRef, arrival: Arrival, here: u32) -> Placed {
        self.enter(thread, arrival, here)
    }

    #[inline]
    fn next(&self, processor: u32, leaving: Option<(EntityRef, Leaving)>) -> Next {
        let Some((thread, how @ (Leaving::Yielded | Leaving::Preempted))) = leaving else {
            return self.replace(processor, leaving);
        };
        if !self.allows(thread, processor) {
            return self.replace(processor, leaving);
        }
        let own = self.processor(processor);
        let guard = own.lock.lock();
        let best = own.policy.renew(thread, how);
        thread.set_place(Place::Queued(processor));
        best.set_place(Place::Running(processor));
        drop(guard);
        // Who was interrupted for a better one may go on where there is nothing to do.
        if best == thread || self.is_alone() {
            return Next { thread: Some(best), wake: 0 };
        }
        if how == Leaving::Preempted {
            fence(Ordering::SeqCst);
        }
        let wake = self.idle.claim(self.allowed(thread), processor).map_or(0, |idle| 1 << idle);
        Next { thread: Some(best), wake }
    }

    #[inline]
    fn turn(&self, thread: EntityRef) -> EntityRef {
        let own = self.processor(0);
        let _guard = own.lock.lock();
        let best = own.policy.renew(thread, Leaving::Yielded);
        thread.set_place(Place::Queued(0));
        best.set_place(Place::Running(0));
        best
    }

    fn slice_end(&self, processor: u32) -> Option<u64> {
        let own = self.processor(processor);
        if own.waiting() == 0 {
            return None;
        }
        let _guard = own.lock.lock();
        own.policy.slice_end()
    }

    fn set_parameters(&self, thread: EntityRef, parameters: Parameters) -> Placed {
        thread.set_parameters(parameters);
        loop {
            let (at, runs) = match thread.place() {
                Place::Out(at) => return Placed { processor: at, notice: Notice::None },
                Place::Queued(at) => (at, false),
                Place::Running(at) => (at, true),
            };
            let processor = self.processor(at);
            let _guard = processor.lock.lock();
            if thread.place() == if runs { Place::Running(at) } else { Place::Queued(at) } {
                let preempts = processor.policy.change(thread, runs);
                return Placed { processor: at, notice: if preempts { Notice::Preempt } else { Notice::None } };
            }
        }
    }

    fn set_affinity(&self, thread: EntityRef, processors: u64, here: u32) -> Placed {
        thread.set_affinity(processors);
        if PROCESSORS > 1 {
            fence(Ordering::SeqCst);
        }
        self.settle(thread, here)
    }

    fn waiting(&self, processor: u32) -> usize {
        self.processor(processor).waiting()
    }
}
