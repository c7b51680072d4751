//! A script, and how it runs.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use system_tests::{Running, project_root, scratch, work_folder};

use crate::tools;

/// A script runs no longer, in real time.
const LONGEST: Duration = Duration::from_secs(60);

/// This machine's addresses, where a script names none.
const IPV4: &str = "192.168.0.1";
const IPV6: &str = "fd3d:fa7b:d17d::1";

/// One script.
pub struct Script {
    /// Its name below the folder of all.
    pub name: String,
    path: PathBuf,
}

/// The suite's scripts but for those in its folders about fast open.
pub fn of_suite(folder: &Path) -> Vec<Script> {
    let mut scripts = in_folder(&folder.join("gtests/net"));
    scripts.retain(|script| !script.name.contains("fastopen/"));
    scripts
}

/// All scripts below a folder, in order.
pub fn in_folder(folder: &Path) -> Vec<Script> {
    let mut scripts = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "pkt") {
                let name = path.strip_prefix(folder).expect("it is below").to_string_lossy().into_owned();
                scripts.push(Script { name, path });
            }
        }
    }
    scripts.sort_by(|one, other| one.name.cmp(&other.name));
    scripts
}

/// packetdrill itself, compiled beside its source.
pub fn packetdrill(folder: &Path) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let source = folder.join("gtests/net/packetdrill");
        for words in [&["./configure"][..], &["make", "-s", "packetdrill"]] {
            let mut command = Command::new(words[0]);
            let output = command.args(&words[1..]).current_dir(&source).output().expect("a command can be started");
            assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        source.join("packetdrill")
    };
    BUILT.get_or_init(build).clone()
}

/// Our TCP as its library.
pub fn library() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let target = work_folder().join("cargo");
        let mut command = Command::new(cargo);
        command.current_dir(project_root()).args(["build", "--quiet", "-p", "packetdrill-stack", "--target-dir"]);
        let output = command.arg(&target).output().expect("cargo can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        target.join("debug/libpacketdrill_stack.so")
    };
    BUILT.get_or_init(build).clone()
}

impl Script {
    /// SHA-256 of its text.
    pub fn digest(&self) -> String {
        let text = fs::read(&self.path).expect("the script was found");
        hashfiles::digest(&text).iter().fold(String::new(), |mut all, byte| {
            write!(all, "{byte:02x}").expect("a text takes all");
            all
        })
    }

    /// Runs it; an error is the last line that packetdrill says.
    pub fn run(&self, packetdrill: &Path, library: &Path, tell: bool) -> Result<(), String> {
        let scratch = scratch();
        let mut command = Command::new(packetdrill);
        command.current_dir(self.path.parent().expect("a script is in a folder"));
        command.env("PATH", path(tools::folder())).env("LD_PRELOAD", library);
        command.env("WHITTLE_SYSCTL", scratch.path().join("sysctl"));
        let mut filename = OsString::from("--so_filename=");
        filename.push(library);
        let text = fs::read_to_string(&self.path).expect("the script was found");
        if text.contains("/proc/net/tcp") {
            command.env("WHITTLE_CONNECTIONS", scratch.path().join("connections"));
        }
        let address = if text.contains("ip_version=ipv6") { IPV6 } else { IPV4 };
        let own = text.lines().find_map(|line| line.strip_prefix("--local_ip="));
        if own.is_none() {
            command.arg(format!("--local_ip={address}"));
        }
        command.args(names(address == IPV6));
        let gathered = text.lines().find_map(|line| line.strip_prefix("--mss=")).unwrap_or("0");
        command.arg(filename).arg(format!("--so_flags={}/{gathered}", own.unwrap_or(address))).arg(&self.path);
        let running = Running::start(command, Some(Vec::new()));
        let undo = format!("/tmp/sysctl_restore_{}.sh", running.id());
        let outcome = running.finish(LONGEST);
        // What the suite's own tool leaves, as ours does.
        let _ = fs::remove_file(undo);
        let said = format!("{}{}", outcome.text(), outcome.error_text());
        if tell {
            eprintln!("{}: status {}\n{said}", self.name, outcome.status);
        }
        let told = if outcome.status == 0 { Ok(()) } else { Err(self.last_line(&said)) };
        match text.lines().find_map(|line| line.trim().strip_prefix("// Failure: ")) {
            Some(wanted) => fails_as(&told, &wanted.replace('\\', "")),
            None => told,
        }
    }

    /// What it says of the mistake, without the script's own path, so that it is the same on each machine.
    fn last_line(&self, said: &str) -> String {
        let begins = |words: &[&str]| {
            let is_told = |line: &&str| words.iter().any(|word| line.trim().starts_with(word));
            said.lines().filter(is_told).map(str::trim).collect::<Vec<_>>().join("; ")
        };
        let packets = begins(&["script packet", "actual packet"]);
        let assertion = begins(&["assert ", "print(", "AssertionError"]);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it ended without a word");
        let line = [packets.as_str(), &assertion, last].into_iter().find(|text| !text.is_empty()).unwrap_or(last);
        line.replace(&format!("{}:", self.path.display()), "line ").trim().chars().take(250).collect()
    }
}

/// Names that the suite's `run_all.py` gives values to.
fn names(is_v6: bool) -> [&'static str; 4] {
    match is_v6 {
        false => ["-D", "CMSG_LEVEL_IP=SOL_IP", "-D", "CMSG_TYPE_RECVERR=IP_RECVERR"],
        true => ["-D", "CMSG_LEVEL_IP=SOL_IPV6", "-D", "CMSG_TYPE_RECVERR=IPV6_RECVERR"],
    }
}

/// Some scripts are there to fail, in words that they tell.
fn fails_as(told: &Result<(), String>, wanted: &str) -> Result<(), String> {
    match told {
        Err(text) if text.contains(wanted) => Ok(()),
        other => Err(format!("it should fail with: {wanted}; but {other:?}")),
    }
}

fn path(first: &Path) -> OsString {
    let mut path = first.as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    path
}
