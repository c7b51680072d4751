//! Messages' time and speed as a picture in SVG: two fields with logarithmic axes. A library for plots would bring more
//! crates than this command has, for four lines and their axes.

use std::fmt::Write;

/// What is drawn as one line: a value for each length.
pub struct Line {
    /// Its name beside the picture.
    pub name: String,
    /// Microseconds one way.
    pub microseconds: Vec<f64>,
}

/// Of a field: its width and height, and its place.
const WIDTH: f64 = 330.0;
const HEIGHT: f64 = 260.0;
const LEFT: [f64; 2] = [60.0, 470.0];
const TOP: f64 = 30.0;
/// Of the whole picture.
const WHOLE: [f64; 2] = [820.0, 380.0];
/// Colours that those who see no red or no green tell apart (Okabe, Ito, 2008).
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#56b4e9", "#e69f00"];

/// An axis of powers: the least and the most, as logarithms.
struct Axis {
    least: f64,
    most: f64,
}

impl Axis {
    /// Whole powers of ten around the values.
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| *value > 0.0) {
            (least, most) = (least.min(value.log10().floor()), most.max(value.log10().ceil()));
        }
        if least < most { Self { least, most } } else { Self { least: 0.0, most: 1.0 } }
    }

    /// Where a value is between both ends, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.max(f64::MIN_POSITIVE).log10() - self.least) / (self.most - self.least)
    }
}

/// The picture.
pub fn svg(lengths: &[u64], lines: &[Line]) -> String {
    let [width, height] = WHOLE;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    let megabytes = |line: &Line| {
        lengths.iter().zip(&line.microseconds).map(|(length, time)| *length as f64 / time).collect::<Vec<_>>()
    };
    let times: Vec<_> = lines.iter().map(|line| line.microseconds.clone()).collect();
    field(&mut text, LEFT[0], "microseconds one way", lengths, &times);
    field(&mut text, LEFT[1], "megabytes per second", lengths, &lines.iter().map(megabytes).collect::<Vec<_>>());
    for (number, line) in lines.iter().enumerate() {
        let (x, y) = (LEFT[0] + 190.0 * number as f64, height - 15.0);
        let colour = COLOURS[number % COLOURS.len()];
        // It is a string, which takes all that is written.
        let _ = writeln!(
            text,
            "<path d=\"M{x} {} h20\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{y}\">{}</text>",
            y - 4.0,
            x + 26.0,
            line.name
        );
    }
    text + "</svg>\n"
}

/// A field with its axes and lines.
fn field(text: &mut String, left: f64, title: &str, lengths: &[u64], lines: &[Vec<f64>]) {
    let across = Axis { least: 0.0, most: lengths.last().map_or(1.0, |most| (*most as f64).log10()).max(1.0) };
    let up = Axis::around(lines.iter().flatten().copied());
    let x = |length: f64| left + WIDTH * across.place(length);
    let y = |value: f64| TOP + HEIGHT * (1.0 - up.place(value));
    let _ = writeln!(text, "<text x=\"{left}\" y=\"{}\">{title}</text>", TOP - 10.0);
    for power in up.least as i32..=up.most as i32 {
        let (value, at) = (10_f64.powi(power), y(10_f64.powi(power)));
        let _ = writeln!(
            text,
            "<path d=\"M{left} {at:.1} h{WIDTH}\" stroke=\"#ccc\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    for length in lengths.iter().step_by(2) {
        let at = x(*length as f64);
        let _ = writeln!(
            text,
            "<path d=\"M{at:.1} {TOP} v{HEIGHT}\" stroke=\"#eee\"/>\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            TOP + HEIGHT + 16.0,
            bytes(*length)
        );
    }
    for (values, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let points =
            lengths.iter().zip(values).map(|(length, value)| format!("{:.1},{:.1}", x(*length as f64), y(*value)));
        let points = points.collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
    }
}

/// A length in few letters.
fn bytes(length: u64) -> String {
    match length {
        0..1024 => format!("{length} B"),
        1024..1_048_576 => format!("{} KB", length >> 10),
        _ => format!("{} MB", length >> 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_a_point_for_each_length_inside_its_field() {
        let line = |name: &str, slow: f64| Line {
            name: name.into(),
            microseconds: vec![10.0 * slow, 12.0 * slow, 1000.0 * slow],
        };
        let text = svg(&[1, 1024, 1 << 20], &[line("ours", 1.0), line("theirs", 7.5)]);
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("<polyline")).collect();
        assert_eq!((lines.len(), text.matches("ours").count(), text.matches("theirs").count()), (4, 1, 1));
        for line in lines {
            let points = line.split('"').nth(1).unwrap().split(' ');
            let points: Vec<_> = points.map(|point| point.split_once(',').unwrap()).collect();
            assert_eq!(points.len(), 3);
            let height = |(_, y): &(&str, &str)| y.parse::<f64>().unwrap();
            assert!(points.iter().all(|point| (TOP..=TOP + HEIGHT).contains(&height(point))), "{line}");
        }
        assert!(text.contains("1 KB") || text.contains("1 MB"), "{text}");
    }
}
