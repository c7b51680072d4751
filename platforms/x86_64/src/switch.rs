//! Going on with another thread: the registers that a called function keeps, on the stack that is left.
//!
//! The System V ABI has a function keep rbx, rbp and r12 to r15; whoever calls [`switch`] has saved what else it needs.
//! So a switch is six pushes, two moves and six pops, and the processor predicts its return by itself.

use core::{
    arch::global_asm,
    sync::atomic::{AtomicUsize, Ordering},
};

global_asm!(
    r#"
    .pushsection .text.whittle_switch, "ax", @progbits
    .balign 16
    .globl whittle_switch
whittle_switch:
    push rbp
    push rbx
    push r12
    push r13
    push r14
    push r15
    mov [rdi], rsp
    mov rsp, rsi
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbx
    pop rbp
    ret
    .popsection
"#
);

unsafe extern "C" {
    fn whittle_switch(leaving: *mut usize, entering: usize);
}

/// Words that [`switch`] takes from the stack it enters.
const FRAME: usize = 7;

/// Leaves this stack, noting in `leaving` where, and goes on where `entering` was noted. Comes back when somebody
/// enters this stack again.
///
/// # Safety
/// `entering` was noted by a switch, or made by [`first_frame`], on a stack that nobody runs on and that has not been
/// entered since.
pub unsafe fn switch(leaving: &AtomicUsize, entering: usize) {
    // SAFETY: the caller's promise; the word is written before the stack is left.
    unsafe { whittle_switch(leaving.as_ptr(), entering) };
}

/// Lays out a stack below `top` so that a switch to the answer calls `start`, which finds an empty stack.
///
/// # Safety
/// The words below `top` (a multiple of 16) are free.
pub unsafe fn first_frame(top: usize, start: extern "C" fn() -> !) -> usize {
    // At a function's first instruction the stack is 8 above a multiple of 16; above it lies a zero for backtraces.
    let frame = top - 16 - FRAME * size_of::<usize>();
    let words = frame as *mut usize;
    // SAFETY: the caller's promise.
    unsafe {
        words.write_bytes(0, FRAME + 2);
        words.add(FRAME - 1).write(start as usize);
    }
    core::sync::atomic::fence(Ordering::Release);
    frame
}

#[cfg(test)]
mod tests {
    use core::{cell::Cell, sync::atomic::Ordering::Relaxed};
    use std::{thread_local, vec, vec::Vec};

    use super::*;

    thread_local! {
        static MAIN: AtomicUsize = const { AtomicUsize::new(0) };
        static OTHER: AtomicUsize = const { AtomicUsize::new(0) };
        static TURNS: Cell<u32> = const { Cell::new(0) };
    }

    extern "C" fn other() -> ! {
        loop {
            TURNS.set(TURNS.get() + 1);
            let main = MAIN.with(|main| main.load(Relaxed));
            // SAFETY: main waits in its switch.
            OTHER.with(|other| unsafe { switch(other, main) });
        }
    }

    #[test]
    fn two_stacks_take_turns() {
        let mut stack: Vec<u128> = vec![0; 16 << 10];
        let top = stack.as_mut_ptr_range().end as usize;
        // SAFETY: the stack is ours.
        let frame = unsafe { first_frame(top, other) };
        OTHER.with(|other| other.store(frame, Relaxed));
        for turn in 1..=3 {
            let other = OTHER.with(|other| other.load(Relaxed));
            // SAFETY: the other side waits in its switch, or in its first frame.
            MAIN.with(|main| unsafe { switch(main, other) });
            assert_eq!(TURNS.get(), turn);
        }
    }
}
