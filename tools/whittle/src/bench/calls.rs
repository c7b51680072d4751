//! `whittle bench calls`: what each system call costs, told by a program inside the guest (`apps/bench-calls`).

use super::start::{run, whittle};
use crate::failure::Failure;
use crate::house::House;

/// A column of the table: its heading and the options of `whittle run`.
type Column = (&'static str, &'static [&'static str]);

const COUNTED: [Column; 2] = [
    ("pc ring 0", &["--platform", "pc", "--icount", "--ring", "0"]),
    ("pc ring 3", &["--platform", "pc", "--icount", "--ring", "3"]),
];
const TIMED: [Column; 1] = [("process", &["--platform", "process"])];

/// Prints a table of instructions, or of cycles, per operation.
pub fn calls(house: &House, count: bool) -> Result<(), Failure> {
    let (columns, unit) = if count { (&COUNTED[..], "instructions") } else { (&TIMED[..], "cycles") };
    let program = house.root.join("apps/bench-calls").display().to_string();
    let mut tables = Vec::new();
    for (_, options) in columns {
        let words: Vec<&str> = options.iter().copied().chain(["--", &program]).collect();
        tables.push(parse(&run(whittle(house, &words)?)?.out));
    }
    let headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
    print!("{}", table(&format!("{unit} per operation"), &headings, &tables));
    Ok(())
}

/// Lines `NAME VALUE`; others are headings.
fn parse(text: &str) -> Vec<(String, u64)> {
    let line = |line: &str| {
        let (name, value) = line.rsplit_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

fn table(title: &str, headings: &[&str], columns: &[Vec<(String, u64)>]) -> String {
    let Some(first) = columns.first() else { return String::new() };
    let width = first.iter().map(|(name, _)| name.len()).chain([title.len()]).max().unwrap_or_default();
    let mut text = format!("{title:width$}");
    headings.iter().for_each(|heading| text += &format!("  {heading:>12}"));
    for (row, (name, _)) in first.iter().enumerate() {
        text += &format!("\n{name:width$}");
        for column in columns {
            let value = column.get(row).map_or("-".into(), |(_, value)| value.to_string());
            text += &format!("  {value:>12}");
        }
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_programs_lines_become_a_table() {
        let column = parse("operation ticks\ngetppid 61\nopen and close 1200\n");
        assert_eq!(column, [("getppid".into(), 61), ("open and close".into(), 1200)]);
        let text = table("per call", &["a", "b"], &[column.clone(), column[..1].to_vec()]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "per call                   a             b");
        assert_eq!(lines[2], "open and close          1200             -");
    }
}
