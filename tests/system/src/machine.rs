//! Machines with network interfaces, for native programs: where a program is built for one and started on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use crate::{Running, project_root, whittle};

/// Whole-program optimisation of an image takes its time on a busy machine.
pub const BUILD: Duration = Duration::from_secs(900);
/// A machine that does not begin or end by itself is an error.
pub const RUN: Duration = Duration::from_secs(120);

/// Images by platform and folder, each of which is built at most once.
type Built = BTreeMap<(&'static str, PathBuf), Arc<OnceLock<()>>>;

/// A machine with a network interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// A process of Linux'.
    Process,
    /// A virtual one, with devices over memory (virtio-mmio).
    Microvm,
    /// The same over the PCI bus.
    Q35,
}

impl Machine {
    /// Every machine, in the order tests name them.
    pub const ALL: [Self; 3] = [Self::Process, Self::Microvm, Self::Q35];

    /// The first part of a test's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Microvm => "pc-microvm",
            Self::Q35 => "pc-q35",
        }
    }

    /// Words of `whittle run`; the first two are for `whittle build` too.
    const fn options(self) -> &'static [&'static str] {
        match self {
            Self::Process => &["--platform", "process"],
            Self::Microvm => &["--platform", "pc", "--accel", "tcg"],
            Self::Q35 => &["--platform", "pc", "--accel", "tcg", "--machine", "q35"],
        }
    }

    /// Builds the program in `folder`, a path from the project's root, once for all tests of a file.
    ///
    /// # Panics
    /// It does not build.
    pub fn build(self, folder: &Path) {
        static BUILT: Mutex<Built> = Mutex::new(BTreeMap::new());
        let key = (self.options()[1], folder.to_owned());
        let once = BUILT.lock().expect("no builder panics with it").entry(key).or_default().clone();
        once.get_or_init(|| {
            let mut command = whittle();
            command.arg("build").args(&self.options()[..2]).arg(folder).current_dir(project_root());
            Running::start(command, None).finish(BUILD).expect_status(0);
        });
    }

    /// Builds a program and starts it with options of the command's, until it says `ready`. Its network is the caller's
    /// namespace.
    #[must_use]
    pub fn start(self, options: &[&str], folder: &Path, ready: &str) -> Running {
        self.build(folder);
        let mut command = whittle();
        command.arg("run").args(self.options()).args(options).arg(folder).current_dir(project_root());
        let running = Running::start(command, None);
        running.wait_for_output(ready, RUN);
        running
    }
}
