//! What the linker says about slots that nobody fills, in words of whittle.toml.

use std::collections::BTreeMap;

use super::catalogue::Catalogue;
use super::nearest::listed;
use super::plan::Plan;

/// The sentence for the first contract whose slot is called and not filled; none if that is not what is wrong.
#[must_use]
pub fn translate(catalogue: &Catalogue, plan: &Plan, output: &str) -> Option<String> {
    let mut missing: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for word in output.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '.')) {
        let Some((slot, method)) = word.strip_prefix("whittle.").and_then(|rest| rest.split_once('.')) else {
            continue;
        };
        let contract = catalogue.contracts.values().find(|contract| contract.slot.as_deref() == Some(slot));
        let Some(contract) = contract.filter(|contract| plan.provider(&contract.name).is_none()) else { continue };
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
    let names: Vec<&str> =
        catalogue.providers(contract, &plan.platform).map(|component| component.name.as_str()).collect();
    let advice = match names[..] {
        [] => format!("no component for {} provides it", plan.platform),
        [only] => format!("write `{contract} = \"{only}\"` under [components]"),
        [first, ..] => {
            format!("write `{contract} = \"{first}\"` under [components]; there is {}", listed(&names, "and"))
        }
    };
    Some(format!(
        "{} uses {contract} ({}), and whittle.toml names no component for it{others}: {advice}",
        plan.name,
        methods.join(", ")
    ))
}
