//! The locks that are held. A few are in a list. Many are in trees: those of each file in one, by which those in the
//! way are found; and all in one map by holder, where those of one holder on a file never meet.

use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};

use super::{
    File, Held, Kind,
    tree::{self, Part},
};

/// Most locks of a list: to look at so many costs less than a way through trees. A database takes and gives back a few
/// for each transaction.
const FEW: usize = 16;

#[derive(Default)]
pub struct Kept {
    /// In no order; empty where there are many.
    few: Vec<Held>,
    many: Option<Box<Many>>,
}

#[derive(Default)]
struct Many {
    /// Last byte, and whether it is for writing, by what a holder's locks are told apart.
    held: BTreeMap<Place, (u64, bool)>,
    /// The locks of each file; those on whole files apart.
    files: BTreeMap<(File, bool), Part>,
}

/// Holder, kind, file and first byte.
type Place = (usize, Kind, File, u64);

const fn place(held: &Held) -> Place {
    (held.holder, held.kind, held.file, held.start)
}

const fn lock((holder, kind, file, start): Place, (last, write): (u64, bool)) -> Held {
    Held { file, kind, holder, write, start, last }
}

/// Where locks are that may be in each other's way.
fn field(held: &Held) -> (File, bool) {
    (held.file, held.kind == Kind::Whole)
}

impl Kept {
    /// None.
    pub const fn new() -> Self {
        Self { few: Vec::new(), many: None }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.many.as_ref().map_or(self.few.len(), |many| many.held.len())
    }

    /// All, by holder.
    pub fn all(&self) -> Vec<Held> {
        if let Some(many) = &self.many {
            return many.held.iter().map(|(place, end)| lock(*place, *end)).collect();
        }
        let mut all = self.few.clone();
        all.sort_unstable_by_key(place);
        all
    }

    /// The first lock that is in the way of `wanted`.
    pub fn conflict(&self, wanted: &Held) -> Option<Held> {
        if let Some(many) = &self.many {
            return tree::conflict(many.files.get(&field(wanted))?, wanted).copied();
        }
        let others = self.few.iter().filter(|held| held.conflicts(wanted) && field(held) == field(wanted));
        others.min_by_key(|held| (held.start, held.holder, held.kind)).copied()
    }

    /// Adds one that meets none of its holder's on the file.
    pub fn insert(&mut self, held: Held) {
        if self.many.is_none() && self.few.len() < FEW {
            return self.few.push(held);
        }
        let Self { few, many } = self;
        let many = many.get_or_insert_default();
        few.drain(..).for_each(|held| many.insert(held));
        many.insert(held);
    }

    /// Takes one out.
    pub fn remove(&mut self, held: &Held) {
        let Some(many) = &mut self.many else {
            if let Some(index) = self.few.iter().position(|other| place(other) == place(held)) {
                self.few.swap_remove(index);
            }
            return;
        };
        many.remove(held);
        // Half of the room stays, so that one that comes and goes does not change everything each time.
        if many.held.len() <= FEW / 2 {
            self.few = self.all();
            self.many = None;
        }
    }

    /// The last lock of `range`'s holder on its file that begins at `most` or before.
    pub fn up_to(&self, range: &Held, most: u64) -> Option<Held> {
        let Held { holder, kind, file, .. } = *range;
        let Some(many) = &self.many else {
            let theirs = |held: &&Held| (held.holder, held.kind, held.file) == (holder, kind, file);
            let theirs = self.few.iter().filter(|held| held.start <= most).filter(theirs);
            return theirs.max_by_key(|held| held.start).copied();
        };
        let (place, end) = many.held.range((holder, kind, file, 0)..=(holder, kind, file, most)).next_back()?;
        Some(lock(*place, *end))
    }

    /// Takes all from a holder, or those on one file.
    pub fn release(&mut self, holder: usize, file: Option<File>) {
        let Some(many) = &self.many else {
            return self.few.retain(|held| held.holder != holder || file.is_some_and(|file| held.file != file));
        };
        let first = |kind| (holder, kind, file.unwrap_or((0, 0)), 0);
        let last = |kind| (holder, kind, file.unwrap_or((u64::MAX, u64::MAX)), u64::MAX);
        let theirs = Kind::ALL.iter().flat_map(|&kind| many.held.range(first(kind)..=last(kind)));
        let theirs: Vec<Held> = theirs.map(|(place, end)| lock(*place, *end)).collect();
        theirs.iter().for_each(|held| self.remove(held));
    }

    /// How deep the deepest tree is.
    #[cfg(test)]
    pub fn depth(&self) -> Option<u32> {
        self.many.as_ref()?.files.values().map(tree::depth).max()
    }

    /// Whether no file is kept.
    #[cfg(test)]
    pub fn has_no_file(&self) -> bool {
        self.few.is_empty() && self.many.as_ref().is_none_or(|many| many.files.is_empty())
    }
}

impl Many {
    fn insert(&mut self, held: Held) {
        self.held.insert(place(&held), (held.last, held.write));
        tree::insert(self.files.entry(field(&held)).or_default(), held);
    }

    fn remove(&mut self, held: &Held) {
        self.held.remove(&place(held));
        let field = field(held);
        if let Some(part) = self.files.get_mut(&field) {
            tree::remove(part, held);
            if part.is_none() {
                self.files.remove(&field);
            }
        }
    }
}
