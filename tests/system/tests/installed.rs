//! Programs of the distribution, as they are installed: dynamic ones, on the host's files. What one says natively it
//! says in a guest.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use system_tests::{Check, Guest, Platform, Scope, dynamic, need, project_root, scratch};

/// A script of `tests/system/programs/installed` and who runs it: command, path, script, whether at ring 3 too.
const SCRIPTS: [(&str, &str, &str, bool); 6] = [
    ("python3", "/usr/bin/python3", "script.py", true),
    ("perl", "/usr/bin/perl", "script.pl", true),
    ("node", "/usr/bin/node", "script.js", false),
    ("ruby", "/usr/bin/ruby", "script.rb", false),
    ("lua5.4", "/usr/bin/lua5.4", "script.lua", false),
    ("php", "/usr/bin/php", "script.php", false),
];

fn main() -> ExitCode {
    use Scope::{Guests, GuestsAtRing0};
    let mut checks: Vec<Check> = SCRIPTS
        .into_iter()
        .map(|(command, program, script, ring_3)| {
            let scope = if ring_3 { Guests } else { GuestsAtRing0 };
            Check::new(format!("{command}_script"), scope, move |platform| {
                need(&[if command == "python3" { program } else { command }]);
                same(platform, &[program, text(&source(script))]);
            })
        })
        .collect();
    checks.extend([
        Check::new("python_virtual_environment", GuestsAtRing0, virtual_environment),
        Check::new("java_hello", Guests, |platform| java(platform, &[])),
        Check::new("java_threads_and_files", GuestsAtRing0, |platform| java(platform, &["all"])),
        Check::new("dynamic_go", GuestsAtRing0, |platform| same(platform, &[text(&dynamic::go())])),
        Check::new("dynamic_rust", Guests, |platform| same(platform, &[text(&dynamic::rust())])),
        Check::new("dynamic_c", GuestsAtRing0, |platform| same(platform, &[text(&dynamic::c())])),
        Check::new("sqlite_in_memory", Guests, sqlite_in_memory),
        Check::new("sqlite_in_a_file", GuestsAtRing0, sqlite_in_a_file),
        Check::new("jq", GuestsAtRing0, jq),
        Check::new("xmllint", GuestsAtRing0, xmllint),
        Check::new("ffmpeg", GuestsAtRing0, ffmpeg),
        Check::new("git", GuestsAtRing0, git),
        Check::new("inotifywait", GuestsAtRing0, inotifywait),
        Check::new("tools_about_the_machine", GuestsAtRing0, tools_about_the_machine),
        Check::new("another_root", Guests, another_root),
    ]);
    system_tests::run(&checks)
}

/// What a program says natively it says in a guest.
#[track_caller]
fn same(platform: Platform, words: &[&str]) {
    same_in(platform, "/", words);
}

#[track_caller]
fn same_in(platform: Platform, folder: &str, words: &[&str]) {
    let native = Guest::new(Platform::Native).directory(folder).run(words);
    assert_eq!((native.status, native.error_text().as_str()), (0, ""), "{words:?} natively");
    assert!(!native.output.is_empty(), "{words:?} says nothing natively");
    Guest::new(platform).directory(folder).run(words).expect_output(native.output);
}

fn source(name: &str) -> PathBuf {
    project_root().join("tests/system/programs/installed").join(name)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}

#[track_caller]
fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// An environment of Python's own, with a package that only it has.
fn virtual_environment(platform: Platform) {
    need(&["/usr/bin/python3"]);
    let folder = scratch();
    let place = folder.path().join("venv");
    succeed(Command::new("/usr/bin/python3").args(["-m", "venv", "--without-pip"]).arg(&place));
    let script = "import sys, sysconfig; print(sys.prefix != sys.base_prefix, sysconfig.get_path('purelib'))";
    let python = place.join("bin/python3");
    let packages = Guest::new(Platform::Native).run(&[text(&python), "-c", script]);
    let packages = packages.text().strip_prefix("True ").expect("an environment of its own").trim().to_owned();
    std::fs::create_dir(Path::new(&packages).join("only_here")).unwrap();
    std::fs::write(Path::new(&packages).join("only_here/__init__.py"), "answer = 42\n").unwrap();
    same(platform, &[text(&python), "-c", &format!("{script}; import only_here; print(only_here.answer)")]);
}

fn java(platform: Platform, words: &[&str]) {
    need(&["javac", "java"]);
    let classes = dynamic::java();
    let words = [&["/usr/bin/java", "-cp", text(&classes), "Main"], words].concat();
    let native = Guest::new(Platform::Native).run(&words);
    native.expect_status(0);
    Guest::new(platform).directory("/").run(&words).expect_output(native.output);
}

/// Statements that insert 60,000 rows, each by itself, in three transactions, and then look at them.
fn sixty_thousand(folder: &Path) -> PathBuf {
    let mut statements = String::from("create table t(a integer primary key, b text);\n");
    for third in 0..3 {
        statements += "begin;\n";
        for row in 0..20_000 {
            let number = third * 20_000 + row;
            statements += &format!("insert into t values({number}, 'row {}');\n", number * 7919 % 60_000);
        }
        statements += "commit;\n";
    }
    statements +=
        "create index i on t(b); select count(*), sum(a), count(distinct b) from t; pragma integrity_check;\n";
    let path = folder.join("statements");
    std::fs::write(&path, statements).unwrap();
    path
}

const SIXTY_THOUSAND: &str = "60000|1799970000|60000\nok\n";

fn sqlite_in_memory(platform: Platform) {
    need(&["sqlite3"]);
    let folder = scratch();
    let read = format!(".read {}", sixty_thousand(folder.path()).display());
    Guest::new(platform).run(&["/usr/bin/sqlite3", ":memory:", &read]).expect_output(SIXTY_THOUSAND);
}

fn sqlite_in_a_file(platform: Platform) {
    need(&["sqlite3"]);
    let folder = scratch();
    sixty_thousand(folder.path());
    let guest = Guest::new(platform).option("-v").option(format!("{}:/mnt", folder.path().display()));
    guest.run(&["/usr/bin/sqlite3", "/mnt/data", ".read /mnt/statements"]).expect_output(SIXTY_THOUSAND);
    let look = "pragma integrity_check; select count(*), sum(a) from t";
    let native = Command::new("sqlite3").arg(folder.path().join("data")).arg(look).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&native.stdout), "ok\n60000|1799970000\n");
}

fn jq(platform: Platform) {
    need(&["jq"]);
    let folder = scratch();
    let path = folder.path().join("some.json");
    std::fs::write(&path, r#"{"list": [3, 1, {"name": "x y"}, null, [2.5, "€"]], "deep": {"deep": {"deep": 7}}}"#)
        .unwrap();
    let filter = "(.list | map(type) | sort), [.. | numbers] , (.list[2].name | split(\" \")), input_filename";
    same(platform, &["/usr/bin/jq", "-c", filter, text(&path)]);
}

fn xmllint(platform: Platform) {
    need(&["xmllint"]);
    let folder = scratch();
    let path = folder.path().join("some.xml");
    std::fs::write(&path, "<a><b c='1'>one</b><b c='2'>two &amp; more</b></a>").unwrap();
    same(platform, &["/usr/bin/xmllint", "--format", text(&path)]);
    same(platform, &["/usr/bin/xmllint", "--xpath", "sum(//b/@c)", text(&path)]);
}

/// A large C program with some two hundred libraries: makes pictures, encodes and decodes them, with threads.
/// Watches a tree in which nothing happens; what it says of that, and its status.
fn inotifywait(platform: Platform) {
    need(&["inotifywait"]);
    let folder = scratch();
    std::fs::create_dir_all(folder.path().join("one/two")).unwrap();
    let words = ["/usr/bin/inotifywait", "-r", "-t", "1", text(folder.path())];
    let native = Guest::new(Platform::Native).run(&words);
    assert_eq!((native.status, native.error_text().lines().count()), (2, 2), "{}", native.error_text());
    let guest = Guest::new(platform).run(&words);
    guest.expect_status(2);
    assert_eq!(guest.error_text(), native.error_text());
}

fn ffmpeg(platform: Platform) {
    need(&["ffmpeg"]);
    let input = ["/usr/bin/ffmpeg", "-hide_banner", "-loglevel", "error", "-bitexact", "-f", "lavfi", "-i"];
    let output = ["testsrc=duration=1:size=160x120:rate=10", "-c:v", "mpeg4", "-threads", "2", "-f", "framemd5", "-"];
    same(platform, &[&input[..], &output].concat());
}

/// What git does without other processes.
fn git(platform: Platform) {
    need(&["git"]);
    let folder = scratch();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder.path()).args(["-c", "user.name=Some One", "-c", "user.email=one@example.org"]);
        succeed(command.args(words));
    };
    git(&["init", "-q", "-b", "main"]);
    for turn in ["first", "second"] {
        std::fs::write(folder.path().join(turn), turn.repeat(1000)).unwrap();
        git(&["add", "."]);
        git(&["commit", "-q", "-m", turn]);
    }
    git(&["gc", "-q"]);
    std::fs::write(folder.path().join("first"), "changed\n").unwrap();
    std::fs::write(folder.path().join("unknown"), "").unwrap();
    for words in [&["log", "--stat"][..], &["status", "--short"], &["diff"], &["show", "HEAD:second"]] {
        same_in(platform, text(folder.path()), &[&["/usr/bin/git", "--no-pager"], words].concat());
    }
}

/// A directory in the host's place: its files alone, and a linker that is not there is named.
/// What procps and util-linux read of `/proc` and `/sys` is there and makes sense to them.
fn tools_about_the_machine(platform: Platform) {
    // The packages that bring these bring the others too.
    need(&["top", "taskset"]);
    let run = |words: &[&str]| {
        let outcome = Guest::new(platform).run(words);
        assert_eq!((outcome.status, outcome.error_text().as_str()), (0, ""), "{words:?}");
        outcome.text()
    };
    let numa = run(&["/usr/bin/lscpu"]);
    assert!(numa.lines().any(|line| line.starts_with("NUMA node0 CPU(s):") && line.ends_with(" 0")), "{numa}");
    let top = run(&["/usr/bin/top", "-b", "-n", "1"]);
    assert!(top.contains("Tasks:   1 total,   1 running"), "{top}");
    let ps = run(&["/usr/bin/ps", "-eLo", "pid,lwp,nlwp,stat,comm"]);
    let fields: Vec<_> = ps.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(fields, ["1", "1", "1", "Rs+", "ps"]);
    let vmstat = run(&["/usr/bin/vmstat"]);
    let fields: Vec<u64> =
        vmstat.lines().last().unwrap().split_whitespace().map(|field| field.parse().unwrap()).collect();
    // vmstat rounds each of the five by itself.
    assert!((98..=102).contains(&fields[12..17].iter().sum::<u64>()), "{vmstat}");
    // Its clock began with the host's, long before the program.
    assert!(platform.is_pc() || fields[14] > 50, "{vmstat}");
}

fn another_root(platform: Platform) {
    let folder = scratch();
    std::fs::create_dir_all(folder.path().join("bin")).unwrap();
    std::fs::copy("/bin/busybox", folder.path().join("bin/busybox")).unwrap();
    std::fs::copy("/usr/bin/env", folder.path().join("bin/env")).unwrap();
    let guest = || Guest::new(platform).option("--root").option(folder.path().to_str().unwrap());
    guest().run(&["/bin/busybox", "ls", "/bin"]).expect_output("busybox\nenv\n");
    let outcome = guest().run(&["/bin/env"]);
    outcome.expect_status(126);
    assert!(
        outcome.expect_sentence().contains("the dynamic linker /lib64/ld-linux-x86-64.so.2"),
        "{}",
        outcome.error_text()
    );
}
