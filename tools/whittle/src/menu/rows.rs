//! The left half: what can be chosen, row by row.

use std::collections::BTreeSet;

use linux_abi::{DESCRIPTIONS, Description};

use super::model::Model;
use super::outcome::component;
use crate::compose::request::{LINUX, NONE};

/// A component's place in whittle.toml.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Whether it is a further heap, rather than the component of a contract.
    pub heap: bool,
    /// The contract, or the heap's name.
    pub name: String,
}

impl Target {
    /// The table of whittle.toml it stands in.
    pub fn table(&self) -> &'static str {
        if self.heap { "heaps" } else { "components" }
    }

    /// The contract it is for.
    pub fn contract(&self) -> &str {
        if self.heap { "heap" } else { &self.name }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A heading; the cursor passes over it.
    Heading(&'static str),
    /// A platform, for which the image is or is not.
    Platform(String),
    /// A contract or a further heap, and its component.
    Part(Target),
    /// An option of the component above.
    Option(Target, String),
    /// Adds a further heap.
    NewHeap,
    /// A setting.
    Setting(String),
    /// A family of system calls.
    Family(&'static str),
    /// A system call.
    Call(u16),
}

/// The families of system calls by name.
pub fn families() -> Vec<&'static str> {
    let mut families = Vec::new();
    for call in DESCRIPTIONS {
        if !families.contains(&call.family) {
            families.push(call.family);
        }
    }
    families.sort_unstable();
    families
}

/// The calls of a family.
pub fn calls_of(family: &str) -> impl Iterator<Item = &'static Description> {
    DESCRIPTIONS.iter().filter(move |call| call.family == family)
}

/// The family of a system call.
pub fn family_of(number: u16) -> &'static str {
    DESCRIPTIONS.iter().find(|call| call.number == number).map_or("", |call| call.family)
}

/// The name of a system call.
pub fn name_of(number: u16) -> &'static str {
    DESCRIPTIONS.iter().find(|call| call.number == number).map_or("", |call| call.name)
}

impl Model {
    /// All rows, with the calls of those families that are open.
    pub(super) fn make_rows(&self, open: impl Fn(&str) -> bool) -> Vec<Row> {
        let mut rows = vec![Row::Heading("Platforms")];
        rows.extend(self.catalogue.platforms.keys().cloned().map(Row::Platform));
        rows.push(Row::Heading("Contracts"));
        for name in self.catalogue.contracts.keys().filter(|name| self.is_a_choice(name)) {
            self.add_part(&mut rows, Target { heap: false, name: name.clone() });
        }
        if self.catalogue.contracts.get("heap").is_some_and(|heap| heap.named.is_some()) {
            rows.push(Row::Heading("Further heaps"));
            for heap in self.outcome.request.iter().flat_map(|request| &request.heaps) {
                self.add_part(&mut rows, Target { heap: true, name: heap.name.value.clone() });
            }
            rows.push(Row::NewHeap);
        }
        rows.push(Row::Heading("Settings"));
        rows.extend(self.catalogue.settings.keys().cloned().map(Row::Setting));
        if self.kind == LINUX {
            rows.push(Row::Heading("System calls"));
            for family in families() {
                rows.push(Row::Family(family));
                let calls = calls_of(family).filter(|_| open(family));
                rows.extend(calls.map(|call| Row::Call(call.number)));
            }
        }
        rows
    }

    /// Whether there is a component for a contract, other than the kind of application.
    fn is_a_choice(&self, contract: &str) -> bool {
        self.catalogue.components.iter().any(|component| component.provides(contract) && !component.kind)
            || self.outcome.choice(false, contract).is_some()
    }

    fn add_part(&self, rows: &mut Vec<Row>, target: Target) {
        rows.push(Row::Part(target.clone()));
        // Of a component that is there for several contracts, the options stand with the first.
        let first = |name: &str| target.heap || self.contract_with_options(name).as_deref() == Some(&target.name);
        let name = self.chosen(&target).filter(|name| first(name));
        let found = name.and_then(|name| component(&self.catalogue, &name, self.platform()));
        rows.extend(
            found
                .into_iter()
                .flat_map(|found| found.options.keys())
                .map(|option| Row::Option(target.clone(), option.clone())),
        );
    }

    /// The contract by which whittle.toml names a component, or else the first it provides.
    pub(super) fn contract_with_options(&self, name: &str) -> Option<String> {
        let choices = self.outcome.request.iter().flat_map(|request| &request.components);
        let named =
            choices.filter(|choice| choice.component.value == name).map(|choice| choice.name.value.clone()).min();
        named.or_else(|| component(&self.catalogue, name, self.platform())?.provides.iter().min().cloned())
    }

    /// The component that is there for a contract or heap: named, or taken on the platform in view.
    pub fn chosen(&self, target: &Target) -> Option<String> {
        if let Some(choice) = self.outcome.choice(target.heap, &target.name) {
            return Some(choice.component.value.clone()).filter(|name| name != NONE);
        }
        let plan = self.outcome.plan(self.platform()).filter(|_| !target.heap)?;
        plan.provider(&target.name).map(|part| part.name.clone())
    }

    /// The numbers of the system calls that the image answers.
    pub fn calls(&self) -> BTreeSet<u16> {
        let words = self.outcome.request.as_ref().and_then(|request| request.linux.system_calls.as_ref());
        let named = |call: &&Description| {
            words.is_none_or(|words| words.iter().any(|word| word.value == call.name || word.value == call.family))
        };
        DESCRIPTIONS.iter().filter(named).map(|call| call.number).collect()
    }
}
