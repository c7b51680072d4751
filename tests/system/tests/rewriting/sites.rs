//! Sites that people name, and those that one run has the next know: `--except`, `--record-sites` and `--sites`.

use std::fs;
use std::path::{Path, PathBuf};

use system_tests::{Guest, Outcome, Platform, need, scratch};

use crate::{LIMIT, needs_memory_file};

/// What each run of the program reads and writes so often.
const COUNT: u64 = 3000;

/// The name and the length of its build id, and the type, before the owner of busybox's note.
const NOTE: &[u8] = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0";

/// A program that reads and writes byte by byte, and has a build id.
const BUSYBOX: &str = "/bin/busybox";

fn rewriting(platform: Platform) -> Guest {
    // The image may have to be built first.
    Guest::new(platform).limit(LIMIT).option("--syscalls").option("rewrite")
}

fn guest(platform: Platform) -> Guest {
    needs_memory_file(platform);
    need(&[BUSYBOX]);
    rewriting(platform).option("--report").option("syscalls")
}

fn run(guest: &Guest, program: &Path) -> Report {
    let count = format!("count={COUNT}");
    let words = [program.to_str().unwrap(), "dd", "if=/dev/zero", "of=/dev/null", "bs=1", &count];
    let outcome = guest.run(&words);
    outcome.expect_status(0);
    Report::of(&outcome)
}

/// What `--report syscalls` says.
struct Report {
    text: String,
    trapped: u64,
    called: u64,
    /// Sites of the program that were rewritten.
    rewritten: u64,
}

impl Report {
    fn of(outcome: &Outcome) -> Self {
        let text = outcome.error_text();
        let numbers = |line: &str| -> Vec<u64> { line.split(' ').filter_map(|word| word.parse().ok()).collect() };
        let line = |is: &dyn Fn(&str) -> bool| numbers(text.lines().find(|line| is(line)).unwrap_or_default());
        let sums = line(&|line| line.starts_with("whittle: system calls: "));
        let row = line(&|line| line.ends_with("/busybox") && !line.contains("--sites"));
        assert!(sums.len() == 2 && row.len() == 8, "no report: {text}");
        Self { trapped: sums[0], called: sums[1], rewritten: row[2..5].iter().sum(), text }
    }

    /// Sites that were left for this reason: each as it is named, and how often it has trapped.
    fn left(&self, reason: &str) -> Vec<(String, u64)> {
        let lines = self.text.lines().filter_map(|line| line.strip_suffix(reason)?.strip_suffix(": "));
        lines
            .map(|line| {
                let mut words = line.split_whitespace().skip(1);
                let traps = words.next().unwrap().parse().unwrap();
                (words.next().unwrap().to_owned(), traps)
            })
            .collect()
    }
}

/// Records the program's sites; answers the file, its text, and the offsets in it.
fn record(platform: Platform, folder: &Path) -> (PathBuf, String, Vec<String>) {
    let file = folder.join("sites");
    run(&guest(platform).option("--record-sites").option(file.to_str().unwrap()), Path::new(BUSYBOX));
    let text = fs::read_to_string(&file).expect("a file of sites");
    let offsets = text.lines().filter_map(|line| line.trim().strip_suffix(',').map(str::to_owned)).collect::<Vec<_>>();
    assert!(offsets.len() >= 2 && offsets.iter().all(|offset| offset.starts_with("0x")), "{text}");
    (file, text, offsets)
}

pub fn excepted(platform: Platform) {
    let folder = scratch();
    let (_, _, offsets) = record(platform, folder.path());
    // All of them, by the file's name: nothing is rewritten that matters.
    let all =
        offsets.iter().fold(guest(platform), |guest, at| guest.option("--except").option(format!("busybox+{at}")));
    let report = run(&all, Path::new(BUSYBOX));
    let left = report.left("excepted");
    assert_eq!(left.len(), offsets.len(), "{}", report.text);
    let traps: u64 = left.iter().map(|(_, traps)| traps).sum();
    assert!(traps >= 2 * COUNT && report.called < 100, "{traps} traps of excepted sites: {}", report.text);
    // One of them, as the report has named it: the others are rewritten.
    let (name, before) = left.iter().max_by_key(|(_, traps)| traps).unwrap();
    let report = run(&guest(platform).option("--except").option(name), Path::new(BUSYBOX));
    assert_eq!(report.left("excepted"), [(name.clone(), *before)], "{}", report.text);
    assert!(report.called >= COUNT - 100, "{}", report.text);
    // The same offset of another file is another site.
    let other = name.replace("/busybox+", "/other/busybox+");
    let report = run(&guest(platform).option("--except").option(&other), Path::new(BUSYBOX));
    assert!(report.left("excepted").is_empty() && report.trapped < 1000, "{}", report.text);
    // That it was no site is said, without a report too.
    let unmet = format!("whittle: --except {other}: no system call came from there\n");
    assert!(report.text.contains(&unmet), "{}", report.text);
    let quiet = rewriting(platform).option("--except").option(&other).option("--except").option(name);
    let words = [BUSYBOX, "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=50", "status=none"];
    let outcome = quiet.run(&words);
    assert_eq!((outcome.status, outcome.error_text().trim_end()), (0, unmet.trim_end()), "only that is said");
}

pub fn recorded(platform: Platform) {
    let folder = scratch();
    let without = run(&guest(platform), Path::new(BUSYBOX));
    let (file, text, offsets) = record(platform, folder.path());
    let known = guest(platform).option("--sites").option(file.to_str().unwrap());
    let with = run(&known, Path::new(BUSYBOX));
    assert!(with.rewritten >= offsets.len() as u64, "{}", with.text);
    // Each of these sites has to trap once, and not eight times.
    let saved = offsets.len() as u64 * 7;
    assert!(with.trapped + saved <= without.trapped + 5, "{}\n{}", without.text, with.text);
    assert!(with.text.contains(&format!("--sites: {} taken for ", offsets.len())), "{}", with.text);
    // Where there is no `syscall` nothing is taken, and all else is.
    fs::write(&file, text.replace("sites = [", "sites = [0x40, 0x7fffffffffffffff,")).unwrap();
    let damaged = run(&known, Path::new(BUSYBOX));
    for offset in ["0x40", "0x7fffffffffffffff"] {
        let refused = format!("busybox+{offset}: there is no syscall");
        assert!(damaged.text.contains(&refused), "{}", damaged.text);
    }
    assert!(damaged.rewritten >= offsets.len() as u64 && damaged.trapped <= with.trapped + 5, "{}", damaged.text);
}

/// A copy of the program with other bytes in its note.
fn rebuilt(folder: &Path, change: impl Fn(&mut [u8])) -> PathBuf {
    let mut bytes = fs::read(BUSYBOX).unwrap();
    let at = bytes.windows(NOTE.len()).position(|bytes| bytes == NOTE).expect("a build id of 20 bytes");
    change(&mut bytes[at..at + NOTE.len() + 20]);
    let path = folder.join("busybox");
    fs::copy(BUSYBOX, &path).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

pub fn another_build(platform: Platform) {
    let folder = scratch();
    let (file, _, _) = record(platform, folder.path());
    let known = guest(platform).option("--sites").option(file.to_str().unwrap());
    let other = rebuilt(folder.path(), |note| note[NOTE.len()] ^= 1);
    let report = run(&known, &other);
    let refused = format!("--sites: nothing is taken for {}: its build id is ", other.display());
    assert!(report.text.contains(&refused), "{}", report.text);
    let without = run(&guest(platform), &other);
    assert!(report.trapped + 5 >= without.trapped, "{}\n{}", without.text, report.text);
    // Said without a report, too.
    let quiet = rewriting(platform).option("--sites");
    let outcome = quiet.option(file.to_str().unwrap()).option("--verbose").run(&[other.to_str().unwrap(), "true"]);
    assert!(outcome.status == 0 && outcome.error_text().contains(&refused), "{}", outcome.error_text());
    // And one without a build id is no object for a file of sites.
    let nameless = rebuilt(folder.path(), |note| note[NOTE.len() - 4] = b'X');
    let report = run(&guest(platform).option("--record-sites").option(file.to_str().unwrap()), &nameless);
    assert!(report.text.contains("/busybox has no build id, so its "), "{}", report.text);
    assert!(!fs::read_to_string(&file).unwrap().contains("[[object]]"));
}

pub fn as_a_whole(platform: Platform) {
    let folder = scratch();
    let (file, before, _) = record(platform, folder.path());
    let guest = guest(platform).option("--record-sites").option(file.to_str().unwrap());
    let outcome = guest.clone().option("--inject").option("panic").run(&[BUSYBOX, "true"]);
    outcome.expect_status(125);
    assert!(outcome.error_text().contains("no sites are recorded"), "{}", outcome.error_text());
    assert_eq!(fs::read_to_string(&file).unwrap(), before, "what was there is there still");
    // One that never began has no sites, and no space to look for them.
    let outcome = guest.clone().option("--workdir").option("/none/such").run(&[BUSYBOX, "true"]);
    outcome.expect_status(125);
    assert!(outcome.error_text().contains("the program sees no directory"), "{}", outcome.error_text());
    assert!(!outcome.error_text().contains("backtrace"), "{}", outcome.error_text());
    assert_eq!(fs::read_to_string(&file).unwrap(), before, "what was there is there still");
    // A program that fails, or that a signal ends, has its sites all the same.
    guest.run(&[BUSYBOX, "sh", "-c", "kill -9 $$"]).expect_status(137);
    assert_ne!(fs::read_to_string(&file).unwrap(), before);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["sites"]);
}

pub fn malformed(platform: Platform) {
    let folder = scratch();
    let file = folder.path().join("sites");
    let cases = [
        ("version = 1\n[[object]]\npath = \"/a\"\n", "sites:2: missing field `build-id`"),
        ("version = 9\n", "sites: version 9 is not known"),
        ("\0", "sites:1: "),
    ];
    for (text, wrong) in cases {
        fs::write(&file, text).unwrap();
        let outcome =
            guest(platform).option("--sites").option(file.to_str().unwrap()).run(&[BUSYBOX, "echo", "started"]);
        outcome.expect_status(125);
        assert!(outcome.error_text().contains(wrong) && outcome.text().is_empty(), "{}", outcome.error_text());
    }
}
