//! A thread: what Linux keeps for each.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use linux_abi::constants::{CloneFlags, TASK_COMM_LEN};
use signal_state::{SignalSet, ThreadSignals};
use sync::Mutex;

use super::{
    Process, Wish,
    apart::{Part, Parts},
};
use crate::objects::{descriptors::table::Table, tree::Location};

/// Bytes of a name without its NUL.
pub const NAME: usize = TASK_COMM_LEN - 1;

/// The resource block of a [`kernel::task::Thread`] that runs a Linux program.
pub struct LinuxThread {
    /// Its id; the first thread's is its process' id.
    id: AtomicU32,
    /// Its process.
    pub process: Arc<Process>,
    /// Mask, alternate stack, and signals that wait for this thread.
    pub signals: Mutex<ThreadSignals>,
    /// Where a zero is to be written when it ends (set_tid_address(2)).
    pub clear_child_id: AtomicUsize,
    /// The list of robust futexes (set_robust_list(2)).
    pub robust_list: AtomicUsize,
    /// When the sleep that restart_syscall(2) continues ends, in nanoseconds of the monotonic clock, and where the
    /// remaining time is to be written.
    pub sleep: Mutex<Option<crate::objects::timers::Sleep>>,
    /// The name that it was given, if it is not its process' first one, which has the process' name.
    pub name: Mutex<Option<Arc<str>>>,
    /// The signal that its parent's death is to bring (PR_SET_PDEATHSIG); the first process has none.
    pub death_signal: AtomicU32,
    /// Open files.
    pub files: Part<Table>,
    /// Where paths start, and what mode new files get.
    pub location: Part<Location>,
    /// The priority of its input and output (ioprio_set(2)).
    pub io_priority: AtomicU32,
    /// Its process becomes another program (execve(2)) without it: it ends before it goes on.
    pub killed: AtomicBool,
}

impl LinuxThread {
    /// The first thread of the first process.
    #[must_use]
    pub fn first(process: Arc<Process>, parts: Parts) -> Self {
        Self::new(process.id, process, SignalSet::EMPTY, None, parts)
    }

    #[inline(always)]
    fn new(
        id: u32,
        process: Arc<Process>,
        blocked: SignalSet,
        name: Option<Arc<str>>,
        (files, location): Parts,
    ) -> Self {
        Self {
            id: AtomicU32::new(id),
            process,
            signals: Mutex::new(ThreadSignals { blocked, ..ThreadSignals::new() }),
            clear_child_id: AtomicUsize::new(0),
            robust_list: AtomicUsize::new(0),
            sleep: Mutex::new(None),
            name: Mutex::new(name),
            death_signal: AtomicU32::new(0),
            files,
            location,
            io_priority: AtomicU32::new(0),
            killed: AtomicBool::new(false),
        }
    }

    /// Its id.
    #[inline]
    pub fn id(&self) -> u32 {
        self.id.load(Ordering::Relaxed)
    }

    /// Descriptors and a place in the tree for one that it makes, as that is wished for.
    #[inline(always)]
    fn parts(&self, wish: &Wish, process: u32) -> Parts {
        let files = self.files.next(wish.has(CloneFlags::CLONE_FILES), process);
        (files, self.location.next(wish.has(CloneFlags::CLONE_FS), process))
    }

    /// It takes the place of its process' first thread (execve(2)).
    pub fn become_first(&self) {
        self.id.store(self.process.id, Ordering::Relaxed);
        *self.name.lock() = None;
    }

    /// The first thread of a process that the running one makes: it inherits the signal mask, the alternate stack if it
    /// does not run beside its maker in the same memory, and its priority of input and output.
    #[must_use]
    pub fn first_of_child(process: Arc<Process>, wish: &Wish) -> Self {
        let maker = crate::objects::process::current_in_line();
        let keeps_stack = !wish.has(CloneFlags::CLONE_VM) || wish.has(CloneFlags::CLONE_VFORK);
        let parts = maker.parts(wish, process.id);
        let first = Self::new(process.id, process, SignalSet::EMPTY, None, parts);
        *first.signals.lock() = maker.signals.lock().of_child(keeps_stack);
        first.io_priority.store(maker.io_priority.load(Ordering::Relaxed), Ordering::Relaxed);
        first
    }

    /// A thread that the running one makes: it inherits the signal mask, and nothing else of what a thread keeps.
    #[must_use]
    pub fn next(id: u32, wish: &Wish) -> Self {
        let parent = crate::objects::process::current_in_line();
        let blocked = parent.signals.lock_in_line().blocked;
        let parts = parent.parts(wish, parent.process.id);
        Self::new(id, Arc::clone(&parent.process), blocked, Some(parent.name()), parts)
    }

    /// Its name, as people see it.
    #[must_use]
    pub fn name(&self) -> Arc<str> {
        let own = self.name.lock_in_line().clone();
        own.unwrap_or_else(|| self.process.program.lock_in_line().name.clone())
    }

    /// Gives it a name. The first thread's is its process'.
    pub fn set_name(&self, name: Arc<str>) {
        if self.id() == self.process.id {
            Arc::make_mut(&mut self.process.program.lock()).name = name;
        } else {
            *self.name.lock() = Some(name);
        }
    }

    /// Gives it as a name what fits of `bytes`, up to a NUL.
    pub fn set_name_of(&self, bytes: &[u8]) {
        let name = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        self.set_name(crate::objects::text::lossy(&name[..name.len().min(NAME)]).into());
    }
}
