//! Compositions as a new user meets them: a folder made, its image built and run, its program taken over.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use system_tests::{Check, Outcome, Platform, Running, Scope, scratch};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("a_folder_becomes_an_image_and_its_owners", Scope::Once, from_new_to_eject),
        Check::new("a_new_component_is_tested_and_runs", Scope::Once, new_component),
        Check::new("a_missing_slot_is_named_in_words_of_the_file", Scope::Once, missing_slot),
    ])
}

/// Whole-program optimisation of an image takes its time on a busy machine.
const BUILD: Duration = Duration::from_secs(900);

fn whittle(folder: &Path, words: &[&str]) -> Outcome {
    let mut command = system_tests::whittle();
    command.args(words).current_dir(folder);
    Running::start(command, None).finish(BUILD)
}

fn from_new_to_eject(_: Platform) {
    let folder = scratch();
    let whittle = |words: &[&str]| whittle(folder.path(), words);
    whittle(&["new", "greeting", "--kind", "linux"]).expect_status(0);
    assert!(whittle(&["new", "greeting"]).expect_status(125).expect_sentence().contains("is there already"));
    whittle(&["new", "native"]).expect_status(0);
    let manifest = fs::read_to_string(folder.path().join("native/Cargo.toml")).unwrap();
    assert!(manifest.contains("autobins = false"), "cargo would take main.rs for a program too: {manifest}");
    whittle(&["eject", "greeting", "--platform", "process"]).expect_status(0);
    whittle(&["eject", "greeting", "--platform", "process"]).expect_status(125);
    let wishes = fs::read_to_string(folder.path().join("greeting/whittle.toml")).unwrap();
    assert!(wishes.contains("process = \"image-process\"") && wishes.starts_with("# What the image"), "{wishes}");

    let built = whittle(&["build", "greeting", "--platform", "process"]);
    built.expect_status(0);
    for file in ["greeting-process.img", "greeting-process.elf", "greeting-process.json"] {
        assert!(built.text().contains(&format!("greeting/target/whittle/{file}")), "{}", built.text());
        assert!(folder.path().join("greeting/target/whittle").join(file).is_file(), "{file}");
    }
    let run = ["run", "--platform", "process", "--verbose", "greeting"];
    let outcome = whittle(&run);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "hello\n");
    assert!(outcome.error_text().contains("the image is greeting-process of "), "{}", outcome.error_text());
    whittle(&["run", "--platform", "process", "greeting", "echo", "again"]).expect_status(0).expect_output("again\n");
}

/// What `new --kind component` writes builds as it is, and its image shows what it does; the verbs know it.
fn new_component(_: Platform) {
    let folder = scratch();
    let whittle = |words: &[&str]| whittle(folder.path(), words);
    let advice = whittle(&["new", "line-marks", "--kind", "component"]);
    advice.expect_status(0);
    assert!(advice.text().contains("whittle run line-marks/image"), "{}", advice.text());
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--manifest-path", "line-marks/Cargo.toml"]).current_dir(folder.path());
    Running::start(cargo, None).finish(BUILD).expect_status(0);
    let run = ["run", "--platform", "process", "line-marks/image"];
    whittle(&run).expect_status(0).expect_output("> One line,\n> and another.\n");
    let known = whittle(&["explain", "line-marks", "--folder", "line-marks/image"]);
    assert!(known.text().contains("  declared in  line-marks/Cargo.toml\n"), "{}", known.text());
    for (name, why) in [("heap", "is whittle's own"), ("box", "is a word of Rust's")] {
        let refused = whittle(&["new", name, "--kind", "component"]).expect_status(125).expect_sentence();
        assert!(refused.contains(why) && !folder.path().join(name).exists(), "{refused}");
    }
}

/// The owner of a crate takes a line out, and hears of it in words of whittle.toml.
fn missing_slot(_: Platform) {
    let folder = scratch();
    whittle(folder.path(), &["new", "silent", "--kind", "linux"]).expect_status(0);
    whittle(folder.path(), &["eject", "silent", "--platform", "process"]).expect_status(0);
    let program = folder.path().join("silent/image-process/src/main.rs");
    let text = fs::read_to_string(&program).unwrap();
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("provide_entropy")).collect();
    fs::write(&program, kept.join("\n")).unwrap();
    let sentence =
        whittle(folder.path(), &["build", "silent", "--platform", "process"]).expect_status(125).expect_sentence();
    assert!(
        sentence.contains("uses entropy (fill)") && sentence.contains("provide_entropy!(process::Entropy)"),
        "{sentence}"
    );
}
