//! A small program is compiled for each test process, and taken apart.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

use super::find::locate;
use super::*;
use crate::arguments::Platform;

const PROGRAM: &str = r#"
#![no_std]
#![no_main]
use core::sync::atomic::{AtomicU8, Ordering};
mod deep {
    pub mod down {
        #[inline(never)]
        pub fn sum(bytes: &[u8]) -> u32 { bytes.iter().rev().filter(|byte| **byte > 3).map(|byte| u32::from(*byte)).sum() }
    }
}
#[used]
static TABLE: [u32; 80] = [7; 80];
static SCRATCH: [AtomicU8; 5000] = [const { AtomicU8::new(0) }; 5000];
core::arch::global_asm!(".globl _start", "_start:", "nop", "call begin", "hlt");
#[no_mangle]
pub extern "C" fn begin() -> u32 {
    let scratch = core::hint::black_box(&SCRATCH)[7].fetch_add(1, Ordering::Relaxed);
    deep::down::sum(core::hint::black_box(b"some bytes")) + u32::from(scratch)
}
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
"#;

const COMPOSITION: &[u8] = include_bytes!("fixture.json");

/// What the compiler made of the program.
static LINKED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let (source, linked) = (folder.path().join("main.rs"), folder.path().join("hello"));
    fs::write(&source, PROGRAM).unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args([
        "--edition=2021",
        "--crate-name=hello",
        "--target=x86_64-unknown-none",
        "-Copt-level=2",
        "-Cdebuginfo=1",
        "-Cpanic=abort",
        "-o",
    ]);
    assert!(rustc.arg(&linked).arg(&source).status().unwrap().success());
    fs::read(linked).unwrap()
});

/// A folder as `whittle build` leaves it.
struct Built {
    folder: TempDir,
}

impl Built {
    fn new() -> Self {
        let built = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(built.file("")).unwrap();
        built.write("hello-pc.elf", &LINKED);
        built.write("hello-pc.img", &strip(LINKED.clone()).unwrap());
        built.write("hello-pc.json", COMPOSITION);
        built
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("target/whittle").join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.file(name), bytes).unwrap();
    }

    fn locate(&self, word: &Path) -> Result<Files, Failure> {
        let root = self.folder.path().join("house");
        locate(&House::repository(root), word, None)
    }

    fn report(&self) -> Result<Report, Failure> {
        read(&self.locate(self.folder.path())?)
    }

    /// The one sentence that names a file by its last part.
    fn sentence(&self) -> String {
        let failure = self.report().unwrap_err();
        assert_eq!(failure.status, 125);
        failure.sentence.replace(&format!("{}/", self.file("").display().to_string().trim_end_matches('/')), "")
    }
}

/// Everything that must hold for any image.
fn check_sums(report: &Report, file: u64) {
    let bytes = &report.bytes;
    assert_eq!(bytes.file, file);
    assert_eq!(bytes.text + bytes.constants + bytes.data + bytes.other, file);
    assert_eq!(report.crates.iter().map(|row| row.bytes).sum::<u64>(), file);
    for leaves in [&report.written, &report.linked] {
        assert_eq!(leaves.iter().map(|leaf| leaf.bytes).sum::<u64>(), file);
    }
    assert_eq!(report.crates.iter().map(|row| row.text).sum::<u64>(), bytes.text);
    assert_eq!(report.crates.iter().fold(0_u64, |sum, row| sum.saturating_add(row.zeroed)), bytes.zeroed);
    assert_eq!(
        report.other.iter().map(|leaf| leaf.bytes).sum::<u64>(),
        report.crates.last().map_or(0, |row| row.bytes)
    );
}

#[test]
fn every_byte_is_somewhere_once() {
    let built = Built::new();
    let report = built.report().unwrap();
    check_sums(&report, fs::metadata(built.file("hello-pc.img")).unwrap().len());
    assert!(report.lines && report.bytes.zeroed >= 5000);
    let row = |name: &str| report.crates.iter().find(|row| row.name == name).unwrap();
    // Iterators are written in core, wherever they are inlined; a table and zeroed memory belong to the crate itself.
    assert!(row("core").text > 0);
    assert!(row("hello").constants >= 320 && row("hello").zeroed >= 5000);
    let sum = report.functions.iter().find(|function| function.name == "hello::deep::down::sum").unwrap();
    assert_eq!(sum.package, "hello");
    // A file is a module where lines count; this one is the crate's root.
    let of_file = |leaf: &&report::Leaf| (&*leaf.package, &*leaf.module, &*leaf.function) == ("hello", "", "sum");
    let written = report.written.iter().find(of_file).unwrap();
    assert!((1..sum.bytes).contains(&written.bytes), "{} of {} bytes are its own", written.bytes, sum.bytes);
    assert!(report.written.iter().any(|leaf| (&*leaf.package, &*leaf.function) == ("unmangled", "_start")));
    assert!(report.linked.iter().any(|leaf| (&*leaf.module, &*leaf.function) == ("deep::down", "sum")));
}

#[test]
fn an_image_needs_no_composition() {
    let built = Built::new();
    for name in ["hello-pc.json", "hello-pc.img"] {
        fs::remove_file(built.file(name)).unwrap();
    }
    let report = built.report().unwrap();
    check_sums(&report, strip(LINKED.clone()).unwrap().len() as u64);
    assert_eq!(report.title(), "hello-pc, an image without a composition");
    assert!(page::page(&report).is_ok() && text::text(&report, 3).contains("hello::deep::down::sum"));
}

#[test]
fn the_text_fits_into_100_columns() {
    let text = text::text(&Built::new().report().unwrap(), 15);
    for line in text.lines() {
        assert!(line.chars().count() <= tables::WIDTH, "{line}");
    }
    for words in
        ["hello, a linux image for pc", "12 components", "42 system calls", "virtio-console", "64M", "pc::stage::Traps"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn the_page_is_complete_and_escaped() {
    let page = page::page(&Built::new().report().unwrap()).unwrap();
    assert!(page.contains("&lt;b&gt;hello &amp; &quot;goodbye&quot;&lt;/b&gt;") && !page.contains("<b>hello"));
    for foreign in ["http:", "https:", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("class=\"component").count(), 12);
}

#[test]
fn the_keys_of_the_data_stay() {
    let report = serde_json::to_value(Built::new().report().unwrap()).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        keys(&report),
        "bytes components console crates edges functions kind lines linked memory name other platform settings stages \
         system_calls written"
    );
    assert_eq!(keys(&report["bytes"]), "constants data file other text zeroed");
    assert_eq!(keys(&report["crates"][0]), "bytes constants data name text zeroed");
    assert_eq!(keys(&report["functions"][0]), "bytes crate name symbol");
    assert_eq!(keys(&report["written"][0]), "bytes crate function module");
    assert_eq!(keys(&report["components"][0]), "bytes chosen crate name needs options provides shared summary");
}

#[test]
fn an_image_has_many_names() {
    let built = Built::new();
    let files = built.locate(built.folder.path()).unwrap();
    for name in ["hello-pc", "hello-pc.img", "hello-pc.elf", "hello-pc.json", ""] {
        assert_eq!(built.locate(&built.file(name)).unwrap(), files, "{name}");
    }
    // A ready image of the house.
    let root = built.folder.path().to_owned();
    let house = House::repository(root);
    for (name, platform) in [("hello", None), ("hello-pc", None), ("hello", Some(Platform::Pc))] {
        assert_eq!(locate(&house, Path::new(name), platform).unwrap().linked, files.linked);
    }
    assert!(locate(&house, Path::new("hello"), Some(Platform::Process)).is_err());
    built.write("hello-process.elf", &LINKED);
    assert!(built.sentence().starts_with("there is more than one image in "));
    let chosen = locate(&house, built.folder.path(), Some(Platform::Process)).unwrap();
    assert_eq!(chosen.linked, built.file("hello-process.elf"));
}

#[test]
fn what_is_wrong_is_one_sentence() {
    let built = Built::new();
    let nothing = built.locate(Path::new("/no/such")).unwrap_err();
    let words = "there is no image /no/such: name a file, or a folder where something was built";
    assert_eq!((nothing.status, &*nothing.sentence), (125, words));
    built.write("hello-pc.json", b"{\n  \"name\": 7 }");
    assert!(
        built.sentence().starts_with("cannot read hello-pc.json: invalid type: integer `7`"),
        "{}",
        built.sentence()
    );
    assert!(built.sentence().ends_with("at line 2 column 11"), "{}", built.sentence());
    built.write("hello-pc.img", &fs::read("/bin/true").unwrap());
    assert_eq!(built.sentence(), "hello-pc.img and hello-pc.elf come from different builds: build them again");
    built.write("hello-pc.elf", &strip(LINKED.clone()).unwrap());
    let words = "hello-pc.elf has no symbols: the unstripped file, NAME-PLATFORM.elf, must lie beside it";
    assert_eq!(built.sentence(), words);
    built.write("hello-pc.elf", b"#!/bin/sh\n");
    assert_eq!(built.sentence(), "hello-pc.elf is no 64-bit ELF file, or a damaged one");
    fs::remove_dir_all(built.file("")).unwrap();
    assert!(built.sentence().starts_with("there is no image in "));
}

#[test]
fn damage_never_breaks_the_sums() {
    let mut random = 1_u64;
    let mut number = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let whole = &*LINKED;
    let tables = usize::try_from(u64::from_le_bytes(whole[40..48].try_into().unwrap())).unwrap();
    let mut read = 0;
    for round in 0..400 {
        let mut file = whole.clone();
        for _ in 0..3 {
            // Headers decide most; they stand at both ends.
            let at = match round % 3 {
                0 => number(400),
                1 => tables + number(whole.len() - tables),
                _ => number(whole.len()),
            };
            file[at] = [0, 1, 0x7f, 0x80, 0xff][number(5)];
        }
        let Ok(image) = image::Image::read(&file, Path::new("damaged")) else { continue };
        let Ok(started) = strip(file.clone()) else { continue };
        let Ok(sections) = lines::Sections::read(&file) else { continue };
        let Ok(lines) = sections.lines() else { continue };
        let attribution = attribute::attribute(&image, &started, &lines);
        let files = Files { name: "damaged".into(), linked: PathBuf::new(), started: None, composition: None };
        let report = Report::new(&files, None, &image, &attribution);
        check_sums(&report, started.len() as u64);
        read += 1;
    }
    assert!(read > 100, "only {read} were read");
}

#[test]
fn a_page_replaces_the_old_one_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    for text in ["old and long", "new"] {
        write(&path, text).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(write(folder.path(), "x").unwrap_err().sentence.ends_with("it is a folder"));
    assert!(write(&folder.path().join("no/such"), "x").unwrap_err().sentence.ends_with("no such file or directory"));
}
