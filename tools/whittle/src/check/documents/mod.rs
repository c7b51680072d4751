//! What the documents owe their readers: short sentences, lines that fit, names of files that exist, and a map that is
//! no longer than two screens. Comments of sources owe them lines that fit, too.

mod files;
mod prose;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;

use crate::house::House;
use crate::install::sources;

/// Words of the longest sentence.
const WORDS: usize = 30;
/// Columns of the longest line, of which a table, a listing or a link may have more.
const COLUMNS: usize = 120;
/// The document that is a map: its lines, tables and listings among them, and how many there may be.
const MAP: (&str, usize) = ("ARCHITECTURE.md", 120);

/// Looks at every document of the repository; an error names each place that breaks a rule.
pub fn check(house: &House) -> Result<(), String> {
    let sources = sources(&house.root).map_err(|failure| failure.sentence)?;
    let mut wrong = Vec::new();
    let read = |name: &str| fs::read_to_string(house.root.join(name)).map_err(|error| format!("{name}: {error}"));
    for name in named(&sources, &[".md"]) {
        look(&name, &read(&name)?, &sources, &mut wrong);
    }
    // What the book shows is as the command wrote it.
    for name in named(&sources, &[".rs", ".c", ".h"]).iter().filter(|name| !name.starts_with("docs/")) {
        look_at_comments(name, &read(name)?, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Those whose names end in one of these ways.
fn named(sources: &[PathBuf], ends: &[&str]) -> Vec<String> {
    let names = sources.iter().map(|path| path.display().to_string());
    names.filter(|name| ends.iter().any(|end| name.ends_with(end))).collect()
}

/// Notes the lines of comments in a source that are too long, tables' aside: the formatter leaves them as they are.
fn look_at_comments(name: &str, text: &str, wrong: &mut Vec<String>) {
    for (index, line) in text.lines().enumerate() {
        let columns = line.chars().count();
        let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
        if columns > COLUMNS && !comment.trim_start_matches(['/', '!', ' ']).starts_with('|') {
            wrong.push(format!("{name}:{}: a comment of {columns} columns, of {COLUMNS} at most", index + 1));
        }
    }
}

/// Notes what is wrong in a document, of a repository with these files.
fn look(name: &str, text: &str, sources: &[PathBuf], wrong: &mut Vec<String>) {
    for sentence in prose::sentences(text).iter().filter(|sentence| sentence.words > WORDS) {
        let prose::Sentence { line, words, beginning } = sentence;
        wrong.push(format!("{name}:{line}: a sentence of {words} words, of {WORDS} at most: {beginning} ..."));
    }
    for (line, columns) in prose::columns(text, name == MAP.0) {
        if columns > COLUMNS {
            wrong.push(format!("{name}:{line}: {columns} columns, of {COLUMNS} at most"));
        }
    }
    let lines = text.lines().count();
    if name == MAP.0 && lines > MAP.1 {
        wrong.push(format!("{name}: {lines} lines, of {} at most: what is deep belongs to a chapter", MAP.1));
    }
    for (line, path) in files::missing(text, sources) {
        wrong.push(format!("{name}:{line}: `{path}` is not there"));
    }
    for (line, link) in files::dead_links(name, text, sources) {
        wrong.push(format!("{name}:{line}: the link to {link} leads nowhere"));
    }
}
