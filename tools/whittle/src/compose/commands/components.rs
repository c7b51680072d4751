//! `whittle components`: a table of what the house offers.

use std::path::Path;

use serde_json::{Value, json};

use super::super::{Catalogue, Component, nearest};
use crate::failure::Failure;
use crate::house::House;

/// Prints the table, of one contract or of all, with the components of a folder's own crates.
pub fn components(house: &House, contract: Option<&str>, json: bool, folder: Option<&Path>) -> Result<(), Failure> {
    let catalogue = Catalogue::of_folder(&house.root, folder)?;
    print!("{}", if json { rows_as_json(&catalogue, contract)? } else { table(&catalogue, contract)? });
    Ok(())
}

/// Each contract and its components.
fn rows<'a>(catalogue: &'a Catalogue, contract: Option<&str>) -> Result<Vec<(&'a String, &'a Component)>, Failure> {
    if let Some(name) = contract.filter(|name| !catalogue.contracts.contains_key(*name)) {
        let known = nearest(name, catalogue.contracts.keys().map(String::as_str));
        return Err(Failure::ours(format!("there is no contract `{name}`{known}")));
    }
    let contracts = catalogue.contracts.keys().filter(|name| contract.is_none_or(|contract| contract == *name));
    let of_contract = |name: &'a String| {
        let components = catalogue.components.iter().filter(move |component| component.provides(name));
        components.map(move |component| (name, component))
    };
    Ok(contracts.flat_map(of_contract).collect())
}

/// The rows as JSON.
pub fn rows_as_json(catalogue: &Catalogue, contract: Option<&str>) -> Result<String, Failure> {
    let row = |(contract, component): &(&String, &Component)| {
        json!({
            "contract": contract, "component": component.name, "crate": component.package,
            "default": component.default, "platforms": component.platforms, "summary": component.summary,
        })
    };
    Ok(format!("{:#}\n", Value::Array(rows(catalogue, contract)?.iter().map(row).collect())))
}

/// The table's text: contract, component, platforms, summary; `*` marks what is taken where nobody is named.
pub fn table(catalogue: &Catalogue, contract: Option<&str>) -> Result<String, Failure> {
    let header = ["contract", "component", "platforms", "what it is"].map(String::from);
    let row = |(contract, component): (&String, &Component)| {
        let mark = if component.default { " *" } else { "" };
        [contract.clone(), format!("{}{mark}", component.name), platforms(component), component.summary.clone()]
    };
    let rows: Vec<_> = [header].into_iter().chain(rows(catalogue, contract)?.into_iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let line = |[one, two, three, four]: &[String; 4]| {
        format!("{one:0$}  {two:1$}  {three:2$}  {four}\n", widths[0], widths[1], widths[2])
    };
    let lines: String = rows.iter().map(line).collect();
    Ok(lines + "\n* is taken where its contract is needed and nobody is named. More: whittle explain NAME\n")
}

/// The platforms of a component, for people.
pub fn platforms(component: &Component) -> String {
    component.platforms.as_ref().map_or_else(|| String::from("all"), |platforms| platforms.join(", "))
}
