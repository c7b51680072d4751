//! The right half: what is under the cursor, in paragraphs.

use linux_abi::DESCRIPTIONS;

use super::choices::{Choice, Pick};
use super::model::{Mode, Model};
use super::outcome::component;
use super::rows::{Row, Target, calls_of};
use super::values;
use crate::compose::{Component, Parameter};

/// The page about the keys.
pub const KEYS: &str = "\
j k, arrows   move; PageUp, PageDown, g and G move further
Enter         open the choices of a contract, a family of calls, a value
Space         the same; takes a platform or system calls in or out
h l           close and open a family of system calls
o             edit the value of an option
d             take the line out of whittle.toml: back to the default
p             show the next platform of this image
/ n           search, and search on
[ ]           scroll the text on the right
b             build the image, and count its bytes
s             save whittle.toml; comments stay
q             quit, after a question where changes are not saved

named         a line of whittle.toml says it
by console    it came with the component named for console
needed        something needs it, and this is the only one
default       something needs it, and this is taken where none is named
not needed    nothing in the image needs it
The line at the bottom says what whittle build would say.";

impl Model {
    /// The text on the right, a paragraph or an entry a line.
    pub fn help(&self) -> Vec<String> {
        match &self.mode {
            Mode::Choose(chooser) => match chooser.choices.get(chooser.cursor) {
                Some(choice) => self.help_of_choice(&chooser.target, choice),
                None => Vec::new(),
            },
            _ => self.row().map(|row| self.help_of(row)).unwrap_or_default(),
        }
    }

    /// A row in a line, for the search too.
    pub fn summary(&self, row: &Row) -> String {
        let summary = match row {
            Row::Platform(name) => self.catalogue.platforms.get(name).map(|platform| platform.summary.clone()),
            Row::Part(target) => {
                self.catalogue.contracts.get(target.contract()).map(|contract| contract.summary.clone())
            }
            Row::Option(target, option) => self.parameter(target, option).map(|parameter| parameter.help.clone()),
            Row::Setting(name) => self.catalogue.settings.get(name).map(|setting| setting.help.clone()),
            Row::NewHeap => Some(String::from("a heap beside the first, with a region of its own")),
            Row::Family(_) => Some(String::from("system calls of the Linux program")),
            Row::Call(_) | Row::Heading(_) => None,
        };
        summary.unwrap_or_default()
    }

    fn help_of(&self, row: &Row) -> Vec<String> {
        let shown = self.shown(row);
        let mut lines = vec![format!("{}: {}", shown.name.trim(), self.summary(row))];
        match row {
            Row::Platform(name) => lines.extend(self.help_of_platform(name)),
            Row::Part(target) => lines.extend(self.help_of_part(target)),
            Row::Option(target, option) => {
                lines.extend(self.parameter(target, option).map(|parameter| declared(option, parameter)));
                lines.push(String::from("Enter changes it, d leaves it to the default."));
            }
            Row::Setting(name) => {
                lines.extend(self.catalogue.settings.get(name).map(|setting| declared(name, setting)));
                lines.push(String::from("Enter changes it, d leaves it to the default."));
            }
            Row::NewHeap => lines.push(String::from("Enter asks for its name and its component.")),
            Row::Family(family) => {
                let names: Vec<&str> = calls_of(family).map(|call| call.name).collect();
                lines.push(format!("bytes: {}", self.measured.calls(family, &names)));
                lines.push(format!("calls: {}", names.join(", ")));
                lines.push(String::from("Space takes all of them in or out, Enter shows each."));
            }
            Row::Call(number) => lines = self.help_of_call(*number),
            Row::Heading(_) => {}
        }
        lines
    }

    fn help_of_platform(&self, name: &str) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(own) = self.outcome.request.as_ref().and_then(|request| request.eject.get(name)) {
            lines.push(format!("The crate {own} is built for it as it is: what is chosen here does not change it."));
        }
        match self.outcome.plan(name) {
            Some(plan) => {
                let names: Vec<&str> = plan.components.iter().map(|part| part.name.as_str()).collect();
                lines.push(format!("{} components: {}", names.len(), names.join(", ")));
            }
            None => lines.push(String::from("This image has no plan for it.")),
        }
        lines.push(String::from("Space takes the platform in or out; p shows the image for another."));
        lines
    }

    fn help_of_part(&self, target: &Target) -> Vec<String> {
        let mut lines = Vec::new();
        let help = self.catalogue.contracts.get(target.contract()).map_or("", |contract| contract.help.trim());
        lines.extend(paragraphs(help));
        let needers: Vec<&str> = self
            .outcome
            .plan(self.platform())
            .into_iter()
            .flat_map(|plan| &plan.edges)
            .filter(|(_, contract, _)| *contract == target.contract())
            .map(|(needer, _, _)| needer.as_str())
            .collect();
        lines.push(match &needers[..] {
            _ if target.heap => String::from("A heap of its own, beside the contract heap. d takes it out."),
            [] => String::from("Nothing in this image uses it."),
            needers => format!("used by: {}", needers.join(", ")),
        });
        if let Some(found) = self.chosen(target).and_then(|name| component(&self.catalogue, &name, self.platform())) {
            lines.push(String::new());
            lines.extend(self.help_of_component(found));
        }
        lines
    }

    fn help_of_component(&self, found: &Component) -> Vec<String> {
        let mut lines = vec![format!("{}: {}", found.name, found.summary)];
        lines.extend(paragraphs(found.help.trim()));
        lines.push(format!("adds: {}", self.measured.component(&found.name)));
        let mut list = |what: &str, words: &[String]| {
            if !words.is_empty() {
                lines.push(format!("{what}: {}", words.join(", ")));
            }
        };
        list("crate", std::slice::from_ref(&found.package));
        list("platforms", found.platforms.as_deref().unwrap_or_default());
        list("provides", &found.provides);
        let plan = self.outcome.plan(self.platform());
        let needs: Vec<String> = found
            .needs
            .iter()
            .map(|need| match plan.and_then(|plan| plan.provider(need)) {
                Some(provider) => format!("{need} ({})", provider.name),
                None => need.clone(),
            })
            .collect();
        list("needs", &needs);
        list("uses where it is there", &found.wants);
        list("cannot be with", &found.conflicts);
        lines.extend(found.options.iter().map(|(name, option)| format!("{}: {}", declared(name, option), option.help)));
        lines
    }

    fn help_of_choice(&self, target: &Target, choice: &Choice) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(problem) = &choice.problem {
            lines.push(format!("cannot be taken as things are: {problem}"));
            lines.push(String::new());
        }
        match &choice.pick {
            Pick::Unnamed => lines.push(format!(
                "No line for {} in whittle.toml: if something needs it, the default is taken, or the only one there is.",
                target.name
            )),
            Pick::None => lines.push(format!("No {} in the image, whoever might like it.", target.name)),
            Pick::Component(name) => {
                let found = component(&self.catalogue, name, self.platform());
                lines.extend(found.map(|found| self.help_of_component(found)).unwrap_or_default());
            }
        }
        let mut list = |what: &str, words: &[String]| {
            if !words.is_empty() {
                lines.push(format!("{what}: {}", words.join(", ")));
            }
        };
        list("would bring into the image", &choice.comes);
        list("would take out of it", &choice.goes);
        lines
    }

    fn help_of_call(&self, number: u16) -> Vec<String> {
        let Some(call) = DESCRIPTIONS.iter().find(|call| call.number == number) else { return Vec::new() };
        let arguments = if call.arguments.is_empty() { String::from("none") } else { call.arguments.join(", ") };
        vec![
            format!("{}: system call {}, of the family {}", call.name, call.number, call.family),
            format!("arguments: {arguments}"),
            format!("bytes: {}", self.measured.calls(call.family, &[call.name])),
            String::from("Space takes it in or out."),
        ]
    }
}

/// Lines that belong together as one, which the screen breaks anew.
fn paragraphs(help: &str) -> Vec<String> {
    let whole = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    help.split("\n\n").map(whole).filter(|paragraph| !paragraph.is_empty()).collect()
}

/// What values a parameter takes.
fn declared(name: &str, parameter: &Parameter) -> String {
    let kind = format!("{:?}", parameter.kind).to_lowercase();
    let mut text = format!("{name}: {kind}, {}", parameter.unless_said(&values::text(&parameter.default)));
    for (word, bound) in [("least", &parameter.least), ("most", &parameter.most)] {
        if let Some(bound) = bound {
            text.push_str(&format!(", at {word} {}", values::text(bound)));
        }
    }
    if !parameter.values.is_empty() {
        text.push_str(&format!(", one of {}", parameter.values.join(", ")));
    }
    text
}
