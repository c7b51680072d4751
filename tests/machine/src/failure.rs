//! Failures after which no test can go on.

use std::{
    io::Write,
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
