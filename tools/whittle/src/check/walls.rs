//! The walls around unsafe code: it stands only below the paths that `unsafe_crates.txt` lists, and every crate without
//! such a path forbids it, which the compiler then proves.

use std::fs;
use std::path::Path;

use cargo_metadata::{MetadataCommand, Package, TargetKind};

use crate::house::House;

/// Lines of a path and the reason why unsafe code is needed there.
const LIST: &str = include_str!("unsafe_crates.txt");

/// Looks at every crate of the workspace; an error names every place that breaks a rule.
pub fn check(house: &House) -> Result<(), String> {
    let mut command = MetadataCommand::new();
    command.current_dir(&house.root).no_deps();
    let metadata = command.exec().map_err(|error| error.to_string())?;
    let root = metadata.workspace_root.as_std_path();
    let mut wrong: Vec<String> = places(LIST)
        .filter(|place| !root.join(place).exists())
        .map(|place| format!("unsafe_crates.txt lists {place}, which is not there"))
        .collect();
    for package in &metadata.packages {
        let folder = package.manifest_path.as_std_path().parent().unwrap_or(root);
        if !is_listed(LIST, &below(folder, root)) {
            forbids(package, root, &mut wrong);
        }
        walk(folder, root, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn places(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_whitespace().next())
}

/// Whether a crate has a listed path: it, or a part of it.
fn is_listed(list: &str, folder: &str) -> bool {
    places(list).any(|place| lies_in(place, folder) || lies_in(folder, place))
}

fn lies_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn below(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// The roots of a crate's library and programs must forbid unsafe code.
fn forbids(package: &Package, root: &Path, wrong: &mut Vec<String>) {
    let kinds = [TargetKind::Lib, TargetKind::Bin, TargetKind::ProcMacro];
    for target in package.targets.iter().filter(|target| target.kind.iter().any(|kind| kinds.contains(kind))) {
        let source = fs::read_to_string(&target.src_path).unwrap_or_default();
        if !source.contains("#![forbid(unsafe_code)]") {
            wrong.push(format!("{} lacks #![forbid(unsafe_code)]", below(target.src_path.as_std_path(), root)));
        }
    }
}

/// No file outside of the listed paths may hold unsafe code.
fn walk(folder: &Path, root: &Path, wrong: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = below(&path, root);
        if path.is_dir() {
            if entry.file_name() != "target" {
                walk(&path, root, wrong);
            }
        } else if name.ends_with(".rs") && !places(LIST).any(|place| lies_in(&name, place)) {
            let source = fs::read_to_string(&path).unwrap_or_default();
            let lines = source.lines().enumerate().filter(|(_, line)| is_unsafe(line));
            wrong.extend(lines.map(|(number, _)| format!("{name}:{}: unsafe code outside of its walls", number + 1)));
        }
    }
}

/// Whether a line of Rust holds the word `unsafe` as code.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let code: String = code.split('"').step_by(2).collect();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.split(|letter| !is_part(letter)).any(|word| word == "unsafe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_counts_as_unsafe() {
        for line in ["unsafe { x() }", "    pub unsafe fn x()", "#[unsafe(no_mangle)]", "let x = unsafe{y};"] {
            assert!(is_unsafe(line), "{line}");
        }
        for line in ["// unsafe", "#![forbid(unsafe_code)]", "\"unsafe\".len()", "/// [`unsafe`] things", "x_unsafe()"]
        {
            assert!(!is_unsafe(line), "{line}");
        }
    }

    #[test]
    fn a_crate_is_listed_as_a_whole_or_in_part() {
        let list = "# why\nplatforms/pc  all of it\nkernel/core/src/memory  page tables\n";
        for folder in ["platforms/pc", "kernel/core"] {
            assert!(is_listed(list, folder), "{folder}");
        }
        for folder in ["platforms/process", "kernel/fs", "kernel/cor", "elements/heap"] {
            assert!(!is_listed(list, folder), "{folder}");
        }
    }
}
