//! The `#!` line of a script: `fs/binfmt_script.c`, execve(2).

/// Bytes of a file's start that are looked at; a longer interpreter path is refused.
pub const MAX_LINE: usize = 256;

/// Whom a script asks to run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script<'a> {
    /// Path of the interpreter.
    pub interpreter: &'a [u8],
    /// Everything behind it on the line, as one argument.
    pub argument: Option<&'a [u8]>,
}

/// Whether a file that begins so is a script at all.
#[must_use]
pub fn is_script(start: &[u8]) -> bool {
    start.starts_with(b"#!")
}

impl<'a> Script<'a> {
    /// Reads the line at the start of a file, of which `start` is the first [`MAX_LINE`] bytes or the whole.
    /// `None` if it names no interpreter, or the interpreter's path may have been cut off.
    #[must_use]
    pub fn parse(start: &'a [u8]) -> Option<Self> {
        let start = &start[..start.len().min(MAX_LINE)];
        let line = start.strip_prefix(b"#!")?;
        let end = line.iter().position(|&byte| byte == b'\n');
        let line = trim(&line[..end.unwrap_or(line.len())]);
        let path_end = line.iter().position(|&byte| is_blank(byte) || byte == 0);
        let interpreter = &line[..path_end.unwrap_or(line.len())];
        let cut_off = end.is_none() && path_end.is_none() && start.len() == MAX_LINE;
        if interpreter.is_empty() || cut_off {
            return None;
        }
        let argument = trim(&line[interpreter.len()..]);
        let argument = &argument[..argument.iter().position(|&byte| byte == 0).unwrap_or(argument.len())];
        Some(Self { interpreter, argument: (!argument.is_empty()).then_some(argument) })
    }
}

const fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes
        && is_blank(*first)
    {
        bytes = rest;
    }
    while let [rest @ .., last] = bytes
        && is_blank(*last)
    {
        bytes = rest;
    }
    bytes
}
