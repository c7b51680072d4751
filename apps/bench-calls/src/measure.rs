//! Counting ticks of one operation.

use std::arch::asm;
use std::arch::x86_64::{__cpuid, _mm_lfence, _rdtsc};

use crate::operations::Operation;

/// The time stamp counter, with everything before it done.
fn ticks() -> u64 {
    // SAFETY: both instructions are part of every x86-64 processor (Intel SDM 2B, RDTSC and LFENCE).
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

/// A loop around one instruction (or none), the registers set as for a system call. Evaluates to rax behind the last
/// round.
macro_rules! loop_around {
    ($instruction:literal, $rounds:expr, $number:expr, $arguments:expr) => {{
        let (number, arguments) = ($number, $arguments);
        let result: isize;
        // SAFETY: who made the operation has seen to it that its addresses are live and of the size the call uses.
        unsafe {
            asm!(
                "2:", "mov rax, {number}", $instruction, "dec {rounds:e}", "jnz 2b",
                number = in(reg) number, rounds = inout(reg) $rounds => _, out("rax") result,
                in("rdi") arguments[0], in("rsi") arguments[1], in("rdx") arguments[2],
                in("r10") arguments[3], in("r8") arguments[4], in("r9") arguments[5],
                out("rcx") _, out("r11") _,
                options(nostack),
            );
        }
        result
    }};
}

fn one(rounds: u32, operation: &mut Operation) -> u64 {
    let start = ticks();
    match operation {
        Operation::Call(number, arguments) => {
            let result = loop_around!("syscall", rounds, *number, *arguments);
            // A failing call would be quick and its figure a lie.
            assert!(result >= 0, "system call {number} fails with {result}");
        }
        Operation::Steps(steps) => (0..rounds).for_each(|_| {
            std::hint::black_box(steps());
        }),
    }
    ticks() - start
}

/// The same loop around nothing.
fn none(rounds: u32, operation: &Operation) -> u64 {
    match operation {
        Operation::Call(number, arguments) => {
            let start = ticks();
            std::hint::black_box(loop_around!("", rounds, *number, *arguments));
            ticks() - start
        }
        Operation::Steps(_) => one(rounds, &mut Operation::Steps(Box::new(|| 0))),
    }
}

/// Ticks per round, without the loop's own: the least of the repeats, after one that warms up. A system call's are
/// those of the instruction SYSCALL and of everything the kernel adds.
pub fn least(rounds: u32, repeats: u32, operation: &mut Operation) -> u64 {
    // A serialising instruction, once: what came before this measurement is not in it.
    let _ = __cpuid(0);
    one(rounds.min(20), operation);
    let loop_alone = (0..repeats).map(|_| none(rounds, operation)).min().unwrap_or(0);
    let least = (0..repeats).map(|_| one(rounds, operation)).min().unwrap_or(0);
    least.saturating_sub(loop_alone) / u64::from(rounds)
}
