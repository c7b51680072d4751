//! Tests that nobody here wrote: what passes on Linux passes here, but for what the lists in `tests/conformance` name
//! with its cause. CPython's own are here; `suites` has those in C and shell.
//!
//! Two things fail a module: a test that is not on the list and passes on Linux only, and one on the list that passes
//! here, so the list stays true. A few modules run always, all of them with `WHITTLE_TEST_ALL=1` or when a filter asks:
//! `cargo test --release -p system-tests --test conformance -- process::test_os`, or `process::open-posix`. What each
//! test said is left in `target/system-tests/conformance`.

mod compare;
mod list;
mod module;
mod runner;
mod source;
mod suites;

use std::process::ExitCode;
use std::sync::Mutex;

use compare::Count;
use system_tests::{Check, Platform, Scope, skip};

/// The least share of what passes on Linux, in percent, over all modules.
const LEAST: f64 = 97.0;

static COUNTS: Mutex<Vec<(Platform, Count)>> = Mutex::new(Vec::new());

fn main() -> ExitCode {
    let list = list::read();
    let mut checks: Vec<_> = list.modules.iter().map(|name| check(list, name)).collect();
    checks.push(runner::check());
    checks.extend(suites::checks());
    let status = system_tests::run(&checks);
    let counts = COUNTS.lock().unwrap();
    let whole = |platform| counts.iter().filter(|entry| entry.0 == platform).count() == list.modules.len();
    let enough = [Platform::Process, Platform::PcRing0].into_iter().all(|platform| {
        let mine = counts.iter().filter(|entry| entry.0 == platform).map(|entry| entry.1);
        let Some(sum) = mine.reduce(Count::plus) else { return true };
        eprintln!("figure: {}: CPython: {sum}", platform.name());
        !whole(platform) || sum.percent() >= LEAST
    });
    if suites::enough() && enough { status } else { ExitCode::FAILURE }
}

fn check(list: &'static list::List, name: &'static str) -> Check {
    let wanted = |platform| matches!(platform, Platform::Process | Platform::PcRing0);
    let check = Check::where_wanted(name, Scope::GuestsAtRing0, wanted, move |platform| {
        source::prepare();
        source::more(name).unwrap_or_else(|obstacle| skip(obstacle));
        let (count, wrong) = compare::module(list, platform, name);
        eprintln!("figure: {}: {name}: {count}", platform.name());
        COUNTS.lock().unwrap().push((platform, count));
        assert!(wrong.is_empty(), "not as tests/conformance/cpython.toml says:\n{}", wrong.join("\n"));
    });
    check.long_where(move |platform| !list.is_short(platform, name))
}
