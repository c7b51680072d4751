//! The curves against the formulae of the documents, computed in floating point here.

use super::{cubic::cube_root, *};

const SECOND: u64 = 1_000_000_000;

#[test]
fn cube_roots_are_exact() {
    for root in [0_u64, 1, 2, 3, 10, 999, 1_000, 65_535, 100_000, 2_000_000] {
        assert_eq!(cube_root(root.pow(3)), root);
        assert_eq!(cube_root((root + 1).pow(3) - 1), root);
    }
}

#[test]
fn new_reno_halves_and_grows_by_one_a_round() {
    let (mut policy, mut window) = (NewReno, Window { segments: 20, threshold: 20, credit: 0 });
    for expected in 21..30 {
        for _ in 0..window.segments {
            policy.acknowledged(&mut window, &Acknowledged { segments: 1, ..Default::default() });
        }
        assert_eq!(window.segments, expected);
    }
    assert_eq!(policy.lost(&window, 29), 14);
    assert_eq!(policy.lost(&Window { segments: 3, ..window }, 3), 2, "two segments at least: RFC 5681, equation 4");
}

#[test]
fn slow_start_counts_segments_and_not_acknowledgments() {
    let mut window = Window { segments: 10, threshold: 18, credit: 0 };
    let mut policy = NewReno;
    policy.acknowledged(&mut window, &Acknowledged { segments: 5, ..Default::default() });
    assert_eq!(window.segments, 15);
    policy.acknowledged(&mut window, &Acknowledged { segments: 10, ..Default::default() });
    assert_eq!((window.segments, window.credit), (18, 7), "the rest counts for avoidance");
}

/// Runs CUBIC from a loss at `most` segments, and gives the windows at the end of each round trip.
fn run(most: u32, round_trip: u64, rounds: u64) -> std::vec::Vec<u32> {
    let (mut policy, mut window) = (Cubic::default(), Window { segments: most, threshold: most, credit: 0 });
    window.threshold = policy.lost(&window, most);
    window.segments = window.threshold;
    let mut windows = std::vec![];
    for round in 0..rounds {
        let count = window.segments;
        for part in 0..count {
            let now = SECOND + round * round_trip + round_trip * u64::from(part) / u64::from(count);
            let what = Acknowledged { segments: 1, shortest: (round_trip / 1000) as u32, now, ..Default::default() };
            policy.acknowledged(&mut window, &what);
        }
        windows.push(window.segments);
    }
    windows
}

#[test]
fn cubic_follows_its_curve() {
    let (most, round_trip) = (1000_u32, SECOND / 10);
    let windows = run(most, round_trip, 160);
    let first = (f64::from(most) * 0.7).floor();
    let k = ((f64::from(most) - first) / 0.4).cbrt();
    for (round, window) in windows.iter().enumerate().skip(3) {
        // The window follows the curve a round trip ahead, at the end of this round.
        let time = (round + 1) as f64 * 0.1 + 0.1;
        let curve = 0.4 * (time - k).powi(3) + f64::from(most);
        let error = (f64::from(*window) - curve).abs() / curve;
        assert!(error < 0.03, "round {round}: window {window}, curve {curve}");
    }
    let plateau = (k * 10.0) as usize;
    assert!((990..=1010).contains(&windows[plateau]), "K is where the old window is: {}", windows[plateau]);
}

#[test]
fn cubic_is_as_fast_as_reno_where_round_trips_are_short() {
    // 10 ms: the cube is far below Reno's line, so W_est rules (RFC 9438, 4.3). It is looked at each third round.
    let windows = run(100, SECOND / 100, 100);
    let mut estimate = 70.0;
    for window in &windows {
        estimate += if estimate < 100.0 { 9.0 / 17.0 } else { 1.0 };
        assert!((f64::from(*window) - estimate).abs() <= 5.0, "window {window}, estimate {estimate}");
    }
}

#[test]
fn cubic_remembers_less_when_it_loses_before_the_old_window() {
    let mut policy = Cubic::default();
    let window = Window { segments: 1000, threshold: 1000, credit: 0 };
    assert_eq!(policy.lost(&window, 1000), 700);
    let window = Window { segments: 900, threshold: 700, credit: 0 };
    assert_eq!(policy.lost(&window, 900), 630);
    // Fast convergence: W_max is 900 * 0.85 = 765, so the plateau is there.
    let mut at = Window { segments: 630, threshold: 630, credit: 0 };
    policy.acknowledged(&mut at, &Acknowledged { segments: 1, now: SECOND, ..Default::default() });
    let k = (f64::from(765 - 630) / 0.4).cbrt();
    let plateau = policy.curve((k * 1000.0) as u64) / 1024;
    assert!((763..=767).contains(&plateau), "{plateau}");
}

/// Feeds rounds of nine samples each, of a path of 40 ms, and gives whether slow start goes on.
fn slow_start(policy: &mut Cubic, window: &mut Window, round_trips: &[u32]) -> bool {
    for round_trip in round_trips {
        for sample in 0..9 {
            let what = Acknowledged {
                segments: 1,
                round_trip: Some(*round_trip),
                shortest: 40_000,
                round_ended: sample == 0,
                now: SECOND,
            };
            policy.measured(window, &what);
            policy.acknowledged(window, &what);
        }
    }
    window.in_slow_start()
}

#[test]
fn hystart_leaves_slow_start_when_round_trips_grow() {
    // 40 ms: the threshold is an eighth, 5 ms.
    let (mut policy, mut window) = (Cubic::default(), Window { segments: ROUNDS_FROM, ..Window::default() });
    assert!(slow_start(&mut policy, &mut window, &[40_000, 45_000]), "5 ms more are not enough");
    assert_eq!(window.segments, ROUNDS_FROM + 18);
    assert!(!slow_start(&mut policy, &mut window, &[45_001]), "but more is");
    assert_eq!(window.threshold, ROUNDS_FROM + 18 + 8, "with the ninth sample of the round");
}

#[test]
fn hystart_looks_at_the_shortest_of_a_round_and_not_at_small_windows() {
    let (mut policy, mut window) = (Cubic::default(), Window::default());
    for round_trip in [90_000; ROUNDS_FROM as usize - FIRST as usize] {
        let what = Acknowledged { segments: 1, round_trip: Some(round_trip), shortest: 40_000, ..Default::default() };
        policy.measured(&mut window, &what);
        policy.acknowledged(&mut window, &what);
    }
    assert_eq!((window.segments, window.in_slow_start()), (ROUNDS_FROM, true));
    for round_trip in [90_000, 90_000, 41_000, 90_000, 90_000, 90_000, 90_000, 90_000, 90_000, 90_000] {
        let what = Acknowledged { segments: 1, round_trip: Some(round_trip), shortest: 40_000, ..Default::default() };
        policy.measured(&mut window, &what);
        policy.acknowledged(&mut window, &what);
    }
    assert!(window.in_slow_start(), "one of them was short: there is no queue, but others are late");
}
