//! `whittle components`: a table of what the house offers.

use super::super::{Catalogue, Component, nearest};
use crate::failure::Failure;
use crate::house::House;

/// Prints the table, of one contract or of all.
pub fn components(house: &House, contract: Option<&str>) -> Result<(), Failure> {
    print!("{}", table(&Catalogue::read(&house.root)?, contract)?);
    Ok(())
}

/// The table's text: contract, component, platforms, summary; `*` marks what is taken where nobody is named.
pub fn table(catalogue: &Catalogue, contract: Option<&str>) -> Result<String, Failure> {
    if let Some(name) = contract.filter(|name| !catalogue.contracts.contains_key(*name)) {
        let known = nearest(name, catalogue.contracts.keys().map(String::as_str));
        return Err(Failure::ours(format!("there is no contract `{name}`{known}")));
    }
    let header = ["contract", "component", "platforms", "what it is"].map(String::from);
    let mut rows = vec![header];
    for name in catalogue.contracts.keys().filter(|name| contract.is_none_or(|contract| contract == *name)) {
        rows.extend(catalogue.components.iter().filter(|component| component.provides(name)).map(|component| {
            let mark = if component.default { " *" } else { "" };
            let platforms = platforms(component);
            [name.clone(), format!("{}{mark}", component.name), platforms, component.summary.clone()]
        }));
    }
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
