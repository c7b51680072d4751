//! The machines that serve: images of ours, and a Linux guest with programs that do the same.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::super::guest::{Programs, SYMBOLS_END, Served, serve};
use super::super::start::{as_built, run_well, whittle};
use super::super::{compile, work_folder};
use super::TAP;
use super::counter::Counter;
use super::steps::Kallsyms;
use crate::arguments::Platform;
use crate::child::prepare;
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::machine::{OpenNic, open_nics};
use crate::pack::Tree;
use crate::words::Nic;

/// How long a machine may take to end.
const GRACE: Duration = Duration::from_secs(15);
/// Bytes of memory of a guest that has little.
const MEMORY: u64 = 256 << 20;
/// Building an image takes minutes on a busy machine.
const BUILD: Duration = Duration::from_secs(1800);

/// An application of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Application {
    /// `apps/key-value`.
    KeyValue,
    /// `apps/echo`.
    Echo,
    /// `apps/net-pipe`.
    Pipe,
}

impl Application {
    const fn folder(self) -> &'static str {
        match self {
            Self::KeyValue => "apps/key-value",
            Self::Echo => "apps/echo",
            Self::Pipe => "apps/net-pipe",
        }
    }

    /// Builds its image for a platform; where the image with its symbols is.
    pub fn build(self, house: &House, platform: Platform) -> Result<PathBuf, Failure> {
        let folder = house.root.join(self.folder());
        // This command is in step with its sources, or it would have been rebuilt.
        let mut command = Command::new(std::env::current_exe().doing("find this command")?);
        command.args(["build", "--platform", platform.name()]).arg(&folder);
        command.env("WHITTLE_ROOT", &house.root).env("WHITTLE_FRESH", "1");
        run_well(command, BUILD)?;
        let name = folder.file_name().unwrap_or_default().display().to_string();
        Ok(folder.join(format!("target/whittle/{name}-{}.elf", platform.name())))
    }
}

/// A machine of ours, which ends when this is dropped.
pub struct Ours(Child);

impl Ours {
    /// Starts an application's image, which is built, with these options, at the TAP device.
    pub fn start(house: &House, application: Application, options: &[&str]) -> Result<Self, Failure> {
        Self::start_at(house, application, &format!("tap:{TAP}"), options)
    }

    /// The same with another network interface.
    pub fn start_at(house: &House, application: Application, nic: &str, options: &[&str]) -> Result<Self, Failure> {
        let folder = house.root.join(application.folder()).display().to_string();
        let words = [options, &["--nic", nic, &folder]].concat();
        let mut command = as_built(whittle(house, &words)?);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Self::of(command)
    }

    /// Starts a machine by this command.
    pub fn of(mut command: Command) -> Result<Self, Failure> {
        // It must not outlive this command.
        prepare(&mut command, Vec::new(), false);
        Ok(Self(command.spawn().doing("start a machine")?))
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Ends it by SIGTERM, in so long; its status.
    pub fn end(mut self, patience: Duration) -> Result<ExitStatus, Failure> {
        kill_process(Pid::from_child(&self.0), Signal::TERM).doing("end a machine")?;
        let since = Instant::now();
        while since.elapsed() < patience {
            if let Some(status) = self.0.try_wait().doing("wait for a machine")? {
                return Ok(status);
            }
            sleep(Duration::from_millis(20));
        }
        Err(Failure::ours("a machine does not end on SIGTERM"))
    }

    /// Whether it has not ended yet.
    pub fn is_there(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        // It may have ended by itself, and one that has too little memory may never do so.
        let _ = kill_process(Pid::from_child(&self.0), Signal::TERM);
        let since = Instant::now();
        while self.is_there() {
            if since.elapsed() > GRACE {
                let _ = self.0.kill();
                let _ = self.0.wait();
            }
            sleep(Duration::from_millis(5));
        }
    }
}

/// Linux' server of keys, compiled.
pub fn key_server(house: &House) -> Result<PathBuf, Failure> {
    let program = work_folder(house)?.join("key-server");
    compile(&house.root.join("apps/bench-network"), &program, &[], &[])?;
    Ok(program)
}

/// `apps/echo` for Linux: the same program on Rust's own standard library.
pub fn echo_server(house: &House) -> Result<PathBuf, Failure> {
    for_linux(house, Application::Echo)
}

/// A program of ours for Linux, on Rust's own standard library.
pub fn for_linux(house: &House, application: Application) -> Result<PathBuf, Failure> {
    const TARGET: &str = "x86_64-unknown-linux-musl";
    let source = application.folder();
    let target = work_folder(house)?.join(source.trim_start_matches("apps/"));
    let mut cargo = house.cargo();
    cargo.args(["build", "--quiet", "--release", "--target", TARGET, "--manifest-path"]);
    cargo.arg(format!("{source}/Cargo.toml")).arg("--target-dir").arg(&target);
    run_well(cargo, BUILD)?;
    let program = target.join(TARGET).join("release/reference");
    if program.is_file() { Ok(program) } else { Err(Failure::ours(format!("{source} has no program for Linux"))) }
}

/// A Linux guest with both servers, and its kernel's symbols.
pub fn linux(house: &House, counter: &Counter, programs: [&Path; 2]) -> Result<(Served, Kallsyms), Failure> {
    let [program, other] = programs;
    let start = "/bench &\n/other".to_owned();
    let files = Tree::default();
    linux_with(house, counter, Programs { program, other: Some(other), files, start, memory: MEMORY })
}

/// A Linux guest with these programs, and its kernel's symbols.
pub fn linux_with(house: &House, counter: &Counter, programs: Programs<'_>) -> Result<(Served, Kallsyms), Failure> {
    let listener = TcpListener::bind("10.0.2.2:0").doing("listen for a guest")?;
    let port = listener.local_addr().doing("listen for a guest")?.port();
    let nic = open_tap()?;
    let guest = serve(house, programs, nic, counter.words()?, port)?;
    let (stream, _) = listener.accept().doing("listen for a guest")?;
    let mut text = String::new();
    for line in BufReader::new(stream).lines() {
        let line = line.doing("read the guest's symbols")?;
        if line == SYMBOLS_END {
            break;
        }
        text += &line;
        text.push('\n');
    }
    let symbols = Kallsyms::new(&text);
    if symbols.is_empty() {
        return Err(Failure::ours("the Linux guest has not told its symbols"));
    }
    Ok((guest, symbols))
}

/// The device, opened for a guest.
pub fn open_tap() -> Result<OpenNic, Failure> {
    let mut nics = open_nics(&[Nic::Tap(TAP.into())], Platform::Pc, 1, true)?;
    nics.pop().ok_or_else(|| Failure::ours("there is no TAP device"))
}

/// The bytes of an image with its symbols.
pub fn read(image: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(image).doing(format!("read {}", image.display()))
}
