//! What a person sees while something is built: a line beforehand, then that it goes on.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a log hears that a build goes on.
const PERIOD: Duration = Duration::from_secs(10);

/// A build under way, on standard error: a line that moves on a terminal, else a line now and then.
pub struct Progress {
    begun: usize,
    shown: Shown,
}

enum Shown {
    Moving(ProgressBar),
    Lines { begun: Sender<usize>, writer: Option<JoinHandle<()>> },
    Nothing,
}

impl Progress {
    /// Says what is built and what that takes, and begins. In a log it says nothing of an image that somebody asked
    /// for: whoever waits for `whittle build` knows what for, and a script wants no words but errors.
    #[must_use]
    pub fn begin(what: &str, takes: &str, is_asked_for: bool) -> Self {
        let is_watched = stderr().is_terminal();
        if is_asked_for && !is_watched {
            return Self { begun: 0, shown: Shown::Nothing };
        }
        eprintln!("whittle: building {what}: {takes}");
        let shown = if is_watched { moving(what) } else { lines(what.to_owned()) };
        Self { begun: 0, shown }
    }

    /// One more crate is fetched or compiled, as cargo's line says.
    pub fn compiling(&mut self, line: &str) {
        self.begun += 1;
        match &self.shown {
            Shown::Moving(bar) => bar.set_message(format!("{} crates, {line}", self.begun)),
            // The writer ends only with its channel.
            Shown::Lines { begun, .. } => drop(begun.send(self.begun)),
            Shown::Nothing => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        match &mut self.shown {
            Shown::Moving(bar) => bar.finish_and_clear(),
            Shown::Lines { begun, writer } => {
                // The end of the channel is the writer's end.
                *begun = channel().0;
                let _ = writer.take().map(JoinHandle::join);
            }
            Shown::Nothing => {}
        }
    }
}

fn moving(what: &str) -> Shown {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{prefix} {elapsed} {wide_msg}").expect("the template is right");
    bar.set_style(style);
    bar.set_prefix(what.to_owned());
    bar.enable_steady_tick(Duration::from_secs(1));
    Shown::Moving(bar)
}

fn lines(what: String) -> Shown {
    let (begun, news) = channel();
    let writer = thread::spawn(move || {
        let start = Instant::now();
        let (mut begun, mut told) = (0, Instant::now());
        loop {
            match news.recv_timeout(PERIOD.saturating_sub(told.elapsed())) {
                Ok(count) => begun = count,
                Err(RecvTimeoutError::Timeout) => {
                    told = Instant::now();
                    eprintln!("whittle: building {what}: {begun} crates, {} s", start.elapsed().as_secs());
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    Shown::Lines { begun, writer: Some(writer) }
}
