//! A chapter of the book as steps: files to write and commands to type, with what they print.
//!
//! A code block after a line that is nothing but a path in backquotes and a colon is that file. In a block of the
//! language `console`, lines that begin with `$ ` are commands; those below are what they print.

use std::{fs, mem};

use crate::paths::project_root;

/// Something that a reader of a chapter does.
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
    Command {
        /// The command, for a shell.
        line: String,
        /// What it prints.
        output: String,
    },
}

/// The steps of `docs/src/NAME.md`. Where the book says `whittle/`, for the reader's copy of the repository, the
/// steps name the repository itself.
#[must_use]
pub fn chapter(name: &str) -> Vec<Step> {
    let root = project_root();
    let path = root.join("docs/src").join(name).with_extension("md");
    let text = fs::read_to_string(&path).expect("the chapter is there");
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
        match file {
            Some(path) => steps.push(Step::File { path: path.to_owned(), text: block.join("\n") + "\n" }),
            None if language == "console" => steps.extend(commands(&block)),
            None => {}
        }
    }
    steps
}

fn commands(block: &[&str]) -> Vec<Step> {
    let mut commands = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(line), _) => commands.push(Step::Command { line: line.to_owned(), output: String::new() }),
            (None, Some(Step::Command { output, .. })) => *output += &format!("{line}\n"),
            (None, _) => panic!("a console block begins with a command, not with {line:?}"),
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_commands_are_found_in_their_order() {
        let file = Step::File { path: "a/b.toml".into(), text: "x = 1\n".into() };
        let command = |line: &str, output: &str| Step::Command { line: line.into(), output: output.into() };
        let text =
            "Words.\n\n`a/b.toml`:\n\n```toml\nx = 1\n```\n\n```toml\ny = 2\n```\n```console\n$ a\n1\n2\n$ b\n```\n";
        assert_eq!(steps(text), [file, command("a", "1\n2\n"), command("b", "")]);
    }
}
