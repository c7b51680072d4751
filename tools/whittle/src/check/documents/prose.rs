//! A document as its reader sees it: sentences with their words, and lines with their columns.

use std::mem;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A sentence, or what stands alone as one: a heading, a cell of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The line on which its paragraph begins, from 1.
    pub line: usize,
    /// What blanks part and has a letter or a digit; what is in backquotes is one.
    pub words: usize,
    /// Its first words.
    pub beginning: String,
}

/// What is read of a document, each with where in the text it is.
pub fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

/// The line of a place in a text, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Stands for what is in backquotes, which may begin a sentence.
const NAME: &str = "Name";

/// The sentences of a document. Listings have none.
pub fn sentences(text: &str) -> Vec<Sentence> {
    let (mut found, mut block, mut begin, mut is_listing) = (Vec::new(), String::new(), 0, false);
    for (event, range) in events(text) {
        match event {
            Event::Text(text) if !is_listing => block.push_str(&text),
            Event::Code(_) => block.push_str(NAME),
            Event::SoftBreak | Event::HardBreak => block.push(' '),
            Event::Start(tag) if !is_within_a_sentence(&tag) => {
                split(&mem::take(&mut block), line_of(text, begin), &mut found);
                begin = range.start;
                is_listing = matches!(tag, Tag::CodeBlock(_));
            }
            Event::End(end) if !ends_within_a_sentence(end) => {
                split(&mem::take(&mut block), line_of(text, begin), &mut found);
                begin = range.end;
                is_listing = false;
            }
            _ => {}
        }
    }
    found
}

fn is_within_a_sentence(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. })
}

fn ends_within_a_sentence(end: TagEnd) -> bool {
    matches!(end, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image)
}

/// Parts a block where a word that ends a sentence stands before one that may begin another.
fn split(block: &str, line: usize, found: &mut Vec<Sentence>) {
    let mut sentence: Vec<&str> = Vec::new();
    let mut words = block.split_whitespace().peekable();
    while let Some(word) = words.next() {
        sentence.push(word);
        if words.peek().is_none_or(|next| ends(word) && begins(next)) {
            let words = sentence.iter().filter(|word| word.contains(char::is_alphanumeric)).count();
            let beginning = sentence[..sentence.len().min(6)].join(" ");
            found.push(Sentence { line, words, beginning });
            sentence.clear();
        }
    }
}

fn ends(word: &str) -> bool {
    word.trim_end_matches(['"', '\'', ')', '”']).ends_with(['.', '!', '?'])
}

fn begins(word: &str) -> bool {
    word.trim_start_matches(['"', '\'', '(', '“']).starts_with(|letter: char| !letter.is_lowercase())
}

/// The lines of a document with their columns, each from 1. Lines of tables and listings are left out if not `all` are
/// wanted, and where a link leads counts for nothing.
pub fn columns(text: &str, all: bool) -> Vec<(usize, usize)> {
    let mut lines: Vec<Option<usize>> = text.lines().map(|line| Some(line.chars().count())).collect();
    for (event, range) in events(text) {
        let first = line_of(text, range.start) - 1;
        match event {
            Event::Start(Tag::Table(_) | Tag::CodeBlock(_)) if !all => {
                let end = line_of(text, range.end.saturating_sub(1));
                lines[first..end].fill(None);
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let last = line_of(text, range.end.saturating_sub(1)) - 1;
                lines[last] = lines[last].map(|columns| columns.saturating_sub(dest_url.chars().count()));
            }
            _ => {}
        }
    }
    lines.into_iter().zip(1..).filter_map(|(columns, line)| Some((line, columns?))).collect()
}
