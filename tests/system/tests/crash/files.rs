//! A program's own files: lines of a log whose fsync has answered, and rows committed to SQLite.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use system_tests::{Guest, Platform, need, project_root, random_points, scratch};

use crate::{END, LONGEST, ROUNDS, START, count, kill};

pub fn kills(platform: Platform) {
    need(&["/usr/bin/python3", "sqlite3"]);
    let mut folder = scratch();
    let (mut rows, mut lines, mut all) = (0, 0, 0);
    for (round, micros) in random_points(count(), LONGEST.as_micros() as u64).into_iter().enumerate() {
        if round % ROUNDS == 0 {
            all += rows + lines;
            (folder, rows, lines) = (scratch(), 0, 0);
        }
        let said = write_and_kill(platform, folder.path(), round, Duration::from_micros(micros));
        rows = last(&said, "base ").unwrap_or(rows);
        lines = last(&said, "log ").unwrap_or(lines);
        let when = format!("after kill {round}, {micros} us after the first write");
        assert!(!said.contains("damaged"), "{when}: the guest found a damaged database");
        database_is_whole(folder.path(), rows, &when);
        log_is_whole(folder.path(), lines, &when);
    }
    all += rows + lines;
    println!("{}: {} kills among {all} acknowledged writes", platform.name(), count());
    assert!(rows > 0 && lines > 0, "nothing was written");
}

/// The number in the last whole line that begins so.
fn last(said: &str, word: &str) -> Option<u64> {
    let whole = &said[..said.rfind('\n')?];
    whole.lines().rev().find_map(|line| line.strip_prefix(word)?.parse().ok())
}

/// Lets a machine write that long, kills it, and answers what the program has said.
fn write_and_kill(platform: Platform, folder: &Path, round: usize, time: Duration) -> String {
    let writer = project_root().join("tests/system/programs/crash/writer.py");
    let share = format!("{}:/mnt", folder.display());
    let journal = ["delete", "wal", "truncate"][round % 3];
    let guest = Guest::new(platform).option("-v").option(share).option("--cpus").option((1 + round % 2).to_string());
    let running = guest.start(&["/usr/bin/python3", writer.to_str().unwrap(), "/mnt", journal]);
    running.wait_for_output(" ", START);
    std::thread::sleep(time);
    kill::machine(&running);
    let outcome = running.finish(END);
    assert!(!outcome.timed_out, "the command does not see that its machine is gone");
    assert_ne!(outcome.status, 0, "{}", outcome.error_text());
    outcome.text()
}

/// A copy is looked at: the guest is to mend the original by itself.
fn database_is_whole(folder: &Path, rows: u64, when: &str) {
    let copy = scratch();
    for name in ["base", "base-journal", "base-wal"] {
        let _ = std::fs::copy(folder.join(name), copy.path().join(name));
    }
    let look = "pragma integrity_check; select count(*), coalesce(max(a), 0) from t;";
    let output = Command::new("sqlite3").arg(copy.path().join("base")).arg(look).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if rows == 0 && text == "ok\n" {
        return;
    }
    let numbers = text.strip_prefix("ok\n").and_then(|rest| rest.trim().split_once('|'));
    let (count, most) = numbers.unwrap_or_else(|| panic!("{when}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(count, most, "{when}: rows are missing");
    let most: u64 = most.parse().unwrap_or(0);
    assert!(most >= rows, "{when}: {rows} rows were committed, {most} are there");
}

/// Each whole line is what was written, and none that was acknowledged is missing. Behind them may be what a kill cut.
fn log_is_whole(folder: &Path, lines: u64, when: &str) {
    let log = std::fs::read(folder.join("log")).unwrap_or_default();
    let whole = log.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut found = 0;
    for line in log[..whole].split_inclusive(|&byte| byte == b'\n') {
        found += 1;
        assert!(line == line_of(found), "{when}: line {found} is not what was written");
    }
    assert!(found >= lines, "{when}: {lines} lines were synchronised, {found} are there");
}

/// What the program writes as line `number`.
fn line_of(number: u64) -> Vec<u8> {
    let bytes = (0..number * 37 % 5000).map(|n| 33 + (number * n % 90) as u8);
    format!("{number} ").into_bytes().into_iter().chain(bytes).chain([b'\n']).collect()
}
