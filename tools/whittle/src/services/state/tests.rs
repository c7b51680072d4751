//! Names, their machines, and what is left of either.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::place::place;
use super::*;

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

fn one(text: &str) -> impl Iterator<Item = Name> {
    std::iter::once(name(text))
}

fn state() -> (tempfile::TempDir, State) {
    let folder = tempfile::tempdir().unwrap();
    let state = State::at(folder.path().join("whittle")).unwrap();
    (folder, state)
}

fn names(state: &State) -> Vec<String> {
    state.entries().unwrap().iter().map(|entry| entry.name.to_string()).collect()
}

#[test]
fn the_folder_is_the_users_alone() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(place(Some(folder.path().into())), folder.path().join("whittle"));
    let fallback = place(None);
    for wrong in ["relative", "/no/such/folder", ""] {
        assert_eq!(place(Some(wrong.into())), fallback, "{wrong:?}");
    }
    let path = folder.path().join("whittle");
    State::at(path.clone()).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    assert!(State::at(path.clone()).unwrap_err().sentence.contains("not a folder of yours alone"));
    let link = folder.path().join("link");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    symlink(&path, &link).unwrap();
    assert!(State::at(link).is_err());
}

#[test]
fn a_name_is_one_machines_until_its_keeper_ends() {
    let (_folder, state) = state();
    let claim = state.claim(one("web"), &Record::default()).unwrap();
    let refused = state.claim(one("web"), &Record::default()).unwrap_err();
    assert!(refused.sentence.starts_with("the name web is in use, by a machine of "), "{}", refused.sentence);
    let second = state.claim(name("web").and_further(), &Record::default()).unwrap();
    assert_eq!((second.name.as_str(), names(&state)), ("web-2", vec!["web".to_owned(), "web-2".to_owned()]));
    // As if it was killed: the lock is gone, and no end was told.
    drop(claim);
    assert_eq!(names(&state), ["web-2"]);
    assert!(!state.path.join("web").exists());
    second.give_back();
    assert!(names(&state).is_empty());
}

#[test]
fn what_has_ended_is_remembered_until_others_have_or_the_name_is_wanted() {
    let (_folder, state) = state();
    let ended = |at| Record { stage: Stage::Ended { status: 7, at }, ..Record::default() };
    for number in 0..REMEMBERED + 3 {
        // Some end in the same second.
        drop(state.claim(one(&format!("m{number:02}")), &ended(number as u64 / 2)).unwrap());
    }
    let left = state.entries().unwrap();
    assert_eq!(left.len(), REMEMBERED);
    assert!(left.iter().all(|entry| !["m00", "m01", "m02"].contains(&entry.name.as_str()) && !entry.is_kept));
    let _claim = state.claim(one("m05"), &Record::default()).unwrap();
    assert!(state.entry(&name("m05")).unwrap().is_kept);
    state.forget(&name("m05")).unwrap();
    state.forget(&name("m06")).unwrap();
    assert!(state.entry(&name("m05")).is_ok() && state.entry(&name("m06")).is_err());
}

#[test]
fn what_makes_no_sense_is_removed_unless_somebody_keeps_it() {
    let (_folder, state) = state();
    fs::create_dir(state.path.join("empty")).unwrap();
    fs::create_dir(state.path.join("wrong")).unwrap();
    fs::write(state.path.join("wrong/record.json"), "{").unwrap();
    let claim = state.claim(one("kept"), &Record::default()).unwrap();
    fs::write(claim.file("record.json"), "[1]").unwrap();
    assert_eq!(names(&state), ["kept"]);
    assert!(state.claim(one("kept"), &Record::default()).is_err());
}

#[test]
fn a_dead_keepers_pid_file_goes_unless_another_has_it() {
    let (folder, state) = state();
    let file = folder.path().join("pid");
    let record = Record { keeper: 7, pid_file: Some(file.display().to_string()), ..Record::default() };
    for (content, stays) in [("7\n", false), ("8\n", true)] {
        fs::write(&file, content).unwrap();
        drop(state.claim(one("web"), &record).unwrap());
        assert!(names(&state).is_empty());
        assert_eq!(file.exists(), stays, "{content:?}");
    }
}
