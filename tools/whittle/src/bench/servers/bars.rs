//! Tables as a picture in SVG: for each row a bar for each side, as long as its share of the reference's, the value
//! behind it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::super::rounds::Cell;
use super::super::table::Table;
use crate::failure::{Doing, Failure};

/// Of a bar: its height, and the length of the reference's.
const HEIGHT: f64 = 14.0;
const LENGTH: f64 = 260.0;
/// Where bars begin, and how long they may become.
const LEFT: f64 = 290.0;
const MOST: f64 = 1.6;
const WIDTH: f64 = LEFT + LENGTH * MOST + 130.0;
/// Colours that those who see no red or no green tell apart (Okabe, Ito, 2008).
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#56b4e9", "#e69f00"];

/// Draws tables below each other, if somebody wants that.
pub fn draw(tables: &[&Table], path: Option<&Path>) -> Result<(), Failure> {
    path.map_or(Ok(()), |path| fs::write(path, svg(tables)).doing(format!("write {}", path.display())))
}

/// The picture.
fn svg(tables: &[&Table]) -> String {
    let (mut body, mut y) = (String::new(), 24.0);
    for table in tables {
        field(&mut body, &mut y, table);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{y}\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

/// A table's heading, which says the sides' colours, and its rows.
fn field(text: &mut String, y: &mut f64, table: &Table) {
    // It is a string, which takes all that is written.
    let _ = writeln!(text, "<text x=\"10\" y=\"{y}\" font-weight=\"bold\">{}</text>", table.unit);
    for (number, heading) in table.headings.iter().enumerate() {
        let x = LEFT + 130.0 * number as f64;
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"10\" fill=\"{}\"/><text x=\"{}\" y=\"{y}\">{heading}</text>",
            *y - 9.0,
            COLOURS[number % COLOURS.len()],
            x + 18.0
        );
    }
    *y += 12.0;
    table.rows.iter().for_each(|row| bars(text, y, row, table.reference.unwrap_or(0)));
    *y += 24.0;
}

/// A row.
fn bars(text: &mut String, y: &mut f64, (name, cells): &(String, Vec<Cell>), reference: usize) {
    let whole = cells.get(reference).and_then(Cell::median).unwrap_or(f64::NAN);
    let middle = *y + HEIGHT * cells.len() as f64 / 2.0 + 4.0;
    let _ = writeln!(text, "<text x=\"{}\" y=\"{middle:.1}\" text-anchor=\"end\">{name}</text>", LEFT - 8.0);
    for (number, cell) in cells.iter().enumerate() {
        let value = cell.median();
        let share = value.map_or(0.0, |value| value / whole);
        let length = if share.is_finite() { share.clamp(0.0, MOST) * LENGTH } else { 0.0 };
        let _ = writeln!(
            text,
            "<rect class=\"bar\" x=\"{LEFT}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{}\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{}</text>",
            HEIGHT - 2.0,
            COLOURS[number % COLOURS.len()],
            LEFT + length + 5.0,
            *y + 10.0,
            value.map_or_else(|| "-".into(), spaced)
        );
        *y += HEIGHT;
    }
    *y += 6.0;
}

/// A number with a comma between thousands.
fn spaced(value: f64) -> String {
    if value < 100.0 {
        return format!("{value:.2}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::super::rounds::Reading;
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share_and_never_longer_than_the_picture() {
        let cell = |value: f64| Cell::of(Reading::Samples(vec![value]));
        let table = Table {
            what: "servers",
            unit: "instructions",
            headings: vec!["pc".into(), "Linux".into()],
            reference: Some(1),
            rows: vec![
                ("one".into(), vec![cell(500.0), cell(1_000.0)]),
                ("two".into(), vec![cell(9_000_000.0), cell(10.0)]),
                ("none".into(), vec![Cell::unknown(), cell(5.0)]),
            ],
            notes: Vec::new(),
        };
        let text = svg(&[&table]);
        let width = |line: &str| line.split("width=\"").nth(1)?.split('"').next()?.parse::<f64>().ok();
        let bars: Vec<f64> = text.lines().filter(|line| line.contains("\"bar\"")).filter_map(width).collect();
        assert_eq!(bars, [LENGTH / 2.0, LENGTH, LENGTH * MOST, LENGTH, 0.0, LENGTH]);
        assert!(text.contains("9,000,000") && text.contains(">-<"), "{text}");
    }

    #[test]
    fn thousands_are_told_apart() {
        assert_eq!([12.5, 100.0, 1234.4, 1_000_000.0].map(spaced), ["12.50", "100", "1,234", "1,000,000"]);
    }
}
