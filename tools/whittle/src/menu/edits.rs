//! What a key changes in whittle.toml: the row under the cursor taken in or out, set to another value, left to default.

use std::collections::BTreeSet;

use super::model::{Mode, Model, Purpose};
use super::rows::{Row, Target, calls_of, families, family_of, name_of};
use super::values;
use crate::compose::Value;

impl Model {
    pub(super) fn enter(&mut self) {
        match self.row() {
            Some(Row::Family(family)) => self.open_family(!self.open.contains(family)),
            _ => self.toggle(),
        }
    }

    /// Opens the choices of a row, or sets it to its other state.
    pub(super) fn toggle(&mut self) {
        match self.row().cloned() {
            Some(Row::Platform(name)) => self.toggle_platform(&name),
            Some(Row::Part(target)) => {
                self.scrolled = 0;
                self.mode = Mode::Choose(self.chooser(target));
            }
            Some(Row::Option(target, option)) => self.change_option(target, option),
            Some(Row::NewHeap) => self.ask_for(Purpose::HeapName, String::new()),
            Some(Row::Setting(name)) => self.change_setting(name),
            Some(Row::Family(family)) => self.toggle_calls(&calls_of(family).map(|call| call.number).collect()),
            Some(Row::Call(number)) => self.toggle_calls(&BTreeSet::from([number])),
            Some(Row::Heading(_)) | None => {}
        }
    }

    fn toggle_platform(&mut self, name: &str) {
        let mut names: Vec<String> = self.outcome.plans.iter().map(|(name, _)| name.clone()).collect();
        match names.iter().position(|other| other == name) {
            Some(_) if names.len() == 1 => {
                self.message = Some(String::from("an image is for one platform at least"));
                return;
            }
            Some(index) => drop(names.remove(index)),
            None => names.push(name.to_owned()),
        }
        let mut wishes = self.wishes.clone();
        wishes.set_top("platform", &Value::List(names));
        self.take(wishes);
    }

    /// All of these calls, or none of them if all are there.
    fn toggle_calls(&mut self, numbers: &BTreeSet<u16>) {
        let mut here = self.calls();
        if numbers.is_subset(&here) {
            here.retain(|number| !numbers.contains(number));
        } else {
            here.extend(numbers);
        }
        let mut words = Vec::new();
        let mut whole = true;
        for family in families() {
            let (there, away): (Vec<u16>, Vec<u16>) =
                calls_of(family).map(|call| call.number).partition(|number| here.contains(number));
            whole &= away.is_empty();
            match &away[..] {
                [] => words.push(family.to_owned()),
                _ => words.extend(there.into_iter().map(|number| name_of(number).to_owned())),
            }
        }
        let mut wishes = self.wishes.clone();
        if whole {
            wishes.remove("linux", "system_calls");
        } else {
            wishes.set("linux", "system_calls", &Value::List(words));
        }
        self.take(wishes);
    }

    pub(super) fn open_family(&mut self, open: bool) {
        let family = match self.row() {
            Some(Row::Family(family)) => *family,
            Some(Row::Call(number)) => family_of(*number),
            _ if open => return self.toggle(),
            _ => return,
        };
        if open {
            self.open.insert(family);
        } else {
            self.open.remove(family);
        }
        self.refresh();
        if !open {
            self.go_to(&Row::Family(family));
        }
    }

    pub(super) fn edit_option(&mut self) {
        match self.row().cloned() {
            Some(Row::Option(target, option)) => self.change_option(target, option),
            Some(Row::Part(target)) => match self.rows.get(self.cursor + 1).cloned() {
                Some(Row::Option(of, option)) if of == target => {
                    self.move_to(self.cursor + 1);
                    self.change_option(of, option);
                }
                _ => self.message = Some(format!("there are no options for {}", target.name)),
            },
            Some(Row::Setting(name)) => self.change_setting(name),
            _ => self.message = Some(String::from("only components and settings have values to edit")),
        }
    }

    fn change_option(&mut self, target: Target, option: String) {
        let Some(parameter) = self.parameter(&target, &option) else { return };
        let now = self.given_option(&target, &option).unwrap_or(&parameter.default);
        match values::next(parameter, now) {
            Some(value) => self.set_option(&target, &option, &value),
            None => {
                let text = values::text(now);
                self.ask_for(Purpose::Option(target, option), text);
            }
        }
    }

    pub(super) fn set_option(&mut self, target: &Target, option: &str, value: &Value) {
        let Some(name) = self.chosen(target) else { return };
        let mut wishes = self.wishes.clone();
        wishes.set_option(target.table(), &target.name, &name, option, value);
        self.take(wishes);
        self.go_to(&Row::Option(target.clone(), option.to_owned()));
    }

    fn change_setting(&mut self, name: String) {
        let Some(setting) = self.catalogue.settings.get(&name) else { return };
        let now = self.setting(&name).unwrap_or(&setting.default);
        match values::next(setting, now) {
            Some(value) => self.set_setting(&name, &value),
            None => {
                let text = values::text(now);
                self.ask_for(Purpose::Setting(name), text);
            }
        }
    }

    pub(super) fn set_setting(&mut self, name: &str, value: &Value) {
        let mut wishes = self.wishes.clone();
        wishes.set("settings", name, value);
        self.take(wishes);
    }

    /// Takes the line of a row out of whittle.toml.
    pub(super) fn leave_to_default(&mut self) {
        let mut wishes = self.wishes.clone();
        match self.row() {
            Some(Row::Part(target)) => wishes.remove(target.table(), &target.name),
            Some(Row::Option(target, option)) => wishes.remove_option(target.table(), &target.name, option),
            Some(Row::Setting(name)) => wishes.remove("settings", name),
            Some(Row::Family(_) | Row::Call(_)) => wishes.remove("linux", "system_calls"),
            _ => {}
        }
        if wishes == self.wishes {
            self.message = Some(String::from("whittle.toml says nothing of it"));
            return;
        }
        self.take(wishes);
    }
}
