//! Tests that count what is allocated.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// Runs tests one after another, all in the thread of `main`, so that nobody else allocates while one counts.
///
/// The usual harness would: where a test has ended and another runs, its channel of results takes its first 10 KB.
pub fn run(tests: &[(&str, fn())]) -> ExitCode {
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let trials = tests.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Runs these functions as tests, in this way.
#[macro_export]
macro_rules! run_counted {
    ($($test:ident),* $(,)?) => {
        $crate::counted::run(&[$((stringify!($test), $test)),*])
    };
}
