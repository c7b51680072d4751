//! What the host tells of a process: `/proc/PID/stat` and `statm` (proc_pid_stat(5)).

use std::fs;
use std::time::Duration;

/// The unit of processor times, a hundredth of a second on every x86-64 Linux (USER_HZ, times(2)).
const TICK: Duration = Duration::from_millis(10);
/// Bytes of a page.
const PAGE: u64 = 4096;

/// A process as it was when it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The process whose child it is.
    pub parent: u32,
    /// Processor time it has used, in all its threads.
    pub time: Duration,
    /// Bytes of the host's memory that it has.
    pub memory: u64,
}

/// Looks at a process.
#[must_use]
pub fn look(number: u32) -> Option<Seen> {
    let read = |file| fs::read_to_string(format!("/proc/{number}/{file}")).ok();
    seen(&read("stat")?, &read("statm")?)
}

/// Bytes of the host's memory that a process has.
#[must_use]
pub fn resident(number: u32) -> Option<u64> {
    look(number).map(|seen| seen.memory)
}

fn seen(stat: &str, statm: &str) -> Option<Seen> {
    // Its name may hold anything, blanks and parentheses too.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    // The third field of the manual page is the first one here.
    let field = |number: usize| fields.get(number - 3).and_then(|field| field.parse::<u32>().ok());
    let time = TICK.checked_mul(field(14)?.checked_add(field(15)?)?)?;
    let resident: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(Seen { parent: field(4)?, time, memory: resident.checked_mul(PAGE)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_seen_whatever_its_name() {
        let stat = "7 (a) b) S 3 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 100 1000 200";
        let seen_one = seen(stat, "1000 25 10 1 0 5 0\n");
        assert_eq!(seen_one, Some(Seen { parent: 3, time: Duration::from_secs(3), memory: 25 * 4096 }));
        for (stat, statm) in [("", "1 2"), ("7 (x) S 3", "1 2"), (stat, ""), (stat, "1 x"), ("7 (x", "1 2")] {
            assert_eq!(seen(stat, statm), None, "{stat:?} {statm:?}");
        }
    }

    #[test]
    fn this_process_is_seen() {
        let own = look(std::process::id()).unwrap();
        assert_eq!(own.parent, std::os::unix::process::parent_id());
        assert!(own.memory > 0);
        assert_eq!(look(u32::MAX), None);
    }
}
