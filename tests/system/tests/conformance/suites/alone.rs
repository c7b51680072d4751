//! A unit of a server's suite: its client runs on the host, and its server inside, in a network that both have alone.

use std::process::Command;
use std::time::Duration;

use system_tests::{Guest, Outcome, Platform, Running, project_root};

/// A file of ours that joins a suite with servers inside.
pub fn script(name: &str) -> String {
    project_root().join("tests/conformance/servers").join(name).display().to_string()
}

/// Why this machine cannot run such suites, if so.
pub fn obstacle() -> Option<String> {
    let root = rustix::process::geteuid().is_root();
    (!root).then(|| "it takes networks of its own, and so wants to be root".to_owned())
}

/// A command that will have a network and numbers of processes of its own: what it leaves behind ends with it. The
/// suites' ports are fixed, and nginx' tests signal whatever process a file names.
pub fn command(platform: Platform, words: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", &script("alone.sh")]).args(words);
    if platform.is_guest() {
        let guest = Guest::new(platform).option("--quiet").option("--no-profile").command(&[]);
        let words = [guest.get_program()].into_iter().chain(guest.get_args());
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).filter(|word| word != "--").collect();
        command.env("SUITE_RUN", words.join("\n")).env("WHITTLE_WATCH", "never");
    }
    command
}

/// Runs it, for as long as a unit may take: an emulated machine is some tens of times slower.
pub fn run(command: Command, platform: Platform) -> Outcome {
    let minutes = if platform.is_pc() { 30 } else { 15 };
    Running::start(command, Some(Vec::new())).finish(Duration::from_secs(minutes * 60))
}
