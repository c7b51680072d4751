//! Who waits for a slow file sleeps: another thread of the same processor goes on meanwhile (`programs/slow`).
//!
//! QEMU answers two reads a second of a share or a disk here, so a thread waits for more than a second in all; how much
//! another one does meanwhile is counted by instructions.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use system_tests::{Build, Check, Guest, LibC, Outcome, Platform, Scope, Unmodified, need, scratch};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("the_same_work_on_linux", Scope::Once, natively),
        Check::new("others_go_on_while_one_reads", Scope::Machines, |platform| others_go_on(platform, "read")),
        Check::new("others_go_on_while_one_faults", Scope::Machines, |platform| others_go_on(platform, "fault")),
        Check::new("others_go_on_while_one_reads_a_disk", Scope::Machines, disk),
        Check::new("a_writer_is_done_before_a_reader", Scope::Machines, writer),
        Check::new("others_go_on_while_one_reads_the_hosts_file", Scope::Once, hosts_file),
        Check::new("on_two_processors_and_q35", Scope::Machines, elsewhere),
    ])
}

fn program() -> String {
    Unmodified { folder: "slow", build: Build::C(LibC::Glibc) }.path().to_str().unwrap().to_string()
}

/// A file whose megabytes each begin with another letter.
fn file(folder: &Path) -> String {
    let mut bytes = vec![0; 4 << 20];
    bytes.iter_mut().step_by(1 << 20).zip(b'a'..).for_each(|(byte, letter)| *byte = letter);
    let file = folder.join("file");
    fs::write(&file, bytes).unwrap();
    file.to_str().unwrap().to_string()
}

fn passes(outcome: &Outcome) {
    let text = outcome.text();
    assert_eq!((outcome.status, text.lines().last()), (0, Some("1 checks passed")), "{text}{}", outcome.error_text());
}

/// A guest that has `folder` as a slow share.
fn slow(platform: Platform, folder: &Path) -> Guest {
    Guest::new(platform).option("--root").option("none").option("--inject").option("slow").share(folder)
}

fn natively(_: Platform) {
    // Others' programs run beside it: of several runs, one is alone enough.
    let run = || Guest::new(Platform::Native).run(&[&program(), "read", "none", "processor"]);
    let enough = (0..5).any(|_| run().status == 0);
    assert!(enough, "{}", run().text());
}

fn others_go_on(platform: Platform, how: &str) {
    let folder = scratch();
    let file = file(folder.path());
    passes(&slow(platform, folder.path()).option("--icount").run(&[&program(), how, &file]));
}

fn disk(platform: Platform) {
    let folder = scratch();
    let file = file(folder.path());
    let guest = Guest::new(platform).option("--root").option("none").option("--inject").option("slow");
    passes(&guest.option("--icount").option("--disk").option(file).run(&[&program(), "read", "/dev/vda"]));
}

fn writer(platform: Platform) {
    let folder = scratch();
    let file = file(folder.path());
    passes(&slow(platform, folder.path()).run(&[&program(), "write", &file]));
}

/// On process strace is the slow disk: nothing is in the host's memory, and each read takes 0.4 seconds. Others'
/// programs run beside it, so of several runs one is enough.
fn hosts_file(_: Platform) {
    need(&["strace"]);
    let folder = scratch();
    let file = file(folder.path());
    let said = |how: &str| {
        let guest = Guest::new(Platform::Process).option("--root").option("none").share(folder.path());
        let run = guest.command(&[&program(), how, &file, "processor"]);
        let mut strace = Command::new("strace");
        strace.args(["-f", "-o", "/dev/null", "-P", &file, "-e", "trace=pread64,preadv2"]);
        strace.args(["-e", "inject=preadv2:error=EAGAIN:syscall=gettid", "-e", "inject=pread64:delay_enter=400000"]);
        let output = strace.arg(run.get_program()).args(run.get_args()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let passes = |how: &str| said(how).lines().any(|line| line == "1 checks passed");
    assert!((0..12).any(|_| passes("read")), "{}", said("read"));
    assert!(passes("write"), "{}", said("write"));
}

fn elsewhere(platform: Platform) {
    let folder = scratch();
    let file = file(folder.path());
    for option in [["--cpus", "2"], ["--machine", "q35"]] {
        let guest = slow(platform, folder.path()).option(option[0]).option(option[1]);
        passes(&guest.run(&[&program(), "write", &file]));
    }
}
