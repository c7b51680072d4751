//! Threads of Rust's standard library: channels, scopes, locks, parking, thread-locals, panics.
//!
//! `threads-rust [--work PERCENT] [TEST...]` prints `ok NAME` for each test and last `threads-rust: N checks passed`; a
//! test that fails is named and the status is 1. Nothing depends on how long a thing takes.

mod channels;
mod lives;
mod locals;
mod locks;

use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

type Test = (&'static str, fn());

static PASSED: AtomicUsize = AtomicUsize::new(0);
static WORK: OnceLock<usize> = OnceLock::new();

/// Counts a condition that holds; panics with these words if it does not.
#[track_caller]
fn check(holds: bool, words: &str) {
    assert!(holds, "{words}");
    PASSED.fetch_add(1, Ordering::Relaxed);
}

/// This many rounds at the usual work of 100 percent, at least one.
fn scaled(rounds: usize) -> usize {
    (rounds * WORK.get().copied().unwrap_or(100) / 100).max(1)
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.len() > 1 && words[0] == "--work" {
        WORK.get_or_init(|| words[1].parse().expect("a percentage"));
        words.drain(..2);
    }
    // Panics are part of the tests: only their messages at the end count.
    std::panic::set_hook(Box::new(|_| ()));
    let tests = [channels::TESTS, lives::TESTS, locals::TESTS, locks::TESTS].concat();
    for (name, test) in tests.into_iter().filter(|(name, _)| words.is_empty() || words.iter().any(|word| word == name))
    {
        if let Err(reason) = std::panic::catch_unwind(test) {
            let text = reason.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| reason.downcast_ref::<&str>().copied());
            println!("threads-rust: FAILED {name}: {}", text.unwrap_or("a panic without words"));
            return ExitCode::FAILURE;
        }
        println!("ok {name}");
    }
    println!("threads-rust: {} checks passed", PASSED.load(Ordering::Relaxed));
    ExitCode::SUCCESS
}
