//! Going on with another thread: the registers that a called function keeps, on the stack that is left.
//!
//! The System V ABI has a function keep rbx, rbp and r12 to r15. A switch stands in the middle of the function that
//! makes it, whose compiler knows which of these are in use and saves those only; two it cannot be told of, and the
//! switch saves them. It leaves by a jump: a thread that comes back finds the processor's record of calls as it was,
//! as long as the other side made none on its way out, while a return would take an entry of it that is not its own.

use core::{
    arch::asm,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Leaves this stack, noting in `leaving` where, and goes on where `entering` was noted. Comes back when somebody
/// enters this stack again.
///
/// # Safety
/// `entering` was noted by a switch, or made by [`first_frame`], on a stack that nobody runs on and that has not been
/// entered since.
#[inline(always)]
pub unsafe fn switch(leaving: &AtomicUsize, entering: usize) {
    // SAFETY: the caller's promise; the word is written before the stack is left, and all registers count as changed.
    unsafe {
        asm!(
            "push rbp",
            "push rbx",
            "lea rax, [rip + 2f]",
            "push rax",
            "mov [rdi], rsp",
            "mov rsp, rsi",
            "pop rax",
            // A backtrace of a new thread ends with its first function.
            "xor ebp, ebp",
            "jmp rax",
            "2:",
            "pop rbx",
            "pop rbp",
            inout("rdi") leaving.as_ptr() => _,
            inout("rsi") entering => _,
            out("r12") _,
            out("r13") _,
            out("r14") _,
            out("r15") _,
            clobber_abi("sysv64"),
        );
    }
}

/// Lays out a stack below `top` so that a switch to the answer jumps to `start`, which finds an empty stack.
///
/// # Safety
/// The words below `top` (a multiple of 16) are free.
#[inline(always)]
pub unsafe fn first_frame(top: usize, start: extern "C" fn() -> !) -> usize {
    // At a function's first instruction the stack is 8 above a multiple of 16, where the return address would be.
    let frame = top - 2 * size_of::<usize>();
    let words = frame as *mut usize;
    // SAFETY: the caller's promise.
    unsafe {
        words.write_volatile(start as usize);
        words.add(1).write_volatile(0);
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
