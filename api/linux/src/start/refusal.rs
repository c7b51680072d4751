//! Why a program is not run: in a sentence for people, and as an error number for execve(2).

use alloc::{string::String, vec::Vec};
use core::fmt;

use machine::ExitReason;

use crate::{Errno, start::image::NotRunnable};

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
    /// It needs a dynamic loader, of this path.
    Dynamic(Vec<u8>),
    /// Arguments and environment are too large.
    TooManyArguments,
    /// It must be at addresses that a program cannot have here.
    Addresses,
    /// It needs this many bytes, and there are only that many.
    Memory(u64, u64),
}

impl Refusal {
    /// What execve(2) answers.
    pub const fn errno(&self) -> Errno {
        match self {
            Self::File(reason) | Self::ScriptInterpreter(_, reason) => match reason {
                NotRunnable::Lookup(errno) => *errno,
                _ => Errno::EACCES,
            },
            Self::Empty | Self::Text | Self::BadScript | Self::Elf(_) => Errno::ENOEXEC,
            Self::TooManyScripts => Errno::ELOOP,
            // What Linux answers when the loader's file is not there.
            Self::Dynamic(_) => Errno::ENOENT,
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
        match self {
            Self::File(reason) => write!(out, "{reason}"),
            Self::Empty => out.write_str("it is empty"),
            Self::Text => out.write_str("it is neither an ELF program nor a script that begins with `#!`"),
            Self::BadScript => out.write_str("its `#!` line names no interpreter"),
            Self::ScriptInterpreter(path, reason) => {
                write!(out, "the interpreter {} of its `#!` line: {reason}", String::from_utf8_lossy(path))
            }
            Self::TooManyScripts => out.write_str("it is a script of a script of a script, and that goes too deep"),
            Self::Elf(error) => write!(out, "{error}"),
            Self::Dynamic(path) => {
                let path = String::from_utf8_lossy(path);
                write!(out, "it needs the interpreter {path}, and dynamic programs are not there yet: link it static")
            }
            Self::TooManyArguments => out.write_str("its arguments and environment are larger than 2 MB"),
            Self::Addresses => out.write_str("it must be loaded at addresses that are not free here"),
            Self::Memory(needed, total) => {
                let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
                let (needed, total) = (megabytes(*needed), megabytes(*total));
                write!(out, "it needs {needed} MB of memory and the machine has {total} MB; see --memory")
            }
        }
    }
}

impl fmt::Display for NotRunnable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lookup(Errno::ENOENT) => out.write_str("there is no such file"),
            Self::Lookup(Errno::ENOTDIR) => out.write_str("a part of its path is not a directory"),
            Self::Lookup(Errno::EACCES) => out.write_str("a directory of its path may not be searched"),
            Self::Lookup(Errno::ELOOP) => out.write_str("its path leads through too many symbolic links"),
            Self::Lookup(Errno::ENAMETOOLONG) => out.write_str("its path is too long"),
            // Nothing else comes of a lookup in memory; the names of all errors would be 6 KB.
            Self::Lookup(errno) => write!(out, "error {} of errno(3)", errno.number()),
            Self::Directory => out.write_str("it is a directory"),
            Self::NotRegular => out.write_str("it is not a regular file"),
            Self::NoPermission => out.write_str("it is not executable (see chmod)"),
        }
    }
}
