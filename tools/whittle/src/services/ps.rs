//! `whittle ps`: the machines that have names.

use std::io::{Write, stdout};

use serde_json::{Value, json};

use super::record::{Record, Stage, duration, now};
use super::state::{Entry, State};
use crate::arguments::Ps;
use crate::failure::Failure;

/// Lists them.
pub fn ps(words: &Ps) -> Result<(), Failure> {
    let mut entries = State::find()?.entries()?;
    entries.retain(|entry| words.all || entry.is_kept);
    let text = if words.json { as_json(&entries) } else { as_table(&entries) };
    // Whoever does not read to the end has read enough.
    let _ = stdout().write_all(text.as_bytes());
    Ok(())
}

fn as_json(entries: &[Entry]) -> String {
    let row = |Entry { name, record, is_kept }: &Entry| {
        let mut row = json!(record);
        row["name"] = json!(name.as_str());
        row["runs"] = json!(is_kept);
        row
    };
    format!("{:#}\n", Value::Array(entries.iter().map(row).collect()))
}

fn as_table(entries: &[Entry]) -> String {
    let head = ["name", "platform", "program", "process", "since", "ports", "health", "status"].map(String::from);
    let rows: Vec<[String; 8]> = std::iter::once(head).chain(entries.iter().map(row)).collect();
    lines(&rows)
}

/// Columns as wide as their widest cell, two blanks apart.
#[must_use]
pub fn lines<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let line = |row: &[String; COLUMNS]| {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

fn row(Entry { name, record, is_kept }: &Entry) -> [String; 8] {
    let dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
    let keeper = if *is_kept { record.keeper.to_string() } else { "-".into() };
    let health = record.health.as_ref().filter(|_| *is_kept).map_or_else(String::new, |health| health.sentence());
    [
        name.to_string(),
        dash(&record.platform),
        dash(&record.program),
        keeper,
        format!("{} ago", record.age()),
        dash(&record.published.join(", ")),
        dash(&health),
        status(record),
    ]
}

fn status(record: &Record) -> String {
    let stage = match record.stage {
        Stage::Starting => "starting".into(),
        Stage::Running => "running".into(),
        Stage::Pausing => "failed, starts anew soon".into(),
        Stage::Ended { status, at } => {
            format!("ended with status {status}, {} ago", duration(now().saturating_sub(at)))
        }
    };
    match record.restarts {
        0 => stage,
        1 => format!("{stage}, started anew once"),
        times => format!("{stage}, started anew {times} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_a_table_and_json() {
        let record = Record {
            platform: "process".into(),
            program: "redis-server".into(),
            keeper: 77,
            since: now(),
            published: vec!["6379->6379".into(), "127.0.0.1:53->53/udp".into()],
            restarts: 2,
            stage: Stage::Running,
            ..Record::default()
        };
        let ended = Record { stage: Stage::Ended { status: 3, at: now() }, restarts: 0, ..record.clone() };
        let entry = |name: &str, record, is_kept| Entry { name: name.parse().unwrap(), record, is_kept };
        let entries = [entry("db", record, true), entry("old", ended, false)];
        let table = as_table(&entries);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].starts_with("name  platform  program       process  since"), "{table}");
        assert!(lines[1].starts_with("db    process   redis-server  77       "), "{table}");
        assert!(
            lines[1].ends_with("6379->6379, 127.0.0.1:53->53/udp  -       running, started anew 2 times"),
            "{table}"
        );
        assert!(lines[2].contains("  -    ") && lines[2].contains("ended with status 3, "), "{table}");
        let json: Value = serde_json::from_str(&as_json(&entries)).unwrap();
        assert_eq!((&json[0]["name"], &json[0]["runs"], &json[0]["keeper"]), (&json!("db"), &json!(true), &json!(77)));
        assert_eq!(json[1]["stage"]["ended"]["status"], json!(3));
    }
}
