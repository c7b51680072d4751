//! A process: what its threads share.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::{
    any::Any,
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use identity::Identity;
use linux_abi::structures::ResourceLimit;
use signal_state::ProcessSignals;
use sync::{Mutex, WaitQueue};

use super::{Program, Threads, kin::Kin, limits, table};
use crate::objects::{
    ability,
    timers::{INTERVAL_TIMERS, Timers, ticker::Ticker},
};

/// What all threads of a process share, whatever they are made by; for descriptors and the place in the tree see
/// [`super::apart`]. Each part has a lock of its own; no code holds two at once.
pub struct Process {
    /// Its id: the first process is 1.
    pub id: u32,
    /// Its parent; 0 for the first. What [`super::kin::FAMILIES`] says, to be asked without a lock.
    pub parent: AtomicU32,
    /// What it is to other processes; none where there can be no others.
    pub(super) kin: Option<Box<Kin>>,
    /// Its address space as files know it, once it has mapped one.
    pub shown: Mutex<Option<Arc<dyn vfs::Shows>>>,
    /// Users and groups.
    pub identity: Mutex<Identity>,
    /// Whether it may be looked into (PR_SET_DUMPABLE).
    pub is_dumpable: AtomicBool,
    /// What it runs.
    pub program: Mutex<Arc<Program>>,
    /// Actions and signals that wait for any of its threads.
    pub signals: Mutex<ProcessSignals>,
    /// Resource limits by number.
    pub limits: Mutex<[ResourceLimit; linux_abi::constants::RLIM_NLIMITS]>,
    /// One of them by itself, for it is asked at each write: bytes that a file may have (RLIMIT_FSIZE).
    pub longest_file: AtomicU64,
    /// Whether a signal may wait for any of its threads; `false` where none does spares looking. Set under the lock of
    /// `signals` before a sender looks at its threads' masks, cleared there too.
    pub signals_wait: AtomicBool,
    /// How many of its signals wait with what came with them (RLIMIT_SIGPENDING).
    pub queued_signals: AtomicUsize,
    /// Woken when a signal begins to wait (signalfd(2)).
    pub signalled: WaitQueue,
    /// A signal has stopped it.
    pub stopped: AtomicBool,
    /// Woken when it goes on.
    pub continued: WaitQueue,
    /// Its interval timers, made when they are first asked for.
    pub interval_timers: Mutex<[Option<Arc<Ticker>>; INTERVAL_TIMERS]>,
    /// The timers it has made.
    pub timers: Mutex<Timers>,
    /// When it started, in nanoseconds of the monotonic clock.
    pub started: u64,
    /// Its threads.
    pub threads: Mutex<Threads>,
    /// Woken when one of them has ended.
    pub thread_ended: WaitQueue,
    /// Its contexts of io_setup(2) by their numbers, of no type here, so that an image without the call has none of it.
    pub asynchronous: Mutex<Vec<(usize, Arc<dyn Any + Send + Sync>)>>,
    /// Where addresses come from: false for ADDR_NO_RANDOMIZE.
    pub randomize: AtomicBool,
}

impl Process {
    /// The first process, before it runs a program.
    #[must_use]
    pub fn first(identity: Identity, randomize: bool) -> Self {
        Self {
            id: table::FIRST,
            parent: AtomicU32::new(0),
            kin: ability::processes().then(|| Box::new(Kin::new())),
            shown: Mutex::new(None),
            identity: Mutex::new(identity),
            is_dumpable: AtomicBool::new(true),
            program: Mutex::new(Arc::new(Program::default())),
            signals: Mutex::new(ProcessSignals::new()),
            limits: Mutex::new(limits::initial()),
            longest_file: AtomicU64::new(u64::MAX),
            signals_wait: AtomicBool::new(false),
            queued_signals: AtomicUsize::new(0),
            signalled: WaitQueue::new(),
            stopped: AtomicBool::new(false),
            continued: WaitQueue::new(),
            interval_timers: Mutex::default(),
            timers: Mutex::default(),
            started: contracts::clock::monotonic(),
            threads: Mutex::new(Threads::new()),
            thread_ended: WaitQueue::new(),
            asynchronous: Mutex::new(Vec::new()),
            randomize: AtomicBool::new(randomize),
        }
    }

    /// A process that `maker` makes (fork(2)): what is inherited is the same, and nothing waits for it.
    #[must_use]
    pub fn made_by(maker: &Self, id: u32) -> Self {
        let (identity, program) = (maker.identity.lock().clone(), maker.program.lock().clone());
        Self {
            id,
            is_dumpable: AtomicBool::new(maker.is_dumpable.load(Relaxed)),
            program: Mutex::new(program),
            signals: Mutex::new(maker.signals.lock().of_child()),
            limits: Mutex::new(*maker.limits.lock()),
            longest_file: AtomicU64::new(maker.longest_file.load(Relaxed)),
            ..Self::first(identity, maker.randomize.load(Relaxed))
        }
    }
}
