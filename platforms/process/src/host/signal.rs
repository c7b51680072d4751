//! Signals: numbers, handlers, the stack they run on, and their mask.

use super::{HostError, call::call, number, restorer};

/// Bytes of a signal set.
pub const SET_BYTES: usize = 8;

const SA_SIGINFO: usize = 4;
const SA_RESTORER: usize = 0x0400_0000;
const SA_ONSTACK: usize = 0x0800_0000;
const SA_NODEFER: usize = 0x4000_0000;
const SIG_IGN: usize = 1;
const SIG_BLOCK: usize = 0;
const SIG_SETMASK: usize = 2;

macro_rules! signals {
    ($($name:ident = $value:literal,)*) => { $(#[allow(missing_docs)] pub const $name: u8 = $value;)* };
}

signals! {
    SIGHUP = 1,
    SIGINT = 2,
    SIGQUIT = 3,
    SIGILL = 4,
    SIGTRAP = 5,
    SIGBUS = 7,
    SIGFPE = 8,
    SIGUSR1 = 10,
    SIGSEGV = 11,
    SIGUSR2 = 12,
    SIGPIPE = 13,
    SIGTERM = 15,
    SIGSTKFLT = 16,
    SIGCONT = 18,
    SIGTSTP = 20,
    SIGWINCH = 28,
    SIGSYS = 31,
}

/// What faults, and system calls, of the program come as.
pub const FAULTS: [u8; 6] = [SIGSYS, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP];

/// What the command may pass on. Where the machine has one process at most, SIGTSTP is not among them: the host stops
/// us, which stops the program.
pub const FORWARDED: [u8; 8] = [SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGCONT, SIGWINCH];

/// The signal of alarms: the first one beyond those that libc keeps for itself.
pub const ALARM: u8 = 34;

/// Another processor calls: see `per_cpu::smp::notify`. A signal of the old kind, of which one waits at most, and which
/// nothing on Linux sends.
pub const CALL: u8 = SIGSTKFLT;

/// Everything but [`FAULTS`]: what has to wait while a handler runs.
pub const ASYNCHRONOUS: u64 = {
    let mut set = u64::MAX;
    let mut index = 0;
    while index < FAULTS.len() {
        set &= !(1 << (FAULTS[index] - 1));
        index += 1;
    }
    set
};

/// The host's `struct sigaction` (not libc's).
#[repr(C)]
struct Action {
    handler: usize,
    flags: usize,
    restorer: usize,
    mask: u64,
}

/// Those of [`FAULTS`] whose handlers always go on in the kernel, and mostly without returning: nothing is blocked
/// while they run, because nobody would unblock it. What comes meanwhile finds the kernel.
const ENTER_AT_ONCE: [u8; 2] = [SIGSYS, SIGSEGV];

/// Sets a handler, which runs on the signal stack, with [`ASYNCHRONOUS`] blocked but for those of [`ENTER_AT_ONCE`]. A
/// fault in a handler is reported as a fault of the kernel, so faults are not.
///
/// # Safety
/// `handler` is a signal handler with three arguments (SA_SIGINFO).
pub unsafe fn handle(signal: u8, handler: usize) -> Result<(), HostError> {
    let flags = SA_SIGINFO | SA_RESTORER | SA_ONSTACK | SA_NODEFER;
    let mask = if ENTER_AT_ONCE.contains(&signal) { 0 } else { ASYNCHRONOUS };
    // SAFETY: the caller's promise.
    unsafe { set_action(signal, &Action { handler, flags, restorer: restorer(), mask }) }
}

/// Whether a handler of this signal may leave without telling the host.
pub fn enters_at_once(signal: u32) -> bool {
    ENTER_AT_ONCE.iter().any(|&one| u32::from(one) == signal)
}

/// Ignores a signal.
pub fn ignore(signal: u8) -> Result<(), HostError> {
    // SAFETY: no handler.
    unsafe { set_action(signal, &Action { handler: SIG_IGN, flags: SA_RESTORER, restorer: restorer(), mask: 0 }) }
}

unsafe fn set_action(signal: u8, action: &Action) -> Result<(), HostError> {
    let arguments = [usize::from(signal), core::ptr::from_ref(action) as usize, 0, SET_BYTES];
    // SAFETY: the callers' reasons.
    unsafe { call(number::RT_SIGACTION, arguments) }.map(drop)
}

/// `stack_t` of sigaltstack(2).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Stack {
    /// Lowest address.
    pub address: usize,
    /// SS_ flags.
    pub flags: i32,
    /// Bytes.
    pub size: usize,
}

/// Sets the stack that handlers run on.
///
/// # Safety
/// The memory is nobody else's.
pub unsafe fn set_stack(address: usize, size: usize) -> Result<(), HostError> {
    let stack = Stack { address, flags: 0, size };
    // SAFETY: the caller's promise.
    unsafe { call(number::SIGALTSTACK, [&raw const stack as usize]) }.map(drop)
}

/// Blocks [`ASYNCHRONOUS`] while it lives.
pub struct Blocked(());

impl Blocked {
    /// Blocks.
    pub fn new() -> Self {
        set_mask(SIG_BLOCK, ASYNCHRONOUS);
        Self(())
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // Nothing is ever blocked outside.
        unblock();
    }
}

/// Runs `work` with [`ASYNCHRONOUS`] blocked, and what was blocked before afterwards.
pub fn while_blocked<R>(work: impl FnOnce() -> R) -> R {
    let (all, mut before) = (ASYNCHRONOUS, 0_u64);
    // SAFETY: changes only when our handlers run, and writes the mask. Cannot fail.
    let _ = unsafe {
        call(number::RT_SIGPROCMASK, [SIG_BLOCK, &raw const all as usize, &raw mut before as usize, SET_BYTES])
    };
    let result = work();
    set_mask(SIG_SETMASK, before);
    result
}

/// Blocks nothing.
pub fn unblock() {
    set_mask(SIG_SETMASK, 0);
}

fn set_mask(how: usize, mask: u64) {
    // SAFETY: changes only when our handlers run. Cannot fail.
    let _ = unsafe { call(number::RT_SIGPROCMASK, [how, &raw const mask as usize, 0, SET_BYTES]) };
}
