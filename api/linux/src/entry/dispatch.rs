//! From a system call's number to its handler: the hot path of the house.
//!
//! The handlers come from the table in `linux-abi`; which of them are there, the image says. Before them stands one
//! compare, which both tells unknown numbers and whether calls are traced; behind them, on errors only, the check
//! whether the call is to be restarted. Each handler is a function of its own that is jumped to, so that none of them
//! makes the way to another longer.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use contracts::system_calls::{NUMBERS, TABLE};
use linux_abi::Errno;
use machine::Context;

use super::trace as traced_call;
use crate::{Result, objects::trace};

/// Answers the system call in `context`.
#[inline(always)]
pub fn system_call(context: &mut Context) -> isize {
    let number = context.number();
    if number >= STRAIGHT.load(Ordering::Relaxed) {
        by_the_long_way(context)
    } else if contracts::config().call_table {
        TABLE[number % NUMBERS](context)
    } else {
        compared(context)
    }
}

/// Numbers below this, which is never more than [`NUMBERS`], go straight to their handler.
static STRAIGHT: AtomicUsize = AtomicUsize::new(NUMBERS);

/// Has all system calls traced from now on, or none.
pub fn trace(wanted: bool) {
    STRAIGHT.store(if wanted { 0 } else { NUMBERS }, Ordering::Relaxed);
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
fn by_the_long_way(context: &mut Context) -> isize {
    if contracts::config().inject { spend(SPENT.load(Ordering::Relaxed), context) } else { traced(context) }
}

#[inline(never)]
fn spend(bytes: usize, context: &mut Context) -> isize {
    const STEP: usize = 1024;
    if bytes < STEP {
        return traced(context);
    }
    let spent = core::hint::black_box([0_u8; STEP]);
    let answer = spend(bytes - STEP, context);
    core::hint::black_box(&spent);
    answer
}

fn traced(context: &mut Context) -> isize {
    if trace::system_calls() { traced_call::system_call(context) } else { answer(context) }
}

macro_rules! handlers {
    ($(
        $number:literal $family:ident $name:ident($($arguments:tt)*)
        $(-> $answer:ident)? $(partial $missing:literal)? $(only $error:ident)?;
    )*) => {
        /// A handler for each system call; those that no image names are in none.
        pub mod handler {
            $(
                #[doc = concat!("Answers ", stringify!($name), "(2).")]
                pub fn $name(context: &mut machine::Context) -> isize {
                    super::number_for(crate::calls::$family::$name(context))
                }
            )*
        }

        /// Finds the handler without a table: of an image that answers a few calls this is the least code.
        #[inline(never)]
        fn compared(context: &mut Context) -> isize {
            match context.number() {
                $($number if contracts::system_calls::answers($number) => handler::$name(context),)*
                _ => unknown(context),
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

/// Has the call handled.
pub fn answer(context: &mut Context) -> isize {
    if !contracts::config().call_table {
        return compared(context);
    }
    let handler = TABLE.get(context.number()).copied().unwrap_or(unknown);
    handler(context)
}

#[inline(always)]
fn number_for(result: Result) -> isize {
    match result {
        Ok(value) => value as isize,
        Err(errno) => failed(errno),
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

/// A system call that nobody handles.
#[cold]
#[inline(never)]
pub fn unknown(context: &mut Context) -> isize {
    let number = context.number();
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
