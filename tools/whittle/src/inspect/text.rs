//! The report for a terminal.

use std::fmt::Write;

use super::report::Report;
use super::tables::{Column, cut, grouped, paragraph, share, table};

/// The whole report; `functions` says how many of them.
#[must_use]
pub fn text(report: &Report, functions: usize) -> String {
    let mut text = format!("{}\n\n{}", report.title(), bytes(report));
    let stages: Vec<String> =
        report.stages.iter().enumerate().map(|(index, stage)| format!("{}. {stage}", index + 1)).collect();
    let mut section = |head: String, body: String| {
        if !body.is_empty() {
            let _ = write!(text, "\n{head}\n{body}");
        }
    };
    section(format!("{} components", report.components.len()), components(report));
    section("Who needs what, from whom".into(), needs(report));
    section("Crates, by where their lines were written".into(), crates(report));
    section("What is other".into(), other(report));
    section("The largest functions, with all that is inlined into them".into(), largest(report, functions));
    section(format!("{} system calls", report.system_calls.len()), words(&report.system_calls));
    section("Settings".into(), settings(report));
    section("Boot stages, in order".into(), words(&stages));
    if !report.lines {
        text.push_str("\nThere are no line tables: code counts for the crate of its function.\n");
    }
    text
}

fn bytes(report: &Report) -> String {
    let bytes = &report.bytes;
    let rows = [
        ("file", bytes.file, ""),
        ("  text", bytes.text, "instructions"),
        ("  constants", bytes.constants, "only read"),
        ("  data", bytes.data, "read and written"),
        ("  other", bytes.other, "headers, padding, tables for the loader"),
        ("zeroed", bytes.zeroed, "memory at the start, not in the file"),
    ];
    rows.iter().fold(String::new(), |text, (name, bytes, note)| {
        text + format!("  {name:<12}{:>12}  {note}", grouped(*bytes)).trim_end() + "\n"
    })
}

fn components(report: &Report) -> String {
    if report.components.is_empty() {
        return String::new();
    }
    let row = |sized: &super::components::Sized| {
        let component = &sized.component;
        // A plus tells that the crate has bytes which it shares with its other components.
        let shared = if sized.shared > 0 { "+" } else { " " };
        let bytes = format!("{}{shared}", grouped(sized.bytes));
        vec![component.name.clone(), component.package.clone(), bytes, component.described()]
    };
    let rows: Vec<_> = report.components.iter().map(row).collect();
    let columns =
        [(Column::Text, "name"), (Column::Text, "crate"), (Column::Number, "bytes "), (Column::Text, "what it is")];
    let mut text = table(&columns, &rows);
    let mut shared: Vec<(&str, u64)> = report
        .components
        .iter()
        .filter(|sized| sized.shared > 0)
        .map(|sized| (&*sized.component.package, sized.shared))
        .collect();
    shared.sort_unstable();
    shared.dedup();
    for (package, bytes) in shared {
        let _ = writeln!(text, "  + and {} bytes of {package} that its components share", grouped(bytes));
    }
    text
}

/// A line for who needs something: each contract, with its provider where the names differ.
fn needs(report: &Report) -> String {
    let mut all: Vec<(&str, Vec<String>)> = Vec::new();
    for (who, contract, whom) in &report.edges {
        let need = if contract == whom { contract.clone() } else { format!("{contract} ({whom})") };
        match all.iter_mut().find(|(name, _)| name == who) {
            Some((_, needs)) => needs.push(need),
            None => all.push((who, vec![need])),
        }
    }
    let width = all.iter().map(|(who, _)| who.chars().count()).max().unwrap_or(0);
    let line = |(who, needs): &(&str, Vec<String>)| {
        // Lines that go on stand below the first need.
        let words = needs.iter().enumerate().map(|(index, need)| {
            let comma = if index + 1 < needs.len() { "," } else { "" };
            format!("{need}{comma}")
        });
        let text = paragraph(words, width + 4);
        format!("  {who}{}", text.chars().skip(who.chars().count() + 2).collect::<String>())
    };
    all.iter().map(line).collect()
}

fn crates(report: &Report) -> String {
    let row = |row: &super::report::Crate| {
        let numbers = [row.bytes, row.text, row.constants, row.data, row.zeroed];
        let mut cells = vec![row.name.clone(), share(row.bytes, report.bytes.file)];
        cells.extend(numbers.map(|number| if number == 0 { "-".to_owned() } else { grouped(number) }));
        cells
    };
    let mut rows: Vec<_> = report.crates.iter().map(row).collect();
    let bytes = &report.bytes;
    let total = [bytes.file, bytes.text, bytes.constants, bytes.data, bytes.zeroed].map(grouped);
    rows.push(["all".to_owned(), share(1, 1)].into_iter().chain(total).collect());
    let names = ["share", "bytes", "text", "constants", "data", "zeroed"];
    let columns: Vec<_> =
        [(Column::Text, "crate")].into_iter().chain(names.map(|name| (Column::Number, name))).collect();
    table(&columns, &rows)
}

fn other(report: &Report) -> String {
    let rows: Vec<_> = report.other.iter().map(|leaf| vec![grouped(leaf.bytes), leaf.module.clone()]).collect();
    table(&[(Column::Number, "bytes"), (Column::Text, "what")], &rows)
}

fn largest(report: &Report, count: usize) -> String {
    let row = |function: &super::report::Function| {
        vec![grouped(function.bytes), share(function.bytes, report.bytes.file), cut(&function.name, 78)]
    };
    let rows: Vec<_> = report.functions.iter().take(count).map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    table(&[(Column::Number, "bytes"), (Column::Number, "share"), (Column::Text, "function")], &rows)
}

fn settings(report: &Report) -> String {
    let values = report.values();
    let width = values.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    values
        .iter()
        .fold(String::new(), |text, (name, value)| text + &cut(&format!("  {name:<width$}  {value}"), 100) + "\n")
}

fn words(words: &[String]) -> String {
    paragraph(words.iter().cloned(), 2)
}
