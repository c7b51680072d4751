//! The echo server on a machine.

use std::fs;
use std::path::Path;

use rustix::process::Signal;
use system_tests::machine::RUN;
use system_tests::{Machine, Running, project_root};

/// The server's program.
pub const ECHO: &str = "apps/echo";

/// A server that runs.
pub struct Server(Running);

impl Server {
    /// Starts the echo server, which is ready. Its network is the caller's namespace.
    pub fn start(machine: Machine, nic: &str) -> Self {
        Self::start_in(machine, nic, Path::new(ECHO))
    }

    /// The same from another folder.
    pub fn start_in(machine: Machine, nic: &str, folder: &Path) -> Self {
        Self::start_with(machine, &["--nic", nic], folder)
    }

    /// The same with other options.
    pub fn start_with(machine: Machine, options: &[&str], folder: &Path) -> Self {
        Self(machine.start(options, folder, "ready"))
    }

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

/// Makes the server's program in `folder` with another whittle.toml.
pub fn variant(folder: &Path, change: impl Fn(&str) -> String) {
    let from = project_root().join(ECHO);
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
}
