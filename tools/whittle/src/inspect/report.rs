//! What is known of an image, as data: the text, the page and `--json` all show this.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::attribute::{Attribution, OTHER, inside};
use super::components;
use super::composition::Composition;
use super::find::Files;
use super::image::{Image, Part};
use super::names::Place;

/// An image taken apart. The keys of its JSON are promised to stay.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The image's name.
    pub name: String,
    /// Its platform, where a composition tells.
    pub platform: Option<String>,
    /// The kind of application, where a composition tells.
    pub kind: Option<String>,
    /// Bytes of the whole and of its parts.
    pub bytes: Bytes,
    /// Its components; empty without a composition.
    pub components: Vec<components::Sized>,
    /// Who needs, which contract, who provides.
    pub edges: Vec<(String, String, String)>,
    /// Bytes by crate as written, the largest first, `other` last. They add up to the file.
    pub crates: Vec<Crate>,
    /// What the row `other` is.
    pub other: Vec<Leaf>,
    /// Functions by their symbols, the largest first.
    pub functions: Vec<Function>,
    /// The system calls it answers.
    pub system_calls: Vec<String>,
    /// The typed settings.
    pub settings: BTreeMap<String, Value>,
    /// The boot stages in order.
    pub stages: Vec<String>,
    /// The limit of memory.
    pub memory: Value,
    /// The component that is the console.
    pub console: Value,
    /// Whether lines were there to say where code was written; without, it counts where its symbol belongs.
    pub lines: bool,
    /// Bytes by crate, module and function as written.
    pub written: Vec<Leaf>,
    /// Bytes by crate, module and function as linked.
    pub linked: Vec<Leaf>,
}

/// Bytes of an image.
#[derive(Debug, Default, Serialize)]
pub struct Bytes {
    /// The file that is started.
    pub file: u64,
    /// Instructions.
    pub text: u64,
    /// What is only read.
    pub constants: u64,
    /// What may be written.
    pub data: u64,
    /// Headers, the loader's tables, padding.
    pub other: u64,
    /// Memory that begins as zeros; not in the file.
    pub zeroed: u64,
}

/// Bytes of a crate.
#[derive(Debug, Default, Serialize)]
pub struct Crate {
    /// The crate's name, with underscores.
    pub name: String,
    /// Its bytes of the file.
    pub bytes: u64,
    /// Of them instructions.
    pub text: u64,
    /// Of them constants.
    pub constants: u64,
    /// Of them data.
    pub data: u64,
    /// Memory that begins as zeros; not in the file.
    pub zeroed: u64,
}

/// Bytes of a function.
#[derive(Debug, Serialize)]
pub struct Function {
    /// Its name as it reads.
    pub name: String,
    /// Its name for the linker.
    pub symbol: String,
    /// The crate of its name.
    #[serde(rename = "crate")]
    pub package: String,
    /// Its bytes, with all that was inlined into it.
    pub bytes: u64,
}

/// Bytes of one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Leaf {
    /// The crate, or `other`.
    #[serde(rename = "crate")]
    pub package: String,
    /// The module below it, or what the other bytes are.
    pub module: String,
    /// The function or the variable.
    pub function: String,
    /// Its bytes.
    pub bytes: u64,
}

impl Report {
    /// Puts together what was found out.
    #[must_use]
    pub fn new(files: &Files, composition: Option<Composition>, image: &Image, attribution: &Attribution) -> Self {
        let composition =
            composition.unwrap_or_else(|| Composition { name: files.name.clone(), ..Composition::default() });
        let written = leaves(attribution.pieces.iter().map(|piece| (&piece.written, piece.bytes)));
        let linked = attribution.pieces.iter().map(|piece| {
            let place = piece.symbol.map_or(&piece.written, |symbol| &attribution.symbols[&symbol].1);
            (place, piece.bytes)
        });
        Self {
            name: composition.name,
            platform: Some(composition.platform).filter(|platform| !platform.is_empty()),
            kind: composition.kind,
            bytes: bytes(image, attribution),
            components: components::sized(composition.components, &written),
            edges: composition.edges,
            crates: crates(image, attribution),
            other: written.iter().filter(|leaf| leaf.package == OTHER).cloned().collect(),
            functions: functions(image, attribution),
            system_calls: composition.system_calls,
            settings: composition.settings,
            stages: composition.stages,
            memory: composition.memory,
            console: composition.console,
            lines: attribution.lines,
            linked: leaves(linked),
            written,
        }
    }

    /// The image in a few words: `hello, a rust image for pc`.
    #[must_use]
    pub fn title(&self) -> String {
        match (&self.kind, &self.platform) {
            (Some(kind), Some(platform)) => format!("{}, a {kind} image for {platform}", self.name),
            (None, Some(platform)) => format!("{}, an image for {platform}", self.name),
            _ => format!("{}, an image without a composition", self.name),
        }
    }

    /// The limit of memory and the console, as far as they are known, with the settings.
    #[must_use]
    pub fn values(&self) -> Vec<(String, String)> {
        let own =
            [("memory", &self.memory), ("console", &self.console)].into_iter().filter(|(_, value)| !value.is_null());
        let settings = self.settings.iter().map(|(name, value)| (name.as_str(), value));
        own.chain(settings).map(|(name, value)| (name.to_owned(), super::composition::shown(value))).collect()
    }
}

fn bytes(image: &Image, attribution: &Attribution) -> Bytes {
    let of = |part| attribution.pieces.iter().filter(|piece| piece.part == part).map(|piece| piece.bytes).sum();
    let zeroed = image.sections.iter().filter(|section| section.part == Part::Zeroed).map(|section| section.size);
    Bytes {
        file: attribution.pieces.iter().map(|piece| piece.bytes).sum(),
        text: of(Part::Text),
        constants: of(Part::Constants),
        data: of(Part::Data),
        other: of(Part::Other),
        zeroed: zeroed.fold(0, u64::saturating_add),
    }
}

/// Sums by place, the largest first.
fn leaves<'a>(places: impl Iterator<Item = (&'a Place, u64)>) -> Vec<Leaf> {
    let mut sums: BTreeMap<&Place, u64> = BTreeMap::new();
    for (place, bytes) in places {
        *sums.entry(place).or_default() += bytes;
    }
    let leaf = |(place, bytes): (&Place, u64)| {
        let Place { package, module, function } = place.clone();
        Leaf { package, module, function, bytes }
    };
    let mut leaves: Vec<Leaf> = sums.into_iter().map(leaf).collect();
    leaves.sort_by_key(|leaf| std::cmp::Reverse(leaf.bytes));
    leaves
}

fn crates(image: &Image, attribution: &Attribution) -> Vec<Crate> {
    let mut crates: BTreeMap<&str, Crate> = BTreeMap::new();
    for piece in &attribution.pieces {
        let row = crates.entry(&piece.written.package).or_default();
        row.bytes += piece.bytes;
        match piece.part {
            Part::Text => row.text += piece.bytes,
            Part::Constants => row.constants += piece.bytes,
            Part::Data => row.data += piece.bytes,
            Part::Zeroed | Part::Other => {}
        }
    }
    for section in image.sections.iter().filter(|section| section.part == Part::Zeroed) {
        let mut add = |package, bytes| {
            let row = crates.entry(package).or_default();
            row.zeroed = row.zeroed.saturating_add(bytes);
        };
        let end = section.address.saturating_add(section.size);
        let mut named = section.address;
        for index in inside(image, section.address, end) {
            let symbol = &image.symbols[index];
            let (first, last) = (symbol.address.max(named), symbol.address.saturating_add(symbol.size).min(end));
            if let Some((_, place)) = attribution.symbols.get(&index).filter(|_| first < last) {
                add(&place.package, last - first);
                add(OTHER, first - named);
                named = last;
            }
        }
        add(OTHER, end - named);
    }
    let mut crates: Vec<Crate> = crates.into_iter().map(|(name, row)| Crate { name: name.to_owned(), ..row }).collect();
    crates.sort_by_key(|row| (row.name == OTHER, std::cmp::Reverse((row.bytes, row.zeroed))));
    crates
}

fn functions(image: &Image, attribution: &Attribution) -> Vec<Function> {
    let mut bytes: BTreeMap<usize, u64> = BTreeMap::new();
    for piece in attribution.pieces.iter().filter(|piece| piece.part == Part::Text) {
        if let Some(symbol) = piece.symbol {
            *bytes.entry(symbol).or_default() += piece.bytes;
        }
    }
    let function = |(symbol, bytes): (usize, u64)| {
        let (name, place) = &attribution.symbols[&symbol];
        let symbol = image.symbols[symbol].name.clone();
        Function { name: name.clone(), symbol, package: place.package.clone(), bytes }
    };
    let mut functions: Vec<Function> = bytes.into_iter().map(function).collect();
    functions.sort_by_key(|function| std::cmp::Reverse(function.bytes));
    functions
}
