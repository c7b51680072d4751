//! `whittle walk`: which source files the kernel passes while it does one thing for a program.
//!
//! A small program ([`ways`] says which) does that thing between two marks, on pc, under QEMU, which writes down each
//! instruction's address ([`executed`]). The image's symbols and debugging information say whose functions these were
//! ([`passed`]). So the list is what ran, not what somebody believes.

mod executed;
mod passed;
mod ways;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use object::{Object, ObjectSymbol};

use crate::arguments::{Platform, Walk};
use crate::bench::{as_built, compile, run_well, whittle, work_folder};
use crate::compose::{Place, rebuild_image};
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::inspect::Sections;
use crate::whole;
use executed::Marks;
use passed::{Function, Passed};
use ways::{WAYS, Way};

/// Bytes of the files that are read: all but the first are read whole before the marks.
const LENGTH: usize = 1 << 19;

/// Follows the ways that are wanted, all of them if none is named, and prints each.
pub fn walk(house: &House, wanted: &Walk) -> Result<(), Failure> {
    let program = work_folder(house)?.join("walk");
    compile(&house.root.join("apps/walk"), &program, &[], &[])?;
    rebuild_image(house, Platform::Pc.name())?;
    let image = Place::ready(house).symbols(Platform::Pc.name());
    let image = fs::read(&image).doing(format!("read {}", image.display()))?;
    let sections = Sections::read(&image).doing("read the image's debugging information")?;
    let lines = sections.lines().doing("read the image's debugging information")?;
    let passed = Passed::new(house, &labels(&image)?, &lines);
    let is_wanted = |way: &&Way| wanted.ways.is_empty() || wanted.ways.contains(&way.asked);
    for (index, way) in WAYS.iter().filter(is_wanted).enumerate() {
        let addresses = executed(house, way, &program)?;
        let walk = Followed::new(way, passed.functions(&addresses));
        print!("{}{}", if index == 0 { "" } else { "\n" }, walk.text(wanted.all));
    }
    Ok(())
}

/// The image's symbols without a size: labels of assembly, of which the debugging information says nothing.
fn labels(image: &[u8]) -> Result<Vec<(u64, String)>, Failure> {
    let file = object::File::parse(image).doing("read the image")?;
    let labels = file.symbols().filter(|symbol| symbol.size() == 0);
    Ok(labels.filter_map(|label| Some((label.address(), label.name().ok()?.to_owned()))).collect())
}

/// Addresses of the instructions between the marks, in their order.
fn executed(house: &House, way: &Way, program: &Path) -> Result<Vec<u64>, Failure> {
    let folder = work_folder(house)?.join("walked");
    fs::create_dir_all(&folder).doing(format!("make {}", folder.display()))?;
    let file = |name: &str| -> Result<String, Failure> {
        let path = folder.join(name);
        // Another of these commands may be reading it.
        whole::replace(&path, &[b'w'; LENGTH]).doing(format!("write {}", path.display()))?;
        Ok(format!("/walked/{name}"))
    };
    let files = [file("one")?, file("other")?, file("third")?];
    // One file each: two of these commands may run beside each other.
    let log = folder.join(format!("executed-{}", std::process::id()));
    let (executed, share) = (log.display().to_string(), format!("{}:/walked:ro", folder.display()));
    // A call that traps is the shorter walk, and nothing is counted on it.
    let trapping = ["--platform", "pc", "--ring", "0", "--syscalls", "trap", "--icount"];
    let words = [&trapping[..], &["--executed", &executed, "--root", "none", "-v", &share]].concat();
    let program_words = [&program.display().to_string(), way.word];
    let files: Vec<&str> = files.iter().map(String::as_str).filter(|_| way.has_files).collect();
    let ended = run_well(
        as_built(whittle(house, &[&words[..], &["--"], &program_words, &files].concat())?),
        executed::PATIENCE,
    );
    let marks = Marks::of(program)?;
    let addresses = ended.and_then(|_| executed::between(&log, marks));
    let _ = fs::remove_file(&log);
    addresses
}

/// What was passed on one way.
struct Followed<'a> {
    way: &'a Way,
    down: Vec<Function>,
    back: Vec<Function>,
}

impl<'a> Followed<'a> {
    fn new(way: &'a Way, mut functions: Vec<Function>) -> Self {
        let bottom = functions.iter().position(|function| function.name.contains(way.bottom));
        let back = functions.split_off(bottom.map_or(functions.len(), |bottom| bottom + 1));
        Self { way, down: functions, back }
    }

    /// The list, and below it counts; with `all`, also what is passed on the way back and what was inlined.
    fn text(&self, all: bool) -> String {
        let shown: Vec<&Function> = self.down.iter().filter(|function| all || !function.inlined).collect();
        let mut seen = BTreeSet::new();
        let mut text = format!("{}, down to {}\n", self.way.what, self.way.end);
        list(&mut text, shown, &mut seen);
        if all {
            text += "and back\n";
            list(&mut text, self.back.iter().collect(), &mut seen);
        }
        let down = files(self.down.iter().filter(|function| !function.inlined));
        let _ = write!(text, "{} files down", down.len());
        if all {
            let more = files(self.down.iter()).difference(&down).count();
            let _ = write!(text, "; {more} more whose functions were inlined");
        }
        text.push('\n');
        text
    }
}

fn files<'a>(functions: impl Iterator<Item = &'a Function>) -> BTreeSet<&'a str> {
    functions.map(|function| function.file.as_str()).collect()
}

/// A line for each file that was not seen before, with the first of its functions.
fn list<'a>(text: &mut String, functions: Vec<&'a Function>, seen: &mut BTreeSet<&'a str>) {
    for function in functions {
        if seen.insert(&function.file) {
            let _ = writeln!(text, "  {:<52} {}", function.file, function.name);
        }
    }
}
