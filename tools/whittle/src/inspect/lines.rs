//! What the debugging information says about addresses: whose source line an instruction comes from.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use addr2line::Context;
use addr2line::gimli::{self, DwarfSections, EndianSlice, LittleEndian};
use object::{Object, ObjectSection};

use super::names::{Place, module_of, of_folder, place, readable, without_closures};

type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// The sections of a file's debugging information.
pub struct Sections<'a>(DwarfSections<Cow<'a, [u8]>>);

impl<'a> Sections<'a> {
    /// Takes them out of an ELF file; what is missing is empty.
    pub fn read(file: &'a [u8]) -> Result<Self, object::Error> {
        let file = object::File::parse(file)?;
        let load = |section: gimli::SectionId| match file.section_by_name(section.name()) {
            Some(section) => section.uncompressed_data(),
            None => Ok(Cow::Borrowed(&[][..])),
        };
        DwarfSections::load(load).map(Self)
    }

    /// The lines in them.
    pub fn lines(&self) -> Result<Lines<'_>, gimli::Error> {
        let dwarf = self.0.borrow(|section| EndianSlice::new(section, LittleEndian));
        let roots = roots(&dwarf)?;
        Ok(Lines { context: Context::from_dwarf(dwarf)?, roots, names: RefCell::default() })
    }
}

/// The crates' source folders. A compilation unit of rustc is named `kernel/core/src/lib.rs/@/kernel.59ae9d47-cgu.0`.
fn roots(dwarf: &gimli::Dwarf<Reader<'_>>) -> Result<BTreeMap<String, String>, gimli::Error> {
    let mut roots = BTreeMap::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let Some(name) = unit.name.map(|name| name.to_string_lossy()) else { continue };
        let Some((file, unit_name)) = name.split_once("/@/") else { continue };
        let Some((folder, _)) = file.rsplit_once('/') else { continue };
        let package = unit_name.split('.').next().unwrap_or_default();
        let below = unit.comp_dir.map(|folder| folder.to_string_lossy()).unwrap_or_default();
        let folder = if folder.starts_with('/') { format!("{folder}/") } else { format!("{below}/{folder}/") };
        roots.entry(folder).or_insert_with(|| package.to_owned());
    }
    Ok(roots)
}

/// A function at an address.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its name as a reader wants it, without hashes and closures.
    pub name: String,
    /// The file that it is in, by the name that files have in images.
    pub file: Option<String>,
}

/// Source lines by address.
pub struct Lines<'a> {
    context: Context<Reader<'a>>,
    roots: BTreeMap<String, String>,
    /// The function part of names that were already read.
    names: RefCell<HashMap<String, String>>,
}

impl Lines<'_> {
    /// Whether the file has any.
    #[must_use]
    pub fn are_there(&self) -> bool {
        !self.roots.is_empty()
    }

    /// The ranges between two addresses that come from one source line each, with the place of the line. Ranges the
    /// debugging information knows nothing of are left out.
    #[must_use]
    pub fn rows(&self, begin: u64, end: u64) -> Vec<(u64, u64, Place)> {
        let Ok(locations) = self.context.find_location_range(begin, end) else { return Vec::new() };
        let mut rows: Vec<(u64, u64, Place)> = Vec::new();
        for (address, length, location) in locations {
            let behind = rows.last().map_or(begin, |row| row.1);
            let (first, last) = (address.max(behind), address.saturating_add(length).min(end));
            if first < last
                && let Some(place) = location.file.and_then(|file| self.of_file(file))
            {
                rows.push((first, last, Place { function: self.function(first), ..place }));
            }
        }
        rows
    }

    /// The innermost function at an address, also if it was inlined there.
    fn function(&self, address: u64) -> String {
        let Some(symbol) = self.frames(address).into_iter().next() else { return String::new() };
        if let Some(known) = self.names.borrow().get(&symbol) {
            return known.clone();
        }
        let name = readable(&symbol);
        let name = without_closures(&name);
        let function = place(name).map_or_else(|| name.to_owned(), |place| place.function);
        self.names.borrow_mut().insert(symbol, function.clone());
        function
    }

    /// The linker's names of the functions at an address, the innermost first.
    fn frames(&self, address: u64) -> Vec<String> {
        let mut names = Vec::new();
        let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() else { return names };
        while let Ok(Some(frame)) = frames.next() {
            names.extend(frame.function.and_then(|function| Some(function.raw_name().ok()?.into_owned())));
        }
        names
    }

    /// The functions at an address and their files, the innermost first.
    #[must_use]
    pub fn whole_frames(&self, address: u64) -> Vec<Frame> {
        let mut all = Vec::new();
        let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() else { return all };
        while let Ok(Some(frame)) = frames.next() {
            let Some(symbol) = frame.function.as_ref().and_then(|function| function.raw_name().ok()) else { continue };
            let name = without_closures(&readable(&symbol)).to_owned();
            all.push(Frame { name, file: frame.location.and_then(|place| place.file).map(str::to_owned) });
        }
        all
    }

    /// What a shim of the compiler's (`FnOnce::call_once`) at this range calls: the outermost function of the image's
    /// own that was inlined into it; a closure only if there is nothing else.
    #[must_use]
    pub fn inside_of(&self, begin: u64, end: u64) -> Option<String> {
        let mut closure = None;
        for (address, ..) in self.context.find_location_range(begin, end).ok()? {
            for symbol in self.frames(address.max(begin)).iter().rev() {
                let name = readable(symbol);
                if name.starts_with("core::") || name.starts_with("<core::") {
                    continue;
                }
                if without_closures(&name) == name {
                    return Some(name);
                }
                closure = closure.or(Some(name));
            }
        }
        closure
    }

    fn of_file(&self, file: &str) -> Option<Place> {
        let root =
            self.roots.iter().filter(|(root, _)| file.starts_with(root.as_str())).max_by_key(|(root, _)| root.len());
        let (package, file) = match root {
            Some((root, package)) => (package.clone(), &file[root.len()..]),
            None => {
                let (folder, file) = file
                    .split_once("/src/")
                    .filter(|_| !file.starts_with("/cargo/registry"))
                    .or_else(|| file.rsplit_once("/src/"))?;
                (of_folder(folder.rsplit('/').next()?), file)
            }
        };
        Some(Place { package, module: module_of(file), function: String::new() })
    }
}
