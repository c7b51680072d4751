//! The files of a component that builds and runs as it is: a crate with a test, and an image that has it.

use std::path::Path;

use crate::failure::Failure;

/// Files by their path in the folder.
type Files = Vec<(&'static str, String)>;

/// The files of the component `name`, with the house's crates at `house`.
pub fn files(house: &str, name: &str) -> Files {
    let words = |text: &str| {
        let text =
            text.replace("NAME", name).replace("Type", &type_name(name)).replace("MODULE", &name.replace('-', "_"));
        text.replace("HOUSE", house)
    };
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", CODE),
        ("image/whittle.toml", WISHES),
        ("image/Cargo.toml", PROGRAM_MANIFEST),
        ("image/src/main.rs", PROGRAM),
    ];
    files.map(|(path, text)| (path, words(text))).into()
}

/// Refuses a name that crates of the house have.
pub fn check(catalogue: &super::super::Catalogue, name: &str) -> Result<(), Failure> {
    let is_taken = catalogue.crates.contains_key(name) || catalogue.components.iter().any(|known| known.name == name);
    if is_taken { Err(Failure::ours(format!("`{name}` is whittle's own: take another name"))) } else { Ok(()) }
}

/// What to type next.
pub fn advice(folder: &Path) -> String {
    let shown = folder.display();
    format!(
        "{shown} is a component, a console; test it, and run the image that has it:\n  \
         cargo test --manifest-path {shown}/Cargo.toml\n  whittle run {shown}/image\n\
         What a component may provide is shown by whittle components, and what that asks of it by whittle explain CONTRACT"
    )
}

/// `upside-down` as `UpsideDown`.
fn type_name(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
    };
    name.split(['-', '_']).map(word).collect()
}

const MANIFEST: &str = r#"[package]
name = "NAME"
version = "0.1.0"
edition = "2024"

# Traits of contracts, and no other code. What the slot below names has to be among these, or be the platform's.
[dependencies]
machine = { path = "HOUSE/elements/machine" }

# Not part of any workspace around it.
[workspace]

[package.metadata.whittle.component.NAME]
summary = "the plain console, with a mark before each line"
provides = ["console"]
# The slot's type and, after `=`, its one value. Options stand in braces, and so does the platform's crate.
slots.console = "MODULE::Type<{platform}::Plain> = MODULE::Type::new({platform}::Plain, {mark})"
[package.metadata.whittle.component.NAME.options]
mark = { type = "text", default = "> ", help = "what each line begins with" }
"#;

const CODE: &str = r#"//! The component `NAME`: a console that puts a mark before each line, over another console.
#![no_std]

use core::sync::atomic::{AtomicBool, Ordering};

use machine::{Console, ConsoleError, Stream};

/// The console. An image has one, which everybody shares: what changes in it is atomic, or behind a lock.
pub struct Type<C> {
    below: C,
    mark: &'static str,
    /// Whether the last byte was within a line.
    within: AtomicBool,
}

impl<C> Type<C> {
    /// Over `below`. The image makes it when it is compiled, so this is a `const fn`.
    pub const fn new(below: C, mark: &'static str) -> Self {
        Self { below, mark, within: AtomicBool::new(false) }
    }
}

impl<C: Console> Type<C> {
    fn write_all(&self, stream: Stream, mut bytes: &[u8]) -> Result<(), ConsoleError> {
        while !bytes.is_empty() {
            bytes = &bytes[self.below.write(stream, bytes)?..];
        }
        Ok(())
    }
}

impl<C: Console> Console for Type<C> {
    fn read(&self, buffer: &mut [u8]) -> Result<usize, ConsoleError> {
        self.below.read(buffer)
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if !self.within.swap(!line.ends_with(b"\n"), Ordering::Relaxed) {
                self.write_all(stream, self.mark.as_bytes())?;
            }
            self.write_all(stream, line)?;
        }
        Ok(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::{string::String, sync::Mutex};

    /// A console that takes a few bytes at a time.
    struct Paper(Mutex<String>);

    impl Console for Paper {
        fn read(&self, _: &mut [u8]) -> Result<usize, ConsoleError> {
            Ok(0)
        }

        fn write(&self, _: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
            let few = &bytes[..bytes.len().min(3)];
            self.0.lock().unwrap().push_str(core::str::from_utf8(few).unwrap());
            Ok(few.len())
        }
    }

    #[test]
    fn each_line_has_one_mark() {
        let console = Type::new(Paper(Mutex::new(String::new())), "* ");
        for piece in ["one li", "ne\nanother\n", "\n"] {
            assert_eq!(console.write(Stream::Output, piece.as_bytes()), Ok(piece.len()));
        }
        assert_eq!(*console.below.0.lock().unwrap(), "* one line\n* another\n* \n");
    }
}
"#;

const WISHES: &str = r#"# An image to try the component `NAME` with; `whittle build` reads this.
name = "NAME-image"
kind = "rust"
platform = ["pc", "process"]

# Where crates with components of yours lie, by name.
[crates]
NAME = ".."

[components]
console = { use = "NAME", mark = "> " }
"#;

const PROGRAM_MANIFEST: &str = r#"[package]
name = "NAME-image"
version = "0.1.0"
edition = "2024"
autobins = false

# The image's program calls this crate's `main`, so it is a library.
[lib]
path = "src/main.rs"

[dependencies]
whittle_std = { path = "HOUSE/api/rust" }

[workspace]
"#;

const PROGRAM: &str = r#"//! A program to try the component `NAME` with.
#![no_std]

#[macro_use]
extern crate whittle_std as std;

/// Where the program begins.
pub fn main() {
    println!("One line,");
    println!("and another.");
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_rust_wants() {
        assert_eq!((type_name("upside-down"), type_name("x")), ("UpsideDown".into(), "X".into()));
        let files = files("/house", "upside-down");
        assert!(
            files.iter().all(|(_, text)| !["NAME", "Type<", "MODULE", "HOUSE"].iter().any(|word| text.contains(word)))
        );
        assert!(
            files[0].1.contains("slots.console = \"upside_down::UpsideDown<{platform}::Plain> = "),
            "{}",
            files[0].1
        );
    }
}
