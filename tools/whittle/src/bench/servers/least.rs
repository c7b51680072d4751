//! The least memory with which a server answers.

use std::time::Duration;

use super::super::net::SERVER;
use super::answer::{Patience, first};
use super::load::Load;
use super::server::Server;
use super::start::Bench;
use crate::failure::Failure;

/// Kilobytes with which the search begins, and beyond which it gives up.
const LEAST: u64 = 4 << 10;
const LEAST_OF_LINUX: u64 = 64 << 10;
const MOST: u64 = 4 << 20;
/// Kilobytes that do not matter, and the share of the memory that does not.
const STEP: u64 = 128;
const SHARE: u64 = 64;
/// How long a machine may take with what may be too little: the first answer of a large program takes half a minute.
const OURS: Patience = Patience { pause: Duration::from_millis(20), most: Duration::from_secs(90) };
const LINUX: Patience = Patience { pause: Duration::from_millis(100), most: Duration::from_secs(180) };

/// Kilobytes of ours on pc.
pub fn of_ours(bench: &Bench<'_>, server: Server) -> Result<Option<u64>, Failure> {
    least(LEAST, |kilobytes| {
        let mut machine = bench.ours_quietly(server, &format!("{kilobytes}K"))?;
        Ok(first(Load::opening(server), SERVER, OURS, || machine.is_there()).is_some())
    })
}

/// Kilobytes of a Linux guest.
pub fn of_linux(bench: &Bench<'_>, server: Server) -> Result<Option<u64>, Failure> {
    least(LEAST_OF_LINUX, |kilobytes| {
        let mut machine = bench.linux(server, None, kilobytes << 10)?;
        Ok(first(Load::opening(server), SERVER, LINUX, || machine.is_there()).is_some())
    })
}

/// The least with which it serves: doubled until it does, and then by halves. It may serve with twice what is too
/// little.
fn least(begin: u64, mut serves: impl FnMut(u64) -> Result<bool, Failure>) -> Result<Option<u64>, Failure> {
    let (mut too_little, mut enough) = (0, begin);
    while !serves(enough)? {
        (too_little, enough) = (enough, enough * 2);
        if enough > MOST {
            return Ok(None);
        }
    }
    while enough - too_little > STEP.max(enough / SHARE) {
        let middle = u64::midpoint(too_little, enough).next_multiple_of(8);
        *(if serves(middle)? { &mut enough } else { &mut too_little }) = middle;
    }
    Ok(Some(enough))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_found_from_both_sides() {
        for wanted in [100, 5000, 40_000, 2_000_000] {
            let found = least(LEAST, |kilobytes| Ok(kilobytes >= wanted)).unwrap().unwrap();
            assert!((wanted..=wanted + STEP.max(wanted / 32)).contains(&found), "{wanted}: {found}");
        }
        assert_eq!(least(LEAST, |_| Ok(false)).unwrap(), None);
    }
}
