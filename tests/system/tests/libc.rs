//! `--libc`: a musl of ours in the place of the distribution's, whose system calls are calls. What a program does is
//! the same: signals, cancellation, threads that have no stack any more. Its library has three instructions `syscall`
//! left, and a program that needs none of them never traps.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use object::{Object, ObjectSection, ObjectSymbol};
use system_tests::{
    Build, Check, Guest, LibC, Outcome, Platform, Scope, Unmodified, all, need, project_root, scratch, skip,
};

/// A program's own work is never long; the first run builds the library.
const LIMIT: Duration = Duration::from_secs(900);

/// Programs that each prove one thing or another of what a C library does.
const PROGRAMS: [&str; 5] = ["calling", "threads", "signals", "events", "system-calls"];

/// What the distribution has.
const DISTRIBUTION: &str = "/lib/ld-musl-x86_64.so.1";

fn main() -> ExitCode {
    let mut checks = Vec::new();
    for folder in PROGRAMS {
        let run = move |platform| as_natively(platform, folder);
        let check = Check::new(format!("{folder}_as_natively"), Scope::Guests, run);
        let is_long = move |platform: Platform| match folder {
            "calling" => false,
            "threads" | "signals" => platform.is_pc(),
            _ => true,
        };
        checks.push(check.long_where(is_long));
    }
    checks.push(Check::new("no_call_traps", Scope::GuestsAtRing0, no_call_traps));
    checks.push(Check::new("each_call_traps_at_ring_3", Scope::Once, |_| each_traps()));
    checks.push(Check::new("a_call_is_shorter_than_a_trap", Scope::Once, |_| instructions()));
    checks.push(Check::new("traces_are_the_same", Scope::GuestsAtRing0, traces));
    checks.push(Check::new("three_instructions_are_left", Scope::Once, |_| three_are_left()));
    checks.push(Check::new("an_image_carries_it", Scope::Once, |_| image()));
    checks.push(Check::new("other_programs_are_refused", Scope::Once, |_| refused()));
    system_tests::run(&checks)
}

fn program(folder: &'static str) -> PathBuf {
    need(&["musl-gcc"]);
    Unmodified { folder, build: Build::C(LibC::MuslDynamic) }.path()
}

fn words(path: &Path) -> Vec<&str> {
    vec![path.to_str().unwrap(), "--work", if all() { "50" } else { "5" }]
}

fn guest(platform: Platform) -> Guest {
    Guest::new(platform).limit(LIMIT).option("--libc")
}

/// Runs with our library, or skips the test where Debian's source cannot be had.
#[track_caller]
fn run(guest: &Guest, words: &[&str]) -> Outcome {
    let outcome = guest.run(words);
    let text = outcome.error_text();
    if let Some(line) = text.lines().find(|line| line.contains("--libc gets no source of musl")) {
        skip(line);
    }
    outcome
}

#[track_caller]
fn last_line(outcome: &Outcome) -> String {
    let text = outcome.text();
    let line = text.lines().next_back().unwrap_or_default().to_owned();
    let passed = outcome.status == 0 && line.ends_with(" checks passed");
    assert!(passed, "{}\n{text}{}", outcome.status, outcome.error_text());
    line
}

fn as_natively(platform: Platform, folder: &'static str) {
    let path = program(folder);
    let natively = last_line(&Guest::new(Platform::Native).limit(LIMIT).run(&words(&path)));
    for processors in ["1", "2"] {
        let guest = guest(platform).option("--cpus").option(processors);
        assert_eq!(last_line(&run(&guest, &words(&path))), natively, "on {processors}");
    }
}

/// How many system calls trapped, and how many were calls, by the report.
#[track_caller]
fn counts(outcome: &Outcome) -> [u64; 2] {
    outcome.expect_status(0);
    let text = outcome.error_text();
    let line = text.lines().find_map(|line| line.strip_prefix("whittle: system calls: "));
    let mut numbers =
        line.unwrap_or_else(|| panic!("no report: {text}")).split(' ').filter_map(|word| word.parse().ok());
    [numbers.next().unwrap(), numbers.next().unwrap()]
}

fn reported(guest: &Guest) -> Outcome {
    run(&guest.clone().option("--report").option("syscalls"), &[program("calling").to_str().unwrap(), "often", "1000"])
}

/// Whatever the environment says of all runs.
fn rewriting(guest: Guest) -> Guest {
    guest.option("--syscalls").option("rewrite")
}

fn no_call_traps(platform: Platform) {
    let ours = reported(&rewriting(guest(platform)));
    let [trapped, called] = counts(&ours);
    assert!(trapped == 0 && called > 1000, "{}", ours.error_text());
    let line = ours.error_text().lines().find(|line| line.ends_with("libc.so")).map(str::to_owned);
    let line = line.unwrap_or_else(|| panic!("{}", ours.error_text()));
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    // Sites, those that were compiled to call, three ways of rewriting, given up, traps, calls.
    assert!(numbers[0] == numbers[1] && numbers[2..7] == [0; 5] && numbers[7] == called, "{line}");
    let [trapped, _] = counts(&reported(&Guest::new(platform).limit(LIMIT)));
    assert!(trapped >= 10, "the distribution's traps at the start: {trapped}");
    // As the kernel is told, so it is.
    let [trapped, called] = counts(&reported(&guest(platform).option("--syscalls").option("trap")));
    assert!(trapped > 1000 && called == 0, "{trapped} trapped, {called} were calls");
}

fn each_traps() {
    let [trapped, called] = counts(&reported(&guest(Platform::PcRing3)));
    assert!(trapped > 1000 && called == 0, "{trapped} trapped, {called} were calls");
}

/// Instructions of a few calls on pc at ring 0, with all that the C library does for them: the figures of
/// `docs/src/figures.md`.
fn instructions() {
    let path = program("calling");
    let taken = |options: &[&str]| -> Vec<(String, f64)> {
        let guest = Guest::new(Platform::PcRing0).limit(LIMIT).option("--icount");
        let guest = options.iter().fold(guest, |guest, option| guest.option(*option));
        let outcome = run(&guest, &[path.to_str().unwrap(), "measure"]);
        outcome.expect_status(0);
        let text = outcome.text();
        let lines = text.lines().skip(1).filter_map(|line| line.split_once(' '));
        lines.map(|(name, number)| (name.to_owned(), number.parse().unwrap())).collect()
    };
    let rewritten = taken(&["--syscalls", "rewrite"]);
    let (ours, trapping) = (taken(&["--libc", "--syscalls", "rewrite"]), taken(&["--libc", "--syscalls", "trap"]));
    assert_eq!(ours.len(), 3);
    for (((name, called), (_, rewritten)), (_, trapped)) in ours.iter().zip(&rewritten).zip(&trapping) {
        println!("{name}: {called} instructions by our musl, {rewritten} rewritten, {trapped} by our musl trapped");
        assert!(called < trapped, "{name}: {called}, and trapped {trapped}");
    }
}

/// Lines of a trace by the name of their call.
fn traces(platform: Platform) {
    let path = program("calling");
    let lines = |guest: &Guest| {
        let outcome =
            run(&guest.clone().option("--trace").option("syscalls"), &[path.to_str().unwrap(), "often", "30"]);
        outcome.expect_status(0);
        let text = outcome.error_text();
        text.lines().filter(|line| line.contains("getppid(")).count()
    };
    assert_eq!([lines(&guest(platform)), lines(&Guest::new(platform).limit(LIMIT))], [30, 30]);
}

/// The instructions `syscall` in a file's code, by address.
fn system_calls(file: &object::File<'_>) -> Vec<u64> {
    let text = file.section_by_name(".text").expect("there is code");
    let decoder = Decoder::with_ip(64, text.data().unwrap(), text.address(), DecoderOptions::NONE);
    decoder.into_iter().filter(|it| it.mnemonic() == Mnemonic::Syscall).map(|it| it.ip()).collect()
}

/// One for all calls where nothing can be called, one of cancellation points for the same, and the one that unwinders
/// know by its bytes.
fn three_are_left() {
    run(&guest(Platform::Process), &[program("calling").to_str().unwrap(), "often", "1"]).expect_status(0);
    let distribution = fs::read(DISTRIBUTION).expect("the distribution's");
    let distributions = system_calls(&object::File::parse(&*distribution).unwrap()).len();
    assert!(distributions > 400, "{distributions}");
    let library = fs::read(library()).unwrap();
    let file = object::File::parse(&*library).unwrap();
    let left = system_calls(&file);
    let address = |name: &str| file.symbols().find(|symbol| symbol.name() == Ok(name)).expect(name).address();
    let behind = |name: &str| left.iter().any(|at| (address(name)..address(name) + 9).contains(at));
    assert!(left.len() == 3 && behind("__restore_rt"), "{left:x?}");
    assert!(left.contains(&(address("__cp_end") - 2)), "{left:x?}");
    println!("{distributions} instructions syscall in the distribution's musl, {} in ours", left.len());
}

/// The library that was built last.
fn library() -> PathBuf {
    let folder = fs::read_dir(project_root().join("target/libc")).expect("it is built");
    let files = folder.flatten().map(|entry| entry.path()).filter(|path| path.extension() == Some("so".as_ref()));
    files.max_by_key(|path| path.metadata().unwrap().modified().unwrap()).expect("it is built")
}

fn image() {
    let (folder, path) = (scratch(), program("calling"));
    let text = format!("name = \"calling\"\nkind = \"linux\"\nplatform = [\"process\"]\n[linux]\nprogram = {path:?}\n");
    fs::write(folder.path().join("whittle.toml"), text).unwrap();
    let image = folder.path().join("calling.img");
    let mut build = std::process::Command::new(project_root().join("whittle"));
    build.args(["build", "--libc"]).arg(folder.path()).arg("-o").arg(&image);
    let output = build.output().expect("whittle starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let words = [image.to_str().unwrap(), "often", "100"];
    let guest = Guest::new(Platform::Process).limit(LIMIT).option("--report").option("syscalls");
    let outcome = rewriting(guest.clone()).run(&words);
    let [trapped, called] = counts(&outcome);
    assert!(trapped == 0 && called > 100, "{}", outcome.error_text());
    // Where nothing of the host's may be opened, and code not be written.
    let outcome = guest.option("--syscalls").option("trap").run(&words);
    let [trapped, called] = counts(&outcome);
    assert!(trapped > 100 && called == 0, "{}", outcome.error_text());
}

fn refused() {
    let refusal = |words: &[&str], more: &[&str]| {
        let guest = more.iter().fold(guest(Platform::Process), |guest, option| guest.option(*option));
        let outcome = run(&guest, words);
        assert_eq!(outcome.status, 125, "{}", outcome.error_text());
        outcome.error_text()
    };
    need(&["/bin/busybox", "bash"]);
    let only = "whittle: --libc is for dynamic programs of musl:";
    let text = refusal(&["/bin/busybox", "true"], &[]);
    assert_eq!(text, format!("{only} /bin/busybox is static, and its C library is in it\n"));
    let text = refusal(&["/bin/bash", "-c", "exit"], &[]);
    assert_eq!(text, format!("{only} /bin/bash is loaded by /lib64/ld-linux-x86-64.so.2\n"));
    // Below another root the program is another.
    let folder = scratch();
    fs::create_dir(folder.path().join("bin")).unwrap();
    fs::copy("/bin/busybox", folder.path().join("bin/bash")).unwrap();
    let text = refusal(&["/bin/bash", "-c", "exit"], &["--root", folder.path().to_str().unwrap()]);
    assert_eq!(text, format!("{only} /bin/bash is static, and its C library is in it\n"));
}
