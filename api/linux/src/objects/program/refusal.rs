//! Why a program is not run: in a sentence for people, and as an error number for execve(2).

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use machine::ExitReason;

use super::image::NotRunnable;
use crate::{Errno, objects::text::lossy};

/// What is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The file itself.
    File(NotRunnable),
    /// It is empty.
    Empty,
    /// It is a text without a `#!` line.
    Text,
    /// Its `#!` line names no interpreter.
    BadScript,
    /// The interpreter that a script names.
    ScriptInterpreter(Vec<u8>, NotRunnable),
    /// Scripts that name scripts, too many times.
    TooManyScripts,
    /// Its ELF headers.
    Elf(elf::Error),
    /// The dynamic linker that it names.
    DynamicLinker(Vec<u8>, NotRunnable),
    /// The ELF headers of the dynamic linker that it names.
    BadDynamicLinker(Vec<u8>, elf::Error),
    /// Arguments and environment are too large.
    TooManyArguments,
    /// It must be at addresses that a program cannot have here.
    Addresses,
    /// It needs this many bytes, and there are only that many.
    Memory(u64, u64),
}

impl Refusal {
    /// In a box, because what nearly never happens should not make every result large.
    #[cold]
    #[inline(never)]
    pub fn boxed(self) -> Box<Self> {
        Box::new(self)
    }

    /// What execve(2) answers.
    pub const fn errno(&self) -> Errno {
        match self {
            Self::File(reason) | Self::ScriptInterpreter(_, reason) | Self::DynamicLinker(_, reason) => match reason {
                NotRunnable::Lookup(errno) => *errno,
                _ => Errno::EACCES,
            },
            Self::Empty | Self::Text | Self::BadScript | Self::Elf(_) => Errno::ENOEXEC,
            Self::TooManyScripts => Errno::ELOOP,
            Self::BadDynamicLinker(..) => Errno::ELIBBAD,
            Self::TooManyArguments => Errno::E2BIG,
            Self::Addresses | Self::Memory(..) => Errno::ENOMEM,
        }
    }

    /// How the machine ends if this was to be its first program.
    pub const fn exit_reason(&self) -> ExitReason {
        match self {
            Self::File(NotRunnable::Lookup(Errno::ENOENT | Errno::ENOTDIR)) => ExitReason::NotFound,
            _ => ExitReason::CannotExecute,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::File(reason) => return reason.fmt(out),
            Self::Elf(error) => return error.fmt(out),
            Self::ScriptInterpreter(path, reason) => {
                return write!(out, "the interpreter {} of its `#!` line: {reason}", lossy(path));
            }
            Self::DynamicLinker(path, reason) => {
                return write!(out, "the dynamic linker {} that it names: {reason}", lossy(path));
            }
            Self::BadDynamicLinker(path, error) => {
                return write!(out, "the dynamic linker {} that it names: {error}", lossy(path));
            }
            Self::Memory(needed, total) => {
                let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
                let (needed, total) = (megabytes(*needed), megabytes(*total));
                if needed <= total {
                    let why = "and its limits (RLIMIT_AS, RLIMIT_DATA) or what is free leave it less";
                    return write!(out, "it needs {needed} MB of memory, {why}; see setrlimit(2) and --memory");
                }
                return write!(out, "it needs {needed} MB of memory and the machine has {total} MB; see --memory");
            }
            Self::Empty => "it is empty",
            Self::Text => "it is neither an ELF program nor a script that begins with `#!`",
            Self::BadScript => "its `#!` line names no interpreter",
            Self::TooManyScripts => "it is a script of a script of a script, and that goes too deep",
            Self::TooManyArguments => "its arguments and environment are larger than 2 MB",
            Self::Addresses => "it must be loaded at addresses that are not free here",
        };
        out.write_str(text)
    }
}

impl fmt::Display for NotRunnable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Lookup(Errno::ENOENT) => "there is no such file",
            Self::Lookup(Errno::ENOTDIR) => "a part of its path is not a directory",
            Self::Lookup(Errno::EACCES) => "a directory of its path may not be searched",
            Self::Lookup(Errno::ELOOP) => "its path leads through too many symbolic links",
            Self::Lookup(Errno::ENAMETOOLONG) => "its path is too long",
            // Nothing else comes of a lookup in memory; the names of all errors would be 6 KB.
            Self::Lookup(errno) => return write!(out, "error {} of errno(3)", errno.number()),
            Self::Directory => "it is a directory",
            Self::NotRegular => "it is not a regular file",
            Self::NoPermission => "it is not executable (see chmod)",
        };
        out.write_str(text)
    }
}
