//! `whittle explain NAME`: what a name means, and how to write it.

use std::fmt::Write;
use std::path::Path;

use linux_abi::DESCRIPTIONS;

use super::super::declaration::Declaration;
use super::super::{Catalogue, Component, Contract, Parameter, Place, Platform, nearest};
use super::components::platforms;
use crate::failure::Failure;
use crate::house::House;

/// Prints everything that has this name, in the house or in a folder's own crates.
pub fn explain(house: &House, name: &str, folder: Option<&Path>) -> Result<(), Failure> {
    print!("{}", text(&Catalogue::of_folder(&house.root, folder)?, name)?);
    Ok(())
}

/// What is known about a name: a component, contract, platform, kind, setting, system call or family.
pub fn text(catalogue: &Catalogue, name: &str) -> Result<String, Failure> {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(catalogue.platforms.get(name).map(platform));
    parts.extend(catalogue.contracts.get(name).map(|found| contract(catalogue, found)));
    let components = catalogue.components.iter().filter(|component| component.name == name);
    parts.extend(components.map(|found| component(catalogue, found)));
    parts.extend(catalogue.settings.get(name).map(|found| setting(name, found)));
    parts.extend(system_call(name));
    parts.extend(family(name));
    if !parts.is_empty() {
        return Ok(parts.join("\n"));
    }
    let components = catalogue.components.iter().map(|component| component.name.as_str());
    let others = catalogue.contracts.keys().chain(catalogue.settings.keys()).map(String::as_str);
    let calls = DESCRIPTIONS.iter().flat_map(|call| [call.name, call.family]);
    let known = nearest(name, components.chain(others).chain(calls));
    let known = if known.starts_with(": did") { known } else { String::from(": see whittle components") };
    Err(Failure::ours(format!("there is nothing of the name `{name}`{known}")))
}

fn paragraph(help: &str) -> String {
    if help.trim().is_empty() { String::new() } else { format!("\n{}\n\n", help.trim()) }
}

fn platform(platform: &Platform) -> String {
    let name = &platform.name;
    format!("{name} is a platform: {}\n  in whittle.toml  platform = \"{name}\"\n", platform.summary)
}

fn contract(catalogue: &Catalogue, contract: &Contract) -> String {
    let name = &contract.name;
    let mut text = format!("{name} is a contract: {}\n{}", contract.summary, paragraph(&contract.help));
    let providers: Vec<&Component> = catalogue.components.iter().filter(|component| component.provides(name)).collect();
    for component in &providers {
        let default = if component.default { ", taken where nobody is named" } else { "" };
        let _ = writeln!(
            text,
            "  provided by  {} ({}{default}): {}",
            component.name,
            platforms(component),
            component.summary
        );
    }
    let needed = catalogue.components.iter().filter(|component| component.needs.contains(name));
    let names: Vec<&str> = needed.map(|component| component.name.as_str()).collect();
    if !names.is_empty() {
        let _ = writeln!(text, "  needed by  {}", names.join(", "));
    }
    if let Some(component) = providers.iter().find(|component| !component.kind) {
        let _ = writeln!(text, "  in whittle.toml, under [components]  {name} = \"{}\"", component.name);
    }
    text + &contract.declaration.as_ref().map(|declared| declaration(catalogue, declared)).unwrap_or_default()
}

/// What a contract asks of whoever fulfils it: its trait, where that stands, and each method with its meaning.
fn declaration(catalogue: &Catalogue, declared: &Declaration) -> String {
    let (file, line) = (shown(catalogue, &declared.file), declared.line);
    let mut text = format!("  trait  {}, in {file}:{line}\n\n{}", declared.interface, indented(&declared.help, 2));
    for method in &declared.methods {
        let left_out = if method.has_default { "  // may be left out" } else { "" };
        let _ = write!(text, "\n  {};{left_out}\n{}", method.signature, indented(&method.help, 6));
    }
    text
}

/// Lines behind so many blanks; empty ones stay empty.
fn indented(help: &str, blanks: usize) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{:blanks$}{line}\n", "") };
    help.trim().lines().map(line).collect()
}

fn component(catalogue: &Catalogue, component: &Component) -> String {
    let what = if component.kind { "a kind of application" } else { "a component" };
    let name = &component.name;
    let mut text = format!("{name} is {what}: {}\n{}", component.summary, paragraph(&component.help));
    let mut line = |what: &str, words: &[String]| {
        if !words.is_empty() {
            let _ = writeln!(text, "  {what}  {}", words.join(", "));
        }
    };
    line("crate", std::slice::from_ref(&component.package));
    line(
        "declared in",
        &catalogue
            .crates
            .get(&component.package)
            .map(|folder| shown(catalogue, &folder.join("Cargo.toml")))
            .into_iter()
            .collect::<Vec<_>>(),
    );
    line("platforms", &[platforms(component)]);
    line("provides", &component.provides);
    line("needs", &component.needs);
    line("uses where it is there", &component.wants);
    line("cannot be with", &component.conflicts);
    for contract in component.provides.iter().filter(|_| !component.kind) {
        let others: Vec<String> = catalogue
            .components
            .iter()
            .filter(|other| other.provides(contract) && other.name != *name && !other.kind)
            .filter(|other| catalogue.platforms.keys().any(|name| other.runs_on(name) && component.runs_on(name)))
            .map(|other| other.name.clone())
            .collect();
        line(&format!("instead, for {contract}"), &others);
    }
    for (option, declared) in &component.options {
        text.push_str(&parameter("option", option, declared));
    }
    text + &example(component)
}

/// A file as a person would look for it: from the house's folder, or from here.
fn shown(catalogue: &Catalogue, file: &Path) -> String {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    file.strip_prefix(&catalogue.root).map_or_else(|_| Place::shown(&file), |file| file.display().to_string())
}

fn example(component: &Component) -> String {
    let name = &component.name;
    if component.kind {
        return format!("  in whittle.toml  kind = \"{name}\"\n");
    }
    let Some(contract) = component.provides.first() else { return String::new() };
    let line = match component.options.first_key_value() {
        None => format!("{contract} = \"{name}\""),
        Some((option, declared)) => format!("{contract} = {{ use = \"{name}\", {option} = {} }}", declared.default),
    };
    format!("  in whittle.toml, under [components]  {line}\n")
}

fn setting(name: &str, setting: &Parameter) -> String {
    let head = format!("{name} is a setting: {}\n", setting.help);
    let line = format!("  in whittle.toml, under [settings]  {name} = {}\n", setting.default);
    head + &parameter("setting", name, setting) + &line
}

fn parameter(what: &str, name: &str, parameter: &Parameter) -> String {
    let kind = format!("{:?}", parameter.kind).to_lowercase();
    let mut text = format!("  {what} {name}  {kind}, {}", parameter.unless_said(&parameter.default.to_string()));
    if let Some(least) = &parameter.least {
        let _ = write!(text, ", at least {least}");
    }
    if let Some(most) = &parameter.most {
        let _ = write!(text, ", at most {most}");
    }
    if !parameter.values.is_empty() {
        let _ = write!(text, ", one of {}", parameter.values.join(", "));
    }
    format!("{text}: {}\n", parameter.help)
}

fn system_call(name: &str) -> Option<String> {
    let call = DESCRIPTIONS.iter().find(|call| call.name == name)?;
    Some(format!(
        "{name} is a system call: number {}, of the family {}\n  arguments  {}\n  handler  {name} in api/linux/src/calls/{}\n  \
         in whittle.toml, under [linux]  system_calls = [\"{name}\"]\n",
        call.number,
        call.family,
        if call.arguments.is_empty() { String::from("none") } else { call.arguments.join(", ") },
        call.family,
    ))
}

fn family(name: &str) -> Option<String> {
    let calls: Vec<&str> = DESCRIPTIONS.iter().filter(|call| call.family == name).map(|call| call.name).collect();
    (!calls.is_empty()).then(|| {
        format!(
            "{name} is a family of system calls\n  calls  {}\n  in whittle.toml, under [linux]  system_calls = [\"{name}\"]\n",
            calls.join(", ")
        )
    })
}
