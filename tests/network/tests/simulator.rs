//! Ten thousand random runs, each of one seed.
//!
//! `WHITTLE_SEED=N` runs one alone, `WHITTLE_SEED=N..M` those from N on and before M; `WHITTLE_TRACE=1` prints each
//! frame.

use std::ops::Range;
use std::panic::catch_unwind;
use std::time::Duration;

use network_tests::{Counts, Failure, Peer, run};

/// What the environment names.
fn named() -> Option<Range<u64>> {
    let named = std::env::var("WHITTLE_SEED").ok()?;
    let number = |text: &str| text.parse().expect("WHITTLE_SEED is a number, or two with .. between");
    Some(match named.split_once("..") {
        Some((from, to)) => number(from)..number(to),
        None => number(&named)..number(&named) + 1,
    })
}

/// Runs all seeds, or those that are named, and fails with the commands that repeat those that failed.
///
/// smoltcp stalls by its own fault now and then, against itself too: what it has sent beyond a window that has closed
/// it never sends again, nor a FIN that was lost with the bytes before it. So one run in [`STALLS`] may stall if nobody
/// but smoltcp had the next move. A wrong byte is never forgiven.
fn runs(test: &str, peers: [Peer; 2], seeds: Range<u64>) {
    let (all, trace) = (named().is_none(), std::env::var_os("WHITTLE_TRACE").is_some());
    let seeds = named().unwrap_or(seeds);
    let (mut sum, mut longest) = (Counts::default(), Duration::ZERO);
    let (mut failures, mut forgiven) = (Vec::new(), Vec::new());
    for seed in seeds.clone() {
        // A stack that panics has failed in this run, and not in all.
        let told = catch_unwind(|| run(peers, seed, trace));
        match told.unwrap_or_else(|_| Err(Failure { text: "it panicked: see above".into(), owing: None })) {
            Ok(counts) => {
                longest = longest.max(counts.time);
                sum.add(&counts);
            }
            Err(failure) if all && only_smoltcp_owes(peers, &failure) => forgiven.push(seed),
            Err(failure) => failures.push(format!("{}\n{}", failure.text, repeat(test, seed))),
        }
    }
    println!("{test}: {} runs, longest {longest:?} of virtual time: {sum:?}", seeds.end - seeds.start);
    println!("{test}: smoltcp stalls in {forgiven:?}");
    let (count, first) = (failures.len(), failures.iter().take(10).cloned().collect::<Vec<_>>().join("\n\n"));
    assert!(failures.is_empty(), "{count} of {seeds:?} failed; the first ones:\n\n{first}");
    assert!(forgiven.len() as u64 * STALLS <= seeds.end - seeds.start, "smoltcp stalls too often: {forgiven:?}");
}

/// Of so many runs one may stall by smoltcp's fault: about eight of 10,000 do against itself.
const STALLS: u64 = 500;

fn only_smoltcp_owes(peers: [Peer; 2], failure: &Failure) -> bool {
    let Some(owing) = failure.owing else { return false };
    let who = |side: usize| owing[side].then_some(peers[side]);
    let mut owing = [0, 1].into_iter().filter_map(who).peekable();
    owing.peek().is_some() && owing.all(|peer| peer == Peer::Smoltcp)
}

fn repeat(test: &str, seed: u64) -> String {
    format!(
        "repeat it: WHITTLE_SEED={seed} WHITTLE_TRACE=1 cargo test -p network-tests --test simulator {test} -- --nocapture"
    )
}

/// The simulator itself, proved by a stack that nobody here wrote.
#[test]
fn smoltcp_alone() {
    runs("smoltcp_alone", [Peer::Smoltcp; 2], 0..1_500);
}

#[test]
fn a_seed_is_a_run() {
    for seed in 0..20 {
        let twice = [(); 2].map(|()| run([Peer::Ours; 2], seed, false).unwrap());
        assert_eq!(twice[0], twice[1], "two runs of seed {seed} differ");
    }
}

/// Our TCP against itself, with nothing below that could help or hinder it.
#[test]
fn tcp_alone() {
    runs("tcp_alone", [Peer::Bare; 2], 0..4_000);
}

/// Our stack against itself: neighbours, IP, ICMP and TCP.
#[test]
fn ours() {
    runs("ours", [Peer::Ours; 2], 0..6_000);
}

/// smoltcp connects to ours, and ours to smoltcp: the seed says who.
#[test]
fn ours_and_smoltcp() {
    runs("ours_and_smoltcp", [Peer::Ours, Peer::Smoltcp], 0..4_000);
}
