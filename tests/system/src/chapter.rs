//! A text for readers as steps: files to write and commands to type, with what they print.
//!
//! A code block after a line that is nothing but a path in backquotes and a colon is that file. In a block of the
//! language `console`, lines that begin with `$ ` are commands; those below are what they print. What they print is
//! compared as it stands, but for two signs that a text may make:
//!
//! - `...` is anything: alone on a line any lines, else any part of its line;
//! - in a block of the language `console,figures` a number is any number, in columns of any width.
//!
//! What whittle says while it builds is left out: it depends on what was there before.
//!
//! A command that ends in `&` goes on behind those that follow, and ends with the text.
//!
//! A command that ends in `# takes minutes` ([`MINUTES`]) is left to `--all`. One that ends in `# needs a terminal`
//! ([`TERMINAL`]) gets one, and is ended by `q`.

use std::{fs, mem};

use crate::paths::project_root;

/// What a text says behind a command that a test types with `--all` only.
pub const MINUTES: &str = "takes minutes";
/// What a text says behind a command that is looked at, and then ended by `q`.
pub const TERMINAL: &str = "needs a terminal";

/// Something that a reader does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Writes a file, its path relative to the folder the reader works in.
    File {
        /// The path.
        path: String,
        /// What is in it.
        text: String,
    },
    /// Types a command.
    Command(Typed),
}

/// A command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// For a shell.
    pub line: String,
    /// What it prints; nothing if the text does not say.
    pub output: String,
    /// Numbers in the output are examples.
    pub has_figures: bool,
}

impl Typed {
    /// What is special about it, if the text says so.
    #[must_use]
    pub fn mark(&self) -> Option<&'static str> {
        let (_, comment) = self.line.rsplit_once("# ")?;
        [MINUTES, TERMINAL].into_iter().find(|mark| comment == *mark)
    }

    /// Whether this was to be expected.
    #[must_use]
    pub fn agrees(&self, printed: &str) -> bool {
        let plain = |text: &str| -> Vec<String> {
            let text = if self.has_figures { without_figures(text) } else { text.to_owned() };
            text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
        };
        let (expected, mut printed) = (plain(&self.output), plain(printed));
        printed.retain(|line| !is_progress(line));
        matches(
            &expected,
            &printed,
            |line| line.trim() == "...",
            |one, other| {
                let pieces: Vec<&str> = one.split("...").collect();
                fits(&pieces, other)
            },
        )
    }
}

/// Whether whittle says there how far it is with a build, which depends on what was built before.
fn is_progress(line: &str) -> bool {
    line.starts_with("whittle: building ") || line.starts_with("whittle: another start is building ")
}

/// Whether `items` are the `pattern`, in which what `is_any` stands for any number of items.
fn matches<T>(pattern: &[T], items: &[T], is_any: fn(&T) -> bool, is_same: fn(&T, &T) -> bool) -> bool {
    match pattern.split_first() {
        None => items.is_empty(),
        Some((first, rest)) if is_any(first) => {
            (0..=items.len()).any(|skipped| matches(rest, &items[skipped..], is_any, is_same))
        }
        Some((first, rest)) => items
            .split_first()
            .is_some_and(|(item, items)| is_same(first, item) && matches(rest, items, is_any, is_same)),
    }
}

/// Whether a line is these pieces with anything between them.
fn fits(pieces: &[&str], line: &str) -> bool {
    let (first, rest) = pieces.split_first().expect("a line has a piece");
    let Some(line) = line.strip_prefix(first) else { return false };
    let Some((last, middle)) = rest.split_last() else { return line.is_empty() };
    let end = middle.iter().try_fold(line, |line, piece| line.split_once(piece).map(|(_, line)| line));
    end.is_some_and(|end| end.ends_with(last))
}

/// Numbers, and what groups their digits, become one sign; gaps between columns one blank.
fn without_figures(text: &str) -> String {
    let mut plain = String::new();
    for line in text.lines() {
        let mut words = Vec::new();
        for word in line.split_whitespace() {
            let is_figure = word.contains(|letter: char| letter.is_ascii_digit())
                && word.chars().all(|letter| letter.is_ascii_digit() || ".,+% ".contains(letter));
            // Digits are grouped by blanks: two figures beside each other are one.
            if !(is_figure || word == "-") {
                words.push(word);
            } else if words.last() != Some(&"#") {
                words.push("#");
            }
        }
        plain += &words.join(" ");
        plain.push('\n');
    }
    plain
}

/// The steps of `docs/src/NAME.md`. Where the book says `whittle/`, for the reader's copy of the repository, the
/// steps name the repository itself.
#[must_use]
pub fn chapter(path: &str) -> Vec<Step> {
    let root = project_root();
    let text = fs::read_to_string(root.join(path)).expect("the text is there");
    let house = format!("{}/", root.display());
    // A path that leads to the copy from somewhere else, then the copy from where the reader works.
    let text = text.replace("../../whittle/", &house).replace("../whittle/", &house);
    steps(&text.replace("$ whittle/", &format!("$ {house}")).replace("| whittle/", &format!("| {house}")))
}

fn steps(chapter: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut caption = "";
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            if !line.is_empty() {
                caption = line;
            }
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let file = mem::take(&mut caption).strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
        match (file, language) {
            (Some(path), _) => steps.push(Step::File { path: path.to_owned(), text: block.join("\n") + "\n" }),
            (None, "console") => steps.extend(commands(&block, false)),
            (None, "console,figures") => steps.extend(commands(&block, true)),
            (None, _) => {}
        }
    }
    steps
}

fn commands(block: &[&str], has_figures: bool) -> impl Iterator<Item = Step> {
    let mut commands: Vec<Typed> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(line), _) => commands.push(Typed { line: line.to_owned(), output: String::new(), has_figures }),
            (None, Some(command)) => command.output += &format!("{line}\n"),
            (None, _) => panic!("a console block begins with a command, not with {line:?}"),
        }
    }
    commands.into_iter().map(Step::Command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str, output: &str, has_figures: bool) -> Typed {
        Typed { line: line.into(), output: output.into(), has_figures }
    }

    #[test]
    fn files_and_commands_are_found_in_their_order() {
        let file = Step::File { path: "a/b.toml".into(), text: "x = 1\n".into() };
        let command = |line, output| Step::Command(command(line, output, false));
        let text =
            "Words.\n\n`a/b.toml`:\n\n```toml\nx = 1\n```\n\n```toml\ny = 2\n```\n```console\n$ a\n1\n2\n$ b\n```\n";
        assert_eq!(steps(text), [file, command("a", "1\n2\n"), command("b", "")]);
    }

    #[test]
    fn what_is_printed_is_compared_but_for_the_signs() {
        let exact = command("a", "one 12\n\n", false);
        assert!(exact.agrees("whittle: building the image a: 3 crates, 10 s\none 12\n"));
        assert!(exact.agrees("one 12\n") && !exact.agrees("one 13\n") && !exact.agrees("one 12\ntwo\n"));
        let dots = command("a", "one\n...\nlast (...) b...\n", false);
        assert!(dots.agrees("one\nlast (x) b\n") && dots.agrees("one\n2\n3\nlast () bc\n"));
        assert!(!dots.agrees("one\nlast (x) c\n") && !dots.agrees("2\nlast () b\n"));
        let figures = command("a", "size   1 234  5.6 %  f\n", true);
        assert!(figures.agrees("size 12 3.0 %  f\n") && !figures.agrees("size 12 3.0 %  g\n"));
    }

    #[test]
    fn a_mark_stands_at_the_end() {
        assert_eq!(command("vi x   # needs a terminal", "", false).mark(), Some("needs a terminal"));
        assert_eq!(command("ls   # what is there", "", false).mark(), None);
    }
}
