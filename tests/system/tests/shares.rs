//! Directories of the host's that a program sees while it runs: `-v` beside `--root`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use system_tests::{
    Build, Check, Guest, LibC, Outcome, Platform, Scope, Small, Unmodified, need, report_rate, scratch,
};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("trees_look_as_on_the_host", Scope::Guests, looks),
        Check::new("trees_look_as_on_the_host_on_q35", Scope::Machines, looks_on_q35),
        Check::new("changes_are_the_hosts", Scope::Guests, changes),
        Check::new("mappings_and_nameless_files", Scope::Guests, program),
        Check::new("watches_on_shares", Scope::Guests, watches),
        Check::new("pipes_and_sockets_on_shares", Scope::Guests, special),
        Check::new("what_is_read_only_stays", Scope::Guests, read_only),
        Check::new("a_full_file_system_says_so", Scope::Guests, full),
        Check::new("stores_that_a_full_file_system_refuses", Scope::Guests, stored),
        Check::new("a_share_turns_read_only", Scope::GuestsAtRing0, turns_read_only),
        Check::new("the_hosts_files_vanish", Scope::GuestsAtRing0, vanishes),
        Check::new("the_hosts_errors_are_told_as_they_are", Scope::GuestsAtRing0, errors),
        Check::new("files_have_a_longest_length", Scope::GuestsAtRing0, limited),
        Check::new("ten_thousand_entries", Scope::Guests, entries),
        Check::new("64_megabytes_in_order", Scope::Guests, big),
    ])
}

/// A guest with busybox, and this directory at its own path.
fn guest(platform: Platform, folder: &Path, rights: &str) -> Guest {
    let both = format!("{0}:{0}{rights}", folder.display());
    Guest::new(platform).option("--root").option("none").option("-v").option("/bin:/bin:ro").option("-v").option(both)
}

fn busybox(guest: &Guest, words: &[&str]) -> Outcome {
    let outcome = guest.run(&[&["/bin/busybox"], words].concat());
    assert_eq!((outcome.status, outcome.error_text().as_str()), (0, ""), "{words:?}");
    outcome
}

fn on_the_host(words: &[&str]) -> String {
    let output = Command::new("/bin/busybox").args(words).env_clear().env("TZ", "UTC0").output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn tree(folder: &Path) {
    fs::create_dir_all(folder.join("one/two")).unwrap();
    fs::write(folder.join("one/two/file"), "text").unwrap();
    fs::write(folder.join("one").join(std::ffi::OsStr::from_bytes(b"odd \xff\n'name")), "").unwrap();
    std::os::unix::fs::symlink("one/two", folder.join("link")).unwrap();
    fs::hard_link(folder.join("one/two/file"), folder.join("again")).unwrap();
}

fn look(guest: &Guest, folder: &Path) {
    let path = folder.to_str().unwrap();
    for words in [&["ls", "-lnAR", path][..], &["find", path, "-type", "f"], &["cat", &format!("{path}/link/file")]] {
        let mut here: Vec<_> = busybox(guest, words).text().lines().map(str::to_owned).collect();
        let mut there: Vec<_> = on_the_host(words).lines().map(str::to_owned).collect();
        // The order is the directory's own.
        here.sort();
        there.sort();
        assert_eq!(here, there, "{words:?}");
    }
}

fn looks(platform: Platform) {
    let folder = scratch();
    tree(folder.path());
    look(&guest(platform, folder.path(), ""), folder.path());
}

fn looks_on_q35(platform: Platform) {
    let folder = scratch();
    tree(folder.path());
    look(&guest(platform, folder.path(), "").option("--machine").option("q35"), folder.path());
}

fn changes(platform: Platform) {
    let folder = scratch();
    tree(folder.path());
    let guest = guest(platform, folder.path(), "");
    let path = |name: &str| format!("{}/{name}", folder.path().display());
    let script = format!("echo new > {0}; echo more >> {0}; read line < {0}; echo $line", path("made"));
    assert_eq!(busybox(&guest, &["sh", "-c", &script]).text(), "new\n");
    busybox(&guest, &["mkdir", "-p", &path("three/four")]);
    busybox(&guest, &["mv", &path("made"), &path("three/four/moved")]);
    busybox(&guest, &["rm", "-r", &path("one"), &path("link")]);
    busybox(&guest, &["ln", "-s", "somewhere", &path("three/link")]);
    busybox(&guest, &["chmod", "640", &path("again")]);
    assert_eq!(fs::read_to_string(path("three/four/moved")).unwrap(), "new\nmore\n");
    assert_eq!(fs::read_link(path("three/link")).unwrap(), Path::new("somewhere"));
    assert!(!Path::new(&path("one")).exists() && fs::symlink_metadata(path("link")).is_err());
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path("again")).unwrap().permissions()), 0o100_640);
    let outcome = guest.run(&["/bin/busybox", "cat", &path("nothing")]);
    assert!(outcome.status == 1 && outcome.error_text().contains("No such file"), "{}", outcome.error_text());
}

fn run_program(guest: &Guest, words: &[&str]) {
    let outcome = guest.run(words);
    assert_eq!((outcome.status, outcome.text().as_str(), outcome.error_text().as_str()), (0, "", ""), "{words:?}");
}

/// The test's own program, in the directory.
fn copied(folder: &Path) -> String {
    let built = Unmodified { folder: "shared-files", build: Build::C(LibC::Musl) }.path();
    let place = folder.join("program");
    fs::copy(built, &place).unwrap();
    place.to_str().unwrap().to_owned()
}

fn program(platform: Platform) {
    let folder = scratch();
    let program = copied(folder.path());
    run_program(&guest(platform, folder.path(), ""), &[&program, folder.path().to_str().unwrap()]);
    let bytes = fs::read(folder.path().join("mapped")).unwrap();
    assert_eq!(bytes.len(), 10_000);
    for (at, text) in [(0, "closed"), (100, "written"), (200, "ended"), (4094, "stored"), (8100, "written")] {
        assert_eq!(&bytes[at..at + text.len()], text.as_bytes());
    }
    assert!(!folder.path().join("nameless").exists());
}

/// What the program itself changes there is told (inotify(7)), as on Linux.
fn watches(platform: Platform) {
    const TESTS: [&str; 6] = ["of_a_directory", "of_a_file", "of_directories", "masks", "reading", "names_that_change"];
    as_natively(platform, &TESTS.map(|test| format!("watches_{test}")));
}

/// Named pipes and sockets are the machine's own, by a name on the host.
fn special(platform: Platform) {
    as_natively(platform, &["special_pipes", "special_pipes_meet", "special_sockets"].map(str::to_owned));
}

/// Those tests of the system calls say in a directory of the host's what they say on Linux.
fn as_natively(platform: Platform, tests: &[String]) {
    let folder = scratch();
    let [place, program] = ["", "program"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    fs::copy(Unmodified { folder: "system-calls", build: Build::C(LibC::Musl) }.path(), &program).unwrap();
    let words: Vec<_> = [&program].into_iter().chain(tests).map(String::as_str).collect();
    let place = place.trim_end_matches('/');
    let native = Guest::new(Platform::Native).variable("TMPDIR", place).run(&words);
    guest(platform, folder.path(), "").variable("TMPDIR", place).run(&words).expect_output(native.output);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

fn read_only(platform: Platform) {
    let folder = scratch();
    let program = copied(folder.path());
    fs::write(folder.path().join("file"), "kept").unwrap();
    run_program(&guest(platform, folder.path(), ":ro"), &[&program, folder.path().to_str().unwrap(), "read-only"]);
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "kept");
}

fn full(platform: Platform) {
    let folder = scratch();
    let program = copied(folder.path());
    let small = Small::new(folder.path().join("full"));
    run_program(&guest(platform, folder.path(), ""), &[&program, folder.path().to_str().unwrap(), "full"]);
    let kept = fs::read(small.0.join("kept")).unwrap();
    assert!(kept.len() == 8192 && kept.starts_with(b"before") && kept[4096..].starts_with(b"stored"));
    assert_eq!(fs::read(small.0.join("other")).unwrap(), b"again");
    assert_eq!(fs::metadata(small.0.join("file")).unwrap().len(), 4096);
}

fn stored(platform: Platform) {
    let folder = scratch();
    let program = copied(folder.path());
    let _small = Small::new(folder.path().join("full"));
    run_program(&guest(platform, folder.path(), ""), &[&program, folder.path().to_str().unwrap(), "stored"]);
}

/// Runs the program up to its `ready`, changes the host, and lets it go on.
fn meanwhile(platform: Platform, folder: &Path, way: &str, change: impl FnOnce()) {
    let program = copied(folder);
    let mut command = guest(platform, folder, "").command(&[&program, folder.to_str().unwrap(), way]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    change();
    child.stdin.take().unwrap().write_all(b"go on\n").unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!((rest.as_str(), child.wait().unwrap().code()), ("", Some(0)));
}

fn turns_read_only(platform: Platform) {
    let folder = scratch();
    let small = Small::new(folder.path().join("turns"));
    meanwhile(platform, folder.path(), "turns", || {
        let turned = Command::new("mount").args(["-o", "remount,ro"]).arg(&small.0).status();
        assert!(turned.is_ok_and(|status| status.success()), "a file of the share is still open for writing");
    });
    assert_eq!(fs::read(small.0.join("file")).unwrap(), b"before");
}

fn vanishes(platform: Platform) {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("folder/inside"), "").unwrap();
    meanwhile(platform, folder.path(), "vanishes", || {
        fs::remove_file(path("open")).unwrap();
        // Still to be seen by another name: what is stored in memory is not lost with the first.
        fs::rename(path("mapped"), path("elsewhere")).unwrap();
        fs::remove_dir_all(path("folder")).unwrap();
    });
    assert_eq!(fs::read(path("open")).unwrap(), b"fresh");
    assert_eq!(&fs::read(path("elsewhere")).unwrap()[4096..4102], b"stored");
}

/// What the host answers to the opening of a file, by number, and what the program is told: the same on all platforms.
/// Which of its own descriptors and addresses are bad, and what no file answers, is a failure of the device.
const TOLD: [(i32, i32); 24] = [
    (1, 1),
    (5, 5),
    (6, 6),
    (7, 5),
    (9, 5),
    (12, 12),
    (13, 13),
    (14, 5),
    (16, 16),
    (19, 6),
    (22, 22),
    (23, 23),
    (24, 23),
    (26, 26),
    (27, 27),
    (28, 28),
    (30, 30),
    (32, 32),
    (36, 36),
    (38, 95),
    (40, 40),
    (75, 27),
    (116, 116),
    (122, 122),
];

/// strace answers in the host's place, to QEMU and to the process alike. The call that it makes instead is one that the
/// process may make.
fn errors(platform: Platform) {
    need(&["strace"]);
    let folder = scratch();
    fs::write(folder.path().join("injected"), "bytes").unwrap();
    let path = folder.path().join("injected");
    let guest = guest(platform, folder.path(), "");
    for (number, told) in TOLD {
        let run = guest.command(&["/bin/busybox", "cat", path.to_str().unwrap()]);
        let mut strace = Command::new("strace");
        strace.args(["-f", "-o", "/dev/null", "-P", "injected", "-e", "trace=openat", "-e"]);
        strace.arg(format!("inject=openat:error={number}:syscall=gettid")).arg(run.get_program()).args(run.get_args());
        for (name, value) in run.get_envs() {
            match value {
                Some(value) => strace.env(name, value),
                None => strace.env_remove(name),
            };
        }
        let output = strace.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        let name = std::io::Error::from_raw_os_error(told).to_string();
        let name = name.split(" (os error").next().unwrap();
        let expected = format!("cat: can't open '{}': {name}", path.display());
        assert!(text.lines().any(|line| line == expected), "the host's {number}: {expected}, but\n{text}");
    }
}

fn limited(platform: Platform) {
    let folder = scratch();
    let program = copied(folder.path());
    run_program(&guest(platform, folder.path(), ""), &[&program, folder.path().to_str().unwrap(), "limited"]);
    assert_eq!(fs::metadata(folder.path().join("limited")).unwrap().len(), 6000);
}

fn entries(platform: Platform) {
    let folder = scratch();
    for number in 0..10_000 {
        fs::write(folder.path().join(format!("entry {number}")), "").unwrap();
    }
    let outcome = busybox(&guest(platform, folder.path(), ""), &["ls", folder.path().to_str().unwrap()]);
    assert_eq!(outcome.text().lines().count(), 10_000);
}

fn big(platform: Platform) {
    let folder = scratch();
    let path = folder.path().join("big");
    let mut state = 1_u64;
    let bytes: Vec<u8> = (0..8 << 20)
        .flat_map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state ^ state >> 29).to_le_bytes()
        })
        .collect();
    fs::write(&path, &bytes).unwrap();
    let path = path.to_str().unwrap();
    let guest = guest(platform, folder.path(), "");
    assert_eq!(busybox(&guest, &["sha256sum", path]).text(), on_the_host(&["sha256sum", path]));
    let start = Instant::now();
    let input = format!("if={path}");
    guest.run(&["/bin/busybox", "dd", &input, "of=/dev/null", "bs=1M"]).expect_status(0);
    report_rate(platform, "a file of a share read once, with the start", bytes.len(), start.elapsed());
}
