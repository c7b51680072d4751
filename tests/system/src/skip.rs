//! Tests that do not run. One that cannot, here, is skipped, with its reason. What takes minutes is left to `--all`,
//! which is no skip: nothing is missing. `whittle test` counts both, apart.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use libtest_mimic::{Completion, Failed};

/// Why the test that is running cannot.
struct Reason(String);

/// Ends the test that calls this as skipped, not as passed: something is missing here that it needs.
///
/// # Panics
///
/// Always, in a way that [`crate::run`] knows.
pub fn skip(reason: impl Display) -> ! {
    // Without the panic hook: nothing went wrong that a backtrace would tell of.
    resume_unwind(Box::new(Reason(reason.to_string())))
}

/// Makes these commands (and files, by path) available, installing their packages on Debian and its kin when we are
/// root; else skips the test. All of them are on the list of the crate `packages`.
pub fn need(things: &[&str]) {
    packages::need(packages::rows(things), |_| ()).unwrap_or_else(|missing| skip(missing));
}

/// Whether the long versions are wanted: `whittle test --all`, or `WHITTLE_TEST_ALL=1`.
#[must_use]
pub fn all() -> bool {
    std::env::var_os("WHITTLE_TEST_ALL").is_some()
}

/// Says that this is left to `--all`.
pub fn leave(what: impl Display) {
    eprintln!("with --all: {what}");
}

/// Runs a test's body: a skip is no failure, any other panic is one.
pub(crate) fn run_or_skip(body: impl FnOnce()) -> Result<Completion, Failed> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(()) => Ok(Completion::Completed),
        Err(panic) => match panic.downcast::<Reason>() {
            Ok(reason) => Ok(Completion::ignored_with(reason.0)),
            Err(panic) => resume_unwind(panic),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_passes_is_skipped_or_fails() {
        assert!(matches!(run_or_skip(|| ()), Ok(Completion::Completed)));
        let skipped = run_or_skip(|| skip("no tool"));
        assert!(matches!(skipped, Ok(Completion::Ignored { reason: Some(reason) }) if reason == "no tool"));
        let failed = catch_unwind(|| run_or_skip(|| resume_unwind(Box::new("wrong"))));
        assert!(failed.is_err_and(|panic| panic.downcast_ref() == Some(&"wrong")));
    }
}
