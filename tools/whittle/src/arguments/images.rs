//! What the commands are told that make images, and look into them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Platform;

/// `whittle build`.
#[derive(Debug, Args)]
pub struct Build {
    /// The folder with the whittle.toml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Only for this one of its platforms
    #[arg(long, value_name = "pc|process")]
    pub platform: Option<String>,
    /// Build the command's own images, those with disks too, for every platform, so that no run has to wait for one
    #[arg(long, conflicts_with_all = ["folder", "platform"])]
    pub all: bool,
    /// Pack a C library with a dynamic program of musl whose system calls are calls from the first one on; it is built
    /// once, from Debian's source of musl
    #[arg(long, conflicts_with = "all")]
    pub libc: bool,
    /// Leave the image as this one file, which `whittle run` starts anywhere
    #[arg(long, short, value_name = "IMAGE", conflicts_with = "all")]
    pub output: Option<PathBuf>,
    /// Say what the image is made of, and which crates are compiled, on standard error
    #[arg(long)]
    pub verbose: bool,
}

/// `whittle eject`.
#[derive(Debug, Args)]
pub struct Eject {
    /// The folder with the whittle.toml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Only for this one of its platforms
    #[arg(long, value_name = "pc|process")]
    pub platform: Option<String>,
}

/// `whittle new`.
#[derive(Debug, Args)]
pub struct New {
    /// The folder to make; its last part is the program's name
    pub folder: PathBuf,
    /// What is in it: a Rust program of yours, a Linux program as it is, or a component for images
    #[arg(long, value_name = "rust|linux|component", default_value = "rust", hide_possible_values = true)]
    pub kind: Kind,
}

/// What `new` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A Rust program of one's own.
    Rust,
    /// A Linux program.
    Linux,
    /// A component, and an image that has it.
    Component,
}

/// `whittle inspect`.
#[derive(Debug, Args)]
#[command(after_help = INSPECT_NOTES)]
pub struct Inspect {
    /// The image: a file of it (.img, .elf), a folder where it was built, or the name of a ready one (linux)
    #[arg(value_name = "IMAGE")]
    pub image: PathBuf,
    /// The platform, where there is an image for each
    #[arg(long, value_name = "pc|process", hide_possible_values = true)]
    pub platform: Option<Platform>,
    /// How many functions to list
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub functions: usize,
    /// Write all of it as a page for a browser, in one file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print all of it as JSON
    #[arg(long)]
    pub json: bool,
}

const INSPECT_NOTES: &str = "\
Bytes are those of the file that is started; each of them is in the table of crates once. There,
code counts for the crate of its source line, also where it was inlined elsewhere; constants and
data count for the crate of their name. In the list of functions, all bytes of a function count
for it. A component has the bytes of its crate; one that shares its crate has the modules named
like it or like a contract it provides.";

/// `whittle walk`.
#[derive(Debug, Args)]
#[command(after_help = WALK_NOTES)]
pub struct Walk {
    /// Which way: read, fault or console [default: all]
    #[arg(value_name = "WAY", hide_possible_values = true)]
    pub ways: Vec<Asked>,
    /// List what was inlined, and what is passed on the way back, too
    #[arg(long)]
    pub all: bool,
}

/// What the program that is walked with asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Asked {
    /// A read of a file on a share.
    Read,
    /// A page of memory.
    Fault,
    /// A byte to standard output.
    Console,
}

const WALK_NOTES: &str = "\
A program asks for one thing, on the ready image for pc, under QEMU, which notes each instruction. The files are those
of the functions that were passed, by the image's symbols, in the order of the way.";

/// `whittle syscalls`.
#[derive(Debug, Args)]
#[command(after_help = SYSCALLS_NOTES)]
pub struct Syscalls {
    /// Go by a log of system calls: of `whittle run --trace syscalls`, or of strace
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print JSON rather than a table
    #[arg(long)]
    pub json: bool,
    /// The program, which is looked through with its libraries
    #[arg(value_name = "PROGRAM")]
    pub program: Option<PathBuf>,
}

const SYSCALLS_NOTES: &str = "\
Without a program or a log, all system calls by family: full is as on Linux, partial says what is missing, an error is
the answer always. A program's code shows what it may ask for, a log what it did ask for.";
