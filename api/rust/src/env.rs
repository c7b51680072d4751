//! Arguments and environment, as `std::env` has them. The environment is what the machine was started with; nothing
//! changes it.

use alloc_crate::string::String;
use core::{error, fmt, ops::Range};

use contracts::arguments::{argument, variable};

use crate::ffi::{OsStr, OsString};

fn owned(word: &[u8]) -> OsString {
    OsString::from_bytes(word.to_vec())
}

/// The arguments, the program's name first.
#[must_use]
pub fn args_os() -> ArgsOs {
    let end = (0..).take_while(|&index| argument(index).is_some()).count();
    ArgsOs { left: 0..end }
}

/// The arguments, the program's name first.
#[must_use]
pub fn args() -> Args {
    Args { inner: args_os() }
}

/// See [`args_os`].
pub struct ArgsOs {
    left: Range<usize>,
}

fn argument_at(index: usize) -> OsString {
    owned(argument(index).unwrap_or_default())
}

impl Iterator for ArgsOs {
    type Item = OsString;

    fn next(&mut self) -> Option<OsString> {
        self.left.next().map(argument_at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for ArgsOs {}

impl DoubleEndedIterator for ArgsOs {
    fn next_back(&mut self) -> Option<OsString> {
        self.left.next_back().map(argument_at)
    }
}

impl fmt::Debug for ArgsOs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.left.clone().map(argument_at)).finish()
    }
}

/// See [`args`]. It panics at an argument that is not UTF-8.
pub struct Args {
    inner: ArgsOs,
}

fn text(word: OsString) -> String {
    word.into_string().unwrap()
}

impl Iterator for Args {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.inner.next().map(text)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inner.size_hint()
    }
}

impl ExactSizeIterator for Args {}

impl DoubleEndedIterator for Args {
    fn next_back(&mut self) -> Option<String> {
        self.inner.next_back().map(text)
    }
}

impl fmt::Debug for Args {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Args").field("inner", &self.inner).finish()
    }
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarError {
    /// There is no such variable.
    NotPresent,
    /// Its value is not UTF-8.
    NotUnicode(OsString),
}

impl fmt::Display for VarError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPresent => formatter.write_str("environment variable not found"),
            Self::NotUnicode(value) => {
                write!(formatter, "environment variable was not valid unicode: {value:?}")
            }
        }
    }
}

impl error::Error for VarError {}

/// A variable's value.
///
/// # Errors
/// There is none, or it is not UTF-8.
pub fn var<K: AsRef<OsStr>>(name: K) -> Result<String, VarError> {
    match var_os(name) {
        Some(value) => value.into_string().map_err(VarError::NotUnicode),
        None => Err(VarError::NotPresent),
    }
}

/// A variable's value.
pub fn var_os<K: AsRef<OsStr>>(name: K) -> Option<OsString> {
    let name = name.as_ref().as_encoded_bytes();
    (0..).map_while(variable).filter_map(split).find(|(known, _)| *known == name).map(|(_, value)| owned(value))
}

/// Name and value. A `=` at the start is part of the name; what has none behind it is no variable.
fn split(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let middle = 1 + word.get(1..)?.iter().position(|&byte| byte == b'=')?;
    Some((&word[..middle], &word[middle + 1..]))
}

/// All variables.
#[must_use]
pub fn vars_os() -> VarsOs {
    VarsOs { next: 0 }
}

/// All variables.
#[must_use]
pub fn vars() -> Vars {
    Vars { inner: vars_os() }
}

/// See [`vars_os`].
#[derive(Debug)]
pub struct VarsOs {
    next: usize,
}

impl Iterator for VarsOs {
    type Item = (OsString, OsString);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let word = variable(self.next)?;
            self.next += 1;
            if let Some((name, value)) = split(word) {
                return Some((owned(name), owned(value)));
            }
        }
    }
}

/// See [`vars`]. It panics at a variable that is not UTF-8.
#[derive(Debug)]
pub struct Vars {
    inner: VarsOs,
}

impl Iterator for Vars {
    type Item = (String, String);

    fn next(&mut self) -> Option<Self::Item> {
        self.inner.next().map(|(name, value)| (text(name), text(value)))
    }
}

/// What the program was built for.
pub mod consts {
    /// The processor.
    pub const ARCH: &str = "x86_64";
    /// The family of systems: none.
    pub const FAMILY: &str = "";
    /// The system: none.
    pub const OS: &str = "none";
}
