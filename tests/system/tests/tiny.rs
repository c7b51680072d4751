//! The least Linux image, `images/linux-tiny`: it runs busybox echo in fewer bytes than were promised, and what it
//! leaves out is refused by name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, copy_of_the_tree, project_root, work_folder};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("echo_in_few_bytes", Scope::Guests, echo),
        Check::new("standard_input_is_read", Scope::Guests, input),
        Check::new("an_unanswered_call_is_an_error", Scope::Guests, missing),
        Check::new("what_it_leaves_out_is_refused", Scope::Once, refused),
        Check::new("it_is_the_same_in_another_folder", Scope::Once, elsewhere).long(),
    ])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);
/// Its folder, as a person names it.
const IMAGE: &str = "images/linux-tiny";
/// Most bytes of the stripped image.
const MOST: u64 = 128 << 10;

fn guest(platform: Platform) -> Guest {
    Guest::new(platform).limit(BUILD)
}

fn image() -> String {
    project_root().join(IMAGE).display().to_string()
}

fn echo(platform: Platform) {
    let outcome = guest(platform).run(&[&image(), "/bin/busybox", "echo", "hello"]);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "hello\n");
    // The command says when it builds the image, or waits for another that does.
    let errors = outcome.error_text();
    let others: Vec<_> =
        errors.lines().filter(|line| !line.starts_with("whittle: ") || !line.contains("building")).collect();
    assert!(others.is_empty(), "{errors}");
    let name = if platform.is_pc() { "pc" } else { "process" };
    let file = project_root().join(format!("target/whittle/linux-tiny-{name}.img"));
    let bytes = file.metadata().expect("the image").len();
    assert!(bytes <= MOST, "{bytes} bytes, and at most {MOST} are promised");
}

fn input(platform: Platform) {
    let outcome = guest(platform).input("one\ntwo\n").run(&[&image(), "/bin/busybox", "cat"]);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "one\ntwo\n");
}

fn missing(platform: Platform) {
    let outcome = guest(platform).run(&[&image(), "/bin/busybox", "cat", "/etc/hostname"]);
    outcome.expect_status(1);
    assert!(outcome.error_text().contains("Function not implemented"), "{}", outcome.error_text());
}

fn refused(platform: Platform) {
    let options: [(&[&str], &str); 6] = [
        (&["--trace", "syscalls"], "--trace is not in this image: its setting `trace` is false"),
        (&["--audit"], "--audit is not in this image: its setting `audit` is false"),
        (&["--inject", "panic"], "--inject is not in this image: its setting `inject` is false"),
        (&["-v", "/tmp:/tmp"], "-v is not in this image: its component `archive-files` leaves such files out"),
        (&["--root", "host"], "--root is not in this image: its component `archive-files` leaves such files out"),
        (&["--root", "/usr"], "--root is not in this image: its component `archive-files` leaves such files out"),
    ];
    for (words, sentence) in options {
        let guest = words.iter().fold(guest(platform), |guest, word| guest.option(*word));
        let outcome = guest.run(&[&image(), "/bin/busybox", "true"]);
        outcome.expect_status(125);
        assert!(outcome.error_text().contains(sentence), "{words:?}: {}", outcome.error_text());
    }
}

/// The images as the tests' command builds them of the sources in a folder, into a new one.
fn built(root: &Path, target: PathBuf) -> Vec<Vec<u8>> {
    let _ = fs::remove_dir_all(&target);
    let command = project_root().join("target/x86_64-unknown-linux-musl/command/whittle");
    let mut build = Command::new(command);
    build.current_dir(root).env("WHITTLE_ROOT", root).env("WHITTLE_TARGET", &target).args(["build", IMAGE]);
    let output = build.output().expect("the command is built");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let image = |platform| fs::read(target.join(format!("whittle/linux-tiny-{platform}.img"))).expect("the image");
    ["pc", "process"].map(image).into()
}

/// Whoever builds the same sources with the same tools has the same bytes, wherever the sources and the target lie.
fn elsewhere(_: Platform) {
    // The command itself is in step with its sources.
    guest(Platform::Process).run(&[&image(), "/bin/busybox", "true"]).expect_status(0);
    let there = work_folder().join("another/place");
    copy_of_the_tree(&there);
    let here = built(&project_root(), work_folder().join("another/target"));
    let there = built(&there, there.join("target"));
    assert!(here == there, "the images of two folders differ");
}
