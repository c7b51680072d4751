//! What failures say, and those after which no test can go on.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    cell::Cell,
    io::Write,
    panic,
    sync::{Mutex, PoisonError},
};

static RUNNING: Mutex<String> = Mutex::new(String::new());

/// The test of this name runs now.
pub(crate) fn begin(name: String) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = name;
}

/// Ends the program with the name of the test that runs.
pub fn give_in(why: &str) -> ! {
    let name = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // Written past the harness, which would keep it from us.
    let _ = writeln!(std::io::stderr(), "\ntest {name}: {why}");
    std::process::exit(101)
}

thread_local! {
    static IS_PROCESSOR: Cell<bool> = const { Cell::new(false) };
}

static SAID: Mutex<String> = Mutex::new(String::new());

/// Has what panics say on this thread of the host kept for [`said`]: its own output belongs to the test that had it
/// begin.
pub(crate) fn keep_panics() {
    IS_PROCESSOR.set(true);
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_PROCESSOR.get() {
                return before(panic);
            }
            let trace = Backtrace::capture();
            let trace = if trace.status() == BacktraceStatus::Captured { format!("\n{trace}") } else { String::new() };
            *SAID.lock().unwrap_or_else(PoisonError::into_inner) = format!("{panic}{trace}");
        }));
    });
}

/// What the last panic said.
pub(crate) fn said() -> String {
    std::mem::take(&mut SAID.lock().unwrap_or_else(PoisonError::into_inner))
}
