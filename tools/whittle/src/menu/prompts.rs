//! Lines of text that a person types: words to search for, values, the name of a further heap.

use super::keys::Key;
use super::model::{Mode, Model, Prompt, Purpose};
use super::rows::{Row, Target, family_of};
use super::values;

/// More text than any value has.
const LONGEST: usize = 4096;

impl Model {
    pub(super) fn ask_for(&mut self, purpose: Purpose, text: String) {
        self.mode = Mode::Prompt(Prompt { purpose, text, wrong: None });
    }

    pub(super) fn type_into(&mut self, mut prompt: Prompt, key: Key) {
        match key {
            Key::Escape => {
                if let Purpose::Search(from) = prompt.purpose {
                    self.move_to(from);
                }
                return;
            }
            Key::Enter => return self.finish(prompt),
            Key::Backspace => drop(prompt.text.pop()),
            Key::Delete => prompt.text.clear(),
            Key::Letter(letter) if !letter.is_control() && prompt.text.len() < LONGEST => prompt.text.push(letter),
            _ => {}
        }
        prompt.wrong = None;
        if let Purpose::Search(from) = prompt.purpose {
            let found = self.find(&prompt.text, from, false);
            prompt.wrong = (!found).then(|| String::from("not found"));
        }
        self.mode = Mode::Prompt(prompt);
    }

    fn finish(&mut self, mut prompt: Prompt) {
        let taken = match &prompt.purpose {
            Purpose::Search(_) => {
                self.search.clone_from(&prompt.text);
                Ok(())
            }
            Purpose::Option(target, option) => {
                let value = self.parameter(target, option).map(|parameter| values::parse(parameter, &prompt.text));
                value.unwrap_or_else(|| Err(String::new())).map(|value| self.set_option(target, option, &value))
            }
            Purpose::Setting(name) => {
                let value = self.catalogue.settings.get(name).map(|setting| values::parse(setting, &prompt.text));
                value.unwrap_or_else(|| Err(String::new())).map(|value| self.set_setting(name, &value))
            }
            Purpose::HeapName => self.new_heap(&prompt.text),
        };
        if let Err(wrong) = taken {
            prompt.wrong = Some(wrong);
            self.mode = Mode::Prompt(prompt);
        }
    }

    fn new_heap(&mut self, name: &str) -> Result<(), String> {
        let is_word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_') || !name.chars().all(is_word) {
            return Err(String::from("a heap's name is of small letters, digits and `_`, a letter first"));
        }
        if self.outcome.choice(true, name).is_some() {
            return Err(format!("there is a heap `{name}` already"));
        }
        self.mode = Mode::Choose(self.chooser(Target { heap: true, name: name.to_owned() }));
        Ok(())
    }

    pub(super) fn search_on(&mut self) {
        let search = self.search.clone();
        if search.is_empty() || !self.find(&search, self.cursor, true) {
            self.message = Some(String::from("there is nothing more to find"));
        }
    }

    /// Moves to the next row, from one on or behind it, in which the words stand. Calls of closed families count.
    fn find(&mut self, words: &str, from: usize, behind: bool) -> bool {
        let from = self.rows.get(from).cloned();
        let all = self.make_rows(|_| true);
        let start = all.iter().position(|row| Some(row) == from.as_ref()).unwrap_or(0) + usize::from(behind);
        let words = words.to_lowercase();
        let matches = |row: &&Row| {
            let shown = self.shown(row);
            let text = format!("{} {} {}", shown.name, shown.value, self.summary(row)).to_lowercase();
            !matches!(row, Row::Heading(_)) && text.contains(&words)
        };
        let (before, after) = all.split_at(start.min(all.len()));
        let Some(found) = after.iter().chain(before).find(matches).cloned() else { return false };
        if let Row::Call(number) = found {
            self.open.insert(family_of(number));
            self.refresh();
        }
        self.go_to(&found);
        true
    }
}
