//! Aligned tables and wrapped paragraphs for a terminal of 100 columns.

use std::fmt::Write;

/// The widest line.
pub const WIDTH: usize = 100;

/// One column: whether its cells are numbers, which stand to the right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Text, to the left.
    Text,
    /// Numbers, to the right.
    Number,
}

/// Rows below their head, with two spaces between columns. The last column takes what is left and is cut there.
#[must_use]
pub fn table(columns: &[(Column, &str)], rows: &[Vec<String>]) -> String {
    let cell = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
    let width = |column: usize| {
        let widest = rows.iter().map(|row| cell(row, column)).max().unwrap_or(0);
        widest.max(columns[column].1.chars().count())
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let head = columns.iter().map(|(_, name)| (*name).to_owned()).collect();
    let mut text = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::from(" ");
        for (((kind, _), cell), width) in columns.iter().zip(row).zip(&widths) {
            let _ = match kind {
                Column::Text => write!(line, " {cell:<width$} "),
                Column::Number => write!(line, " {cell:>width$} "),
            };
        }
        text.push_str(&cut(line.trim_end(), WIDTH));
        text.push('\n');
    }
    text
}

/// Words in lines, each behind `indent` spaces.
#[must_use]
pub fn paragraph(words: impl Iterator<Item = String>, indent: usize) -> String {
    let mut text = String::new();
    let mut room = 0;
    for word in words {
        let length = word.chars().count();
        if room > length {
            text.push(' ');
            room -= 1 + length;
        } else {
            let end = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{end}{:indent$}", "");
            room = WIDTH.saturating_sub(indent + length);
        }
        text.push_str(&word);
    }
    if text.is_empty() { text } else { text + "\n" }
}

/// At most `width` letters.
#[must_use]
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// A number with its thousands apart.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A share of a whole, in per cent.
#[must_use]
pub fn share(part: u64, whole: u64) -> String {
    let tenths = (u128::from(part) * 1000 + u128::from(whole / 2)).checked_div(u128::from(whole)).unwrap_or(0);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
        assert_eq!([share(1, 3), share(0, 0), share(2, 2)], ["33.3 %", "0.0 %", "100.0 %"]);
    }

    #[test]
    fn tables_are_aligned_and_narrow_enough() {
        let rows = [vec!["a".into(), "1".into(), "ü".repeat(200)], vec!["long".into(), "1000".into(), "x".into()]];
        let text = table(&[(Column::Text, "n"), (Column::Number, "b"), (Column::Text, "w")], &rows);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[2]), ("  n        b  w", "  long  1000  x"));
        assert_eq!(lines[1].chars().count(), WIDTH);
        let text = paragraph((0..60).map(|number| format!("word{number}")), 7);
        assert!(text.lines().count() > 3 && text.lines().all(|line| line.chars().count() <= WIDTH));
    }
}
