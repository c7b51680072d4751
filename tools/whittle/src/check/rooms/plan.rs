//! A crate's rooms, and the arrows between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::floors::Floors;
use super::source::{Place, Source, joined};

/// Why there is an arrow: the first line that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What it names, as a path from the crate's root.
    pub path: String,
}

/// The rooms of a crate that name others: by the room that names and the one that is named.
pub type Arrows = BTreeMap<(String, String), Reason>;

/// Draws the arrows between the rooms of a crate: its modules at the root, or in the folders that are floors of parts.
pub fn arrows(source: &Source, floors: Option<&Floors>) -> Arrows {
    let plan = Plan { source, floors };
    let mut arrows = Arrows::new();
    for reference in &source.references {
        let (Some(from), Some(to)) = (plan.room(&reference.module), plan.room_named(&reference.target)) else {
            continue;
        };
        if from != to {
            let path = format!("crate::{}", reference.target.join("::"));
            let reason = Reason { file: reference.file.clone(), line: reference.line, path };
            arrows.entry((from, to)).or_insert(reason);
        }
    }
    arrows
}

struct Plan<'a> {
    source: &'a Source,
    floors: Option<&'a Floors>,
}

impl Plan<'_> {
    /// The room that a module lies in; `None` for the root, and for a floor's own file, which only lists its rooms.
    fn room(&self, module: &Place) -> Option<String> {
        let depth = self.depth(module.first()?);
        module.get(..depth).map(|room| room.join("/"))
    }

    /// How many words of a path name the room.
    fn depth(&self, first: &str) -> usize {
        1 + usize::from(self.floors.is_some_and(|floors| floors.has_parts(first)))
    }

    /// The room that a path leads to, through what roots and floors hand on.
    fn room_named(&self, target: &Place) -> Option<String> {
        let mut target = target.clone();
        // A path that is handed on in a circle is no program.
        for _ in 0..8 {
            let depth = target.first().map_or(1, |first| self.depth(first));
            let known = target.iter().scan(Place::new(), |place, word| {
                *place = joined(place, word);
                Some(place.clone())
            });
            let known = known.take_while(|place| self.source.modules.contains(place)).count();
            if known >= depth {
                return Some(target[..depth].join("/"));
            }
            let (module, rest) = target.split_at(known);
            let Some(next) = self.handed_on(&module.to_vec(), rest) else {
                // What lies in a floor as a whole.
                return (known > 0).then(|| module.join("/"));
            };
            target = next;
        }
        None
    }

    fn handed_on(&self, module: &Place, rest: &[String]) -> Option<Place> {
        let names = self.source.handed_on.get(module)?;
        let (first, behind) = rest.split_first()?;
        if let Some((_, target)) = names.iter().find(|(name, _)| name == first) {
            return Some([target, behind].concat());
        }
        let all = names.iter().find(|(name, _)| name == "*")?;
        Some([&all.1, rest].concat())
    }
}

/// The groups of rooms that lead to each other, each in the order of names.
pub fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let rooms: BTreeSet<&String> = arrows.keys().flat_map(|(from, to)| [from, to]).collect();
    let reached: BTreeMap<&String, BTreeSet<&String>> = rooms.iter().map(|room| (*room, reach(arrows, room))).collect();
    let mut circles: Vec<Vec<String>> = Vec::new();
    for room in &rooms {
        let ours = rooms.iter().filter(|other| reached[*room].contains(*other) && reached[*other].contains(*room));
        let circle: Vec<String> = ours.map(|room| (*room).clone()).collect();
        if !circle.is_empty() && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

/// Rooms that a room leads to in any number of steps.
fn reach<'a>(arrows: &'a Arrows, room: &String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![room];
    while let Some(room) = open.pop() {
        for (_, to) in arrows.keys().filter(|(from, _)| from == room) {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

/// The shortest way from a room back to it, as the rooms that it passes.
pub fn way_round(arrows: &Arrows, start: &str) -> Vec<String> {
    let mut ways: Vec<Vec<&str>> = vec![vec![start]];
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while let Some(way) = ways.get(next).cloned() {
        next += 1;
        for (_, to) in arrows.keys().filter(|(from, _)| Some(&from.as_str()) == way.last()) {
            if to == start {
                return way.iter().chain([&start]).map(|room| (*room).to_owned()).collect();
            }
            if seen.insert(to) {
                ways.push(way.iter().copied().chain([to.as_str()]).collect());
            }
        }
    }
    Vec::new()
}
