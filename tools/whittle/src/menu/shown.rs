//! How a row reads: its name, what is chosen, and why.

use super::model::Model;
use super::rows::{Row, Target, calls_of, name_of};
use crate::compose::Value;
use crate::compose::plan::Chosen;

/// How a row reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Its name.
    pub name: String,
    /// What is chosen.
    pub value: String,
    /// Why.
    pub why: String,
}

impl Model {
    /// How a row reads.
    pub fn shown(&self, row: &Row) -> Shown {
        let shown = |name: &str, value: String, why: String| Shown { name: name.to_owned(), value, why };
        match row {
            Row::Heading(heading) => shown(heading, String::new(), String::new()),
            Row::Platform(name) => {
                let on = self.outcome.plans.iter().any(|(platform, _)| platform == name);
                let view = if name == self.platform() { "shown here" } else { "" };
                shown(name, tick(on), view.into())
            }
            Row::Part(target) => {
                let (value, why) = self.part(target);
                shown(&target.name, value, why)
            }
            Row::Option(target, option) => {
                let (value, why) = self.option(target, option).unwrap_or_default();
                shown(&format!("  {option}"), value, why)
            }
            Row::NewHeap => shown("add a heap", String::new(), String::new()),
            Row::Setting(name) => {
                let given = self.setting(name);
                let default = self.catalogue.settings.get(name).map(|setting| setting.default.to_string());
                let why = if given.is_some() { "named" } else { "default" };
                shown(name, given.map(|value| value.to_string()).or(default).unwrap_or_default(), why.into())
            }
            Row::Family(family) => {
                let here = self.calls();
                let (total, count) =
                    (calls_of(family).count(), calls_of(family).filter(|call| here.contains(&call.number)).count());
                let mark = if count == total || count == 0 { tick(count > 0) } else { String::from("[-]") };
                shown(family, format!("{mark} {count} of {total}"), String::new())
            }
            Row::Call(number) => {
                shown(&format!("  {}", name_of(*number)), tick(self.calls().contains(number)), String::new())
            }
        }
    }

    /// What stands for a contract or heap, and why.
    fn part(&self, target: &Target) -> (String, String) {
        if let Some(choice) = self.outcome.choice(target.heap, &target.name) {
            return (choice.component.value.clone(), String::from("named"));
        }
        let Some(plan) = self.outcome.plan(self.platform()) else {
            return (String::from("?"), String::from("unresolved"));
        };
        let Some(part) = plan.provider(&target.name) else {
            return (String::from("-"), String::from("not needed"));
        };
        let why = match part.chosen {
            Chosen::Named => match self.contract_with_options(&part.name) {
                Some(contract) if contract != target.name => format!("by {contract}"),
                _ => String::from("named"),
            },
            Chosen::Needed => String::from("needed"),
            Chosen::Default => String::from("default"),
            Chosen::Kind => String::from("the kind"),
            Chosen::Platform => String::from("platform"),
        };
        (part.name.clone(), why)
    }

    /// An option's value as TOML, and whether the file says it.
    fn option(&self, target: &Target, option: &str) -> Option<(String, String)> {
        if let Some(value) = self.given_option(target, option) {
            return Some((value.to_string(), String::from("named")));
        }
        Some((self.parameter(target, option)?.default.to_string(), String::from("default")))
    }

    /// What whittle.toml says for an option.
    pub fn given_option(&self, target: &Target, option: &str) -> Option<&Value> {
        let choice = self.outcome.choice(target.heap, &target.name)?;
        choice.options.iter().find(|(name, _)| name.value == option).map(|(_, value)| &value.value)
    }

    /// What whittle.toml says for a setting.
    pub fn setting(&self, name: &str) -> Option<&Value> {
        let settings = &self.outcome.request.as_ref()?.settings;
        settings.iter().find(|(key, _)| key.value == name).map(|(_, value)| &value.value)
    }
}

fn tick(on: bool) -> String {
    String::from(if on { "[x]" } else { "[ ]" })
}
