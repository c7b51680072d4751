//! The kernel's own words to the person: what is printed, how, and what is kept.

use std::path::Path;

use machine::Record;
use rewrite::Object;
use trace::Event;

use super::{End, Outcome, Symbols};
use crate::failure::OURS;

/// Which records the person asked for; errors and panics are always shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// `--verbose`
    pub debug: bool,
    /// `--figures`
    pub figures: bool,
    /// Not `--quiet`
    pub notices: bool,
}

/// Takes records and says what to print.
pub struct Records {
    wanted: Wanted,
    symbols: Symbols,
    /// The kernel has said why it ends.
    pub explained: bool,
    /// A kernel panic was reported.
    pub panicked: bool,
    /// `name=value` pairs, in the order they came.
    pub figures: Vec<(String, u64)>,
    /// Sites that the run has proven, a file's in each, and whether that was all.
    sites: (Vec<Object>, bool),
}

impl Records {
    /// For a kernel whose unstripped image is `image`.
    #[must_use]
    pub fn new(wanted: Wanted, image: &Path) -> Self {
        let symbols = Symbols::new(image);
        Self { wanted, symbols, explained: false, panicked: false, figures: Vec::new(), sites: (Vec::new(), false) }
    }

    /// Takes a record of the kernel's; returns the line for standard error, if any.
    pub fn take(&mut self, kind: u8, payload: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(payload);
        let text = text.trim_end_matches('\n');
        const DEBUG: u8 = Record::Debug as u8;
        const TRACE: u8 = Record::Trace as u8;
        const PANIC: u8 = Record::Panic as u8;
        const FIGURES: u8 = Record::Figures as u8;
        const NOTICE: u8 = Record::Notice as u8;
        const SITES: u8 = Record::Sites as u8;
        match kind {
            DEBUG => self.wanted.debug.then(|| ours(text)),
            TRACE => Some(trace(payload)),
            NOTICE => self.wanted.notices.then(|| ours(text)),
            SITES => self.sites(text),
            PANIC => Some(self.panic(text)),
            FIGURES => {
                self.figures.extend(text.split_whitespace().filter_map(figure));
                self.wanted.figures.then(|| ours(text))
            }
            _ => {
                self.explained = true;
                Some(ours(text))
            }
        }
    }

    /// Takes sites of a file, or the end of them.
    fn sites(&mut self, text: &str) -> Option<String> {
        let (objects, is_whole) = &mut self.sites;
        match text.parse() {
            _ if text.is_empty() => *is_whole = true,
            Ok(object) => objects.push(object),
            Err(wrong) => return Some(ours(&format!("the kernel sent sites that make no sense: {wrong}"))),
        }
        None
    }

    /// The last word about a run that ended with this status.
    #[must_use]
    pub fn outcome(self, status: u8) -> Outcome {
        let (sites, is_whole) = self.sites;
        Outcome { status, figures: self.figures, sites: is_whole.then_some(sites) }
    }

    /// Takes a line of a panic, with names for its addresses.
    pub fn panic(&mut self, line: &str) -> String {
        let first = !std::mem::replace(&mut self.panicked, true);
        self.explained = true;
        let line = self.symbols.explain(line);
        if first { ours(&line) } else { line }
    }

    /// Takes the kernel's last word; explains it if the kernel did not. Returns the command's exit status.
    pub fn conclude(&self, end: End) -> u8 {
        if let Some(sentence) = end.sentence().filter(|_| !self.explained) {
            eprintln!("whittle: {sentence}");
        }
        if self.panicked { OURS } else { end.status() }
    }

    /// Takes what came over the serial port, early text and panics, with names for its addresses.
    pub fn serial(&mut self, text: &str) -> Vec<String> {
        text.lines().filter(|line| !line.trim().is_empty()).map(|line| self.symbols.explain(line.trim_end())).collect()
    }
}

/// The line of a trace record.
fn trace(record: &[u8]) -> String {
    match trace::Record::decode(record) {
        // Not asked for by `--trace`, but by `--verbose`.
        Some(record @ trace::Record::Event(Event::Missing { .. })) => ours(&record.to_string()),
        Some(record) => record.to_string(),
        None => ours(&format!("the kernel sent a trace record of {} bytes that makes no sense", record.len())),
    }
}

/// A line of ours.
fn ours(line: &str) -> String {
    if line.starts_with("whittle: ") { line.to_owned() } else { format!("whittle: {line}") }
}

fn figure(word: &str) -> Option<(String, u64)> {
    let (name, value) = word.split_once('=')?;
    Some((name.to_owned(), value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_record_goes_its_way() {
        let mut records = Records::new(Wanted::default(), Path::new("/none"));
        assert_eq!(records.take(0, b"debug"), None);
        let mut call = trace::Call::new(0, 1, &[1, 0x1000, 1, 0, 0, 0]);
        call.add(1, b"x", false);
        call.set_result(1);
        assert_eq!(records.take(1, call.bytes()).as_deref(), Some("write(1, \"x\", 1) = 1"));
        let missing = Event::Missing { number: 41 }.encode().unwrap();
        let line = "whittle: system call 41 (socket) is not there: ENOSYS";
        assert_eq!(records.take(1, &missing).as_deref(), Some(line));
        assert!(records.take(1, b"nonsense").is_some_and(|line| line.starts_with("whittle: the kernel sent")));
        assert_eq!(records.take(4, b"entry=12 pages=x exit=14"), None);
        assert_eq!(records.figures, [("entry".to_owned(), 12), ("exit".to_owned(), 14)]);
        assert_eq!(records.take(5, b"2 files"), None);
        records.wanted.notices = true;
        assert_eq!(records.take(5, b"2 files").as_deref(), Some("whittle: 2 files"));
        assert!(!records.explained);
        assert_eq!(records.take(2, b"out of memory\n").as_deref(), Some("whittle: out of memory"));
        assert!(records.explained && !records.panicked);
        assert_eq!(records.take(3, b"panic at x").as_deref(), Some("whittle: panic at x"));
        assert_eq!(records.take(3, b"rax 0x1").as_deref(), Some("rax 0x1"));
        assert!(records.panicked);
    }

    #[test]
    fn sites_count_when_all_have_come() {
        let take = |lines: &[&[u8]]| {
            let mut records = Records::new(Wanted::default(), Path::new("/none"));
            let told: Vec<String> = lines.iter().filter_map(|line| records.take(6, line)).collect();
            (records.outcome(0).sites, told)
        };
        let object = |line: &str| line.parse::<Object>().unwrap();
        assert_eq!(take(&[]), (None, vec![]));
        assert_eq!(take(&[b""]), (Some(vec![]), vec![]));
        assert_eq!(take(&[b"ab 0x1 /a"]), (None, vec![]));
        let both = vec![object("ab 0x1 /a"), object("cd 0x2,0x3 /b c")];
        assert_eq!(take(&[b"ab 0x1 /a", b"cd 0x2,0x3 /b c", b""]), (Some(both), vec![]));
        let (sites, told) = take(&[b"nonsense", b""]);
        assert!(sites == Some(vec![]) && told[0].starts_with("whittle: the kernel sent sites"), "{told:?}");
    }
}
