//! The table that every comparison prints: for people as text, for machines as JSON.

use serde_json::{Value, json};

use super::rounds::Cell;

/// Operations by sides.
pub struct Table {
    /// What was measured, as on the command line: `calls`.
    pub what: &'static str,
    /// What a value counts: `nanoseconds per operation`.
    pub unit: &'static str,
    /// A heading per side.
    pub headings: Vec<String>,
    /// The side that the others are compared with.
    pub reference: Option<usize>,
    /// An operation's name and its cells, one per side.
    pub rows: Vec<(String, Vec<Cell>)>,
    /// Sentences about how it was measured.
    pub notes: Vec<String>,
}

impl Table {
    /// The reference's median and least, then for each other side its median, its least, its ratio to the reference
    /// (the median of the rounds), and the ratio's spread.
    #[must_use]
    pub fn text(&self) -> String {
        let heading = |text: &str| text.to_owned();
        let mut lines = vec![vec![self.unit.to_owned()]];
        for side in self.order() {
            lines[0].extend([self.headings[side].clone(), heading("least")]);
            if self.compared(side) {
                lines[0].extend([heading("ratio"), heading("spread")]);
            }
        }
        for (name, cells) in &self.rows {
            let mut line = vec![name.clone()];
            self.order().for_each(|side| line.extend(self.columns(side, cells)));
            lines.push(line);
        }
        let notes = self.notes.iter().map(|note| format!("{note}\n")).collect::<String>();
        aligned(&lines) + &notes
    }

    /// The same, with each round's value.
    #[must_use]
    pub fn json(&self) -> Value {
        let row = |(name, cells): &(String, Vec<Cell>)| {
            let sides = cells
                .iter()
                .enumerate()
                .map(|(side, cell)| (self.headings[side].clone(), self.cell(side, cells, cell)));
            json!({ "operation": name, "sides": sides.collect::<serde_json::Map<_, _>>() })
        };
        json!({
            "measured": self.what,
            "unit": self.unit,
            "reference": self.reference.map(|side| &self.headings[side]),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    /// Prints it on standard output.
    pub fn print(&self, json: bool) {
        if json { println!("{:#}", self.json()) } else { print!("{}", self.text()) }
    }

    /// The reference stands first.
    fn order(&self) -> impl Iterator<Item = usize> {
        let others = (0..self.headings.len()).filter(|&side| Some(side) != self.reference);
        self.reference.into_iter().chain(others)
    }

    fn compared(&self, side: usize) -> bool {
        self.reference.is_some_and(|reference| reference != side)
    }

    fn columns(&self, side: usize, cells: &[Cell]) -> Vec<String> {
        let mut columns = match &cells[side] {
            cell @ Cell::Measured { least, .. } => vec![number(cell.median().unwrap_or(f64::NAN)), number(*least)],
            Cell::Missing(why) => vec![why.clone(), "-".into()],
        };
        if let Some(reference) = self.reference.filter(|_| self.compared(side)) {
            columns.extend(match cells[side].over(&cells[reference]) {
                Some(ratio) => [times(ratio.median), format!("{}..{}", times(ratio.least), times(ratio.most))],
                None => ["-".into(), "-".into()],
            });
        }
        columns
    }

    fn cell(&self, side: usize, cells: &[Cell], cell: &Cell) -> Value {
        let ratio = self.reference.filter(|_| self.compared(side)).and_then(|reference| cell.over(&cells[reference]));
        match cell {
            Cell::Missing(why) => json!({ "missing": why }),
            Cell::Measured { rounds, least } => json!({
                "median": cell.median(),
                "least": least,
                "rounds": rounds,
                "ratio": ratio.map(|ratio| json!({ "median": ratio.median, "least": ratio.least, "most": ratio.most })),
            }),
        }
    }
}

/// Three digits that say something, or all digits of a large number.
fn number(value: f64) -> String {
    let places = if value >= 100.0 { 0 } else { 1 };
    format!("{value:.places$}")
}

/// A ratio: two digits that say something also where one side is a hundred times faster.
fn times(ratio: f64) -> String {
    let places = if ratio >= 0.1 { 2 } else { 4 };
    format!("{ratio:.places$}")
}

/// Columns as wide as they must be: the first to the left, the others to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        for (column, (word, width)) in line.iter().zip(&widths).enumerate() {
            text += &if column == 0 { format!("{word:width$}") } else { format!("  {word:>width$}") };
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let measured = |rounds: &[f64]| Cell::Measured { rounds: rounds.to_vec(), least: rounds[0] };
        Table {
            what: "calls",
            unit: "nanoseconds per operation",
            headings: vec!["ours".into(), "Linux".into()],
            reference: Some(1),
            rows: vec![
                ("getppid".into(), vec![measured(&[40.0, 60.0, 66.0]), measured(&[80.0, 80.0, 120.0])]),
                ("fork-wait".into(), vec![Cell::Missing("ENOSYS".into()), measured(&[49_488.0])]),
            ],
            notes: vec!["A note.".into()],
        }
    }

    #[test]
    fn the_reference_comes_first_and_what_is_missing_says_why() {
        let text = table().text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "nanoseconds per operation  Linux  least    ours  least  ratio      spread");
        assert_eq!(lines[1], "getppid                     80.0   80.0    60.0   40.0   0.55  0.50..0.75");
        assert_eq!(lines[2], "fork-wait                  49488  49488  ENOSYS      -      -           -");
        assert_eq!(lines[3], "A note.");
    }

    #[test]
    fn a_small_ratio_has_digits() {
        assert_eq!([1.781, 0.0974, 0.0071].map(times), ["1.78", "0.0974", "0.0071"]);
    }

    #[test]
    fn machines_get_every_round() {
        let json = table().json();
        let sides = &json["rows"][0]["sides"];
        assert_eq!(sides["ours"]["rounds"], json!([40.0, 60.0, 66.0]));
        assert_eq!(sides["ours"]["ratio"]["median"], json!(0.55));
        assert_eq!(sides["Linux"]["ratio"], Value::Null);
        assert_eq!(json["rows"][1]["sides"]["ours"], json!({ "missing": "ENOSYS" }));
    }
}
