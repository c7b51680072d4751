//! `whittle inspect`: what an image is made of, and where each of its bytes comes from.
//!
//! Bytes are counted twice over the same pieces of the file. *As written*: each range of addresses counts for the crate
//! and module of its source line, so code counts where somebody wrote it, however often and wherever it was inlined.
//! *As linked*: all bytes of a function count for the crate that the function's symbol names. Named constants and data
//! count for their symbol either way; the rest is the row `other`. Both sums are the size of the file.

mod attribute;
mod components;
mod composition;
mod find;
mod image;
mod lines;
mod names;
mod page;
mod report;
mod tables;
mod text;

pub use lines::{Frame, Lines, Sections};
use std::fs;
use std::io::{ErrorKind, Write, stdout};
use std::path::Path;
pub use tables::grouped;

use crate::arguments::Inspect;
use crate::failure::{Doing, Failure};
use crate::fresh::strip;
use crate::house::House;

use composition::Composition;
use find::{Files, locate};
use report::Report;

/// Prints what an image is made of, or writes it as a page.
pub fn inspect(house: &House, words: &Inspect) -> Result<(), Failure> {
    let files = locate(house, &words.image, words.platform)?;
    let report = read(&files)?;
    if let Some(path) = &words.html {
        write(path, &page::page(&report)?)?;
    }
    match (words.json, &words.html) {
        (true, _) => print(&(serde_json::to_string_pretty(&report).doing("write the report as JSON")? + "\n")),
        (false, Some(path)) => print(&format!("{} shows {}\n", path.display(), report.title())),
        (false, None) => print(&text::text(&report, words.functions)),
    }
}

/// Reads the files of an image into a report.
fn read(files: &Files) -> Result<Report, Failure> {
    let linked = fs::read(&files.linked).doing(format!("read {}", files.linked.display()))?;
    let image = image::Image::read(&linked, &files.linked)?;
    let started = match &files.started {
        Some(path) => fs::read(path).doing(format!("read {}", path.display()))?,
        None => strip(linked.clone()).doing(format!("read {}", files.linked.display()))?,
    };
    let other = files.started.as_deref().unwrap_or(&files.linked);
    if !image.starts_as(&started) {
        let (other, linked) = (other.display(), files.linked.display());
        return Err(Failure::ours(format!("{other} and {linked} come from different builds: build them again")));
    }
    let composition = files.composition.as_deref().map(Composition::read).transpose()?;
    let lines = lines::Sections::read(&linked).doing(format!("read the lines of {}", files.linked.display()))?;
    let lines = lines.lines().doing(format!("read the lines of {}", files.linked.display()))?;
    let attribution = attribute::attribute(&image, &started, &lines);
    Ok(Report::new(files, composition, &image, &attribution))
}

fn print(text: &str) -> Result<(), Failure> {
    match stdout().write_all(text.as_bytes()) {
        // A reader such as head(1) had enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.doing("write the report"),
    }
}

/// Writes a file in one step: a reader sees the old page or the new one.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let doing = || format!("write {}", path.display());
    let Some(name) = path.file_name() else {
        return Err(Failure::ours(format!("cannot {}: it names no file", doing())));
    };
    if path.is_dir() {
        return Err(Failure::ours(format!("cannot {}: it is a folder", doing())));
    }
    let new = path.with_file_name(format!(".{}.new-{}", name.display(), std::process::id()));
    fs::write(&new, text).and_then(|()| fs::rename(&new, path)).doing(doing()).inspect_err(|_| {
        // The sentence already says what failed; there may be nothing to remove.
        let _ = fs::remove_file(&new);
    })
}

#[cfg(test)]
mod tests;
