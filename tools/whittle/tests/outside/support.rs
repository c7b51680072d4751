//! Machines whose kernel, or whose QEMU, is a shell script that speaks frames.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A line of shell that sends one frame on descriptor 4. `payload` is text of printf(1) that prints what it is, save
/// for `\n`.
pub fn frame(kind: u8, argument: u8, number: i32, payload: &str) -> String {
    frame_of_bytes(kind, argument, number, payload.replace("\\n", "\n").as_bytes())
}

/// The same with a payload of any bytes.
pub fn frame_of_bytes(kind: u8, argument: u8, number: i32, payload: &[u8]) -> String {
    let length = payload.len() as u32;
    let header = [&[kind, argument, 0, 0][..], &length.to_le_bytes(), &number.to_le_bytes(), &[0; 4]].concat();
    let octal: String = header.iter().chain(payload).map(|byte| format!("\\{byte:03o}")).collect();
    format!("printf '{octal}' >&4\n")
}

/// A house of its own with one such script.
pub struct Machine {
    folder: TempDir,
    platform: &'static str,
}

/// How a run ended and what it printed.
pub struct Output {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Machine {
    /// The script is the kernel process.
    pub fn process(script: &str) -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap(), platform: "process" };
        machine.write("target/whittle/linux-process.img", script);
        machine
    }

    /// The script is QEMU, once it has said its version.
    pub fn pc(script: &str) -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap(), platform: "pc" };
        let version = "if [ \"$1\" = --version ]; then echo 'QEMU emulator version 7.2.22'; exit; fi";
        machine.write("bin/qemu-system-x86_64", &format!("{version}\n{script}"));
        // What it would load, if it were one.
        machine.write("target/whittle/linux-pc.img", "");
        machine.write("target/whittle/linux-disks-pc.img", "");
        machine
    }

    fn write(&self, place: &str, script: &str) {
        let path = self.folder().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let folder = self.folder().display();
        let path_line = "PATH=/usr/bin:/bin";
        fs::write(&path, format!("#!/bin/sh\n{path_line}; cd '{folder}'\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file the script wrote.
    pub fn kept_bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder().join(name)).unwrap()
    }

    pub fn kept(&self, name: &str) -> String {
        String::from_utf8(self.kept_bytes(name)).unwrap()
    }

    /// `whittle run` with these words only.
    pub fn plain(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        command.arg("run").args(words).env("WHITTLE_ROOT", self.folder()).env("WHITTLE_BUILD", "never");
        command.env_remove("WHITTLE_TARGET");
        command.env("PATH", format!("{}/bin:/usr/bin:/bin", self.folder().display()));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The same by a command that lies where the launcher builds it, and looks at sources as people's does.
    pub fn looking(&self, binary: &Path, words: &[&str]) -> Command {
        let plain = self.plain(words);
        let mut command = Command::new(binary);
        command.args(plain.get_args());
        for (name, value) in plain.get_envs().filter_map(|(name, value)| Some((name, value?))) {
            command.env(name, value);
        }
        for name in ["WHITTLE_BUILD", "WHITTLE_FRESH", "WHITTLE_TARGET", "WHITTLE_WATCH"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// `whittle run` of /bin/true on this machine. Its time is counted in instructions: nobody tells it the time
    /// unasked.
    pub fn command(&self, options: &[&str]) -> Command {
        let untold: &[&str] = if self.platform == "pc" { &["--icount"] } else { &[] };
        self.told_the_time(&[untold, options].concat())
    }

    /// The same, and a virtual machine's clock follows this one's.
    pub fn told_the_time(&self, options: &[&str]) -> Command {
        let words = [&["--platform", self.platform][..], options, &["--", "/bin/true", "--help"]].concat();
        self.plain(&words)
    }

    pub fn run(&self, options: &[&str], input: &str) -> Output {
        let mut child = self.command(options).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        finish(child)
    }

    /// Runs until the script says `ready`, then sends signals, each after a while.
    pub fn signalled(&self, signals: &[&str]) -> Output {
        let mut child = self.command(&[]).spawn().unwrap();
        wait_for_ready(&mut child);
        for signal in signals {
            let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
            assert!(sent.success());
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        finish(child)
    }
}

pub fn wait_for_ready(child: &mut Child) {
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(1, child.stdout.as_mut().unwrap());
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
}

pub fn finish(mut child: Child) -> Output {
    drop(child.stdin.take());
    let mut err = String::new();
    let mut out = String::new();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(|| stdout.map(|mut pipe| pipe.read_to_string(&mut out).unwrap()));
        stderr.map(|mut pipe| pipe.read_to_string(&mut err).unwrap());
    });
    Output { status: child.wait().unwrap().code(), out, err }
}
