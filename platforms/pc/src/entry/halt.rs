//! Applications at ring 0 that have stopped the processor.

use machine::{Context, UserMemory as _, page_align_down};
use x86_64::halt::{WINDOW, ends_with_halt, was_jumped_over};

use crate::{per_cpu, user_memory::UserMemory};

/// If an interrupt found the application behind a `hlt`, moves it back to there, where ring 3 would have faulted, and
/// answers `true`: it has stopped the processor, and nothing it waits for will come.
pub fn step_back(context: &mut Context) -> bool {
    if !contracts::config().halt || per_cpu::ring() == 3 || !is_behind(context) {
        return false;
    }
    context.rip -= 1;
    true
}

/// Most interrupts find other code, and look at one byte.
fn is_behind(context: &Context) -> bool {
    let address = context.rip as usize;
    let mut code = [0; WINDOW];
    let mut read = |at| {
        let mut word = [0; 8];
        UserMemory.copy_in(&mut word, at).ok().map(|()| u64::from_le_bytes(word))
    };
    // `None` if not all of the bytes from `start` on can be read.
    let mut look = |start: usize| {
        let part = code.get_mut(..address.checked_sub(start)?)?;
        UserMemory.copy_in(part, start).ok()?;
        Some(ends_with_halt(part) && !was_jumped_over(part, address, context, &mut read))
    };
    let last = address.wrapping_sub(1);
    if look(last) != Some(true) {
        return false;
    }
    let window = address.saturating_sub(WINDOW);
    look(window).or_else(|| look(window.max(page_align_down(last)))).unwrap_or(false)
}
