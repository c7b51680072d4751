//! Tables of the page. Without a script they are plain tables; with it they sort and filter.

use std::fmt::Write;

use super::super::report::Report;
use super::super::tables::{grouped, share};
use super::escape::escaped;

/// A cell of a table.
pub enum Cell {
    /// Words.
    Text(String),
    /// A name of a program.
    Code(String),
    /// A number of bytes.
    Number(u64),
    /// A part of a whole, with a bar.
    Share(u64, u64),
}

/// A table with a caption for who cannot see it, its columns' names and its rows.
#[must_use]
pub fn table(name: &str, caption: &str, columns: &[(&str, bool)], rows: &[Vec<Cell>]) -> String {
    let mut html = format!("<div class=\"table\"><table id=\"{name}\"><caption>{caption}</caption><thead><tr>");
    for (column, number) in columns {
        let class = if *number { " class=\"number\"" } else { "" };
        let _ = write!(html, "<th scope=\"col\"{class}>{column}</th>");
    }
    html.push_str("</tr></thead><tbody>\n");
    let shares = rows.iter().flatten().map(|cell| if let Cell::Share(part, _) = cell { *part } else { 0 });
    let most = shares.max().unwrap_or(0).max(1);
    for row in rows {
        html.push_str("<tr>");
        row.iter().for_each(|cell| html.push_str(&shown(cell, most)));
        html.push_str("</tr>\n");
    }
    html + "</tbody></table></div>\n"
}

/// A cell; the longest bar of a table is as wide as the column.
fn shown(cell: &Cell, most: u64) -> String {
    match cell {
        Cell::Text(text) => format!("<td>{}</td>", escaped(text)),
        Cell::Code(text) => format!("<td><code>{}</code></td>", escaped(text)),
        Cell::Number(0) => "<td class=\"number none\" data-value=\"0\">–</td>".to_owned(),
        Cell::Number(number) => format!("<td class=\"number\" data-value=\"{number}\">{}</td>", grouped(*number)),
        Cell::Share(part, whole) => {
            let width = *part as f64 / most as f64 * 4.5;
            let text = share(*part, *whole);
            format!(
                "<td class=\"number share\" data-value=\"{part}\"><i style=\"width:{width:.2}rem\"></i><span>{text}</span></td>"
            )
        }
    }
}

/// The components with what they provide and need.
#[must_use]
pub fn components(report: &Report) -> String {
    let row = |sized: &super::super::components::Sized| {
        let component = &sized.component;
        vec![
            Cell::Code(component.name.clone()),
            Cell::Text(component.described()),
            Cell::Text(component.provides.join(", ")),
            Cell::Text(component.needs.join(", ")),
            Cell::Code(component.package.clone()),
            Cell::Text(component.chosen.clone()),
            Cell::Number(sized.bytes),
            Cell::Number(sized.shared),
        ]
    };
    let rows: Vec<_> = report.components.iter().map(row).collect();
    let columns = [
        ("Component", false),
        ("What it is", false),
        ("Provides", false),
        ("Needs", false),
        ("Crate", false),
        ("Chosen", false),
        ("Bytes", true),
        ("Shared in crate", true),
    ];
    table("components", "Components", &columns, &rows)
}

/// The crates, whose bytes add up to the file.
#[must_use]
pub fn crates(report: &Report) -> String {
    let row = |row: &super::super::report::Crate| {
        let numbers = [row.bytes, row.text, row.constants, row.data, row.zeroed];
        let cells = [Cell::Code(row.name.clone()), Cell::Share(row.bytes, report.bytes.file)];
        cells.into_iter().chain(numbers.map(Cell::Number)).collect()
    };
    let rows: Vec<Vec<Cell>> = report.crates.iter().map(row).collect();
    let names = ["Share", "Bytes", "Text", "Constants", "Data", "Zeroed"].map(|name| (name, true));
    let columns: Vec<_> = [("Crate", false)].into_iter().chain(names).collect();
    table("crates", "Bytes by crate", &columns, &rows)
}

/// What no crate has.
#[must_use]
pub fn other(report: &Report) -> String {
    let rows: Vec<_> = report
        .other
        .iter()
        .map(|leaf| {
            vec![Cell::Text(leaf.module.clone()), Cell::Share(leaf.bytes, report.bytes.file), Cell::Number(leaf.bytes)]
        })
        .collect();
    table("other", "What is other", &[("Other", false), ("Share", true), ("Bytes", true)], &rows)
}

/// All functions.
#[must_use]
pub fn functions(report: &Report) -> String {
    let row = |function: &super::super::report::Function| {
        vec![
            Cell::Code(function.name.clone()),
            Cell::Code(function.package.clone()),
            Cell::Share(function.bytes, report.bytes.file),
            Cell::Number(function.bytes),
        ]
    };
    let rows: Vec<_> = report.functions.iter().map(row).collect();
    let columns = [("Function", false), ("Crate", false), ("Share", true), ("Bytes", true)];
    table("functions", "Functions, with all that is inlined into them", &columns, &rows)
}
