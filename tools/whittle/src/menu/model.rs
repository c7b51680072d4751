//! The menu's state: the text under edit, what it comes to, and where the person is. It knows of no terminal.

use std::collections::BTreeSet;

use super::choices::Chooser;
use super::measured::Measured;
use super::outcome::{Outcome, component};
use super::rows::{Row, Target};
use super::wishes::Wishes;
use crate::compose::{Catalogue, Parameter};
use crate::failure::Failure;

/// What the keys are about just now.
#[derive(Debug)]
pub enum Mode {
    /// The rows.
    Browse,
    /// The choices for a contract or heap.
    Choose(Chooser),
    /// A line of text.
    Prompt(Prompt),
    /// A question.
    Ask(Question),
    /// The page about the keys.
    Help,
}

/// A line of text being typed.
#[derive(Debug)]
pub struct Prompt {
    /// What it is for.
    pub purpose: Purpose,
    /// What is typed so far.
    pub text: String,
    /// Why it was not taken.
    pub wrong: Option<String>,
}

/// What a line of text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Words to look for, from this row on.
    Search(usize),
    /// The value of an option.
    Option(Target, String),
    /// The value of a setting.
    Setting(String),
    /// The name of a further heap.
    HeapName,
}

/// What is asked before something that cannot be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Leaving with changes that are not saved.
    Leave,
    /// Saving an image that does not resolve.
    SaveUnresolved(Then),
    /// Saving over what another program wrote meanwhile.
    Overwrite(Then),
    /// Building while changes are not saved.
    SaveToBuild,
}

/// What follows a saving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The menu again.
    Stay,
    /// The end.
    Quit,
    /// A build.
    Build,
}

/// What the world is to do after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// Write the text, even over what another program wrote if `over` says so; then go on.
    Save {
        /// What follows.
        then: Then,
        /// Whether the person knows that the file changed.
        over: bool,
    },
    /// Build the image of the platform in view.
    Build,
    /// End.
    Quit,
}

/// The menu.
#[derive(Debug)]
pub struct Model {
    /// What the house offers.
    pub catalogue: Catalogue,
    /// The image's name.
    pub name: String,
    /// The image's kind.
    pub kind: String,
    /// The text under edit.
    pub wishes: Wishes,
    /// The text as it is in the file.
    pub saved: String,
    /// What the text comes to.
    pub outcome: Outcome,
    /// The platform in view, if the image is for it.
    view: String,
    /// The rows.
    pub rows: Vec<Row>,
    /// The row under the cursor.
    pub cursor: usize,
    /// Families of system calls whose calls are shown.
    pub open: BTreeSet<&'static str>,
    /// What was searched for last.
    pub search: String,
    /// What the keys are about.
    pub mode: Mode,
    /// A sentence about the last key.
    pub message: Option<String>,
    /// Lines of the right half that are scrolled away.
    pub scrolled: u16,
    /// Bytes of components in the image built last.
    pub measured: Measured,
}

impl Model {
    /// Opens a text; the failure is that of a text that is no whittle.toml.
    pub fn new(catalogue: Catalogue, text: String) -> Result<Self, Failure> {
        let outcome = Outcome::of(&catalogue, &text);
        let Some(request) = &outcome.request else {
            return Err(Failure::ours(outcome.problem.unwrap_or_default()));
        };
        let mut model = Self {
            name: request.name.clone(),
            kind: request.kind.value.clone(),
            catalogue,
            saved: text.clone(),
            wishes: Wishes::new(text),
            view: String::new(),
            rows: Vec::new(),
            cursor: 0,
            open: BTreeSet::new(),
            search: String::new(),
            mode: Mode::Browse,
            message: None,
            scrolled: 0,
            measured: Measured::NotBuilt,
            outcome,
        };
        model.refresh();
        let contracts = model.rows.iter().position(|row| matches!(row, Row::Part(_)));
        model.cursor = contracts.unwrap_or(1);
        Ok(model)
    }

    /// The platform in view.
    pub fn platform(&self) -> &str {
        let platforms = &self.outcome.plans;
        let viewed = platforms.iter().find(|(name, _)| *name == self.view).or(platforms.first());
        viewed.map(|(name, _)| name).or(self.catalogue.platforms.keys().next()).map_or("", String::as_str)
    }

    /// Puts another platform in view.
    pub fn view_next_platform(&mut self) {
        let names: Vec<&String> = self.outcome.plans.iter().map(|(name, _)| name).collect();
        let index = names.iter().position(|name| *name == self.platform()).unwrap_or(0);
        if let Some(next) = names.get((index + 1) % names.len().max(1)) {
            self.view = (*next).clone();
        }
        if names.len() < 2 {
            self.message = Some(String::from("this image is for one platform"));
        }
        self.refresh();
    }

    /// Whether there are changes that are not in the file.
    pub fn changed(&self) -> bool {
        self.wishes.text() != self.saved
    }

    /// Takes another text.
    pub fn take(&mut self, wishes: Wishes) {
        self.wishes = wishes;
        self.outcome = Outcome::of(&self.catalogue, self.wishes.text());
        self.refresh();
    }

    /// Makes the rows anew; the cursor stays on its row where that is still there.
    pub fn refresh(&mut self) {
        let under = self.row().cloned();
        self.rows = self.make_rows(|family| self.open.contains(family));
        let same = self.rows.iter().position(|row| Some(row) == under.as_ref());
        self.move_to(same.unwrap_or(self.cursor));
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<&Row> {
        self.rows.get(self.cursor)
    }

    /// Moves the cursor to a row, or to the next that is no heading.
    pub fn move_to(&mut self, row: usize) {
        let row = row.min(self.rows.len().saturating_sub(1));
        let is_place = |index: &usize| !matches!(self.rows.get(*index), Some(Row::Heading(_)) | None);
        self.cursor = (row..self.rows.len()).chain((0..row).rev()).find(is_place).unwrap_or(0);
        self.scrolled = 0;
    }

    /// Moves the cursor up, over headings.
    pub fn move_up(&mut self, rows: usize) {
        let wanted = self.cursor.saturating_sub(rows);
        let is_place = |index: &usize| !matches!(self.rows.get(*index), Some(Row::Heading(_)) | None);
        if let Some(place) = (0..=wanted).rev().find(is_place) {
            self.move_to(place);
        } else {
            self.move_to(0);
        }
    }

    /// An option's declaration.
    pub fn parameter(&self, target: &Target, option: &str) -> Option<&Parameter> {
        let name = self.chosen(target)?;
        component(&self.catalogue, &name, self.platform())?.options.get(option)
    }

    /// Remembers that the text is in the file.
    pub fn was_saved(&mut self) {
        self.saved = self.wishes.text().to_owned();
        self.message = Some(String::from("saved"));
    }
}
