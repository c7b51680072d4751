//! Every byte of an image's file and what it is.

use std::collections::HashMap;

use super::image::{Image, Part, Section};
use super::lines::Lines;
use super::names::{Place, place, readable};

/// The crate's name for what is no crate's.
pub const OTHER: &str = "other";
/// The crate's name for names that tell no crate: the labels of assembly, and names as in C.
pub const UNMANGLED: &str = "unmangled";
/// Gaps between functions that are shorter than this are alignment.
const ALIGNMENT: u64 = 64;

/// A range of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins in the file.
    pub offset: u64,
    /// Its length.
    pub bytes: u64,
    /// What it is for.
    pub part: Part,
    /// Where it was written.
    pub written: Place,
    /// The symbol it belongs to, by its number in the image.
    pub symbol: Option<usize>,
}

/// The file in pieces, in its order, without gaps.
#[derive(Debug, Default)]
pub struct Attribution {
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// The readable name and the place of each symbol that has pieces or zeroed memory.
    pub symbols: HashMap<usize, (String, Place)>,
    /// Whether the file has line tables.
    pub lines: bool,
}

/// Takes apart `file`, which is what is started of `image`.
#[must_use]
pub fn attribute(image: &Image, file: &[u8], lines: &Lines<'_>) -> Attribution {
    let mut work = Work { image, file, lines, all: Attribution { lines: lines.are_there(), ..Attribution::default() } };
    let end = file.len() as u64;
    work.other(0, image.headers.min(end), "headers");
    for section in image.sections.iter().filter(|section| section.part != Part::Zeroed) {
        let begin = section.offset.clamp(work.end(), end);
        work.other(work.end(), begin, "padding");
        let last = section.offset.saturating_add(section.size).clamp(begin, end);
        match section.part {
            Part::Other => work.other(begin, last, &format!("for the loader ({})", section.name)),
            _ => work.section(section, begin, last),
        }
    }
    work.other(work.end(), end, "not loaded");
    work.name_the_rest();
    for section in image.sections.iter().filter(|section| section.part == Part::Zeroed) {
        for index in inside(image, section.address, section.address.saturating_add(section.size)) {
            work.own_place(index);
        }
    }
    work.all
}

/// The numbers of the symbols that begin in a range of addresses.
pub fn inside(image: &Image, begin: u64, end: u64) -> std::ops::Range<usize> {
    let position = |address| image.symbols.partition_point(|symbol| symbol.address < address);
    position(begin)..position(end).max(position(begin))
}

struct Work<'a, 'b> {
    image: &'a Image,
    file: &'a [u8],
    lines: &'a Lines<'b>,
    all: Attribution,
}

impl Work<'_, '_> {
    fn end(&self) -> u64 {
        self.all.pieces.last().map_or(0, |piece| piece.offset + piece.bytes)
    }

    fn push(&mut self, begin: u64, end: u64, part: Part, written: Place, symbol: Option<usize>) {
        if begin < end {
            self.all.pieces.push(Piece { offset: begin, bytes: end - begin, part, written, symbol });
        }
    }

    fn other(&mut self, begin: u64, end: u64, what: &str) {
        let written = Place { package: OTHER.into(), module: what.into(), function: String::new() };
        self.push(begin, end, Part::Other, written, None);
    }

    /// The range `begin..end` of the file, which lies in a section.
    fn section(&mut self, section: &Section, begin: u64, end: u64) {
        // Offsets become addresses by adding this, which may wrap.
        let shift = section.address.wrapping_sub(section.offset);
        let limit = end.wrapping_add(shift);
        let range = inside(self.image, begin.wrapping_add(shift), limit);
        for index in range.clone() {
            let symbol = &self.image.symbols[index];
            let next = if index + 1 < range.end { self.image.symbols[index + 1].address } else { limit };
            let first = symbol.address.wrapping_sub(shift).max(self.end());
            let whole = symbol.address.saturating_add(symbol.size).min(limit);
            let last = match (symbol.size, section.part) {
                // A label of assembly goes on to the next name; elsewhere a linker script set it.
                (0, Part::Text) => next,
                (0, _) => continue,
                _ => whole,
            };
            self.unnamed(section.part, first);
            self.symbol(index, section.part, first, last.wrapping_sub(shift), shift);
        }
        self.unnamed(section.part, end);
    }

    /// What lies before the next named byte.
    fn unnamed(&mut self, part: Part, end: u64) {
        let begin = self.end();
        if begin >= end {
            return;
        }
        let bytes = &self.file[begin as usize..end as usize];
        let short = end - begin < ALIGNMENT;
        match part {
            Part::Text if short => self.other(begin, end, "padding"),
            _ if short && bytes.iter().all(|&byte| byte == 0) => self.other(begin, end, "padding"),
            part => {
                let what = match part {
                    Part::Text => "code without a name",
                    Part::Constants => "constants without a name",
                    _ => "data without a name",
                };
                let written = Place { package: OTHER.into(), module: what.into(), function: String::new() };
                self.push(begin, end, part, written, None);
            }
        }
    }

    /// A named range of the file: code by its lines, the rest and what has no line by the name.
    fn symbol(&mut self, index: usize, part: Part, begin: u64, end: u64, shift: u64) {
        if begin >= end {
            return;
        }
        let own = self.own_place(index);
        if part == Part::Text {
            for (first, last, written) in self.lines.rows(begin.wrapping_add(shift), end.wrapping_add(shift)) {
                let first = first.wrapping_sub(shift);
                self.push(self.end().max(begin), first, part, own.clone(), Some(index));
                self.push(first, last.wrapping_sub(shift), part, written, Some(index));
            }
        }
        self.push(self.end().max(begin), end, part, own, Some(index));
    }

    fn own_place(&mut self, index: usize) -> Place {
        let symbol = &self.image.symbols[index];
        let mut name = readable(&symbol.name);
        if name.starts_with("core::ops::function::") {
            let inside = self.lines.inside_of(symbol.address, symbol.address.saturating_add(symbol.size));
            name = inside.unwrap_or(name);
        }
        let mangled = symbol.name.starts_with("_ZN") || symbol.name.starts_with("_R");
        let place = if mangled { place(&name) } else { None };
        let place =
            place.unwrap_or_else(|| Place { package: UNMANGLED.into(), module: String::new(), function: name.clone() });
        self.all.symbols.insert(index, (name, place.clone()));
        place
    }

    /// Functions whose names tell no crate belong to the one that most of their bytes were written in.
    fn name_the_rest(&mut self) {
        let mut tallies: HashMap<usize, HashMap<(&str, &str), u64>> = HashMap::new();
        for piece in &self.all.pieces {
            let Some(symbol) = piece.symbol.filter(|symbol| self.all.symbols[symbol].1.package == UNMANGLED) else {
                continue;
            };
            let written = (&*piece.written.package, &*piece.written.module);
            *tallies.entry(symbol).or_default().entry(written).or_default() += piece.bytes;
        }
        for (symbol, tally) in tallies {
            let rank = |(package, _): &(&str, &str), bytes| (!matches!(*package, "core" | "alloc" | UNMANGLED), bytes);
            let most = tally.iter().max_by_key(|(place, bytes)| (rank(place, **bytes), **place));
            if let (Some(((package, module), _)), Some((_, place))) = (most, self.all.symbols.get_mut(&symbol)) {
                (place.package, place.module) = ((*package).to_owned(), (*module).to_owned());
            }
        }
    }
}
