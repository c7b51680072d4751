use std::fs;
use std::path::{Path, PathBuf};

use super::floors::{Floor, Parts};
use super::*;

/// A crate of these files in a folder of its own.
fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

/// What is wrong with a crate.
fn wrong(root: &Path, of: &str, floors: Option<&Floors>) -> Vec<String> {
    let mut wrong = Vec::new();
    look(of, &root.join("lib.rs"), root, floors, &mut BTreeSet::new(), &mut wrong).unwrap();
    wrong
}

#[test]
fn rooms_that_name_each_other_are_told_with_lines() {
    let folder = tree(&[
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub use c::Thing;\n"),
        ("a.rs", "use crate::b::x;\n"),
        ("b/mod.rs", "mod inner;\n"),
        ("b/inner.rs", "//! Inner.\n\npub fn y() {\n    let _ = super::super::Thing;\n}\n"),
        ("c.rs", "pub struct Thing;\nmacro_rules! m { () => { $crate::a::z() } }\n"),
    ]);
    let told = "x: the rooms a, b, c name each other in a circle:\n  a.rs:1: a names b (crate::b::x)\n  \
                b/inner.rs:4: b names c (crate::Thing)\n  c.rs:2: c names a (crate::a::z)\n  \
                move what both need into a room of its own, or hand it in as a parameter";
    assert_eq!(wrong(folder.path(), "x", None), [told]);
}

#[test]
fn what_tests_see_and_what_is_near_makes_no_arrow() {
    let folder = tree(&[
        ("lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod only_tests;\n"),
        (
            "a.rs",
            "use crate::b;\n#[cfg(all(test, unix))]\nmod tests { use crate::b::y; }\npub mod c { use super::d; }\n\
             pub mod d { pub use std::path; }\n",
        ),
        (
            "b.rs",
            "#[cfg(test)]\nuse crate::a;\n#[test]\nfn t() { crate::a::x(); }\nfn f() { self::a::g(); }\nmod a {}\n",
        ),
        ("only_tests.rs", "use crate::{a, b};\n"),
    ]);
    assert_eq!(wrong(folder.path(), "x", None), [""; 0]);
}

const HOUSE: Floors = Floors {
    of: "x",
    floors: &[
        Floor { name: "top", may_name: &["middle", "ground"], parts: Parts::One },
        Floor { name: "middle", may_name: &["ground"], parts: Parts::Apart },
        Floor { name: "ground", may_name: &[], parts: Parts::Layered },
    ],
};

#[test]
fn arrows_between_floors_run_down() {
    let middle = [("middle/mod.rs", "pub mod a;\npub mod b;\n"), ("ground/mod.rs", "pub mod c;\npub mod d;\n")];
    let all = |files: &[(&'static str, &'static str)]| {
        let mut all = middle.to_vec();
        all.push(("lib.rs", "mod top;\nmod middle;\nmod ground;\npub use ground::c::near;\n"));
        for name in ["top.rs", "middle/a.rs", "middle/b.rs", "ground/c.rs", "ground/d.rs"] {
            all.push((name, ""));
        }
        all.extend_from_slice(files);
        let folder = tree(&all);
        wrong(folder.path(), "x", Some(&HOUSE))
    };
    let down = [
        ("top.rs", "use crate::{middle::a, near};\n"),
        ("middle/a.rs", "use crate::ground::{c, d};\n"),
        ("ground/c.rs", "fn f() { crate::ground::d::g() }\n"),
    ];
    assert_eq!(all(&down), [""; 0]);
    for (file, line, told) in [
        (
            "ground/d.rs",
            "use crate::middle::b::x;\n",
            "ground/d.rs:1: ground/d must not name middle/b (crate::middle::b::x)",
        ),
        ("ground/d.rs", "fn f() { m!(crate::top::x) }\n", "ground/d.rs:1: ground/d must not name top (crate::top::x)"),
        ("middle/b.rs", "\nuse super::a;\n", "middle/b.rs:2: middle/b must not name middle/a (crate::middle::a)"),
        ("middle/b.rs", "use crate::top;\n", "middle/b.rs:1: middle/b must not name top (crate::top)"),
        ("ground/d.rs", "use crate::near;\n", "x: the rooms ground/c, ground/d name each other in a circle:"),
    ] {
        let mut files = down.to_vec();
        files.push((file, line));
        let wrong = all(&files);
        assert!(wrong.iter().any(|wrong| wrong.starts_with(told)), "{file}: {wrong:?}");
    }
}

#[test]
fn an_arrow_planted_in_the_linux_door_is_found() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../api/linux/src");
    let folder = tempfile::tempdir().unwrap();
    copy(&source, folder.path());
    let floors = Floors::of("api/linux");
    assert!(floors.is_some());
    assert_eq!(wrong(folder.path(), "api/linux", floors), [""; 0]);
    for (file, line, told) in [
        ("objects/user.rs", "use crate::entry::dispatch as _;", "objects/user must not name entry"),
        ("objects/end.rs", "fn up() { crate::calls::process::exit(); }", "objects/end must not name calls/process"),
        ("calls/file/mod.rs", "use crate::calls::memory as _;", "calls/file must not name calls/memory"),
        ("objects/text.rs", "use crate::process as _;", "objects/process, objects/text name each other in a circle"),
    ] {
        let file = folder.path().join(file);
        let before = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{before}\n{line}\n")).unwrap();
        let wrong = wrong(folder.path(), "api/linux", floors);
        assert!(wrong.iter().any(|wrong| wrong.contains(told)), "{line}: {wrong:?}");
        fs::write(&file, before).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to): (PathBuf, PathBuf) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

#[test]
fn the_list_of_what_stands_only_shrinks() {
    let standing = [("a".to_owned(), vec!["x".to_owned(), "y".to_owned()])];
    let list = "# why\na y x\nb z w\n";
    let told = mended(list, &BTreeSet::from(standing));
    assert_eq!(told, ["known.txt lists a circle of b that is not there: w, z; shorten the list"]);
    for (folder, rooms) in known(KNOWN) {
        assert!(rooms.len() > 1, "{folder}");
    }
}
