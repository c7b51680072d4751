//! Processes below one, and what their threads take of the host's processors.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A process and those below it.
pub fn family(process: u32) -> Vec<u32> {
    let mut all = vec![process];
    let mut at = 0;
    while at < all.len() {
        let tasks = fs::read_dir(format!("/proc/{}/task", all[at])).into_iter().flatten().flatten();
        let lines: Vec<_> = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok()).collect();
        all.extend(lines.iter().flat_map(|line| line.split_whitespace()).filter_map(|word| word.parse::<u32>().ok()));
        at += 1;
    }
    all
}

/// Nanoseconds that each thread of a process and of those below it has run, by its number (the first word of
/// `schedstat`).
pub fn threads(process: u32) -> BTreeMap<u32, u64> {
    let tasks = family(process).into_iter().filter_map(|process| fs::read_dir(format!("/proc/{process}/task")).ok());
    let tasks = tasks.flatten().flatten().map(|task| task.path());
    tasks.filter_map(|task| Some((task.file_name()?.to_str()?.parse().ok()?, ran(&task)?))).collect()
}

fn ran(task: &Path) -> Option<u64> {
    fs::read_to_string(task.join("schedstat")).ok()?.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::resident;

    #[test]
    fn a_family_has_its_children_and_their_threads() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let own = std::process::id();
        assert!(family(own).contains(&child.id()));
        assert!(threads(own).contains_key(&child.id()));
        assert!(resident(own).is_some_and(|bytes| bytes > 0));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
