//! Where programs, libraries, stacks, mappings and heaps are put: somewhere else each time.

use std::process::ExitCode;

use system_tests::{Check, Guest, Platform, Scope, dynamic};

fn main() -> ExitCode {
    use Scope::{Guests, GuestsAtRing0};
    system_tests::run(&[
        Check::new("each_place_has_34_random_bits", Guests, many_bits),
        Check::new("machines_differ", GuestsAtRing0, machines_differ),
    ])
}

/// What the program tells the addresses of.
const PLACES: [&str; 5] = ["the program", "a library", "the main stack", "a mapping", "the heap"];

/// Programs started one behind the other in a machine. That one bit is the same in all of them by chance happens once
/// in 2 to the 95th tests, that all are in one half of where they may be as rarely.
const STARTS: usize = 96;

/// The pages in which these things were, a row for each start.
fn pages(platform: Platform, starts: usize) -> Vec<[u64; PLACES.len()]> {
    let program = dynamic::places();
    let outcome = Guest::new(platform).run(&[program.to_str().unwrap(), &(starts - 1).to_string()]);
    outcome.expect_status(0);
    let page = |word: &str| u64::from_str_radix(word.trim_start_matches("0x"), 16).unwrap() >> 12;
    let rows: Vec<[u64; PLACES.len()]> = outcome
        .text()
        .lines()
        .map(|line| line.split(' ').map(page).collect::<Vec<_>>().try_into().expect("an address for each place"))
        .collect();
    assert_eq!(rows.len(), starts, "{}", outcome.text());
    rows
}

/// Each of 34 bits of a page's number is 0 and 1, independently of the others.
fn many_bits(platform: Platform) {
    let rows = pages(platform, STARTS);
    for (place, name) in PLACES.iter().enumerate() {
        let numbers: Vec<u64> = rows.iter().map(|row| row[place]).collect();
        let changing = numbers.iter().fold(0, |bits, number| bits | (number ^ numbers[0]));
        assert!(changing.count_ones() >= 34, "{name}: bits {changing:#x} of the page change: {numbers:x?}");
        let (least, most) = (numbers.iter().min().unwrap(), numbers.iter().max().unwrap());
        assert!(most - least > 1 << 33, "{name}: in a span of {:#x} pages: {numbers:x?}", most - least);
        // Two bits that are always equal, or never, are one bit: in 96 starts chance does that once in 2 to the 85th
        // tests, for all pairs.
        for (high, low) in (0..34).flat_map(|high| (0..high).map(move |low| (high, low))) {
            let equal = numbers.iter().filter(|&&number| (number >> high ^ number >> low) & 1 == 0).count();
            assert!((1..STARTS).contains(&equal), "{name}: bits {high} and {low} of the page go together");
        }
    }
    // Nor does one place tell of another, but that mappings and libraries share their region, which is Linux' way. The
    // main stack is among the four million pages above both: chance has two starts with one distance in a run of nine
    // hundred, and three such pairs in one of billions.
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let mut distances: Vec<u64> = rows.iter().map(|row| row[one].wrapping_sub(row[other])).collect();
        distances.sort_unstable();
        distances.dedup();
        assert!(distances.len() + 2 >= STARTS, "{} and {} keep a distance", PLACES[one], PLACES[other]);
    }
}

/// A machine begins with other numbers than the one before.
fn machines_differ(platform: Platform) {
    let [first, second] = [(); 2].map(|()| pages(platform, 2).concat());
    for (one, other) in first.iter().zip(&second) {
        assert_ne!(one, other, "{first:x?} {second:x?}");
    }
}
