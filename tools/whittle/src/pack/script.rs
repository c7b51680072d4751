//! What a program file is by its first bytes, and which interpreter a `#!` line names.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Most bytes of a `#!` line that Linux reads (BINPRM_BUF_SIZE, execve(2)).
const LINE: usize = 256;

/// How a file is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpreter {
    /// It is an ELF file: by the processor.
    None,
    /// By this program, with this argument.
    Script(PathBuf, Option<OsString>),
    /// It is neither ELF nor does it begin with `#!` and a path.
    Unknown {
        /// It looks like text.
        text: bool,
    },
}

/// Looks at the first bytes of a file.
pub fn interpreter(path: &Path) -> io::Result<Interpreter> {
    let mut start = Vec::with_capacity(LINE);
    File::open(path)?.take(LINE as u64).read_to_end(&mut start)?;
    Ok(of(&start))
}

fn of(start: &[u8]) -> Interpreter {
    if start.starts_with(b"\x7fELF") {
        return Interpreter::None;
    }
    let text = !start.is_empty() && !start.iter().any(|&byte| byte == 0 || byte == 0x7f);
    let Some(line) = start.strip_prefix(b"#!") else { return Interpreter::Unknown { text } };
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    let mut words = line.splitn(2, |&byte| byte == b' ' || byte == b'\t');
    let word = |word: &[u8]| OsStr::from_bytes(word.trim_ascii()).to_owned();
    match words.next() {
        None | Some(b"") => Interpreter::Unknown { text },
        Some(program) => Interpreter::Script(PathBuf::from(word(program)), words.next().map(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_are_read_as_linux_does() {
        let script = |path: &str, argument: Option<&str>| Interpreter::Script(path.into(), argument.map(Into::into));
        assert_eq!(of(b"\x7fELF\x02"), Interpreter::None);
        assert_eq!(of(b"#!/bin/sh\necho"), script("/bin/sh", None));
        assert_eq!(of(b"#! \t/bin/sh -e  -u \n"), script("/bin/sh", Some("-e  -u")));
        assert_eq!(of(b"#!/usr/bin/env python3"), script("/usr/bin/env", Some("python3")));
        assert_eq!(of(b"#!\n/bin/sh"), Interpreter::Unknown { text: true });
        assert_eq!(of(b"echo hello\n"), Interpreter::Unknown { text: true });
        assert_eq!(of(b"MZ\0\0"), Interpreter::Unknown { text: false });
        assert_eq!(of(b""), Interpreter::Unknown { text: false });
    }
}
