//! What is told about components in crates of one's own.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::super::{Catalogue, REQUEST};
use super::{components, explain};

/// A folder with a whittle.toml that names a crate of its own, though not a program that is there.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = 'shouts'\n[package.metadata.whittle.component.shouting]\n\
                    summary = 'capital letters'\nhelp = 'For those far away.'\nprovides = ['console']\n\
                    slots.console = 'shouts::Loud<{times}>'\noptions.times = { type = 'number', default = 2, help = 'h' }";
    fs::create_dir(folder.path().join("shouts")).unwrap();
    fs::write(folder.path().join("shouts/Cargo.toml"), manifest).unwrap();
    let request = "name = 'hello'\nkind = 'rust'\ncrates.shouts = 'shouts'";
    fs::write(folder.path().join(REQUEST), request).unwrap();
    folder
}

fn offer() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/offer")
}

#[test]
fn components_lists_those_of_a_folder() {
    let folder = folder();
    let catalogue = Catalogue::of_folder(&offer(), Some(folder.path())).unwrap();
    let table = components::table(&catalogue, Some("console")).unwrap();
    assert!(table.contains("console   shouting   all        capital letters\n"), "{table}");
    let json = components::rows_as_json(&catalogue, Some("console")).unwrap();
    assert!(json.contains("\"crate\": \"shouts\""), "{json}");
    let without = Catalogue::of_folder(&offer(), None).unwrap();
    assert!(!components::table(&without, None).unwrap().contains("shouting"));
}

#[test]
fn explain_knows_those_of_a_folder() {
    let folder = folder();
    let catalogue = Catalogue::of_folder(&offer(), Some(folder.path())).unwrap();
    let text = explain::text(&catalogue, "shouting").unwrap();
    let manifest = folder.path().join("shouts/Cargo.toml");
    let line = format!("  declared in  {}\n", manifest.display());
    assert!(text.contains("shouting is a component: capital letters\n\nFor those far away.\n"), "{text}");
    assert!(text.contains("  crate  shouts\n") && text.contains(&line), "{text}");
    assert!(text.contains("console = { use = \"shouting\", times = 2 }"), "{text}");
    assert!(explain::text(&catalogue, "console").unwrap().contains("  provided by  shouting (all): capital letters\n"));
    assert!(explain::text(&catalogue, "bump").unwrap().contains("  declared in  elements/heap/Cargo.toml\n"));
}

#[test]
fn a_folder_without_wishes_is_told() {
    let nowhere = tempfile::tempdir().unwrap();
    let failure = Catalogue::of_folder(&offer(), Some(nowhere.path())).unwrap_err();
    assert!(failure.sentence.contains("`whittle new NAME` makes a folder with one"), "{}", failure.sentence);
}

/// On the real house: the trait, the file that is there, and each method with what it means.
#[test]
fn a_contract_is_explained_by_its_methods() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let catalogue = Catalogue::read(&root).unwrap();
    let text = explain::text(&catalogue, "heap").unwrap();
    let place = text.lines().find_map(|line| line.strip_prefix("  trait  heap::Heap, in ")).unwrap();
    let (file, line) = place.rsplit_once(':').unwrap();
    let source = fs::read_to_string(root.join(file)).unwrap();
    let declared = source.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
    assert!(declared.trim_start().starts_with("heap = "), "{place}");
    let method = "  fn free(&self, block: Block);\n      Takes a block back.\n";
    assert!(text.contains(method), "{text}");
    let text = explain::text(&catalogue, "scheduler").unwrap();
    assert!(text.contains("  fn processors(&self) -> usize;  // may be left out\n"), "{text}");
    for contract in catalogue.contracts.values() {
        let text = explain::text(&catalogue, &contract.name).unwrap();
        for method in contract.declaration.iter().flat_map(|declaration| &declaration.methods) {
            assert!(text.contains(&method.signature) && !method.help.is_empty(), "{}: {}", contract.name, method.name);
        }
    }
}
