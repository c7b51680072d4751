//! Whose functions the executed instructions were.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use crate::house::House;
use crate::inspect::{Frame, Lines};

/// A function that was passed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// Its name, shortened.
    pub name: String,
    /// The source file that it is in, from the repository's root.
    pub file: String,
    /// Whether it is in another function's code here, and so has no symbol on this way.
    pub inlined: bool,
}

/// Folders of the repository whose sources become kernels.
const ROOMS: [&str; 6] = ["api", "architecture", "contracts", "elements", "kernel", "platforms"];
/// The macro that writes slots' functions, into which what fills them is inlined. No reader opens it.
const SLOT: &str = "/whittle/contracts/src/slot.rs";

/// The functions of one image.
pub struct Passed<'a> {
    lines: &'a Lines<'a>,
    labels: BTreeMap<u64, Function>,
}

impl<'a> Passed<'a> {
    /// Those of an unstripped image: what the debugging information tells, and assembly's labels.
    pub fn new(house: &House, symbols: &[(u64, String)], lines: &'a Lines<'a>) -> Self {
        let mut sources = Vec::new();
        for folder in ["architecture", "platforms"] {
            collect_sources(&house.root.join(folder), &mut sources);
        }
        let in_file = |label: &str| {
            let begin = format!("{label}:");
            let holds = |text: &str| text.lines().any(|line| line.trim().trim_matches('"').starts_with(&begin));
            sources.iter().find(|(_, text)| holds(text)).map(|(path, _)| path)
        };
        let label = |(address, name): &(u64, String)| {
            let path = in_file(name)?.strip_prefix(&house.root).ok()?;
            Some((*address, Function { name: name.clone(), file: path.display().to_string(), inlined: false }))
        };
        Self { lines, labels: symbols.iter().filter_map(label).collect() }
    }

    /// The functions that instructions at these addresses are of, in the order in which they were first passed.
    pub fn functions(&self, addresses: &[u64]) -> Vec<Function> {
        let mut looked_at = HashSet::new();
        let mut seen = HashSet::new();
        let mut functions = Vec::new();
        for &address in addresses.iter().filter(|address| looked_at.insert(**address)) {
            functions.extend(self.at(address).into_iter().filter(|function| seen.insert(function.clone())));
        }
        functions
    }

    /// The house's functions at an address, the outermost first.
    fn at(&self, address: u64) -> Vec<Function> {
        let frames = self.lines.whole_frames(address);
        if frames.is_empty() {
            return self.labels.get(&address).cloned().into_iter().collect();
        }
        // A slot's symbol is the function of whatever fills it.
        let outward = frames.into_iter().rev().filter(|frame| !frame.file.as_deref().is_some_and(is_slot));
        let ours = outward.enumerate().filter_map(|(depth, frame)| {
            let (name, file) = of_the_house(frame)?;
            Some(Function { name, file, inlined: depth > 0 })
        });
        ours.collect()
    }
}

fn is_slot(file: &str) -> bool {
    file == SLOT
}

/// Name and file of a function, if it is one of the house's that a reader would open.
fn of_the_house(frame: Frame) -> Option<(String, String)> {
    let file = frame.file?;
    let file = file.strip_prefix("/whittle/")?;
    let (room, _) = file.split_once('/')?;
    ROOMS.contains(&room).then(|| (frame.name, file.to_owned()))
}

/// Files of assembly, and of Rust, in which there may be some too.
fn collect_sources(folder: &Path, sources: &mut Vec<(std::path::PathBuf, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect_sources(&path, sources);
        } else if path.extension().is_some_and(|kind| kind == "s" || kind == "rs")
            && let Ok(text) = fs::read_to_string(&path)
        {
            sources.push((path, text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, file: &str) -> Frame {
        Frame { name: name.to_owned(), file: Some(file.to_owned()) }
    }

    #[test]
    fn only_the_houses_own_sources_count() {
        let of = |file| of_the_house(frame("f", file)).map(|(_, file)| file);
        assert_eq!(of("/whittle/kernel/core/src/boot.rs").as_deref(), Some("kernel/core/src/boot.rs"));
        assert_eq!(of("/whittle/target/whittle/linux-pc/src/main.rs"), None);
        assert_eq!(of("/rustup/lib/core/src/ops.rs"), None);
        assert_eq!(of_the_house(Frame { name: "f".to_owned(), file: None }), None);
    }
}
