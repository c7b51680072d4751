//! From a system call's number to its handler: the hot path of the house.
//!
//! The handlers come from the table in `linux-abi`, which also says what becomes of the argument words. Which of them
//! are there, the image says. Before them stands one comparison: it tells unknown numbers and whether calls are traced.
//! A machine that answers by the table ([`machine::Processor::answer_by`]) makes that comparison itself, and asks here
//! for what is left. After them, on errors only, comes the check whether the call is to be restarted. Each handler is a
//! function of its own that is jumped to, so that none of them makes the way to another longer.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use contracts::system_calls::{NUMBERS, TABLE};
use kernel::task;
use linux_abi::Errno;

use super::trace as traced_call;
use crate::{Result, number, objects::trace};

/// The words of a system call's arguments, as the registers hold them.
pub type Words = [usize; 6];

/// Answers the system call of this number. The words stay apart, and so in the registers that they came in.
#[inline(always)]
pub fn system_call(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize {
    if number >= LONG_WAY.load(Ordering::Relaxed) {
        by_the_long_way(a, b, c, d, e, f, number)
    } else if contracts::config().call_table {
        TABLE[number % NUMBERS](a, b, c, d, e, f)
    } else {
        compared(a, b, c, d, e, f, number)
    }
}

/// Numbers from this on go by the long way: those that no table has, or all.
static LONG_WAY: AtomicUsize = AtomicUsize::new(NUMBERS);

/// Has all system calls traced from now on, or none. Those that are not come to their handlers by the machine's own
/// way.
pub fn trace(wanted: bool) {
    LONG_WAY.store(if wanted { 0 } else { NUMBERS }, Ordering::Relaxed);
    if contracts::config().call_table {
        contracts::processor::answer_by(if wanted { &[] } else { &TABLE }, &LOOKING);
    }
}

/// Bytes of the kernel's stack that calls are to do without.
static SPENT: AtomicUsize = AtomicUsize::new(0);

/// Has all system calls do without so many bytes of the kernel's stack, so that tests find a recursion by fewer steps.
pub fn spend_stack(bytes: usize) {
    SPENT.store(bytes, Ordering::Relaxed);
    trace(true);
}

#[cold]
#[inline(never)]
fn by_the_long_way(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize {
    let words = [a, b, c, d, e, f];
    if contracts::config().inject { spend(SPENT.load(Ordering::Relaxed), number, words) } else { traced(number, words) }
}

#[inline(never)]
fn spend(bytes: usize, number: usize, words: Words) -> isize {
    const STEP: usize = 1024;
    if bytes < STEP {
        return traced(number, words);
    }
    let spent = core::hint::black_box([0_u8; STEP]);
    let answer = spend(bytes - STEP, number, words);
    core::hint::black_box(&spent);
    answer
}

fn traced(number: usize, words: Words) -> isize {
    if trace::system_calls() { traced_call::system_call(number, words) } else { answer(number, words) }
}

macro_rules! handlers {
    ($(
        $number:literal $family:ident $name:ident($($arguments:tt)*)
        $(-> $answer:ident)? $(partial $missing:literal)? $(only $error:ident)?;
    )*) => {
        /// A handler for each system call, which makes the words what its row says; those that no image names are in
        /// none.
        pub mod handler {
            $(
                machine::handler! {
                    #[doc = concat!("Answers ", stringify!($name), "(2).")]
                    #[allow(unused_variables)] // most calls have fewer arguments
                    pub fn $name(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
                        super::number_for(
                            linux_abi::decoded!(crate::calls::$family::$name; [a b c d e f] [$($arguments)*]),
                        )
                    }
                }
            )*
        }

        /// Finds the handler without a table: of an image that answers a few calls this is the least code.
        #[inline(never)]
        fn compared(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize {
            match number {
                $($number if contracts::system_calls::answers($number) => handler::$name(a, b, c, d, e, f),)*
                _ => unknown(a, b, c, d, e, f),
            }
        }
    };
}

linux_abi::for_each_system_call!(handlers);

/// Names the system calls that the image answers: `all`, or a list of names. The others answer ENOSYS.
#[macro_export]
macro_rules! provide_system_calls {
    (all) => {
        $crate::linux_abi::for_each_system_call!($crate::provide_listed_system_calls);
    };
    ($($name:ident),* $(,)?) => {
        ::contracts::provide_system_calls!($crate::unknown; $($crate::number::$name => $crate::handler::$name),*);
    };
}

/// Rows of the table of system calls as names for [`provide_system_calls!`].
#[doc(hidden)]
#[macro_export]
macro_rules! provide_listed_system_calls {
    ($(
        $number:literal $family:ident $name:ident($($arguments:tt)*)
        $(-> $answer:ident)? $(partial $missing:literal)? $(only $error:ident)?;
    )*) => {
        $crate::provide_system_calls!($($name),*);
    };
}

/// Those whose handlers call [`task::application_registers`] for more than number and stack pointer, or change
/// registers.
const LOOKING: [usize; 7] = [
    number::clone,
    number::clone3,
    number::execve,
    number::execveat,
    number::fork,
    number::rt_sigreturn,
    number::vfork,
];

/// Those that have no arguments, and answer what the process or the thread knows: nobody sleeps, and no work comes of
/// it.
pub const BRIEF: [usize; 8] = [
    number::getegid,
    number::geteuid,
    number::getgid,
    number::getpgrp,
    number::getpid,
    number::getppid,
    number::gettid,
    number::getuid,
];

/// Has the call handled.
pub fn answer(number: usize, words: Words) -> isize {
    let [a, b, c, d, e, f] = words;
    if !contracts::config().call_table {
        return compared(a, b, c, d, e, f, number);
    }
    let handler = TABLE.get(number).copied().unwrap_or(unknown);
    handler(a, b, c, d, e, f)
}

#[inline(always)]
fn number_for(result: Result) -> isize {
    match result {
        Ok(value) => value as isize,
        Err(errno) => {
            core::hint::cold_path();
            failed(errno)
        }
    }
}

/// The answer for an error. A call that a signal interrupted is looked at again on the way out, where the signal is
/// delivered or the call restarted.
#[inline(never)]
fn failed(errno: Errno) -> isize {
    if errno.is_restart() {
        contracts::processor::mark_pending();
    }
    errno.answer()
}

/// Numbers below this are named once each when they are not known.
const REMEMBERED: usize = 512;

/// One bit for each number that has been named.
static NAMED: [AtomicU64; REMEMBERED / 64] = [const { AtomicU64::new(0) }; REMEMBERED / 64];

machine::handler! {
    /// A system call that nobody handles. It stands in the table for many numbers, and asks the thread for its own.
    #[cold]
    #[inline(never)]
    pub fn unknown(_: usize, _: usize, _: usize, _: usize, _: usize, _: usize) -> isize {
        let number = task::application_registers().number();
        if let Some(answer) = linux_abi::refusal(number) {
            return answer;
        }
        let first = match NAMED.get(number / 64) {
            Some(word) => word.fetch_or(1 << (number % 64), Ordering::Relaxed) & 1 << (number % 64) == 0,
            None => true,
        };
        if first && kernel::log::is_verbose() {
            trace::missing(number);
        }
        Errno::ENOSYS.answer()
    }
}
