//! The machines that the echo server runs on.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::Signal;
use system_tests::{Running, project_root};

/// Whole-program optimisation of an image takes its time on a busy machine.
const BUILD: Duration = Duration::from_secs(900);
/// A machine that does not begin or end by itself is an error.
const RUN: Duration = Duration::from_secs(120);

/// A machine with a network interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    Process,
    /// Over memory (virtio-mmio).
    Microvm,
    /// Over the PCI bus.
    Q35,
}

impl Machine {
    pub const ALL: [Self; 3] = [Self::Process, Self::Microvm, Self::Q35];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Microvm => "pc-microvm",
            Self::Q35 => "pc-q35",
        }
    }

    /// Builds a program.
    pub fn build_in(self, folder: &Path) {
        let mut command = system_tests::whittle();
        command.arg("build").args(&self.options()[..2]).arg(folder).current_dir(project_root());
        Running::start(command, None).finish(BUILD).expect_status(0);
    }

    const fn options(self) -> &'static [&'static str] {
        match self {
            Self::Process => &["--platform", "process"],
            Self::Microvm => &["--platform", "pc", "--accel", "tcg"],
            Self::Q35 => &["--platform", "pc", "--accel", "tcg", "--machine", "q35"],
        }
    }

    /// Builds the server, once.
    pub fn build(self) {
        static BUILT: [OnceLock<()>; 2] = [const { OnceLock::new() }; 2];
        BUILT[usize::from(self == Self::Process)].get_or_init(|| {
            self.build_in(Path::new("apps/echo"));
        });
    }

    /// Starts the echo server, which is ready. Its network is the caller's namespace.
    pub fn start(self, nic: &str) -> Server {
        self.build();
        self.start_in(nic, Path::new("apps/echo"))
    }

    /// The same from another folder.
    pub fn start_in(self, nic: &str, folder: &Path) -> Server {
        self.start_with(&["--nic", nic], folder)
    }

    /// The same with other options.
    pub fn start_with(self, options: &[&str], folder: &Path) -> Server {
        let mut command = system_tests::whittle();
        command.arg("run").args(self.options()).args(options).arg(folder).current_dir(project_root());
        let running = Running::start(command, None);
        running.wait_for_output("ready", RUN);
        Server(running)
    }
}

/// Makes the server's program in `folder` with another whittle.toml, and builds it for `machine`.
pub fn variant(machine: Machine, folder: &Path, change: impl Fn(&str) -> String) {
    let from = project_root().join("apps/echo");
    fs::create_dir_all(folder.join("src/bin")).unwrap();
    for file in fs::read_dir(from.join("src")).unwrap().flatten().filter(|file| file.path().is_file()) {
        fs::copy(file.path(), folder.join("src").join(file.file_name())).unwrap();
    }
    for file in ["src/bin/reference.rs", "Cargo.lock"] {
        fs::copy(from.join(file), folder.join(file)).unwrap();
    }
    let library = project_root().join("api/rust");
    let manifest = fs::read_to_string(from.join("Cargo.toml")).unwrap();
    let manifest = manifest.replace("../../api/rust", library.to_str().unwrap());
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let wishes = fs::read_to_string(from.join("whittle.toml")).unwrap();
    let changed = change(&wishes);
    assert_ne!(changed, wishes);
    fs::write(folder.join("whittle.toml"), changed).unwrap();
    machine.build_in(folder);
}

/// A server that runs.
pub struct Server(Running);

impl Server {
    /// The command's process.
    pub fn id(&self) -> i32 {
        self.0.id()
    }

    /// A signal ends it, and it has said nothing of trouble.
    pub fn end(self) {
        self.0.signal(Signal::TERM);
        let outcome = self.0.finish_with_open_input(RUN);
        outcome.expect_status(143);
        assert!(outcome.text().ends_with("ready\n"), "{}", outcome.text());
    }
}
