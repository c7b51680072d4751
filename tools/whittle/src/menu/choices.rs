//! The choices for a contract or a further heap, each tried before it is shown.

use super::model::Model;
use super::outcome::{Outcome, component};
use super::rows::Target;
use super::wishes::Wishes;
use crate::compose::request::NONE;

/// What may stand for a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// No line in whittle.toml: what is needed is taken.
    Unnamed,
    /// `none`.
    None,
    /// A component.
    Component(String),
}

/// A choice and what would come of it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What would be chosen.
    pub pick: Pick,
    /// The sentence that `build` would say, if it would.
    pub problem: Option<String>,
    /// Components that would come into the image.
    pub comes: Vec<String>,
    /// Components that would leave it.
    pub goes: Vec<String>,
}

/// The list of choices.
#[derive(Debug)]
pub struct Chooser {
    /// What the choice is for.
    pub target: Target,
    /// The choices.
    pub choices: Vec<Choice>,
    /// The one under the cursor.
    pub cursor: usize,
    /// The one that whittle.toml says now.
    pub current: Pick,
}

impl Pick {
    /// How it reads in the list.
    pub fn name(&self) -> &str {
        match self {
            Self::Unnamed => "(not named)",
            Self::None => NONE,
            Self::Component(name) => name,
        }
    }
}

impl Model {
    /// Opens the list of choices for a contract or heap, which may be a new one.
    pub(super) fn chooser(&self, target: Target) -> Chooser {
        let mut picks = Vec::new();
        if !target.heap {
            picks.extend([Pick::Unnamed, Pick::None]);
        }
        let mut names: Vec<&String> = self
            .catalogue
            .components
            .iter()
            .filter(|component| component.provides(target.contract()) && !component.kind)
            .map(|component| &component.name)
            .collect();
        // One name may mean a component for each platform.
        names.dedup();
        picks.extend(names.into_iter().cloned().map(Pick::Component));
        let current = match self.outcome.choice(target.heap, &target.name) {
            None => Pick::Unnamed,
            Some(choice) if choice.component.value == NONE => Pick::None,
            Some(choice) => Pick::Component(choice.component.value.clone()),
        };
        let cursor = picks.iter().position(|pick| *pick == current).unwrap_or(0);
        let choices = picks.into_iter().map(|pick| self.tried(&target, pick)).collect();
        Chooser { target, choices, cursor, current }
    }

    fn tried(&self, target: &Target, pick: Pick) -> Choice {
        let outcome = Outcome::of(&self.catalogue, self.with(target, &pick).text());
        let (before, after) = (self.outcome.names(), outcome.names());
        let without = |names: &[&str], others: &[&str]| -> Vec<String> {
            names.iter().filter(|name| !others.contains(name)).map(|name| (*name).to_owned()).collect()
        };
        // A plan that is not whole tells nothing about what would come and go.
        let compare = outcome.problem.is_none() && self.outcome.problem.is_none();
        let (comes, goes) =
            if compare { (without(&after, &before), without(&before, &after)) } else { Default::default() };
        Choice { pick, problem: outcome.problem, comes, goes }
    }

    /// The text with a choice taken.
    pub(super) fn with(&self, target: &Target, pick: &Pick) -> Wishes {
        let mut wishes = self.wishes.clone();
        match pick {
            Pick::Unnamed => wishes.remove(target.table(), &target.name),
            Pick::None => wishes.name_component(target.table(), &target.name, NONE, &[]),
            Pick::Component(name) => {
                let found = component(&self.catalogue, name, self.platform());
                let kept: Vec<String> = found.into_iter().flat_map(|found| found.options.keys().cloned()).collect();
                wishes.name_component(target.table(), &target.name, name, &kept);
                for (option, parameter) in found.into_iter().flat_map(|found| &found.options) {
                    if parameter.stated && self.given_option(target, option).is_none() {
                        wishes.set_option(target.table(), &target.name, name, option, &parameter.default);
                    }
                }
            }
        }
        wishes
    }
}
