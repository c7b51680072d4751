//! `whittle menu` on a terminal, as a person uses it: parts chosen, whittle.toml saved, the terminal left as it was.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use system_tests::{Check, Outcome, Platform, Running, Scope, Terminal, project_root, scratch};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("a_component_is_chosen_and_comments_stay", Scope::Once, choose_and_save),
        Check::new("a_signal_leaves_the_terminal_as_it_was", Scope::Once, ended_by_a_signal),
        Check::new("without_a_terminal_there_is_a_sentence", Scope::Once, no_terminal),
    ])
}

/// The command may have to be built first.
const BUILD: Duration = Duration::from_secs(900);

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(project_root().join("whittle"));
    command.args(words);
    command
}

fn whittle(folder: &Path, words: &[&str]) -> Outcome {
    let mut command = command(words);
    command.current_dir(folder);
    Running::start(command, None).finish(BUILD)
}

/// A folder made by `whittle new`, and the menu of it.
fn menu() -> (tempfile::TempDir, Terminal) {
    let folder = scratch();
    whittle(folder.path(), &["new", "native"]).expect_status(0);
    let project = folder.path().join("native");
    let terminal = Terminal::open(80, 24, &command(&["menu", project.to_str().unwrap()]));
    terminal.wait_for("native: a rust image, shown for pc");
    (folder, terminal)
}

fn choose_and_save(_: Platform) {
    let (folder, terminal) = menu();
    let wishes = || fs::read_to_string(folder.path().join("native/whittle.toml")).unwrap();
    let before = wishes();
    terminal.keys(&["/console", "Enter", "Enter"]);
    terminal.wait_for("console: choose");
    terminal.keys(&["Up", "Up", "Enter"]);
    terminal.wait_for("does not resolve: whittle.toml:11: `message` needs console, which is \"none\" here");
    terminal.keys(&["s"]);
    terminal.wait_for("Escape goes back");
    terminal.keys(&["Escape"]);
    terminal.wait_for("Enter choose");
    terminal.keys(&["Enter"]);
    terminal.wait_for("console: choose");
    terminal.keys(&["Down", "Down", "Down", "Enter"]);
    terminal.wait("an image that resolves", |screen| screen.contains("\nresolves: ") && screen.contains("port"));
    terminal.keys(&["g", "j", "Space"]);
    terminal.wait("an image that resolves", |screen| screen.contains("\nresolves: ") && screen.contains("port"));
    assert_eq!(wishes(), before, "nothing is written before s");

    terminal.resize(60, 15);
    terminal.wait("a smaller menu", |screen| screen.contains("resolves: ") && screen.lines().count() == 15);
    terminal.keys(&["q"]);
    terminal.wait_for("not saved");
    terminal.keys(&["s"]);
    terminal.expect_end(0);
    let after =
        before.replace("console = \"plain\"", "console = \"port\"").replace("[\"pc\", \"process\"]", "[\"pc\"]");
    assert_ne!(after, before);
    assert_eq!(wishes(), after);
}

fn ended_by_a_signal(_: Platform) {
    let (_folder, terminal) = menu();
    terminal.kill_program();
    terminal.expect_end(128 + 15);
    assert!(!terminal.screen().contains("a rust image"), "the menu is still there:\n{}", terminal.screen());
}

fn no_terminal(_: Platform) {
    let folder = scratch();
    let sentence = whittle(folder.path(), &["menu"]).expect_status(125).expect_sentence();
    assert!(sentence.contains("needs a terminal"), "{sentence}");
}
