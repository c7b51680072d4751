//! Checks native Rust's standard library, a line for each check that fails and one for all.
//!
//! The same source runs with the real standard library on Linux (`cargo run`), where it must pass as well and print the
//! same. Standard input is to be `first\nsecond\r\n\nlast` or nothing, the arguments `alpha` and `beta gamma` or none,
//! and with them the variable `WHITTLE_CHECK` `one=two`; `WHITTLE_BYTES` may be any bytes.
#![cfg_attr(target_os = "none", no_std)]
// Each way to say a thing is a check of its own.
#![allow(
    clippy::double_ended_iterator_last,
    clippy::for_kv_map,
    clippy::print_literal,
    clippy::unbuffered_bytes,
    clippy::unnecessary_get_then_check,
    clippy::write_literal
)]

#[cfg(target_os = "none")]
#[macro_use]
extern crate whittle_std as std;

#[macro_use]
mod tally;

mod buffers;
mod collections;
mod cursors;
mod environment;
mod errors;
mod files;
mod hashes;
#[cfg(target_os = "none")]
mod heaps;
mod locks;
mod names;
mod networks;
mod paths;
mod reading;
mod streams;
mod text;
mod threads;
mod times;
mod writing;

use std::{prelude::v1::*, process::ExitCode};

use tally::Tally;

/// Runs all checks.
pub fn main() -> ExitCode {
    let mut tally = Tally::default();
    for checks in [
        errors::check,
        reading::check,
        writing::check,
        buffers::check,
        cursors::check,
        collections::check,
        hashes::check,
        text::check,
        times::check,
        environment::check,
        threads::check,
        locks::check,
        paths::check,
        files::check,
        networks::check,
        names::check,
        streams::check,
    ] {
        checks(&mut tally);
    }
    let counted = tally.passed;
    #[cfg(target_os = "none")]
    {
        heaps::check(&mut tally);
        names::check_inside(&mut tally);
    }
    println!("selftest-native: {counted} checks passed, {} failed", tally.failed);
    let status = if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    streams::leave_a_line_open();
    status
}
