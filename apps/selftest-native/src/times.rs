//! Time.

use std::{
    prelude::v1::*,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use crate::tally::Tally;

pub fn check(tally: &mut Tally) {
    let first = Instant::now();
    let second = first + Duration::new(1, 999_999_999) + Duration::from_nanos(2);
    same!(tally, second - first, Duration::new(2, 1));
    same!(tally, first - second, Duration::ZERO);
    same!(tally, first.checked_duration_since(second), None);
    same!(tally, first.saturating_duration_since(second), Duration::ZERO);
    same!(tally, second.duration_since(first), Duration::new(2, 1));
    same!(tally, first.checked_add(Duration::MAX), None);
    same!(tally, first.checked_sub(Duration::MAX), None);
    holds!(tally, first < second && first == second - Duration::new(2, 1));
    holds!(tally, Instant::now() >= first && first.elapsed() < Duration::from_secs(60));
    let mut later = first;
    later += Duration::from_millis(1500);
    later -= Duration::from_millis(500);
    same!(tally, later - first, Duration::from_secs(1));
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(2) {}

    let now = SystemTime::now();
    holds!(tally, now >= UNIX_EPOCH && now.duration_since(UNIX_EPOCH).is_ok());
    holds!(tally, now.elapsed().is_ok());
    let before = SystemTime::UNIX_EPOCH - Duration::from_millis(1500);
    same!(tally, before + Duration::from_millis(1500), UNIX_EPOCH);
    same!(tally, UNIX_EPOCH.duration_since(before).ok(), Some(Duration::from_millis(1500)));
    let error = before.duration_since(UNIX_EPOCH).unwrap_err();
    same!(tally, error.duration(), Duration::from_millis(1500));
    same!(tally, error.to_string(), "second time provided was later than self");
    same!(tally, UNIX_EPOCH.checked_add(Duration::MAX), None);
    holds!(tally, UNIX_EPOCH.checked_add(Duration::from_secs(i64::MAX as u64)).is_some());
    holds!(tally, UNIX_EPOCH.checked_sub(Duration::from_secs(1 << 63)).is_some());
    let far = SystemTime::UNIX_EPOCH - Duration::from_secs(1 << 63);
    holds!(tally, far.checked_sub(Duration::from_nanos(1)).is_none());
    let end = UNIX_EPOCH + Duration::new(i64::MAX as u64, 999_999_999);
    same!(tally, end.duration_since(far).ok(), Some(Duration::MAX));
    same!(tally, format!("{:?}", Duration::from_micros(1500)), "1.5ms");
    holds!(tally, Duration::try_from_secs_f64(-1.0).is_err());
}
