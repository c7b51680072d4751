//! What cannot be run gets one clear sentence and the right status: 125 ours, 126 cannot execute, 127 not found.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Elf, Guest, Platform, Running, Scope, native_busybox, project_root, random_points, scratch};

fn main() -> ExitCode {
    use Scope::{Everywhere, Guests, GuestsAtRing0, Once};
    system_tests::run(&[
        Check::new("no_such_file", Guests, no_such_file),
        Check::new("directory", Guests, directory),
        Check::new("text_without_interpreter", Guests, text),
        Check::new("interpreter_missing", Guests, interpreter_missing),
        Check::new("elf_of_32_bits", Guests, thirty_two_bits),
        Check::new("elf_of_another_architecture", Guests, other_architecture),
        Check::new("dynamic_program", Guests, dynamic),
        Check::new("truncated_at_64_points", Guests, truncated),
        Check::new("hostile_headers", Guests, hostile_headers),
        Check::new("smallest_program_runs", Everywhere, smallest_program),
        Check::new("more_memory_than_given", Guests, more_memory_than_given),
        Check::new("more_memory_than_the_host_has", Guests, more_memory_than_the_host_has),
        Check::new("too_little_memory", Guests, too_little_memory),
        Check::new("too_few_descriptors", Once, too_few_descriptors),
        Check::new("share_that_is_not_there", Guests, share_missing),
        Check::new("hidden_by_a_share", Guests, hidden),
        Check::new("a_pipe_as_a_share", Guests, pipe_as_share),
        Check::new("more_shares_than_fit", GuestsAtRing0, too_many_shares),
        Check::new("a_ring_on_process", Once, ring_on_process),
        Check::new("unknown_options", Once, unknown_options),
        Check::new("unknown_words_of_the_environment", Once, unknown_words_of_the_environment),
        Check::new("nothing_built", Once, nothing_built),
        Check::new("help", Once, help),
    ])
}

/// A file in a scratch folder, executable.
struct Made {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Made {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = scratch();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        Self { _folder: folder, path }
    }

    fn name(&self) -> &str {
        self.path.to_str().unwrap()
    }
}

/// The sentence for a program that must be refused with this status.
#[track_caller]
fn refused(platform: Platform, program: &str, status: i32) -> String {
    let outcome = Guest::new(platform).run(&[program]);
    outcome.expect_status(status);
    outcome.expect_sentence()
}

#[track_caller]
fn names(sentence: &str, words: &[&str]) {
    for word in words {
        assert!(sentence.to_lowercase().contains(&word.to_lowercase()), "{word:?} is not named: {sentence}");
    }
}

fn no_such_file(platform: Platform) {
    names(&refused(platform, "/no/such/file", 127), &["/no/such/file"]);
    names(&refused(platform, "./no-such-file", 127), &["no-such-file"]);
    names(&refused(platform, "no-such-command", 127), &["no-such-command", "PATH"]);
}

/// To open it would wait for a writer.
fn pipe_as_share(platform: Platform) {
    let folder = scratch();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    let outcome = Guest::new(platform).share(&pipe).run(&["/bin/busybox", "true"]);
    outcome.expect_status(125);
    names(&outcome.expect_sentence(), &[pipe.to_str().unwrap(), "neither a file nor a directory"]);
}

/// As many as fit run.
fn too_many_shares(platform: Platform) {
    let folder = scratch();
    let with = |count: usize| {
        let mut guest = Guest::new(platform);
        for number in 0..count {
            let here = folder.path().join(number.to_string());
            fs::create_dir_all(&here).unwrap();
            guest = guest.option("-v").option(format!("{}:/mnt/{number}", here.display()));
        }
        guest.run(&["/bin/busybox", "true"])
    };
    // The root is one more, and on pc the network interface takes a place.
    let (room, hint) = if platform.is_pc() { (6, "--machine q35") } else { (99, "share a directory above") };
    with(room - 1).expect_status(0);
    let outcome = with(room);
    outcome.expect_status(125);
    names(&outcome.expect_sentence(), &[&format!("room for {room} disks and shares"), hint]);
}

/// Rings separate a program from its kernel, and nothing does on process.
fn ring_on_process(platform: Platform) {
    for ring in ["0", "3"] {
        let outcome = Guest::new(platform).option("--ring").option(ring).run(&["/bin/busybox", "true"]);
        outcome.expect_status(125);
        names(&outcome.expect_sentence(), &["--ring", "--platform pc"]);
    }
}

fn directory(platform: Platform) {
    let folder = scratch();
    names(&refused(platform, folder.path().to_str().unwrap(), 126), &[folder.path().to_str().unwrap(), "folder"]);
}

fn text(platform: Platform) {
    let made = Made::new("notes", b"just some words\n");
    names(&refused(platform, made.name(), 126), &[made.name(), "#!"]);
    refused(platform, Made::new("empty", b"").name(), 126);
    refused(platform, Made::new("short", b"\x7fELF").name(), 126);
}

fn interpreter_missing(platform: Platform) {
    let made = Made::new("script", b"#!/no/such/interpreter\n");
    let outcome = Guest::new(platform).run(&[made.name()]);
    assert!([126, 127].contains(&outcome.status), "status {}", outcome.status);
    names(&outcome.expect_sentence(), &["/no/such/interpreter"]);
}

fn thirty_two_bits(platform: Platform) {
    let mut elf = Elf::exit_with(0);
    elf.bytes[4] = 1;
    elf.machine(3);
    names(&refused(platform, Made::new("program", &elf.bytes).name(), 126), &["32-bit"]);
}

fn other_architecture(platform: Platform) {
    for (number, word) in [(183, "AArch64"), (243, "RISC-V"), (0x1234, "machine")] {
        let mut elf = Elf { bytes: std::fs::read(native_busybox()).unwrap() };
        elf.machine(number);
        let sentence = refused(platform, Made::new("program", &elf.bytes).name(), 126);
        assert!(sentence.to_lowercase().contains(&word.to_lowercase()) || sentence.contains("x86-64"), "{sentence}");
    }
}

/// A program whose dynamic linker is not there, is a directory, or is no ELF file.
fn dynamic(platform: Platform) {
    const LINKER: &[u8] = b"/lib64/ld-linux-x86-64.so.2\0";
    let whole = std::fs::read("/usr/bin/env").unwrap();
    let place = whole.windows(LINKER.len()).position(|bytes| bytes == LINKER).expect("a dynamic program");
    for (linker, reason) in [
        ("/lib64/no-such-linker.so.2\0", "there is no such file"),
        ("/lib64\0", "it is a directory"),
        ("/etc/passwd\0", "it is not executable"),
    ] {
        let mut bytes = whole.clone();
        bytes[place..place + LINKER.len()].fill(0);
        bytes[place..place + linker.len()].copy_from_slice(linker.as_bytes());
        let made = Made::new("program", &bytes);
        names(&refused(platform, made.name(), 126), &["dynamic linker", linker.trim_end_matches('\0'), reason]);
    }
}

fn truncated(platform: Platform) {
    let whole = Elf { bytes: std::fs::read(native_busybox()).unwrap() };
    let segments = whole.segments();
    let total: u64 = segments.iter().map(|(_, range)| range.end - range.start).sum();
    let mut wrong = Vec::new();
    for point in random_points(64, total) {
        // The point counts through the segments' bytes one after the other.
        let mut left = point;
        let inside = segments.iter().find_map(|(_, range)| {
            let length = range.end - range.start;
            if left < length {
                Some(range.start + left)
            } else {
                left -= length;
                None
            }
        });
        let length = inside.expect("the point is below the total");
        let made = Made::new("truncated", &whole.bytes[..length as usize]);
        let outcome = Guest::new(platform).run(&[made.name(), "echo", "hello"]);
        let lines = outcome.error_text().lines().count();
        if outcome.status != 126 || lines != 1 || !outcome.output.is_empty() {
            wrong.push(format!("at {length}: status {}: {}", outcome.status, outcome.error_text()));
        }
    }
    assert!(wrong.is_empty(), "{} of 64:\n{}", wrong.len(), wrong.join("\n"));
}

/// Changes to a good program that make it one no loader may take.
fn hostile() -> Vec<(&'static str, Elf)> {
    const OFFSET: usize = 8;
    const ADDRESS: usize = 16;
    const FILE_SIZE: usize = 32;
    const MEMORY_SIZE: usize = 40;
    fn changed(name: &'static str, change: fn(&mut Elf) -> &mut Elf) -> (&'static str, Elf) {
        let mut elf = Elf::exit_with(0);
        change(&mut elf);
        (name, elf)
    }
    vec![
        changed("headers beyond the file", |elf| elf.headers(0x10_0000, 1)),
        changed("headers at the end of numbers", |elf| elf.headers(u64::MAX - 10, 1)),
        changed("65535 headers", |elf| elf.headers(64, 0xffff)),
        changed("no headers", |elf| elf.headers(64, 0)),
        changed("headers of another size", |elf| elf.set(0x36, 8, 2)),
        changed("nothing to load", |elf| elf.set(64, 0, 4)),
        changed("contents beyond the file", |elf| elf.segment(OFFSET, 0x10_0000)),
        changed("contents at the end of numbers", |elf| elf.segment(OFFSET, !0xfff)),
        changed("contents of 2^63 bytes", |elf| elf.segment(FILE_SIZE, 1 << 63).segment(MEMORY_SIZE, 1 << 63)),
        changed("more contents than memory", |elf| elf.segment(MEMORY_SIZE, 0x10)),
        changed("memory that wraps around", |elf| elf.segment(MEMORY_SIZE, u64::MAX)),
        changed("memory of 2^46 bytes", |elf| elf.segment(MEMORY_SIZE, 1 << 46)),
        changed("the kernel's half", |elf| elf.segment(ADDRESS, 0xffff_ffff_8000_0000)),
        changed("an address beyond reason", |elf| elf.segment(ADDRESS, 0x8000_0000_0000_0000)),
        changed("the last page of user memory", |elf| elf.segment(ADDRESS, 0x7fff_ffff_f000)),
        changed("address zero", |elf| elf.segment(ADDRESS, 0)),
        changed("offset and address out of step", |elf| elf.segment(ADDRESS, 0x40_0123)),
        changed("a core file", |elf| elf.set(0x10, 4, 2)),
        changed("big endian", |elf| elf.set(5, 2, 1)),
        changed("a version from the future", |elf| elf.set(0x14, 99, 4)),
    ]
}

fn hostile_headers(platform: Platform) {
    let mut wrong = Vec::new();
    for (name, elf) in hostile() {
        let made = Made::new("hostile", &elf.bytes);
        let outcome = Guest::new(platform).run(&[made.name()]);
        let lines = outcome.error_text().lines().count();
        // Too much memory may also be said to be whittle's trouble.
        let right = outcome.status == 126 || name.starts_with("memory of") && outcome.status == 125;
        // Linux does not look at every field.
        let harmless = name == "a version from the future" && outcome.status == 0;
        if !(right && lines == 1 && outcome.output.is_empty() || harmless) {
            wrong.push(format!("{name}: status {}, {lines} lines: {}", outcome.status, outcome.error_text()));
        }
    }
    // An entry outside the program is no malformed file: it starts, and faults at once.
    for entry in [0, 0x50_0000, 0x8000_0000_0000_0000, 0xffff_ffff_8000_0000] {
        let mut elf = Elf::exit_with(0);
        elf.entry(entry);
        let made = Made::new("hostile", &elf.bytes);
        let outcome = Guest::new(platform).run(&[made.name()]);
        if ![126, 139].contains(&outcome.status) {
            wrong.push(format!("entry {entry:#x}: status {}: {}", outcome.status, outcome.error_text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn smallest_program(platform: Platform) {
    let made = Made::new("smallest", &Elf::exit_with(42).bytes);
    Guest::new(platform).run(&[made.name()]).expect_status(42);
}

fn more_memory_than_given(platform: Platform) {
    // Alone with its own file, which has to be in memory.
    let mut bytes = std::fs::read(native_busybox()).unwrap();
    bytes.resize(64 << 20, 1);
    let made = Made::new("large", &bytes);
    let guest = Guest::new(platform).option("--root").option("none").option("--memory").option("16M");
    let outcome = guest.run(&[made.name(), "true"]);
    outcome.expect_status(125);
    names(&outcome.expect_sentence(), &["memory", "--memory"]);
}

fn more_memory_than_the_host_has(platform: Platform) {
    let guest = Guest::new(platform).option("--memory").option("100000G");
    let outcome = guest.run(&["/bin/busybox", "true"]);
    outcome.expect_status(125);
    names(&outcome.expect_sentence(), &["memory"]);
}

fn too_little_memory(platform: Platform) {
    let outcome = Guest::new(platform).option("--memory").option("1K").run(&["/bin/busybox", "true"]);
    outcome.expect_status(125);
    names(&outcome.expect_sentence(), &["memory", "1K"]);
}

/// The host's limit of open files is told by its number. A limit that may be raised is.
fn too_few_descriptors(platform: Platform) {
    let run = |limit: &str| {
        let guest = Guest::new(platform).command(&["/bin/busybox", "true"]);
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")]).arg(guest.get_program()).args(guest.get_args());
        command.env("WHITTLE_WATCH", "never");
        Running::start(command, Some(Vec::new())).finish(Duration::from_secs(60))
    };
    let outcome = run("ulimit -n 100");
    outcome.expect_status(125);
    names(&outcome.expect_sentence(), &["no more than 100 files", "ulimit"]);
    run("ulimit -Sn 100").expect_output("");
}

fn share_missing(platform: Platform) {
    let outcome = Guest::new(platform).option("-v").option("/no/such:/there").run(&["/bin/busybox", "true"]);
    outcome.expect_status(125);
    names(&outcome.expect_sentence(), &["/no/such"]);
}

fn hidden(platform: Platform) {
    let program = Made::new("program", &std::fs::read("/bin/busybox").unwrap());
    let above = program.path.parent().unwrap();
    let share = format!("/bin:{}", above.display());
    let guest = || Guest::new(platform).option("--root").option("host").option("-v").option(&share);

    let folder = above.join("below");
    std::fs::create_dir(&folder).unwrap();
    let outcome = guest().option("--workdir").option(folder.to_str().unwrap()).run(&["/bin/busybox", "true"]);
    outcome.expect_status(125);
    names(&outcome.expect_sentence(), &[folder.to_str().unwrap(), "--workdir"]);

    let outcome = guest().option("--workdir").option("/").run(&[program.name(), "true"]);
    outcome.expect_status(127);
    names(&outcome.expect_sentence(), &[program.name()]);
}

fn unknown_options(platform: Platform) {
    for (options, word) in [
        (&["--nonsense"][..], "--nonsense"),
        (&["--ring", "7"], "7"),
        (&["--memory", "lots"], "lots"),
        (&["--trace", "everything"], "everything"),
        (&["--machine", "mainframe"], "mainframe"),
        (&["-v", "/without-a-colon"], "/without-a-colon"),
    ] {
        let guest = options.iter().fold(Guest::new(platform), |guest, option| guest.option(*option));
        let outcome = guest.run(&["/bin/busybox", "true"]);
        outcome.expect_status(125);
        names(&outcome.expect_sentence(), &[word]);
    }
}

/// A word of the environment is refused as one on the command line is.
fn unknown_words_of_the_environment(_: Platform) {
    let mut command = system_tests::whittle();
    command.env("WHITTLE_WATCH", "never").env("WHITTLE_SYSCALLS", "traps").args(["run", "--platform", "process", "--"]);
    let output = command.args(["/bin/busybox", "true"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{said}");
    names(&said, &["WHITTLE_SYSCALLS=traps: it is trap, rewrite, or rewrite:N"]);
}

/// Who wants nothing built is told what is not.
fn nothing_built(_: Platform) {
    let folder = scratch();
    fs::copy(project_root().join("images/linux-tiny/whittle.toml"), folder.path().join("whittle.toml")).unwrap();
    for platform in ["process", "pc"] {
        let mut command = system_tests::whittle();
        command.env("WHITTLE_WATCH", "never").env("WHITTLE_BUILD", "never").args(["run", "--platform", platform]);
        let output = command.arg(folder.path()).args(["/bin/busybox", "true"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{said}");
        names(&said, &["is not built yet", "WHITTLE_BUILD=never", platform]);
    }
}

fn help(_: Platform) {
    let whittle = |words: &[&str]| {
        let mut command = system_tests::whittle();
        let output = command.args(words).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), output.stderr)
    };
    let (status, text, error) = whittle(&["run", "--help"]);
    assert!(status == Some(0) && error.is_empty());
    names(
        &text,
        &["--platform", "--ring", "--memory", "--env", "--workdir", "-v", "--trace", "--gdb", "--verbose", "126"],
    );
    let (status, text, _) = whittle(&["--help"]);
    assert_eq!(status, Some(0));
    names(&text, &["run", "check", "test", "bench"]);
    assert_eq!(whittle(&["--version"]).0, Some(0));
    for words in [&[][..], &["run"], &["nonsense"]] {
        assert_eq!(whittle(words).0, Some(125), "{words:?}");
    }
}
