//! What the linker says about slots that nobody fills, in words of whittle.toml.

use std::collections::BTreeMap;

use super::catalogue::Catalogue;
use super::nearest::listed;
use super::plan::Plan;

/// The sentence for the first contract whose slot is called and not filled; none if that is not what is wrong.
#[must_use]
pub fn translate(catalogue: &Catalogue, plan: &Plan, output: &str) -> Option<String> {
    let mut missing: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (slot, method) in symbols(output) {
        let contract = catalogue.contracts.values().find(|contract| contract.slot.as_deref() == Some(slot));
        let Some(contract) = contract else { continue };
        let methods = missing.entry(&contract.name).or_default();
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let (contract, methods) = missing.pop_first()?;
    let others = match missing.len() {
        0 => String::new(),
        _ => format!(" (and {} too)", missing.into_keys().collect::<Vec<_>>().join(", ")),
    };
    let used = format!("{} uses {contract} ({})", plan.name, methods.join(", "));
    Some(match filling_line(catalogue, plan, contract) {
        Some(line) => format!("{used}, and no line of its program fills that slot{others}: write `{line}` there"),
        None => {
            let advice = advice(catalogue, plan, contract);
            format!("{used}, and whittle.toml names no component for it{others}: {advice}")
        }
    })
}

/// Slots' macros and methods among the linker's words: `whittle.provide_clock.wall`.
fn symbols(output: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = output.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '.'));
    words.filter_map(|word| word.strip_prefix("whittle.")?.split_once('.'))
}

/// The line that is lost from a program whose plan has a provider: its owner took it out.
fn filling_line(catalogue: &Catalogue, plan: &Plan, contract: &str) -> Option<String> {
    let component = catalogue.component(&plan.provider(contract)?.name, &plan.platform)?;
    let slot = catalogue.contracts.get(contract)?.filling()?;
    Some(format!("{slot}!({});", component.slots.get(contract)?))
}

fn advice(catalogue: &Catalogue, plan: &Plan, contract: &str) -> String {
    let providers = catalogue.providers(contract, &plan.platform);
    let names: Vec<&str> = providers.map(|component| component.name.as_str()).collect();
    let suggested = catalogue.providers(contract, &plan.platform).find(|component| component.suggested);
    match names[..] {
        [] => format!("no component for {} provides it", plan.platform),
        [only] => format!("write `{contract} = \"{only}\"` under [components]"),
        [first, ..] => {
            let first = suggested.map_or(first, |component| &component.name);
            format!("write `{contract} = \"{first}\"` under [components]; there is {}", listed(&names, "and"))
        }
    }
}
