//! From a request to a plan: the components it names, and what those need, or one sentence that says why not.

mod check;
mod processors;
mod roots;

use std::collections::BTreeMap;

use super::catalogue::Catalogue;
use super::component::Component;
use super::nearest::listed;
use super::parameter::Values;
use super::plan::{Chosen, NamedHeap, Part, Plan};
use super::request::{LINUX, Request};
use super::stages::{Before, order};
use super::system_calls;
use crate::failure::Failure;

/// The platforms of a request in the order of the file, each checked; those of the house if it names none.
pub fn platforms(catalogue: &Catalogue, request: &Request) -> Result<Vec<String>, Failure> {
    let Some(named) = &request.platforms else { return Ok(catalogue.platforms.keys().cloned().collect()) };
    for platform in named {
        if !catalogue.platforms.contains_key(&platform.value) {
            let known = super::nearest(&platform.value, catalogue.platforms.keys().map(String::as_str));
            let sentence = format!("there is no platform `{}`{known}", platform.value);
            return Err(request.wrong(platform.line, &sentence));
        }
    }
    Ok(named.iter().map(|platform| platform.value.clone()).collect())
}

/// Resolves a request for one of its platforms.
pub fn resolve(catalogue: &Catalogue, request: &Request, platform: &str) -> Result<Plan, Failure> {
    let mut resolution = Resolution { catalogue, request, platform, parts: BTreeMap::new(), heaps: Vec::new() };
    resolution.take_roots()?;
    resolution.close()?;
    resolution.check()?;
    resolution.fit_processors()?;
    resolution.plan()
}

/// A component in the image, and what is said about it.
struct Taken<'a> {
    component: &'a Component,
    chosen: Chosen,
    options: Values,
}

/// A resolution under way.
struct Resolution<'a> {
    catalogue: &'a Catalogue,
    request: &'a Request,
    platform: &'a str,
    /// By component name.
    parts: BTreeMap<&'a str, Taken<'a>>,
    heaps: Vec<(String, &'a Component, Values)>,
}

impl<'a> Resolution<'a> {
    /// Who is in the image, further heaps included.
    fn members(&self) -> impl Iterator<Item = &'a Component> {
        let heaps = self.heaps.iter().map(|(_, component, _)| *component);
        self.parts.values().map(|taken| taken.component).chain(heaps)
    }

    fn provider(&self, contract: &str) -> Option<&'a Component> {
        self.parts.values().map(|taken| taken.component).find(|component| component.provides(contract))
    }

    /// Adds providers until nothing that is needed is missing.
    fn close(&mut self) -> Result<(), Failure> {
        while let Some((provider, chosen)) = self.next_provider()? {
            self.parts.insert(&provider.name, Taken { component: provider, chosen, options: Values::new() });
        }
        Ok(())
    }

    fn next_provider(&self) -> Result<Option<(&'a Component, Chosen)>, Failure> {
        // What only one component provides comes first, and what leaves a choice last: it may be provided by what
        // others need.
        let is_only = |contract: &str| self.catalogue.providers(contract, self.platform).nth(1).is_none();
        let (only, others): (Vec<_>, Vec<_>) = self.missing().partition(|(_, contract)| is_only(contract));
        let missing = only.into_iter().chain(others);
        let mut candidates = missing.map(|(needer, contract)| self.candidate(needer, contract));
        let Some(first) = candidates.next() else { return Ok(None) };
        first.or_else(|failure| candidates.find_map(Result::ok).ok_or(failure)).map(Some)
    }

    fn missing(&self) -> impl Iterator<Item = (&'a Component, &'a str)> {
        let needs = self.members().flat_map(|member| member.needs.iter().map(move |need| (member, need.as_str())));
        needs.filter(|(_, contract)| self.provider(contract).is_none())
    }

    /// The component that is taken for a contract nobody is named for.
    fn candidate(&self, needer: &Component, contract: &'a str) -> Result<(&'a Component, Chosen), Failure> {
        if let Some(line) = self.excluded(contract) {
            let sentence = format!("`{}` needs {contract}, which is \"none\" here", needer.name);
            return Err(self.request.wrong(line, &sentence));
        }
        let catalogue: &'a Catalogue = self.catalogue;
        let platform: &'a str = self.platform;
        let candidates: Vec<&Component> = catalogue.providers(contract, platform).collect();
        if let Some(default) = candidates.iter().find(|component| component.default) {
            return Ok((default, Chosen::Default));
        }
        if let [only] = candidates[..] {
            return Ok((only, Chosen::Needed));
        }
        let names: Vec<&str> = candidates.iter().map(|component| component.name.as_str()).collect();
        let example = candidates.iter().find(|component| component.suggested).map(|component| component.name.as_str());
        let advice = match example.or(names.first().copied()) {
            Some(first) => format!(
                "{} provide it; choose one, as in {contract} = \"{first}\" under [components]",
                listed(&names, "and")
            ),
            None => format!("no component for {} provides it", self.platform),
        };
        let sentence = format!("`{}` needs {contract}, and this file names no component for it: {advice}", needer.name);
        Err(self.request.wrong(0, &sentence))
    }

    /// The line that says that a contract stays without a provider.
    fn excluded(&self, contract: &str) -> Option<usize> {
        let none = |choice: &&super::request::Choice| {
            choice.name.value == contract && choice.component.value == super::request::NONE
        };
        self.request.components.iter().find(none).map(|choice| choice.name.line)
    }

    fn plan(self) -> Result<Plan, Failure> {
        let stages = self.stages()?;
        let kind = self.parts.get(LINUX).filter(|taken| taken.chosen == Chosen::Kind);
        let calls =
            kind.map(|taken| system_calls::wanted(self.request, taken.component)).transpose()?.unwrap_or_default();
        let heaps = self.heaps.iter().map(|(name, component, given)| NamedHeap {
            name: name.clone(),
            component: component.name.clone(),
            options: with_defaults(component, given),
        });
        Ok(Plan {
            name: self.request.name.clone(),
            platform: self.platform.to_owned(),
            kind: self.request.kind.value.clone(),
            hard_float: self.request.hard_float.is_some(),
            small: self.request.small,
            fast: self.request.fast,
            components: self.parts.values().map(part).collect(),
            heaps: heaps.collect(),
            edges: self.edges(),
            settings: self.settings()?,
            system_calls: calls,
            stages,
            memory: self.request.linux.memory,
            console: self.provider("console").map(|component| component.name.clone()),
            // Known when it is packed.
            archive: None,
        })
    }

    fn edges(&self) -> Vec<(String, String, String)> {
        let mut edges: Vec<_> = self
            .members()
            .flat_map(|member| member.needs.iter().chain(&member.wants).map(move |contract| (member, contract)))
            .filter_map(|(member, contract)| {
                let provider = self.provider(contract)?;
                (provider.name != member.name).then(|| (member.name.clone(), contract.clone(), provider.name.clone()))
            })
            .collect();
        edges.sort();
        edges.dedup();
        edges
    }

    /// The stages' types in their order. Only what stages need of each other orders them.
    fn stages(&self) -> Result<Vec<String>, Failure> {
        let staged = |name: &str| self.parts.get(name).and_then(|taken| taken.component.stage.clone());
        let mut before: Before = self
            .parts
            .keys()
            .filter(|name| staged(name).is_some())
            .map(|name| ((*name).to_owned(), Default::default()))
            .collect();
        for (needer, _, provider) in self.edges() {
            if before.contains_key(&provider)
                && let Some(waits) = before.get_mut(&needer)
            {
                waits.insert(provider);
            }
        }
        let names = order(before).map_err(|cycle| {
            let sentence = format!("the boot stages wait for each other: {}", cycle.join(" needs "));
            self.request.wrong(0, &sentence)
        })?;
        Ok(names.iter().filter_map(|name| staged(name)).collect())
    }
}

fn part(taken: &Taken<'_>) -> Part {
    Part {
        name: taken.component.name.clone(),
        package: taken.component.package.clone(),
        summary: taken.component.summary.clone(),
        provides: taken.component.provides.clone(),
        needs: taken.component.needs.clone(),
        options: with_defaults(taken.component, &taken.options),
        chosen: taken.chosen,
    }
}

fn with_defaults(component: &Component, given: &Values) -> Values {
    let value = |(name, option): (&String, &super::Parameter)| {
        (name.clone(), given.get(name).unwrap_or(&option.default).clone())
    };
    component.options.iter().map(value).collect()
}
