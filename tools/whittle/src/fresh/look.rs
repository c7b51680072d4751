//! A start's look at sources: it asks a watcher where there is one, else the host for the time of each file.

use std::env;
use std::path::{Path, PathBuf};

use super::watch::{self, Address, Answer, Built};
use super::{builds_nothing, stamp};
use crate::house::House;

/// How one start learns what is current, and what it leaves behind for the next.
pub struct Look<'a> {
    house: &'a House,
    /// Whether this process is the command that the launcher builds.
    pub is_command: bool,
    /// The stamps that one watcher watches: most starts want two of them. Empty if no watcher is asked.
    common: Vec<PathBuf>,
    /// The last that a watcher said.
    answer: Option<Answer>,
    /// Of each watcher that is missing, what it is to watch.
    missing: Vec<Vec<PathBuf>>,
    /// Sentences for who wants to know.
    found: Vec<String>,
}

impl<'a> Look<'a> {
    /// A look of its own, which asks no watcher and leaves none.
    #[must_use]
    pub fn alone(house: &'a House) -> Self {
        let is_command = stamp::is_this_binary(&house.command());
        Self { house, is_command, common: Vec::new(), answer: None, missing: Vec::new(), found: Vec::new() }
    }

    /// The look of a start. A watcher watches the command's stamp together with `images`. Only the command of a
    /// checkout has one: it would start another one's program otherwise.
    #[must_use]
    pub fn of_start(house: &'a House, images: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut look = Self::alone(house);
        // What has just been built anew was watched by nobody.
        if look.is_command && !builds_nothing() && !watch::is_unwanted() && env::var_os("WHITTLE_FRESH").is_none() {
            look.common = [house.command_stamp()].into_iter().chain(images).collect();
        }
        look
    }

    /// Whether what the stamp stands beside is built from its sources as they are, in the way that `words` say.
    pub fn is_current(&mut self, stamp: &Path, words: &str) -> bool {
        let group = self.group(stamp);
        let answer = self.ask(&group);
        let built = Built { stamp: stamp.to_owned(), words: words.to_owned() };
        if let Some(process) = answer.and_then(|answer| answer.watcher_of(&built)) {
            self.found.push(format!("process {process} has watched the sources of {}", stamp.display()));
            return true;
        }
        let is_missing = answer.is_some_and(Answer::is_nobodys) && !self.missing.contains(&group);
        let is_current = stamp::is_fresh(stamp, &self.house.root, words);
        if is_current {
            self.found.push(format!("looked at each source of {}", stamp.display()));
            if is_missing {
                self.miss(group);
            }
        }
        is_current
    }

    /// What the watcher of these stamps says.
    fn ask(&mut self, group: &[PathBuf]) -> Option<&Answer> {
        let address = Address::of(self.house, group.first()?)?;
        match &self.answer {
            Some(answer) if answer.holds(address) => {}
            _ => self.answer = Some(Answer::ask(address)),
        }
        self.answer.as_ref()
    }

    /// The stamps that are watched together with this one, the first of which names the watcher.
    fn group(&self, stamp: &Path) -> Vec<PathBuf> {
        match &self.common[..] {
            [] => Vec::new(),
            common if common.iter().any(|one| one == stamp) => common.to_vec(),
            _ => vec![stamp.to_owned()],
        }
    }

    fn miss(&mut self, group: Vec<PathBuf>) {
        let root = &self.house.root;
        if watch::is_told_of(root) {
            self.missing.push(group);
        } else {
            self.found.push(format!("nobody can watch {}: others may change it, as on a network", root.display()));
        }
    }

    /// What was found, a sentence each.
    pub fn found(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(String::as_str)
    }

    /// What to do once the program runs, when it costs no start any more: to leave the missing watchers behind.
    pub fn into_afterwards(self) -> Box<dyn FnOnce()> {
        let (command, missing) = (self.house.command(), self.missing);
        Box::new(move || missing.iter().for_each(|stamps| watch::leave(&command, stamps)))
    }
}
