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
        Check::new("an_image_leads_to_its_folder", Scope::Once, of_an_image),
        Check::new("without_a_terminal_there_is_a_sentence", Scope::Once, no_terminal),
    ])
}

/// The command may have to be built first.
const BUILD: Duration = Duration::from_secs(900);

fn command(words: &[&str]) -> Command {
    let mut command = system_tests::whittle();
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

/// What `build -o` has made, beside the folder that it was made of; and with no such folder around it.
fn of_an_image(_: Platform) {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("hello/src")).unwrap();
    for file in ["whittle.toml", "Cargo.toml", "src/main.rs"] {
        let from = project_root().join("apps/hello-native").join(file);
        fs::copy(from, folder.path().join("hello").join(file)).unwrap();
    }
    let native = project_root().join("apps/hello-native");
    let words = ["build", native.to_str().unwrap(), "--platform", "process", "-o", &path("some.img")];
    whittle(folder.path(), &words).expect_status(0);
    let terminal = Terminal::open(80, 24, &command(&["menu", &path("some.img")]));
    terminal.wait_for("hello: a rust image, shown for pc");
    // What is chosen there goes to the folder.
    terminal.keys(&["/panic", "Enter", "Enter"]);
    terminal.wait_for("panic: choose");
    terminal.keys(&["Up", "Enter", "s"]);
    terminal.wait_for("saved");
    terminal.keys(&["q"]);
    terminal.expect_end(0);
    let chosen = fs::read_to_string(path("hello/whittle.toml")).unwrap();
    assert!(chosen.contains("console = \"plain\"") && !chosen.contains("panic = \"place\""), "{chosen}");

    fs::remove_dir_all(path("hello")).unwrap();
    let terminal = Terminal::open(200, 24, &command(&["menu", &path("some.img")]));
    terminal.wait_for("is built, and no whittle.toml of hello lies around it: name its folder");
    terminal.expect_end(125);
}

fn no_terminal(_: Platform) {
    let folder = scratch();
    let sentence = whittle(folder.path(), &["menu"]).expect_status(125).expect_sentence();
    assert!(sentence.contains("needs a terminal"), "{sentence}");
}
