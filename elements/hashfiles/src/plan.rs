//! Making an image: its index, and where the contents go.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use zerocopy::{
    IntoBytes,
    little_endian::{U32, U64},
};

use crate::{
    Digest, hash,
    layout::{BLOCK, EMPTY, Entry, Header, MAGIC, MOST_SLOTS, Parts, Slot, VERSION},
};

/// Seeds that are tried for a table without names far from their places.
const ATTEMPTS: u64 = 16;
/// Slots that a good table's searches look at, at most.
const NEAR: u32 = 6;

/// A file to be packed.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name: any bytes.
    pub name: Vec<u8>,
    /// Bytes of contents.
    pub length: u64,
    /// The digest of its contents.
    pub digest: Digest,
}

/// Why files cannot be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Two have this name.
    Twice(Vec<u8>),
    /// More than an image can have.
    TooMany,
}

/// An image but for its contents.
#[derive(Debug)]
pub struct Plan {
    /// Its first bytes.
    pub index: Vec<u8>,
    /// Where each file's contents go, in bytes from the image's beginning; `None` if they are an earlier file's.
    pub places: Vec<Option<u64>>,
    /// Bytes of the image; what nothing is said about is zeros.
    pub length: u64,
}

/// Plans an image of these files, in this order.
///
/// # Errors
/// They cannot be in one.
pub fn plan(files: &[Named]) -> Result<Plan, Refusal> {
    let count = u32::try_from(files.len()).map_err(|_| Refusal::TooMany)?;
    // At most half of the slots are taken.
    let slots = (count.max(1) * 2).checked_next_power_of_two().ok_or(Refusal::TooMany)?.trailing_zeros();
    let texts: u64 = files.iter().map(|file| file.name.len() as u64).sum();
    u32::try_from(texts).map_err(|_| Refusal::TooMany)?;
    let parts = Parts::of(slots.min(MOST_SLOTS + 1), count, texts).ok_or(Refusal::TooMany)?;
    refuse_twice(files)?;
    let (places, entries, length) = place(files, parts.end as u64);
    let best = (0..ATTEMPTS).map(|seed| Tables::new(files, slots, seed)).find_or_best();
    let header = Header {
        magic: MAGIC,
        version: U32::new(VERSION),
        slots: U32::new(slots),
        seed: U64::new(best.seed),
        entries: U32::new(count),
        furthest: U32::new(best.furthest),
        texts: U64::new(texts),
        length: U64::new(length),
        reserved: [0; 16],
    };
    let mut index = header.as_bytes().to_vec();
    index.extend_from_slice(best.names.as_bytes());
    index.extend_from_slice(best.digests.as_bytes());
    index.extend_from_slice(entries.as_bytes());
    files.iter().for_each(|file| index.extend_from_slice(&file.name));
    Ok(Plan { index, places, length })
}

/// The first table that is good, or the best of all.
trait FindOrBest {
    fn find_or_best(self) -> Tables;
}

impl<I: Iterator<Item = Tables>> FindOrBest for I {
    fn find_or_best(mut self) -> Tables {
        let Some(mut best) = self.next() else { return Tables::default() };
        while best.furthest > NEAR {
            match self.next() {
                Some(other) if other.furthest < best.furthest => best = other,
                Some(_) => {}
                None => break,
            }
        }
        best
    }
}

fn refuse_twice(files: &[Named]) -> Result<(), Refusal> {
    let mut names: Vec<&[u8]> = files.iter().map(|file| &*file.name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Refusal::Twice(pair[0].to_vec())),
        None => Ok(()),
    }
}

/// Where contents go, one behind the other and each once; the entries; and where it all ends.
fn place(files: &[Named], index: u64) -> (Vec<Option<u64>>, Vec<Entry>, u64) {
    let mut known: BTreeMap<(&Digest, u64), u64> = BTreeMap::new();
    let (mut places, mut entries) = (Vec::new(), Vec::new());
    let mut end = index.next_multiple_of(BLOCK);
    let mut name_begin = 0;
    for file in files {
        let mut place = None;
        let begin = *known.entry((&file.digest, file.length)).or_insert_with(|| {
            place = Some(end);
            end
        });
        if place.is_some() {
            end += file.length.next_multiple_of(BLOCK);
        }
        places.push(place);
        let name_length = file.name.len() as u32;
        entries.push(Entry {
            name_begin: U32::new(name_begin),
            name_length: U32::new(name_length),
            begin: U64::new(begin),
            length: U64::new(file.length),
            digest: file.digest,
            reserved: [0; 8],
        });
        name_begin += name_length;
    }
    (places, entries, end)
}

/// Both tables for one seed.
#[derive(Default)]
struct Tables {
    seed: u64,
    names: Vec<Slot>,
    digests: Vec<Slot>,
    /// Slots that a search looks at, at most.
    furthest: u32,
}

impl Tables {
    fn new(files: &[Named], slots: u32, seed: u64) -> Self {
        let empty = Slot { tag: U32::new(0), entry: U32::new(EMPTY) };
        let mut tables = Self { seed, names: vec![empty; 1 << slots], digests: vec![empty; 1 << slots], furthest: 0 };
        let mut known = BTreeMap::new();
        for (number, file) in files.iter().enumerate() {
            let far = enter(&mut tables.names, hash::of_name(&file.name, seed), number as u32);
            tables.furthest = tables.furthest.max(far);
            if known.insert(&file.digest, ()).is_none() {
                let far = enter(&mut tables.digests, hash::of_digest(&file.digest, seed), number as u32);
                tables.furthest = tables.furthest.max(far);
            }
        }
        tables
    }
}

/// Enters an entry at its place or behind it; how many slots were looked at.
fn enter(table: &mut [Slot], hash: u64, entry: u32) -> u32 {
    let mask = table.len() - 1;
    let mut step = 0;
    loop {
        let slot = &mut table[(hash as usize).wrapping_add(step) & mask];
        step += 1;
        if slot.entry.get() == EMPTY {
            *slot = Slot { tag: U32::new((hash >> 32) as u32), entry: U32::new(entry) };
            return step as u32;
        }
    }
}
