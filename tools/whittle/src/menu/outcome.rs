//! What a text of whittle.toml comes to: the plans of its platforms, or the sentence that `build` would say.

use std::path::Path;

use crate::compose::request::Choice;
use crate::compose::{Catalogue, Component, Plan, REQUEST, Request, resolve};
use crate::failure::Failure;

/// A text, resolved.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the text says, unless it says something that is no whittle.toml.
    pub request: Option<Request>,
    /// The plan of each platform that resolves.
    pub plans: Vec<(String, Option<Plan>)>,
    /// The first thing that is wrong.
    pub problem: Option<String>,
}

impl Outcome {
    /// Resolves a text for all its platforms.
    pub fn of(catalogue: &Catalogue, text: &str) -> Self {
        match Request::parse(Path::new(REQUEST), text) {
            Ok(request) => Self::of_request(catalogue, request),
            Err(failure) => Self { request: None, plans: Vec::new(), problem: Some(failure.sentence) },
        }
    }

    fn of_request(catalogue: &Catalogue, request: Request) -> Self {
        let mut problem = None;
        let mut note = |failure: Failure| {
            problem.get_or_insert(failure.sentence);
        };
        let platforms = resolve::platforms(catalogue, &request).map_err(&mut note).unwrap_or_default();
        let mut plan = |platform: String| {
            let plan = resolve::resolve(catalogue, &request, &platform).map_err(&mut note).ok();
            (platform, plan)
        };
        let plans = platforms.into_iter().map(&mut plan).collect();
        Self { request: Some(request), plans, problem }
    }

    /// The sentence for the bottom of the screen.
    pub fn verdict(&self) -> String {
        if let Some(problem) = &self.problem {
            return format!("does not resolve: {problem}");
        }
        let counts = self.plans.iter().filter_map(|(platform, plan)| Some((platform, plan.as_ref()?.components.len())));
        match &counts.collect::<Vec<_>>()[..] {
            [(_, count)] => format!("resolves: {count} components"),
            counts => {
                let each: Vec<String> =
                    counts.iter().map(|(platform, count)| format!("{count} components for {platform}")).collect();
                format!("resolves: {}", each.join(", "))
            }
        }
    }

    /// What the text says for a contract, or of a further heap.
    pub fn choice(&self, heap: bool, name: &str) -> Option<&Choice> {
        let request = self.request.as_ref()?;
        let choices = if heap { &request.heaps } else { &request.components };
        choices.iter().find(|choice| choice.name.value == name)
    }

    /// The plan of a platform.
    pub fn plan(&self, platform: &str) -> Option<&Plan> {
        self.plans.iter().find(|(name, _)| name == platform)?.1.as_ref()
    }

    /// The components of all platforms by name, without doubles.
    pub fn names(&self) -> Vec<&str> {
        let parts = self.plans.iter().filter_map(|(_, plan)| plan.as_ref()).flat_map(|plan| &plan.components);
        let mut names: Vec<&str> = parts.map(|part| part.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The component of that name, for this platform if it is for several.
pub fn component<'a>(catalogue: &'a Catalogue, name: &str, platform: &str) -> Option<&'a Component> {
    let any = || catalogue.components.iter().find(|component| component.name == name);
    catalogue.component(name, platform).or_else(any)
}
