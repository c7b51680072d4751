//! Standard input, output and error with real programs: busybox' tools give what they give on Linux.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use system_tests::{Check, Guest, LibC, Platform, Scope, native_busybox, report_rate, scratch, selftest};

const BUSYBOX: &str = "/bin/busybox";

fn main() -> ExitCode {
    use Scope::{Everywhere, Guests, Usual};
    system_tests::run(&[
        Check::new("echo_prints_exactly_hello", Everywhere, echo),
        Check::new("echo_on_q35", Scope::Machines, echo_on_q35),
        Check::new("streams_are_separate", Everywhere, streams_are_separate),
        Check::new("input_ends", Everywhere, input_ends),
        Check::new("sha256sum_of_64_megabytes", Usual, sha256sum),
        Check::new("sort_of_200000_lines", Usual, sort),
        Check::new("gzip_and_gunzip_of_16_megabytes", Usual, gzip),
        Check::new("yes_into_head_ends", Guests, yes_into_head),
        Check::new("output_without_room", Everywhere, output_without_room),
        Check::new("text_tools_agree_with_linux", Usual, text_tools),
        Check::new("find_agrees_with_linux", Usual, find),
        Check::new("listing_agrees_with_linux", Usual, listing),
        Check::new("tar_agrees_with_linux", Usual, tar),
        Check::new("environment_is_empty_but_for_four", Usual, environment),
        Check::new("arguments_and_directory", Usual, arguments_and_directory),
        Check::new("exec_in_place", Usual, exec_in_place),
        Check::new("script_as_program", Usual, script),
        Check::new("bare_name_is_looked_up", Guests, bare_name),
        Check::new("what_is_written_where", Guests, what_is_written_where),
        Check::new("console_throughput", Guests, console_throughput),
    ])
}

/// Bytes that compress somewhat, always the same.
fn sample(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bytes.extend_from_slice(if state >> 63 == 0 { b"the same again. " } else { b"" });
        bytes.extend_from_slice(&(state >> 20).to_le_bytes()[..5]);
    }
    bytes.truncate(length);
    bytes
}

/// What a host command prints.
fn host(words: &[&str]) -> Vec<u8> {
    let output = Command::new(words[0]).args(&words[1..]).env("TZ", "UTC0").output().expect("the host has it");
    assert!(output.status.success(), "{words:?}");
    output.stdout
}

fn busybox(platform: Platform, words: &[&str]) -> system_tests::Outcome {
    Guest::new(platform).run(&[&[BUSYBOX], words].concat())
}

fn echo(platform: Platform) {
    busybox(platform, &["echo", "hello"]).expect_output("hello\n");
}

fn echo_on_q35(platform: Platform) {
    let guest = Guest::new(platform).option("--machine").option("q35");
    guest.run(&[BUSYBOX, "echo", "hello"]).expect_output("hello\n");
}

fn streams_are_separate(platform: Platform) {
    let outcome = busybox(platform, &["sh", "-c", "echo out; echo error >&2; echo more; echo worse >&2"]);
    outcome.expect_status(0);
    assert_eq!((outcome.text().as_str(), outcome.error_text().as_str()), ("out\nmore\n", "error\nworse\n"));
}

fn input_ends(platform: Platform) {
    busybox(platform, &["cat"]).expect_output("");
    Guest::new(platform).input("no newline").run(&[BUSYBOX, "cat"]).expect_output("no newline");
    let all_bytes: Vec<u8> = (0..=255).collect();
    Guest::new(platform).input(all_bytes.clone()).run(&[BUSYBOX, "cat"]).expect_output(all_bytes);
    // Read a line at a time: what one command leaves unread, the next one finds.
    let script = "read a; read b; echo \"$b $a\"; exec /bin/busybox cat";
    Guest::new(platform).input("1\n2\n3\n4\n").run(&[BUSYBOX, "sh", "-c", script]).expect_output("2 1\n3\n4\n");
}

fn sha256sum(platform: Platform) {
    let folder = scratch();
    let file = folder.path().join("large");
    std::fs::write(&file, sample(64 << 20)).unwrap();
    let name = file.to_str().unwrap();
    Guest::new(platform).share(&file).run(&[BUSYBOX, "sha256sum", name]).expect_output(host(&["sha256sum", name]));
}

fn sort(platform: Platform) {
    let lines = host(&["seq", "1", "200000"]);
    let expected = host(&["sh", "-c", "seq 1 200000 | LC_ALL=C sort -rn"]);
    Guest::new(platform).input(lines).run(&[BUSYBOX, "sort", "-rn"]).expect_output(expected);
}

fn gzip(platform: Platform) {
    let bytes = sample(16 << 20);
    let packed = Guest::new(platform).input(bytes.clone()).run(&[BUSYBOX, "gzip", "-c"]);
    packed.expect_status(0);
    assert!(packed.output.len() < bytes.len() && packed.output.starts_with(b"\x1f\x8b"));
    Guest::new(platform).input(packed.output).run(&[BUSYBOX, "gunzip", "-c"]).expect_output(bytes);
}

fn yes_into_head(platform: Platform) {
    // The reader goes away: the program must end by SIGPIPE, and whittle with it, as in any pipeline.
    let command = Guest::new(platform).command(&[BUSYBOX, "yes"]);
    let mut words: Vec<_> = vec![command.get_program().to_owned()];
    words.extend(command.get_args().map(ToOwned::to_owned));
    let mut shell = Command::new("bash");
    shell.args(["-c", r#""$@" | head -1; echo "status ${PIPESTATUS[0]}""#, "bash"]).args(words);
    let outcome = system_tests::Running::start(shell, Some(Vec::new())).finish(Duration::from_secs(60));
    outcome.expect_output("y\nstatus 141\n");
}

fn output_without_room(platform: Platform) {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = |words: &[&str]| Guest::new(platform).command(&[&[BUSYBOX], words].concat());
    for words in [&["echo", "hello"][..], &["dd", "if=/dev/zero", "bs=200k", "count=1"]] {
        let output = run(words).stdin(Stdio::null()).stdout(full()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains("No space left on device"), "{words:?}: {said}");
    }
    // An error that cannot be told is no reason to stop, and the other stream goes on.
    let status = run(&["sh", "-c", "echo one >&2; echo two; exec ls /nowhere"]).stderr(full()).output().unwrap();
    assert_eq!((status.status.code(), &status.stdout[..]), (Some(1), &b"two\n"[..]));
}

fn text_tools(platform: Platform) {
    let folder = scratch();
    let file = folder.path().join("words");
    let text: String = (1..5000).map(|n| format!("{n} word{} {}.5 the end\n", n % 17, n * 3)).collect();
    std::fs::write(&file, text).unwrap();
    let name = file.to_str().unwrap();
    let summary = "{ count[$2]++; sum += $3 } END { printf \"%.3f %s\\n\", sum / NR, length(count) }";
    for words in [
        &["awk", summary, name][..],
        &["awk", "BEGIN { for (i = 0; i < 20; i++) print sin(i), exp(i), i ^ 0.5 }"],
        &["sed", "-n", "s/word\\([0-9]*\\) \\(.*\\)$/\\2 \\1/p", name],
        &["grep", "-c", "word1", name],
        &["wc", name],
        &["md5sum", name],
        &["sh", "-c", "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done; echo $i ${HOME:+home}"],
        &["od", "-c", name],
        &["dd", "if=/dev/zero", "bs=1000", "count=3", "status=none"],
        &["expr", "6", "*", "7"],
        &["factor", "1234567890123"],
        &["seq", "1", "7", "100"],
    ] {
        let here = Guest::new(platform).share(&file).run(&[&[BUSYBOX], words].concat());
        let mut native = Command::new(native_busybox());
        native.args(words).env_clear().env("HOME", "/").env("TZ", "UTC0");
        let native = native.output().unwrap();
        assert_eq!(here.status, native.status.code().unwrap(), "{words:?}: {}", here.error_text());
        assert!(here.output == native.stdout, "{words:?}: {:?}", here.text());
    }
}

/// A folder tree with many kinds of entries.
fn tree(root: &Path) {
    for index in 0..40 {
        let folder = root.join(format!("folder-{}/inner-{}", index % 4, index % 3));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("file-{index}")), sample(index * 777)).unwrap();
    }
    std::fs::write(root.join("name with spaces"), "x").unwrap();
    std::fs::write(root.join("empty"), "").unwrap();
    std::os::unix::fs::symlink("folder-1/inner-1", root.join("link")).unwrap();
    std::os::unix::fs::symlink("nowhere", root.join("dangling")).unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(root.join("empty"), std::fs::Permissions::from_mode(0o751)).unwrap();
    let old = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_234_567_890);
    std::fs::File::open(root.join("empty")).unwrap().set_modified(old).unwrap();
}

fn sorted_lines(bytes: &[u8]) -> BTreeSet<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_string).collect()
}

fn find(platform: Platform) {
    let folder = scratch();
    tree(folder.path());
    let name = folder.path().to_str().unwrap();
    for words in [&["find", name][..], &["find", name, "-type", "f", "-size", "+4"], &["find", name, "-name", "*-1*"]] {
        let here = Guest::new(platform).share(folder.path()).run(&[&[BUSYBOX], words].concat());
        here.expect_status(0);
        assert_eq!(sorted_lines(&here.output), sorted_lines(&host(&[&[BUSYBOX], words].concat())), "{words:?}");
    }
}

/// A long listing without what may differ: blocks, owners' names (the guest has no /etc/passwd), sizes of folders.
fn comparable(listing: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(listing);
    let line = |line: &str| {
        let mut fields: Vec<&str> = line.split_whitespace().collect();
        if fields.len() > 7 && fields[0].len() == 10 {
            fields.drain(2..4);
            if line.starts_with('d') {
                fields.remove(2);
            }
        }
        fields.join(" ")
    };
    text.lines().filter(|line| !line.starts_with("total ")).map(line).collect()
}

fn listing(platform: Platform) {
    let folder = scratch();
    tree(folder.path());
    let name = folder.path().to_str().unwrap();
    for words in [["ls", "-lR", name], ["ls", "-la", name], ["ls", "-ln", name]] {
        let here = Guest::new(platform).share(folder.path()).run(&[&[BUSYBOX], &words[..]].concat());
        here.expect_status(0);
        let native = host(&[&[BUSYBOX], &words[..]].concat());
        let (mut here, mut native) = (comparable(&here.output), comparable(&native));
        if words[1] == "-la" {
            // The parent folder is the guest's own.
            here.retain(|line| !line.ends_with(" .."));
            native.retain(|line| !line.ends_with(" .."));
        }
        assert_eq!(here, native, "{words:?}");
    }
}

fn tar(platform: Platform) {
    let folder = scratch();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    std::fs::create_dir_all(&to).unwrap();
    tree(&from);
    let (parent, name) = (folder.path().to_str().unwrap(), to.to_str().unwrap());
    let packed = Guest::new(platform).share(&from).run(&[BUSYBOX, "tar", "c", "-C", parent, "from"]);
    packed.expect_status(0);
    let archive = folder.path().join("archive.tar");
    std::fs::write(&archive, &packed.output).unwrap();
    host(&["tar", "x", "-C", name, "-f", archive.to_str().unwrap()]);
    host(&["diff", "-r", "--no-dereference", from.to_str().unwrap(), to.join("from").to_str().unwrap()]);

    let listed = Guest::new(platform).input(packed.output).run(&[BUSYBOX, "tar", "t"]);
    listed.expect_status(0);
    assert_eq!(listed.output, host(&[BUSYBOX, "tar", "tf", archive.to_str().unwrap()]));
    let archive = archive.to_str().unwrap();
    let guest = Guest::new(platform).share(Path::new(archive));
    let one = "from/folder-3/inner-0/file-39";
    guest.run(&[BUSYBOX, "tar", "xOf", archive, one]).expect_output(sample(39 * 777));
    let inside = if platform.is_guest() { "/tmp" } else { name };
    guest.run(&[BUSYBOX, "tar", "xf", archive, "-C", inside]).expect_output("");
}

fn environment(platform: Platform) {
    let outcome = busybox(platform, &["env"]);
    outcome.expect_status(0);
    let names: BTreeSet<_> = outcome.text().lines().map(|line| line.split('=').next().unwrap().to_string()).collect();
    let expected = ["HOME", "PATH", "TERM", "TZ"].map(str::to_string);
    assert_eq!(names, BTreeSet::from(expected), "{}", outcome.text());
    if platform.is_guest() {
        let mut command = Guest::new(platform).command(&[BUSYBOX, "env"]);
        let output = command.env("LANG", "xx_YY.UTF-8").env("LC_TIME", "C").env("XLC_", "no").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("LANG=xx_YY.UTF-8\n") && text.contains("LC_TIME=C\n"), "{text}");
        assert!(!text.contains("XLC_"), "{text}");
    }
    let guest = Guest::new(platform).variable("GREETING", "good day = all").variable("EMPTY", "");
    let text = guest.run(&[BUSYBOX, "env"]).text();
    assert!(text.contains("\nGREETING=good day = all\n") || text.starts_with("GREETING=good day = all\n"), "{text}");
    assert!(text.lines().any(|line| line == "EMPTY="), "{text}");
}

fn arguments_and_directory(platform: Platform) {
    let program = selftest(LibC::Glibc);
    let words = [program.to_str().unwrap(), "--show", "one two", "", "--memory", "-v", "'\"$*\\", "ünï", "--"];
    let guest = Guest::new(platform).directory("/tmp");
    let outcome = guest.run(&words);
    outcome.expect_status(0);
    let shown: Vec<_> =
        outcome.text().lines().filter_map(|line| line.strip_prefix("argument ").map(String::from)).collect();
    assert_eq!(shown, words[2..]);
    assert!(outcome.text().contains("\ndirectory /tmp\n"), "{}", outcome.text());
    // The person's own directory, and the root where the person's files are not seen.
    let here = std::env::current_dir().unwrap();
    busybox(platform, &["pwd"]).expect_output(format!("{}\n", here.display()));
    Guest::new(platform).option("--root").option("none").run(&[BUSYBOX, "pwd"]).expect_output("/\n");
    let long = "x".repeat(100_000);
    let outcome = Guest::new(platform).run(&[BUSYBOX, "echo", &long, &long]);
    outcome.expect_output(format!("{long} {long}\n"));
}

fn exec_in_place(platform: Platform) {
    busybox(platform, &["env", "X=1", BUSYBOX, "echo", "hi"]).expect_output("hi\n");
    busybox(platform, &["sh", "-c", "exec /bin/busybox echo hi"]).expect_output("hi\n");
    busybox(platform, &["env", "-i", "X=1", BUSYBOX, "env"]).expect_output("X=1\n");
}

fn script(platform: Platform) {
    let folder = scratch();
    let file = folder.path().join("script");
    std::fs::write(&file, "#!/bin/busybox sh\necho \"$# $1 $(($2 + 1))\"\nexit 4\n").unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let outcome = Guest::new(platform).run(&[file.to_str().unwrap(), "a b", "41"]);
    outcome.expect_status(4);
    assert_eq!(outcome.text(), "2 a b 42\n");
}

fn bare_name(platform: Platform) {
    Guest::new(platform).run(&["busybox", "echo", "found"]).expect_output("found\n");
}

fn what_is_written_where(platform: Platform) {
    let folder = scratch();
    let file = folder.path().join("kept");
    std::fs::write(&file, "as it was").unwrap();
    let script = format!("echo changed > {0}; echo more > {0}.new; echo inside; exec cat {0}", file.display());
    let unchanged = || {
        assert_eq!(std::fs::read(&file).unwrap(), b"as it was");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    };
    // What a program writes among the host's files is its own to see.
    Guest::new(platform).run(&[BUSYBOX, "sh", "-c", &script]).expect_output("inside\nchanged\n");
    unchanged();
    // What is shared to be read is not written at all.
    let shared = format!("{0}:{0}:ro", folder.path().display());
    let outcome = Guest::new(platform).option("-v").option(shared).run(&[BUSYBOX, "sh", "-c", &script]);
    assert_eq!(outcome.text(), "inside\nas it was");
    assert!(outcome.error_text().contains("Read-only file system"), "{}", outcome.error_text());
    unchanged();
    // What is shared to be written is the host's.
    Guest::new(platform).share(folder.path()).run(&[BUSYBOX, "sh", "-c", &script]).expect_output("inside\nchanged\n");
    assert_eq!(std::fs::read(&file).unwrap(), b"changed\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

fn console_throughput(platform: Platform) {
    let bytes = 64 << 20;
    let start = Instant::now();
    let out = busybox(platform, &["dd", "if=/dev/zero", "bs=64k", "count=1024", "status=none"]);
    report_rate(platform, "console out", bytes, start.elapsed());
    out.expect_status(0);
    assert!(out.output.len() == bytes && out.output.iter().all(|&byte| byte == 0));
    let start = Instant::now();
    let input = Guest::new(platform).input(sample(bytes)).run(&[BUSYBOX, "wc", "-c"]);
    report_rate(platform, "console in", bytes, start.elapsed());
    input.expect_output(format!("{bytes}\n"));
}
