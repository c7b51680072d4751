//! Names of files and folders in a document: each is there, or the reader makes it; and each link leads somewhere.

use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::prose::{events, line_of};

/// The files and folders that a document names in backquotes and that the repository lacks, each with its line.
///
/// A path that begins with an entry of the repository's root is looked for from there; any other one may be the end of
/// a path, as `objects/tree.rs` is of `api/linux/src/objects/tree.rs`. What the document has its reader write, build or
/// make is not looked for.
pub fn missing(text: &str, sources: &[PathBuf]) -> Vec<(usize, String)> {
    let sources: Vec<Vec<&str>> = sources.iter().filter_map(|path| Some(path.to_str()?.split('/').collect())).collect();
    let made = made_by_the_reader(text);
    let mut missing = Vec::new();
    for (event, range) in events(text) {
        let Event::Code(name) = event else { continue };
        if !is_path(&name) {
            continue;
        }
        for path in expanded(&name) {
            let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
            if !made.contains(&parts[0].to_owned()) && !is_there(&parts, &sources) {
                missing.push((line_of(text, range.start), path));
            }
        }
    }
    missing
}

/// The files that a document of this name links to and that the repository lacks, each with its line.
pub fn dead_links(name: &str, text: &str, sources: &[PathBuf]) -> Vec<(usize, String)> {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let links = events(text).filter_map(|(event, range)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some((dest_url, range)),
        _ => None,
    });
    let dead = links.filter(|(link, _)| {
        let (file, _) = link.split_once('#').unwrap_or((link, ""));
        let is_elsewhere = file.contains("://") || file.is_empty();
        !is_elsewhere && !sources.contains(&from(folder, file))
    });
    dead.map(|(link, range)| (line_of(text, range.start), link.to_string())).collect()
}

/// A path that is relative to a folder, from the root.
fn from(folder: &Path, path: &str) -> PathBuf {
    let mut whole = folder.to_path_buf();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

/// Whether what stands in backquotes is a path of the repository's: of its files' kinds, or with folders.
fn is_path(name: &str) -> bool {
    let letters = |letter: char| letter.is_ascii_alphanumeric() || "_-./{},<>*".contains(letter);
    let is_relative = name.starts_with(|letter: char| letter.is_ascii_lowercase() || letter.is_ascii_uppercase());
    let is_source = [".rs", ".s", ".md"].iter().any(|kind| name.ends_with(kind));
    is_relative && name.chars().all(letters) && (is_source || name.contains('/')) && !name.starts_with("target/")
}

/// The paths that `a/{b,c}` stands for.
fn expanded(name: &str) -> Vec<String> {
    let Some((head, (choices, tail))) =
        name.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)))
    else {
        return vec![name.to_owned()];
    };
    choices.split(',').flat_map(|choice| expanded(&format!("{head}{choice}{tail}"))).collect()
}

/// Whether a file or a folder of this path is there.
fn is_there(path: &[&str], sources: &[Vec<&str>]) -> bool {
    let fits = |part: &[&str]| part.len() == path.len() && part.iter().zip(path).all(|(one, other)| agrees(one, other));
    let is_of_the_root = sources.iter().any(|source| source[0] == path[0]);
    let mut places = sources.iter().flat_map(|source| {
        let starts = if is_of_the_root { 1 } else { source.len() };
        (0..starts).filter_map(|start| source.get(start..start + path.len()))
    });
    places.any(fits)
}

/// Whether a part of a path is what a document says, which leaves it open by `<word>` or `*`.
fn agrees(part: &str, said: &str) -> bool {
    match said.split_once('*') {
        Some((head, tail)) => part.len() >= head.len() + tail.len() && part.starts_with(head) && part.ends_with(tail),
        None => said.starts_with('<') || part == said,
    }
}

/// First parts of paths that are the reader's own: of files that the document has written, as the tests of the book
/// know them, and what its commands make.
fn made_by_the_reader(text: &str) -> Vec<String> {
    let mut made = Vec::new();
    let (mut is_shell, mut last, mut before) = (false, String::new(), String::new());
    for (event, _) in events(text) {
        match event {
            Event::Start(Tag::Paragraph) => (last, before) = (String::new(), String::new()),
            Event::Code(name) => last = name.to_string(),
            Event::Text(text) if is_shell => made.extend(text.lines().filter_map(new_folder)),
            Event::Text(text) => before.push_str(&text),
            Event::Start(Tag::CodeBlock(kind)) => {
                is_shell = matches!(&kind, CodeBlockKind::Fenced(language) if language.starts_with("console"));
                // The paragraph was nothing but the path and a colon.
                if before == ":" {
                    made.push(last.split('/').next().unwrap_or_default().to_owned());
                }
            }
            Event::End(TagEnd::CodeBlock) => (is_shell, before) = (false, String::new()),
            _ => {}
        }
    }
    made
}

/// What `whittle new NAME` in a line of a shell makes.
fn new_folder(line: &str) -> Option<String> {
    let (_, rest) = line.strip_prefix("$ ")?.split_once("whittle new ")?;
    rest.split_whitespace().next().map(str::to_owned)
}
