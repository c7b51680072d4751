//! Programs of the distribution, each run with its system calls trapping and with each rewritten at its first trap.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use system_tests::{Guest, Outcome, Platform, need, scratch};

const LIST: &str = include_str!("programs.txt");

/// Fewer would say little.
const LEAST: usize = 90;

pub fn say_and_leave_the_same(platform: Platform) {
    need(&["/bin/busybox"]);
    let folder = scratch();
    let mut compared = 0;
    for line in LIST.lines().filter(|line| !line.starts_with('#')) {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let Some(program) = found(words[0]) else { continue };
        words[0] = program.to_str().expect("paths of programs are text");
        let [trapped, rewritten] = ["trap", "rewrite:1"].map(|setting| {
            fill(folder.path());
            let guest = Guest::new(platform).option("--syscalls").option(setting).share(folder.path());
            let outcome = guest.directory(folder.path().to_str().expect("a folder of ours")).run(&words);
            (told(&outcome), left(folder.path()))
        });
        assert_eq!(trapped.0, rewritten.0, "{line}: what it says and how it ends");
        assert_eq!(trapped.1, rewritten.1, "{line}: what it leaves");
        compared += 1;
    }
    assert!(compared >= LEAST, "only {compared} programs are here");
}

fn found(program: &str) -> Option<PathBuf> {
    let folders = if program.starts_with('/') { &[""][..] } else { &["/usr/bin", "/bin"] };
    folders.iter().map(|folder| Path::new(folder).join(program)).find(|path| path.is_file())
}

/// Makes the folder what each program finds.
fn fill(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
    let text: String = (0..50).map(|number| format!("line {number} of many,\tand no more\r\n")).collect();
    let numbers: String = (0..99).map(|number| format!("{}\n", number * 7919 % 100)).collect();
    fs::create_dir_all(folder.join("t/deep")).unwrap();
    let files: [(&str, &[u8]); 6] = [
        ("a", b"some text\nof two lines\n"),
        ("b", text.as_bytes()),
        ("n", numbers.as_bytes()),
        ("z", &[0; 10_000]),
        ("t/one", b"1"),
        ("t/deep/two", b"22"),
    ];
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    for name in files.map(|(name, _)| name).into_iter().chain(["t/deep", "t", "."]) {
        File::open(folder.join(name)).and_then(|file| file.set_modified(time)).unwrap();
    }
}

/// What it says, and how it ends.
fn told(outcome: &Outcome) -> (i32, String, String) {
    (outcome.status, outcome.text(), outcome.error_text())
}

/// What is in the folder: each path with its mode, and a file's bytes or where a link leads.
fn left(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let (path, metadata) = (entry.path(), entry.metadata().unwrap());
            let bytes = if metadata.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if metadata.is_file() {
                fs::read(&path).unwrap()
            } else {
                Vec::new()
            };
            if metadata.is_dir() {
                folders.push(path.clone());
            }
            found.insert(path, (metadata.permissions().mode(), bytes));
        }
    }
    found
}
