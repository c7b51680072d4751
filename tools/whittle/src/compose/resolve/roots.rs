//! Where a resolution begins: the kind, the platform, and the components that whittle.toml names.

use super::super::nearest::nearest;
use super::super::parameter::Values;
use super::super::plan::Chosen;
use super::super::request::{Choice, NONE};
use super::super::{Component, Parameter};
use super::{Resolution, Taken};
use crate::failure::Failure;

impl<'a> Resolution<'a> {
    pub(super) fn take_roots(&mut self) -> Result<(), Failure> {
        let (catalogue, request, platform) = (self.catalogue, self.request, self.platform);
        let kind = catalogue.kinds().find(|kind| kind.name == request.kind.value).ok_or_else(|| {
            let known = nearest(&request.kind.value, catalogue.kinds().map(|kind| kind.name.as_str()));
            request.wrong(request.kind.line, &format!("there is no kind `{}`{known}", request.kind.value))
        })?;
        if !kind.runs_on(platform) {
            let sentence = format!("kind `{}` is not for platform {platform}", kind.name);
            return Err(request.wrong(request.kind.line, &sentence));
        }
        self.parts.insert(&kind.name, Taken { component: kind, chosen: Chosen::Kind, options: Values::new() });
        if let Some(own) = catalogue.component(platform, platform) {
            self.parts.insert(&own.name, Taken { component: own, chosen: Chosen::Platform, options: Values::new() });
        }
        for choice in &request.components {
            self.take_choice(choice)?;
        }
        for choice in &request.heaps {
            self.take_heap(choice)?;
        }
        Ok(())
    }

    fn take_choice(&mut self, choice: &'a Choice) -> Result<(), Failure> {
        let contract = &choice.name;
        if !self.catalogue.contracts.contains_key(&contract.value) {
            let known = nearest(&contract.value, self.catalogue.contracts.keys().map(String::as_str));
            return Err(self
                .request
                .wrong(contract.line, &format!("there is no contract `{}`{known}", contract.value)));
        }
        if choice.component.value == NONE {
            return Ok(());
        }
        let component = self.named(choice, &contract.value)?;
        let options = self.options(choice, component)?;
        let taken = self.parts.entry(&component.name).or_insert_with(|| Taken {
            component,
            chosen: Chosen::Named,
            options: Values::new(),
        });
        if taken.chosen == Chosen::Platform {
            taken.chosen = Chosen::Named;
        }
        taken.options.extend(options);
        Ok(())
    }

    fn take_heap(&mut self, choice: &'a Choice) -> Result<(), Failure> {
        let named = self.catalogue.contracts.get("heap").is_some_and(|heap| heap.named.is_some());
        if !named {
            return Err(self
                .request
                .wrong(choice.name.line, "an image of this house has one heap: [heaps] is not known"));
        }
        let is_word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !choice.name.value.chars().all(is_word)
            || choice.name.value.starts_with(|first: char| first.is_ascii_digit())
        {
            let sentence = format!("`{}` cannot be a heap's name: small letters, digits and `_`", choice.name.value);
            return Err(self.request.wrong(choice.name.line, &sentence));
        }
        let component = self.named(choice, "heap")?;
        let options = self.options(choice, component)?;
        self.heaps.push((choice.name.value.clone(), component, options));
        Ok(())
    }

    /// The component a choice names, which must provide the contract on this platform.
    fn named(&self, choice: &Choice, contract: &str) -> Result<&'a Component, Failure> {
        let (catalogue, platform) = (self.catalogue, self.platform);
        let (name, line) = (&choice.component.value, choice.component.line);
        let declared: Vec<&Component> =
            catalogue.components.iter().filter(|component| component.name == *name && !component.kind).collect();
        if declared.is_empty() && catalogue.kinds().any(|kind| kind.name == *name) {
            let sentence = format!("`{name}` is a kind of application: write kind = \"{name}\" at the top instead");
            return Err(self.request.wrong(line, &sentence));
        }
        if declared.is_empty() {
            let known = nearest(name, catalogue.providers(contract, platform).map(|component| component.name.as_str()));
            return Err(self.request.wrong(line, &format!("there is no component `{name}` for {contract}{known}")));
        }
        let Some(component) = declared.iter().find(|component| component.runs_on(platform)) else {
            let of = declared.iter().filter_map(|component| component.platforms.as_ref()).flatten();
            let of: Vec<&str> = of.map(String::as_str).collect();
            let sentence = format!("`{name}` is for platform {}, not for {platform}", of.join(" and "));
            return Err(self.request.wrong(line, &sentence));
        };
        if !component.provides(contract) {
            let provides = match &component.provides[..] {
                [] => String::from("nothing"),
                provides => provides.join(", "),
            };
            return Err(self.request.wrong(line, &format!("`{name}` provides {provides}, not {contract}")));
        }
        Ok(component)
    }

    fn options(&self, choice: &Choice, component: &Component) -> Result<Values, Failure> {
        let mut values = Values::new();
        for (name, value) in &choice.options {
            let owner = format!("`{}`", component.name);
            let option = component.options.get(&name.value).ok_or_else(|| {
                let known = nearest(&name.value, component.options.keys().map(String::as_str));
                self.request.wrong(name.line, &format!("{owner} has no option `{}`{known}", name.value))
            })?;
            option.check(&value.value).map_err(|wrong| {
                self.request.wrong(value.line, &format!("option `{}` of {owner} {wrong}", name.value))
            })?;
            values.insert(name.value.clone(), value.value.clone());
        }
        if let Some((name, option)) =
            component.options.iter().find(|(name, option)| option.stated && !values.contains_key(*name))
        {
            let (part, contract) = (&component.name, &choice.name.value);
            let line = format!("write {contract} = {{ use = \"{part}\", {name} = {} }}", option.default);
            let sentence = format!("`{part}` must be told its `{name}` ({}): {line}", option.help);
            return Err(self.request.wrong(choice.component.line, &sentence));
        }
        Ok(values)
    }

    /// The settings that whittle.toml names, checked.
    pub(super) fn settings(&self) -> Result<Values, Failure> {
        let declared = &self.catalogue.settings;
        let mut values = Values::new();
        for (name, value) in &self.request.settings {
            let setting: &Parameter = declared.get(&name.value).ok_or_else(|| {
                let known = nearest(&name.value, declared.keys().map(String::as_str));
                self.request.wrong(name.line, &format!("there is no setting `{}`{known}", name.value))
            })?;
            setting
                .check(&value.value)
                .map_err(|wrong| self.request.wrong(value.line, &format!("setting `{}` {wrong}", name.value)))?;
            values.insert(name.value.clone(), value.value.clone());
        }
        Ok(values)
    }
}
