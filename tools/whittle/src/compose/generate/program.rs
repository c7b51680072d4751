//! The generated `main.rs`: a comment and a few lines for each component, for a newcomer to read.

use std::fmt::Write;

use super::super::catalogue::{BOOT, Catalogue, PLATFORM};
use super::super::component::{Component, Contract};
use super::super::parameter::Values;
use super::super::plan::{Chosen, Part, Plan};
use super::super::request::Request;
use super::super::system_calls;
use super::fill::{fill, wrapped};
use crate::failure::Failure;

/// The end of the head comment of what is written again and again, and of what its owner took over.
pub const WRITTEN: &str =
    "//! Written by `whittle build` whenever whittle.toml changes; `whittle eject` makes it yours.\n";
/// See [`WRITTEN`].
pub const OWNED: &str = "//! Yours: `whittle build` builds it as it is, with whatever you add or take out.\n";

/// The program's text.
pub fn program(catalogue: &Catalogue, request: &Request, plan: &Plan) -> Result<String, Failure> {
    let writer = Writer { catalogue, request, plan };
    let mut text = format!(
        "//! The image `{}` for {}: every part that is in it, and the slots it fills.\n\
         //!\n\
         {WRITTEN}#![no_std]\n#![no_main]\n#![allow(unsafe_code)] // Filling a slot defines a link-time symbol.
#![allow(clippy::type_complexity)] // The boot stages are one type.\n",
        plan.name, plan.platform
    );
    let mut parts: Vec<&Part> = plan.components.iter().collect();
    // The application first, then the machine, then what lies between.
    parts.sort_by_key(|part| (part.chosen != Chosen::Kind, part.name != plan.platform));
    for part in parts {
        text.push_str(&writer.part(part)?);
    }
    text.push_str(&writer.heaps()?);
    text.push_str(&writer.settings());
    Ok(text)
}

struct Writer<'a> {
    catalogue: &'a Catalogue,
    request: &'a Request,
    plan: &'a Plan,
}

/// The setting that lets programs start others.
const PROCESSES: &str = "processes";

impl Writer<'_> {
    fn component(&self, name: &str) -> Result<&Component, Failure> {
        let component = self.catalogue.component(name, &self.plan.platform);
        component.ok_or_else(|| Failure::ours(format!("there is no component `{name}` for {}", self.plan.platform)))
    }

    fn part(&self, part: &Part) -> Result<String, Failure> {
        let component = self.component(&part.name)?;
        let mut lines = String::new();
        for (contract, provider) in &component.slots {
            if let Some(slot) = self.catalogue.contracts.get(contract).and_then(Contract::filling) {
                let _ = writeln!(lines, "{slot}!({});", self.fill(provider, component, &part.options));
            }
        }
        if part.name == self.plan.platform {
            lines.push_str(&self.boot());
        }
        for item in &component.items {
            let item = self.fill(item.trim(), component, &part.options);
            let _ = writeln!(lines, "{item}");
        }
        let stage = if component.stage.is_some() { " (a boot stage, above)" } else { "" };
        Ok(if lines.is_empty() && stage.is_empty() {
            String::new()
        } else {
            format!("\n// {}: {}{stage}\n{lines}", part.name, part.summary)
        })
    }

    /// The line that names the boot provider and its stages.
    fn boot(&self) -> String {
        let platform = self.catalogue.platforms.get(&self.plan.platform);
        let slot = self.catalogue.contracts.get(BOOT).and_then(Contract::filling);
        let (Some(slot), Some(boot)) = (slot, platform.and_then(|platform| platform.boot.as_ref())) else {
            return String::new();
        };
        let stages = match &self.plan.stages[..] {
            [only] => format!("{only},"),
            stages => wrapped(stages),
        };
        format!("{slot}!({boot}<({stages})>);\n")
    }

    fn heaps(&self) -> Result<String, Failure> {
        let mut lines = String::new();
        for heap in &self.plan.heaps {
            let component = self.component(&heap.component)?;
            let named = self.catalogue.contracts.get("heap").and_then(|contract| contract.named.as_ref());
            if let (Some(named), Some(provider)) = (named, component.slots.get("heap")) {
                let provider = self.fill(provider, component, &heap.options);
                let _ = writeln!(lines, "\n// {}: a heap of its own, {}", heap.name, component.summary);
                let _ = writeln!(lines, "contracts::{named}!({}: {provider});", heap.name);
            }
        }
        Ok(lines)
    }

    fn settings(&self) -> String {
        let slot = self.catalogue.contracts.get("config").and_then(|contract| contract.slot.as_ref());
        let Some(slot) = slot else { return String::new() };
        let head = "\n// What is settled when the image is built";
        // Linux programs start others, if nothing else is said; what that needs of the kernel, other images need not
        // have.
        let has_processes = self.plan.kind == "linux" && !self.plan.settings.contains_key(PROCESSES);
        if self.plan.settings.is_empty() && !has_processes {
            return format!("{head}: nothing but defaults\ncontracts::{slot}!(contracts::config::Config::DEFAULT);\n");
        }
        let declared = &self.catalogue.settings;
        let field = |(name, value)| {
            let setting: Option<&super::super::Parameter> = declared.get(name);
            setting.map(|setting| format!("{name}: {}, ", setting.rust(value)))
        };
        let mut fields: String = self.plan.settings.iter().filter_map(field).collect();
        if has_processes {
            let _ = write!(fields, "{PROCESSES}: true, ");
        }
        let all = self.plan.settings.len() == declared.len();
        let rest = if all { "" } else { "..contracts::config::Config::DEFAULT " };
        format!("{head}\ncontracts::{slot}!(contracts::config::Config {{ {fields}{rest}}});\n")
    }

    fn fill(&self, text: &str, component: &Component, options: &Values) -> String {
        fill(text, &|word| self.word(word, component, options))
    }

    /// What stands for `{word}`: an option's value, a type that another component gives, or something of the image.
    fn word(&self, word: &str, component: &Component, options: &Values) -> Option<String> {
        if let Some(option) = component.options.get(word) {
            return options.get(word).map(|value| option.rust(value));
        }
        match word {
            "system_calls" if self.plan.system_calls == system_calls::all() => return Some(String::from("all")),
            "system_calls" => return Some(wrapped(&self.plan.system_calls)),
            PLATFORM => {
                let platform = self.catalogue.platforms.get(&self.plan.platform);
                return platform.map(|platform| platform.package.replace('-', "_"));
            }
            "application" => return self.request.application.as_ref().map(|name| name.replace('-', "_")),
            _ => {}
        }
        let provider = self.component(&self.plan.provider(word)?.name).ok()?;
        let given = provider.slots.get(word)?;
        let of_provider = self.plan.components.iter().find(|part| part.name == provider.name)?;
        Some(self.fill(given, provider, &of_provider.options))
    }
}
