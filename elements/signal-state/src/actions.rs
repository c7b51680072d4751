//! What a process and a thread keep about signals.

use alloc::{boxed::Box, sync::Arc};
use core::mem;

use linux_abi::{
    constants::{
        SIG_DFL, SIG_IGN, SIGCHLD, SIGCONT, SIGRTMAX, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, SS_DISABLE,
    },
    structures::{SignalAction, SignalStack},
};
use machine::Trap;
use sync::Mutex;

use super::{Pending, SignalSet};

/// The default action: SIG_DFL, nothing else.
const DEFAULT: SignalAction = SignalAction { handler: SIG_DFL, flags: 0, restorer: 0, mask: 0 };

/// Signals that stop a process unless they have a handler.
pub const STOPPING: SignalSet = SignalSet::of(&[SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU]);

/// An action for each signal, from 1 on.
type Actions = [SignalAction; SIGRTMAX as usize];

/// The actions of a process, and the signals that wait for any of its threads.
pub struct ProcessSignals {
    actions: Kept,
    /// Signals sent to the process.
    pub pending: Pending,
}

/// Where the actions of a process are.
#[derive(Clone)]
enum Kept {
    /// All are the default, as for many a program: two kilobytes that its start need not write.
    Default,
    /// They are its own.
    Own(Box<Actions>),
    /// Other processes have the same (CLONE_SIGHAND). The lock is the last that is taken.
    Shared(Arc<Mutex<Actions>>),
}

/// What a signal does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Ignored,
    /// Ends the process.
    Fatal,
    /// Stops the process until SIGCONT.
    Stop,
    /// Runs a handler.
    Handled,
}

impl Default for ProcessSignals {
    fn default() -> Self {
        Self::new()
    }
}

impl ProcessSignals {
    /// All actions are the default, nothing waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { actions: Kept::Default, pending: Pending::new() }
    }

    /// What a child process begins with: the same actions, and nothing waits.
    #[must_use]
    pub fn of_child(&self) -> Self {
        let mut child = Self { actions: self.actions.clone(), pending: Pending::new() };
        child.unshare();
        child
    }

    /// What a child process begins with that has the same actions from now on (CLONE_SIGHAND).
    #[must_use]
    pub fn share(&mut self) -> Self {
        let shared = match mem::replace(&mut self.actions, Kept::Default) {
            Kept::Default => Arc::new(Mutex::new([DEFAULT; SIGRTMAX as usize])),
            Kept::Own(actions) => Arc::new(Mutex::new(*actions)),
            Kept::Shared(shared) => shared,
        };
        self.actions = Kept::Shared(Arc::clone(&shared));
        Self { actions: Kept::Shared(shared), pending: Pending::new() }
    }

    /// Whether other processes have the same actions.
    #[must_use]
    pub fn are_shared(&self) -> bool {
        matches!(&self.actions, Kept::Shared(shared) if Arc::strong_count(shared) > 1)
    }

    /// They are its own from now on.
    fn unshare(&mut self) {
        if let Kept::Shared(shared) = &self.actions {
            let actions = Box::new(*shared.lock());
            self.actions = Kept::Own(actions);
        }
    }

    /// The action of `signal`, 1 to 64.
    #[must_use]
    pub fn action(&self, signal: u8) -> SignalAction {
        match &self.actions {
            Kept::Default => DEFAULT,
            Kept::Own(actions) => actions[usize::from(signal) - 1],
            Kept::Shared(shared) => shared.lock()[usize::from(signal) - 1],
        }
    }

    /// Sets the action of `signal`, 1 to 64.
    pub fn set_action(&mut self, signal: u8, action: SignalAction) {
        if !matches!(self.actions, Kept::Default) || action != DEFAULT {
            self.change(|actions| actions[usize::from(signal) - 1] = action);
        }
    }

    /// Changes actions.
    #[inline]
    fn change(&mut self, change: impl FnOnce(&mut Actions)) {
        if let Kept::Default = self.actions {
            self.actions = Kept::Own(Box::new([DEFAULT; SIGRTMAX as usize]));
        }
        match &mut self.actions {
            Kept::Default => {}
            Kept::Own(actions) => change(actions),
            Kept::Shared(shared) => change(&mut shared.lock()),
        }
    }

    /// Ignores these signals from now on.
    pub fn ignore(&mut self, signals: SignalSet) {
        for signal in (1..=SIGRTMAX).filter(|&signal| signals.contains(signal)) {
            self.change(|actions| actions[usize::from(signal) - 1].handler = SIG_IGN);
        }
    }

    /// Resets what a handler had (execve): ignored signals stay ignored. Others who had the same actions keep them.
    pub fn reset_handlers(&mut self) {
        self.unshare();
        let Kept::Own(actions) = &mut self.actions else { return };
        for action in actions.iter_mut() {
            if action.handler != SIG_IGN {
                *action = SignalAction::default();
            }
        }
    }

    /// Which signals wait, are ignored, have a handler.
    #[must_use]
    pub fn summary(&self) -> (SignalSet, SignalSet, SignalSet) {
        let having = |wanted: fn(u64) -> bool| {
            let found = (1..=SIGRTMAX).filter(|&signal| wanted(self.action(signal).handler));
            found.fold(SignalSet::EMPTY, SignalSet::with)
        };
        let ignored = having(|handler| handler == SIG_IGN);
        let caught = having(|handler| handler != SIG_IGN && handler != SIG_DFL);
        (self.pending.set(), ignored, caught)
    }

    /// What `signal` would do now.
    #[must_use]
    pub fn effect(&self, signal: u8) -> Effect {
        Effect::of(signal, &self.action(signal))
    }
}

impl Effect {
    /// What a signal with this action does.
    #[must_use]
    #[inline]
    pub fn of(signal: u8, action: &SignalAction) -> Self {
        const IGNORED: SignalSet = SignalSet::of(&[SIGCHLD, SIGCONT, SIGURG, SIGWINCH]);
        match action.handler {
            SIG_IGN => Self::Ignored,
            SIG_DFL if IGNORED.contains(signal) => Self::Ignored,
            SIG_DFL if STOPPING.contains(signal) => Self::Stop,
            SIG_DFL => Self::Fatal,
            _ => Self::Handled,
        }
    }
}

/// No alternate stack.
const NO_STACK: SignalStack = SignalStack { ss_sp: 0, ss_flags: SS_DISABLE, padding: 0, ss_size: 0 };

/// What a thread keeps about signals.
pub struct ThreadSignals {
    /// Signals that wait while they are in this set.
    pub blocked: SignalSet,
    /// The mask to go back to when the call that replaced it (sigsuspend, ppoll) is over.
    pub saved: Option<SignalSet>,
    /// What rt_sigtimedwait waits for: such a signal ends the wait though it is blocked.
    pub awaited: SignalSet,
    /// Signals sent to this thread.
    pub pending: Pending,
    /// The alternate stack (sigaltstack).
    pub alternate: SignalStack,
    /// The last fault, which every frame shows, as Linux does.
    pub last_trap: Option<Trap>,
}

impl Default for ThreadSignals {
    fn default() -> Self {
        Self::new()
    }
}

impl ThreadSignals {
    /// Nothing is blocked, nothing waits, there is no alternate stack.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            blocked: SignalSet::EMPTY,
            saved: None,
            awaited: SignalSet::EMPTY,
            pending: Pending::new(),
            alternate: NO_STACK,
            last_trap: None,
        }
    }

    /// What the first thread of a child process begins with: the same mask, and the alternate stack if it
    /// `keeps_stack`.
    #[must_use]
    pub fn of_child(&self, keeps_stack: bool) -> Self {
        let alternate = if keeps_stack { self.alternate } else { NO_STACK };
        Self { blocked: self.blocked, alternate, ..Self::new() }
    }

    /// Whether `stack_pointer` is on the alternate stack.
    #[must_use]
    pub const fn is_on_alternate(&self, stack_pointer: u64) -> bool {
        // A full descending stack: its top is one past the end.
        self.alternate.ss_size > 0
            && stack_pointer > self.alternate.ss_sp
            && stack_pointer - self.alternate.ss_sp <= self.alternate.ss_size
    }

    /// What a new program does not inherit (execve): the alternate stack and the note of the last fault.
    pub fn forget_program(&mut self) {
        self.disable_alternate();
        self.last_trap = None;
        self.saved = None;
        self.awaited = SignalSet::EMPTY;
    }

    /// Forgets the alternate stack.
    pub fn disable_alternate(&mut self) {
        self.alternate = NO_STACK;
    }
}
