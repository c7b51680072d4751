//! One program's run on a platform.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::{Outcome, Platform, Running, project_root};

/// How a program is to be run. On [`Platform::Native`] it runs directly, with the environment that whittle would give.
#[derive(Clone, Debug)]
pub struct Guest {
    platform: Platform,
    options: Vec<OsString>,
    variables: Vec<(String, String)>,
    directory: Option<String>,
    signals: Option<String>,
    input: Vec<u8>,
    limit: Duration,
}

impl Guest {
    /// A run on this platform: no input, two minutes at most.
    #[must_use]
    pub fn new(platform: Platform) -> Self {
        let options = platform.options().iter().map(OsString::from).collect();
        let limit = Duration::from_secs(120);
        Self { platform, options, variables: Vec::new(), directory: None, signals: None, input: Vec::new(), limit }
    }

    /// Adds an option of `whittle run`, which means nothing natively.
    #[must_use]
    pub fn option(mut self, option: impl Into<OsString>) -> Self {
        self.options.push(option.into());
        self
    }

    /// Shares a file or folder under its host path.
    #[must_use]
    pub fn share(self, path: &Path) -> Self {
        let both = format!("{0}:{0}", path.display());
        self.option("-v").option(both)
    }

    /// Sets an environment variable of the program.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Sets the program's working directory.
    #[must_use]
    pub fn directory(mut self, path: &str) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// Has `env(1)` set signals by this option of its, such as `--ignore-signal=HUP`, before it becomes the command.
    #[must_use]
    pub fn signals(mut self, option: &str) -> Self {
        self.signals = Some(option.into());
        self
    }

    /// Sets the bytes of standard input.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    /// Sets the time limit.
    #[must_use]
    pub const fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs the program to its end.
    #[must_use]
    pub fn run(&self, words: &[&str]) -> Outcome {
        Running::start(self.command(words), Some(self.input.clone())).finish(self.limit)
    }

    /// Starts the program with its input open and empty.
    #[must_use]
    pub fn start(&self, words: &[&str]) -> Running {
        Running::start(self.command(words), None)
    }

    /// The command that runs these words.
    #[must_use]
    pub fn command(&self, words: &[&str]) -> Command {
        if self.platform == Platform::Native { self.native(words) } else { self.whittle(words) }
    }

    fn begin(&self, program: impl AsRef<OsStr>) -> Command {
        let Some(option) = &self.signals else { return Command::new(program) };
        let mut command = Command::new("env");
        command.arg(option).arg(program);
        command
    }

    fn whittle(&self, words: &[&str]) -> Command {
        let mut command = self.begin(project_root().join("whittle"));
        // Cargo's variables are about these tests, not about what the command may build. The language is whose machine
        // this is.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO") && text != "CARGO_HOME"
                || text == "RUSTUP_TOOLCHAIN"
                || text == "LD_LIBRARY_PATH"
                || text == "LANG"
                || text.starts_with("LC_")
            {
                command.env_remove(&name);
            }
        }
        command.env("WHITTLE_WATCH", "never").env("TZ", "UTC0").env("TERM", "xterm").arg("run").args(&self.options);
        for (name, value) in &self.variables {
            command.args(["--env", &format!("{name}={value}")]);
        }
        if let Some(directory) = &self.directory {
            command.args(["--workdir", directory]);
        }
        command.arg("--").args(words);
        command
    }

    fn native(&self, words: &[&str]) -> Command {
        let mut command = self.begin(words[0]);
        command.args(&words[1..]).env_clear().env("TZ", "UTC0").env("TERM", "xterm");
        for name in ["PATH", "HOME"] {
            command.env(name, std::env::var_os(name).unwrap_or_else(|| "/".into()));
        }
        command.envs(self.variables.iter().cloned()).current_dir(self.directory.as_deref().unwrap_or("/"));
        command
    }
}
