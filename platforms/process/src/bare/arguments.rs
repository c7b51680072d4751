//! Arguments and environment as the host passed them (execve(2)). Only the first space has them, where there are
//! several (`memory/spaces/share.rs`): the Linux door takes its program's from the launch record.

use core::{
    ffi::{CStr, c_char},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The stack pointer that the host started us with.
static STACK: AtomicUsize = AtomicUsize::new(0);

/// Keeps it.
#[inline(always)]
pub fn remember(stack: usize) {
    STACK.store(stack, Relaxed);
}

/// Provider of the contract `arguments`.
#[derive(Debug, Default)]
pub struct HostArguments;

impl HostArguments {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// The string at word `index` of the host's layout: a count, that many arguments, 0, the environment, 0.
///
/// # Safety
/// There is such a word.
unsafe fn string(index: usize) -> Option<&'static [u8]> {
    // SAFETY: the caller's promise. What the host passed stays for ever, and each string ends with NUL.
    unsafe {
        let text = (STACK.load(Relaxed) as *const *const c_char).add(index).read();
        (!text.is_null()).then(|| CStr::from_ptr(text).to_bytes())
    }
}

fn count() -> usize {
    // SAFETY: the first word the host left.
    unsafe { (STACK.load(Relaxed) as *const usize).read() }
}

impl machine::Arguments for HostArguments {
    fn argument(&self, index: usize) -> Option<&'static [u8]> {
        // SAFETY: there are `count` arguments.
        if index < count() { unsafe { string(1 + index) } } else { None }
    }

    fn variable(&self, index: usize) -> Option<&'static [u8]> {
        let first = 1 + count() + 1;
        // SAFETY: all words before this one were asked for and are no end, so it is there.
        (0..=index).map(|index| unsafe { string(first + index) }).take_while(Option::is_some).nth(index).flatten()
    }
}
