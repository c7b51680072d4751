//! The rooms of each crate: its modules at the root. No rooms name each other in a circle, and where a crate has
//! floors, no arrow between them runs up.

mod floors;
mod names;
mod plan;
mod source;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use cargo_metadata::{MetadataCommand, TargetKind};

use crate::house::House;
use floors::Floors;
use plan::{Arrows, arrows, circles, way_round};
use source::Source;

/// Circles that stand: lines of a crate's folder and its rooms.
const KNOWN: &str = include_str!("known.txt");

/// Looks at every crate of the workspace; an error names every line that breaks a rule.
pub fn check(house: &House) -> Result<(), String> {
    let mut command = MetadataCommand::new();
    command.current_dir(&house.root).no_deps();
    let metadata = command.exec().map_err(|error| error.to_string())?;
    let root = metadata.workspace_root.as_std_path();
    let mut wrong = Vec::new();
    let mut standing = BTreeSet::new();
    for package in &metadata.packages {
        let folder = package.manifest_path.as_std_path().parent().unwrap_or(root);
        let folder = folder.strip_prefix(root).unwrap_or(folder).display().to_string();
        let kinds = [TargetKind::Lib, TargetKind::Bin, TargetKind::ProcMacro];
        for target in package.targets.iter().filter(|target| target.kind.iter().any(|kind| kinds.contains(kind))) {
            look(&folder, target.src_path.as_std_path(), root, Floors::of(&folder), &mut standing, &mut wrong)?;
        }
    }
    wrong.extend(mended(KNOWN, &standing));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// A crate's folder and the rooms of a circle in it, in the order of names.
type Circle = (String, Vec<String>);

fn known(list: &str) -> impl Iterator<Item = Circle> {
    list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let folder = words.next()?;
        let mut rooms: Vec<String> = words.collect();
        rooms.sort();
        Some((folder, rooms))
    })
}

/// Circles of the list that are not there any more, in words.
fn mended(list: &str, standing: &BTreeSet<Circle>) -> Vec<String> {
    let mended = known(list).filter(|circle| !standing.contains(circle));
    let told = mended.map(|(folder, rooms)| {
        format!("known.txt lists a circle of {folder} that is not there: {}; shorten the list", rooms.join(", "))
    });
    told.collect()
}

/// Looks at one library or program.
fn look(
    folder: &str,
    file: &Path,
    root: &Path,
    floors: Option<&Floors>,
    standing: &mut BTreeSet<Circle>,
    wrong: &mut Vec<String>,
) -> Result<(), String> {
    let source = Source::read(file)?;
    let arrows = arrows(&source, floors);
    if let Some(floors) = floors {
        for ((from, to), reason) in &arrows {
            let Some(what_to_do) = floors.objection(from, to) else { continue };
            let place = reason.file.strip_prefix(root).unwrap_or(&reason.file).display();
            let (line, path) = (reason.line, &reason.path);
            wrong.push(format!("{place}:{line}: {from} must not name {to} ({path}); {what_to_do}"));
        }
    }
    for rooms in circles(&arrows) {
        let circle = (folder.to_owned(), rooms);
        if !known(KNOWN).any(|known| known == circle) {
            wrong.push(described(&circle, &arrows, root));
        }
        standing.insert(circle);
    }
    Ok(())
}

/// A circle in words: the shortest way round through a room that no known circle of the crate has, line by line.
fn described((folder, rooms): &Circle, arrows: &Arrows, root: &Path) -> String {
    let is_known = |room: &&String| known(KNOWN).any(|(of, rooms)| of == *folder && rooms.contains(room));
    let start = rooms.iter().find(|room| !is_known(room)).unwrap_or(&rooms[0]);
    let way = way_round(arrows, start);
    let mut text = format!("{folder}: the rooms {} name each other in a circle:", rooms.join(", "));
    for step in way.windows(2) {
        let reason = &arrows[&(step[0].clone(), step[1].clone())];
        let place = reason.file.strip_prefix(root).unwrap_or(&reason.file).display();
        let _ = write!(text, "\n  {place}:{}: {} names {} ({})", reason.line, step[0], step[1], reason.path);
    }
    text + "\n  move what both need into a room of its own, or hand it in as a parameter"
}

#[cfg(test)]
mod tests;
