//! Figures that are reported, never asserted: this machine's wall clock is noisy.

use std::time::Duration;

use crate::Platform;

/// Prints a line with megabytes per second.
pub fn report_rate(platform: Platform, what: &str, bytes: usize, time: Duration) {
    let rate = bytes as f64 / 1e6 / time.as_secs_f64();
    eprintln!("figure: {}: {what}: {rate:.1} MB/s ({bytes} bytes in {} ms)", platform.name(), time.as_millis());
}
