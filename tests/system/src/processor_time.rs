//! What processes take of the host's processors.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The processes below one, and it.
#[must_use]
pub fn family(process: i32) -> Vec<i32> {
    let mut all = vec![process];
    let mut at = 0;
    while at < all.len() {
        let tasks = fs::read_dir(format!("/proc/{}/task", all[at])).into_iter().flatten().flatten();
        let lines: Vec<_> = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok()).collect();
        all.extend(lines.iter().flat_map(|line| line.split_whitespace()).filter_map(|word| word.parse::<i32>().ok()));
        at += 1;
    }
    all
}

/// Processor time of all threads of a process and of those below it: the first word of their `schedstat`, in
/// nanoseconds.
#[must_use]
pub fn processor_time(process: i32) -> Duration {
    let folders = family(process).into_iter().filter_map(|process| fs::read_dir(format!("/proc/{process}/task")).ok());
    let threads = folders.flatten().flatten().map(|task| task.path());
    let time = |path: PathBuf| fs::read_to_string(path.join("schedstat")).ok()?.split(' ').next()?.parse::<u64>().ok();
    Duration::from_nanos(threads.filter_map(time).sum())
}

/// Descriptors that they have open.
#[must_use]
pub fn open_descriptors(process: i32) -> usize {
    let folders = family(process).into_iter().filter_map(|process| fs::read_dir(format!("/proc/{process}/fd")).ok());
    folders.map(Iterator::count).sum()
}

/// Bytes of the host's memory that they have.
#[must_use]
pub fn resident_memory(process: i32) -> u64 {
    let status = |process| fs::read_to_string(format!("/proc/{process}/status")).ok();
    let kilobytes = |status: String| {
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    family(process).into_iter().filter_map(status).filter_map(kilobytes).sum::<u64>() << 10
}
