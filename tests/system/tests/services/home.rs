//! A place of a test's own where machines have names, so that no other test's are seen.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use system_tests::{Outcome, Platform, Running, scratch, whittle};

use crate::LIMIT;

/// The place. Machines that are left there are ended with it.
pub struct Home {
    platform: Platform,
    folder: tempfile::TempDir,
}

impl Home {
    pub fn new(platform: Platform) -> Self {
        let folder = scratch();
        fs::create_dir(folder.path().join("runtime")).unwrap();
        Self { platform, folder }
    }

    /// A folder for the test's files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The command, in this place.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = whittle();
        command.env("XDG_RUNTIME_DIR", self.folder.path().join("runtime")).env_remove("NOTIFY_SOCKET");
        command.env("XDG_CONFIG_HOME", self.folder.path().join("configuration"));
        command.args(words);
        command
    }

    /// The command to run a program with options.
    pub fn run_command(&self, words: &[&str]) -> Command {
        self.command(&[&["run"], self.platform.options(), words].concat())
    }

    /// What the command does to its end.
    pub fn does(&self, words: &[&str]) -> Outcome {
        Running::start(self.command(words), Some(Vec::new())).finish(LIMIT)
    }

    /// What a run does to its end.
    pub fn runs(&self, words: &[&str]) -> Outcome {
        Running::start(self.run_command(words), Some(Vec::new())).finish(LIMIT)
    }

    /// Starts a machine in the background.
    #[track_caller]
    pub fn detaches(&self, name: &str, words: &[&str]) {
        let outcome = self.runs(&[&["--detach", "--name", name], words].concat());
        outcome.expect_status(0);
        assert_eq!(outcome.text(), format!("{name}\n"));
    }

    /// What the command prints, which ends well.
    #[track_caller]
    pub fn says(&self, words: &[&str]) -> String {
        self.does(words).expect_status(0).text()
    }

    /// The sentence that the command refuses with.
    #[track_caller]
    pub fn refuses(&self, words: &[&str]) -> String {
        self.does(words).expect_status(125).expect_sentence()
    }

    /// All that is known of machines.
    pub fn machines(&self) -> Vec<Value> {
        let text = self.says(&["ps", "--all", "--json"]);
        serde_json::from_str::<Value>(&text).unwrap().as_array().unwrap().clone()
    }

    /// What is known of a machine.
    pub fn machine(&self, name: &str) -> Option<Value> {
        self.machines().into_iter().find(|machine| machine["name"] == name)
    }

    /// Waits until something is known of a machine.
    #[track_caller]
    pub fn wait(&self, name: &str, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        eventually(what, || self.machine(name).filter(&is_it))
    }

    /// A number that is known of a machine.
    #[track_caller]
    pub fn number(&self, name: &str, key: &str) -> i32 {
        let machine = self.machine(name).expect("there is such a machine");
        machine[key].as_i64().and_then(|number| i32::try_from(number).ok()).unwrap_or_else(|| panic!("{machine}"))
    }

    /// Waits until the log holds a text.
    #[track_caller]
    pub fn waits_for_log(&self, name: &str, text: &str) {
        eventually(&format!("{text:?} in the log"), || self.says(&["logs", name]).contains(text).then_some(()));
    }

    /// The folder where whittle keeps what it knows of a machine.
    pub fn kept(&self, name: &str) -> PathBuf {
        self.folder.path().join("runtime/whittle").join(name)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let mut ps = self.command(&["ps", "--json"]);
        let listed = ps.output().ok().and_then(|output| serde_json::from_slice::<Value>(&output.stdout).ok());
        let machines = listed.as_ref().and_then(Value::as_array).into_iter().flatten();
        for name in machines.filter_map(|machine| machine["name"].as_str()) {
            let _ = self.command(&["stop", "--time", "0", name]).output();
        }
    }
}

/// Waits for something that happens on a busy machine, too.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + LIMIT;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "there is never {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Whether there is such a process, which has not ended. Its first thread may be a zombie while others still end, and
/// hold its files and locks until then (proc_pid_stat(5): the state is field 3, the number of threads field 20).
pub fn lives(process: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = status.rsplit_once(") ").map(|(_, fields)| fields.split(' ').collect()).unwrap_or_default();
    let [state, .., threads] = fields.get(..18).unwrap_or_default() else { return false };
    !matches!(*state, "Z" | "X") || *threads != "1"
}

/// A port that nobody has.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has ports");
    listener.local_addr().unwrap().port()
}
