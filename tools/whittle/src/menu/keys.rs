//! What each key does: the state machine of the menu.

use super::choices::Chooser;
use super::model::{Effect, Mode, Model, Purpose, Question, Then};
use super::rows::Row;

/// Rows of a page.
const PAGE: usize = 10;

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names on the keys say it")]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Escape,
    Backspace,
    Delete,
    Letter(char),
    /// Ctrl-C.
    Interrupt,
}

impl Model {
    /// Does what a key says; returns what is left to the world.
    pub fn press(&mut self, key: Key) -> Effect {
        self.message = None;
        if key == Key::Interrupt && !matches!(self.mode, Mode::Ask(_)) {
            self.mode = Mode::Browse;
            return self.leave();
        }
        match std::mem::replace(&mut self.mode, Mode::Browse) {
            Mode::Browse => return self.browse(key),
            Mode::Ask(question) => return self.answer(question, key),
            Mode::Choose(chooser) => self.choose(chooser, key),
            Mode::Prompt(prompt) => self.type_into(prompt, key),
            // Any key leaves the page.
            Mode::Help => {}
        }
        Effect::Nothing
    }

    fn browse(&mut self, key: Key) -> Effect {
        match key {
            Key::Down | Key::Letter('j') => self.move_to(self.cursor + 1),
            Key::Up | Key::Letter('k') => self.move_up(1),
            Key::PageDown => self.move_to(self.cursor + PAGE),
            Key::PageUp => self.move_up(PAGE),
            Key::Home | Key::Letter('g') => self.move_to(0),
            Key::End | Key::Letter('G') => self.move_to(usize::MAX),
            Key::Enter => self.enter(),
            Key::Letter(' ') => self.toggle(),
            Key::Right | Key::Letter('l') => self.open_family(true),
            Key::Left | Key::Letter('h') => self.open_family(false),
            Key::Letter('o') => self.edit_option(),
            Key::Letter('d') | Key::Delete => self.leave_to_default(),
            Key::Letter('p') => self.view_next_platform(),
            Key::Letter('/') => self.ask_for(Purpose::Search(self.cursor), String::new()),
            Key::Letter('n') => self.search_on(),
            Key::Letter(']') => self.scrolled = self.scrolled.saturating_add(1),
            Key::Letter('[') => self.scrolled = self.scrolled.saturating_sub(1),
            Key::Letter('?') => self.mode = Mode::Help,
            Key::Letter('s') => return self.save(Then::Stay),
            Key::Letter('b') if self.changed() => self.mode = Mode::Ask(Question::SaveToBuild),
            Key::Letter('b') => return self.build(),
            Key::Letter('q') => return self.leave(),
            _ => {}
        }
        Effect::Nothing
    }

    fn leave(&mut self) -> Effect {
        if !self.changed() {
            return Effect::Quit;
        }
        self.mode = Mode::Ask(Question::Leave);
        Effect::Nothing
    }

    fn save(&mut self, then: Then) -> Effect {
        if !self.changed() && then == Then::Stay {
            self.message = Some(String::from("there is nothing to save"));
            return Effect::Nothing;
        }
        if self.outcome.problem.is_some() {
            self.mode = Mode::Ask(Question::SaveUnresolved(then));
            return Effect::Nothing;
        }
        Effect::Save { then, over: false }
    }

    fn build(&mut self) -> Effect {
        if self.outcome.problem.is_none() {
            return Effect::Build;
        }
        self.message = Some(String::from("an image that does not resolve cannot be built"));
        Effect::Nothing
    }

    fn answer(&mut self, question: Question, key: Key) -> Effect {
        match (question, key) {
            (Question::Leave, Key::Letter('s')) => return self.save(Then::Quit),
            (Question::Leave, Key::Letter('d')) => return Effect::Quit,
            (Question::SaveToBuild, Key::Letter('s')) if self.outcome.problem.is_some() => return self.build(),
            (Question::SaveToBuild, Key::Letter('s')) => return self.save(Then::Build),
            (Question::SaveUnresolved(then), Key::Letter('s')) => return Effect::Save { then, over: false },
            (Question::Overwrite(then), Key::Letter('s')) => return Effect::Save { then, over: true },
            (_, Key::Escape | Key::Interrupt) | (_, Key::Letter('n' | 'q')) => {}
            _ => self.mode = Mode::Ask(question),
        }
        Effect::Nothing
    }

    fn choose(&mut self, mut chooser: Chooser, key: Key) {
        let last = chooser.choices.len().saturating_sub(1);
        match key {
            Key::Down | Key::Letter('j') => chooser.cursor = (chooser.cursor + 1).min(last),
            Key::Up | Key::Letter('k') => chooser.cursor = chooser.cursor.saturating_sub(1),
            Key::Home | Key::PageUp => chooser.cursor = 0,
            Key::End | Key::PageDown => chooser.cursor = last,
            Key::Letter(']') => self.scrolled = self.scrolled.saturating_add(1),
            Key::Letter('[') => self.scrolled = self.scrolled.saturating_sub(1),
            Key::Escape | Key::Left | Key::Letter('q' | 'h') => return,
            Key::Enter | Key::Letter(' ') => {
                if let Some(choice) = chooser.choices.get(chooser.cursor) {
                    self.take(self.with(&chooser.target, &choice.pick));
                    self.go_to(&Row::Part(chooser.target));
                }
                return;
            }
            _ => {}
        }
        if !matches!(key, Key::Letter(']' | '[')) {
            self.scrolled = 0;
        }
        self.mode = Mode::Choose(chooser);
    }

    pub(super) fn go_to(&mut self, row: &Row) {
        if let Some(place) = self.rows.iter().position(|other| other == row) {
            self.move_to(place);
        }
    }
}
