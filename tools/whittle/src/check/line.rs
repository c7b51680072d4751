//! The line of a step, while it goes on and after.

use std::io::{IsTerminal, Write, stdout};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The line of a step that is under way: one that moves on a terminal, else its beginning, so that a log shows what it
/// waits for.
pub struct Line {
    name: String,
    moving: Option<ProgressBar>,
}

impl Line {
    /// Begins the line of the step of that name.
    pub fn begin(name: &str) -> Self {
        let name = format!("{name:.<32}");
        let moving = stdout().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stdout());
            let style = ProgressStyle::with_template("{prefix} {elapsed} {wide_msg}").expect("the template is right");
            bar.set_style(style);
            bar.set_prefix(name.clone());
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        if moving.is_none() {
            print!("{name} ");
            // A line that cannot be shown is no failure of the step.
            let _ = stdout().flush();
        }
        Self { name, moving }
    }

    /// Says how far the step is.
    pub fn at(&self, message: &str) {
        if let Some(bar) = &self.moving {
            bar.set_message(message.to_owned());
        }
    }

    /// Says something that stays; a log will have it with the rest of the step's output.
    pub fn above(&self, message: &str) {
        if let Some(bar) = &self.moving {
            bar.println(message);
        }
    }

    /// Ends the line with how the step went.
    pub fn end(self, result: &str) {
        match self.moving {
            Some(bar) => {
                bar.finish_and_clear();
                println!("{} {result}", self.name);
            }
            None => println!("{result}"),
        }
    }
}
