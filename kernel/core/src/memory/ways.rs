//! What each way into the kernel takes here: a call without effect by each, before the program begins.
//!
//! The kernel cannot tell by itself: what a trap takes is mostly before its first instruction and behind its last one.
//! So code of ours runs where the program will, as the program will ([`rewrite::measuring`]), and is gone when that
//! begins.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use instruction_set::instructions::time_stamp;
use machine::{Context, PageRange, Protection, Trap, TrapKind};
use rewrite::{Code as _, Entry, MEASURED_TURNS};
use sync::Mutex;

use super::{AddressSpace, rewriting};

/// Nanoseconds that a call of the program's takes by each way, on the average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// The instruction `syscall`.
    pub trapped: u64,
    /// What has been rewritten; 0 if nothing is.
    pub called: u64,
}

/// A measurement under way.
struct Running {
    /// Where the program begins.
    program: Context,
    area: PageRange,
    /// When it began: nanoseconds, and ticks of the time stamp counter.
    begin: [u64; 2],
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// Where its code ends; 0 if it does not run.
static END: AtomicUsize = AtomicUsize::new(0);

/// What was found.
static FOUND: Mutex<Option<Ways>> = Mutex::new(None);

/// What each way takes, if that was measured.
#[must_use]
pub fn ways() -> Option<Ways> {
    *FOUND.lock()
}

/// Whether the code runs: its calls are none of the program's.
pub(super) fn is_measuring() -> bool {
    END.load(Relaxed) != 0
}

fn now() -> [u64; 2] {
    [contracts::clock::monotonic(), time_stamp()]
}

impl AddressSpace {
    /// Has the ways be measured before the program begins at `program`, its only thread: by the system call of this
    /// number, which has neither arguments nor effect. Answers where to begin instead.
    #[must_use]
    pub fn measure_ways(&self, program: Context, number: u32) -> Context {
        self.lay_measurement(&program, number).unwrap_or(program)
    }

    fn lay_measurement(&self, program: &Context, number: u32) -> Option<Context> {
        let entry = rewriting::uncounted();
        let mut state = self.state.lock();
        let mut code = state.code_near(&self.handle, &self.limits, program.rip as usize);
        let (area, at) = code.reserve(&|free| Some(free.start))?;
        let area = area.start as usize..area.end as usize;
        let bytes = rewrite::measuring(at, number, entry.as_ref().map(|entry| entry as &dyn Entry));
        if !code.write(at, &bytes) && !self.store(&area, &bytes) {
            state.release(&self.handle, &area);
            return None;
        }
        contracts::processor::synchronize();
        END.store(at as usize + bytes.len() - 2, Relaxed);
        *RUNNING.lock() = Some(Running { program: *program, area, begin: now() });
        let mut context = *program;
        context.rip = at;
        Some(context)
    }

    /// Puts code at the beginning of an area where nothing is rewritten: the platform may have no way for that then.
    fn store(&self, area: &PageRange, bytes: &[u8]) -> bool {
        const WRITABLE: Protection = Protection { read: true, write: true, execute: false };
        let protect = |protection| contracts::translations::protect(&self.handle, area.clone(), protection).is_ok();
        protect(WRITABLE)
            && contracts::user_memory::copy_out(area.start, bytes).is_ok()
            && protect(rewriting::STUBS_MAY)
    }

    /// If that has come to its end, has the program begin.
    pub(super) fn is_measured(&self, context: &mut Context, trap: &Trap) -> bool {
        let end = END.load(Relaxed);
        if end == 0 || context.rip as usize != end || trap.kind != TrapKind::InvalidInstruction {
            return false;
        }
        let Some(Running { program, area, begin }) = RUNNING.lock().take() else { return false };
        END.store(0, Relaxed);
        let [nanoseconds, ticks] = core::array::from_fn(|unit| now()[unit].saturating_sub(begin[unit]));
        let each = |taken: u64, turns: u32| {
            let scaled = u128::from(taken) * u128::from(nanoseconds) / u128::from(ticks.max(1));
            (scaled / u128::from(turns)) as u64
        };
        let [trapped, called] = [each(context.r12, MEASURED_TURNS[0]), each(context.r13, MEASURED_TURNS[1])];
        *FOUND.lock() = Some(Ways { trapped, called });
        self.state.lock().release(&self.handle, &area);
        *context = Context { cs: context.cs, ss: context.ss, ..program };
        true
    }
}
