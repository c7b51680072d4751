//! A terminal that a test types into and looks at: tmux on a socket of its own.

use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::need;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// One tmux server with one window; gone when the value is dropped.
#[derive(Debug)]
pub struct Terminal {
    socket: String,
}

impl Terminal {
    /// Most time for anything to appear.
    const LIMIT: Duration = Duration::from_secs(30);

    /// Opens a window of this size running a command; afterwards it shows `ended STATUS` and keeps the screen.
    #[must_use]
    pub fn open(columns: u16, rows: u16, command: &Command) -> Self {
        need(&["tmux"]);
        let socket = format!("whittle-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let terminal = Self { socket };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let words = shell_words(command);
        let same = "[ \"$before\" = \"$(stty -g)\" ] && echo settings after: same || echo settings after: other";
        let script = format!("trap : INT; before=$(stty -g); {words}; echo ended $?; {same}; exec sleep 1000");
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &rows, "sh", "-c", &script]);
        terminal
    }

    /// Types keys, by tmux's names: `Enter`, `Escape`, `C-c`, or text.
    pub fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Gives the window another size.
    pub fn resize(&self, columns: u16, rows: u16) {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    /// What is on the screen now, blanks at the ends of lines left away.
    #[must_use]
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// The screen and what scrolled away above it.
    #[must_use]
    pub fn history(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p", "-S", "-"]).stdout).into_owned()
    }

    /// Waits until the screen is as wanted.
    ///
    /// # Panics
    ///
    /// If it does not become so; the message shows it.
    #[track_caller]
    pub fn wait(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        self.shows(Self::LIMIT, wanted)
            .unwrap_or_else(|screen| panic!("the screen never shows {what}; it shows:\n{screen}"))
    }

    /// Whether the screen becomes as wanted in this time; the screen either way.
    ///
    /// # Errors
    ///
    /// The last screen, if it did not.
    pub fn shows(&self, limit: Duration, wanted: impl Fn(&str) -> bool) -> Result<String, String> {
        let deadline = Instant::now() + limit;
        loop {
            let screen = self.screen();
            if wanted(&screen) {
                return Ok(screen);
            }
            if Instant::now() >= deadline {
                return Err(screen);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until this text is on the screen.
    #[track_caller]
    pub fn wait_for(&self, text: &str) -> String {
        self.wait(&format!("{text:?}"), |screen| screen.contains(text))
    }

    /// Waits for the command's end and checks that the terminal's settings are what they were before it.
    ///
    /// # Panics
    ///
    /// If either is not so.
    #[track_caller]
    pub fn expect_end(&self, status: i32) {
        let screen = self.wait_for("ended ");
        assert!(screen.contains(&format!("ended {status}\n")), "not status {status}:\n{screen}");
        self.expect_settings_restored();
    }

    /// After the command's end: checks that the terminal's settings are what they were before it.
    ///
    /// # Panics
    ///
    /// If a setting differs.
    #[track_caller]
    pub fn expect_settings_restored(&self) {
        self.wait_for("settings after");
        let after = self.history();
        let found = after.lines().find(|line| line.starts_with("settings ")).expect("just seen");
        assert_eq!(found, "settings after: same", "the terminal was left changed");
    }

    /// Sends SIGTERM to the program from outside.
    pub fn kill_program(&self) {
        let output = self.tmux(&["display-message", "-p", "#{pane_pid}"]);
        let shell = String::from_utf8_lossy(&output.stdout).trim().to_string();
        let status = Command::new("pkill").args(["-TERM", "-P", &shell]).status();
        assert!(status.is_ok_and(|status| status.success()), "nothing runs in the terminal");
    }

    fn tmux(&self, words: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(words).env_remove("TMUX");
        let output = command.output().expect("tmux can be started");
        assert!(output.status.success(), "tmux {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
    }
}

/// The command as one line for sh, with its changes of the environment.
#[must_use]
pub fn shell_words(command: &Command) -> String {
    let quoted = |text: &std::ffi::OsStr| format!("'{}'", text.to_string_lossy().replace('\'', r"'\''"));
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let variables = variables.map(|(name, value)| format!("{}={}", name.to_string_lossy(), quoted(value)));
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
    let mut line: Vec<String> = vec!["env".into()];
    line.extend(variables);
    line.extend(words);
    line.join(" ")
}
