//! The machines that the echo server runs on.

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
            let mut command = system_tests::whittle();
            command.arg("build").args(&self.options()[..2]).arg("apps/echo").current_dir(project_root());
            Running::start(command, None).finish(BUILD).expect_status(0);
        });
    }

    /// Starts the echo server, which is ready. Its network is the caller's namespace.
    pub fn start(self, nic: &str) -> Server {
        self.build();
        let mut command = system_tests::whittle();
        command.arg("run").args(self.options()).args(["--nic", nic, "apps/echo"]).current_dir(project_root());
        let running = Running::start(command, None);
        running.wait_for_output("ready", RUN);
        Server(running)
    }
}

/// A server that runs.
pub struct Server(Running);

impl Server {
    /// A signal ends it, and it has said nothing of trouble.
    pub fn end(self) {
        self.0.signal(Signal::TERM);
        let outcome = self.0.finish_with_open_input(RUN);
        outcome.expect_status(143);
        assert!(outcome.text().ends_with("ready\n"), "{}", outcome.text());
    }
}
