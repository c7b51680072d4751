//! Paths: their parts, their names, and how they are joined and compared.

use std::{
    ffi::OsStr,
    path::{Component, Path, PathBuf},
    prelude::v1::*,
};

use crate::tally::Tally;

/// Every way to write a path.
const PATHS: [&str; 34] = [
    "",
    "/",
    "//",
    ".",
    "./",
    "..",
    "../",
    "a",
    "a/",
    "/a",
    "/a/",
    "a/b",
    "a//b",
    "a/./b",
    "a/../b",
    "/a/b/c",
    "./a",
    "./a/.",
    "././a",
    "/./a",
    "/.",
    "/..",
    "//a//b//",
    "a/.",
    "a/..",
    ".hidden",
    "a/.hidden",
    "name.tar.gz",
    "a/name.tar.gz/",
    "name.",
    "..n.e",
    "...",
    "a/b.c/d.e",
    "/.a.b/.",
];

/// The digest of what the standard library says of all these.
const WORDS: u64 = 15_837_403_241_679_541_116;

/// FNV-1a (Fowler, Noll, Vo).
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

pub fn check(tally: &mut Tally) {
    // What everything is, in words; the digest is that of the real library's.
    let mut text = String::new();
    PATHS.iter().for_each(|path| one(tally, &mut text, Path::new(path)));
    for one in PATHS {
        for other in PATHS {
            two(tally, &mut text, Path::new(one), Path::new(other));
        }
    }
    same!(tally, digest(&text), WORDS);
    changes(tally);
}

fn one(tally: &mut Tally, text: &mut String, path: &Path) {
    *text += &format!("{path:?} is {:?}, {:?}", path.components(), path.iter().rev().collect::<Vec<_>>());
    *text +=
        &format!("  in {:?} as {:?}: {:?}, {:?}", path.parent(), path.file_name(), path.file_stem(), path.extension());
    *text += &format!("  {:?}", path.ancestors().collect::<Vec<_>>());
    *text += &format!("  {:?} {:?}", path.with_extension("x"), path.with_file_name("y"));
    *text += &format!("  {:?} {:?}", path.with_extension(""), path.join("z"));
    holds!(tally, path.components().rev().collect::<Vec<_>>().into_iter().rev().eq(path.components()));
    // From both ends at once.
    let mut parts = path.components();
    let (mut front, mut back) = (Vec::new(), Vec::new());
    while let Some(part) = parts.next() {
        front.push(part);
        *text += &format!("  then {:?}", parts.as_path());
        back.extend(parts.next_back());
        *text += &format!("  then {:?}", parts.as_path());
    }
    front.extend(back.into_iter().rev());
    holds!(tally, front.into_iter().eq(path.components()));
    same!(tally, path.is_absolute(), path.has_root());
    same!(tally, path.is_relative(), !path.has_root());
    same!(tally, path.components().collect::<PathBuf>(), path.to_path_buf());
    same!(tally, path.to_str().map(String::from), Some(path.display().to_string()));
    let mut popped = path.to_path_buf();
    same!(tally, popped.pop(), path.parent().is_some());
    same!(tally, Some(popped.as_path()), path.parent().or(Some(path)));
}

fn two(tally: &mut Tally, text: &mut String, one: &Path, other: &Path) {
    *text += &format!("{one:?} {other:?}: {:?} {:?} {:?}", one.join(other), one.strip_prefix(other), one.cmp(other));
    *text += &format!("  {} {}", one.starts_with(other), one.ends_with(other));
    same!(tally, one == other, one.components().eq(other.components()));
    same!(tally, one.starts_with(other), one.strip_prefix(other).is_ok());
}

fn changes(tally: &mut Tally) {
    let mut path = PathBuf::from("/usr");
    path.push("lib");
    path.push("x.so");
    same!(tally, path, Path::new("/usr/lib/x.so"));
    holds!(tally, path.set_extension("a"));
    path.set_file_name("other.b");
    same!(tally, path.to_string_lossy(), "/usr/lib/other.b");
    holds!(tally, !PathBuf::from("/").set_extension("x"));
    path.push("/etc");
    same!(tally, path.as_os_str(), OsStr::new("/etc"));
    same!(tally, Path::new("/etc/").components().next_back(), Some(Component::Normal(OsStr::new("etc"))));
    same!(tally, ["a", "b", "c"].iter().collect::<PathBuf>(), PathBuf::from("a/b/c"));
    path.extend(["d", "e"]);
    same!(tally, path, PathBuf::from("/etc/d//e/."));
    path.clear();
    same!(tally, path, PathBuf::new());
    same!(
        tally,
        Path::new("a").strip_prefix("b").map_err(|error| error.to_string()),
        Err("prefix not found".to_string())
    );
}
