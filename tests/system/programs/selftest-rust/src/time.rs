//! Clocks and sleep.

use std::time::{Duration, Instant, SystemTime};

use crate::Test;

pub const TESTS: &[Test] = &[("clocks", clocks), ("sleep", sleep)];

fn clocks() {
    let mut last = Instant::now();
    for _ in 0..10_000 {
        let now = Instant::now();
        assert!(now >= last);
        last = now;
    }
    assert!(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() > 1_700_000_000);
}

fn sleep() {
    let start = Instant::now();
    std::thread::sleep(Duration::from_millis(12));
    assert!(start.elapsed() >= Duration::from_millis(12));
}
