//! The parts of a path, as path_resolution(7) sees them: slashes in a row are one, and `.` counts only at the
//! beginning.

use core::{fmt, iter::FusedIterator};

use super::Path;
use crate::ffi::OsStr;

/// A part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component<'a> {
    /// The beginning of an absolute path.
    RootDir,
    /// `.` at the beginning of a relative path.
    CurDir,
    /// `..`
    ParentDir,
    /// A name.
    Normal(&'a OsStr),
}

impl<'a> Component<'a> {
    /// Its text.
    #[must_use]
    pub fn as_os_str(self) -> &'a OsStr {
        match self {
            Self::RootDir => OsStr::new("/"),
            Self::CurDir => OsStr::new("."),
            Self::ParentDir => OsStr::new(".."),
            Self::Normal(name) => name,
        }
    }
}

impl AsRef<OsStr> for Component<'_> {
    fn as_ref(&self) -> &OsStr {
        self.as_os_str()
    }
}

impl AsRef<Path> for Component<'_> {
    fn as_ref(&self) -> &Path {
        self.as_os_str().as_ref()
    }
}

/// The parts of a path, from both ends.
#[derive(Clone)]
pub struct Components<'a> {
    /// What is left.
    rest: &'a [u8],
    /// The beginning of the path is still in `rest`: a slash or a `.` there is a part of its own.
    at_start: bool,
}

impl<'a> Components<'a> {
    pub(super) const fn new(path: &'a [u8]) -> Self {
        Self { rest: path, at_start: true }
    }

    /// The part of the path that is left.
    #[must_use]
    pub fn as_path(&self) -> &'a Path {
        let mut left = self.clone();
        left.trim_start();
        left.trim_end();
        Path::from_bytes(left.rest)
    }

    /// Bytes at the start that are a part of their own there: the root, or `.`.
    fn start_length(&self) -> usize {
        match self.rest {
            [b'/', ..] | [b'.'] | [b'.', b'/', ..] if self.at_start => 1,
            _ => 0,
        }
    }

    /// Takes away what is no part before the first one.
    fn trim_start(&mut self) {
        while !self.at_start || self.start_length() == 0 {
            match self.rest {
                [b'/', rest @ ..] | [b'.', b'/', rest @ ..] => self.rest = rest,
                [b'.'] => self.rest = &[],
                _ => return,
            }
        }
    }

    /// Takes away what is no part behind the last one.
    fn trim_end(&mut self) {
        while self.rest.len() > self.start_length() {
            match self.rest {
                [rest @ .., b'/'] => self.rest = rest,
                [rest @ .., b'/', b'.'] => self.rest = if rest.is_empty() { &self.rest[..1] } else { rest },
                [b'.'] => self.rest = &[],
                _ => return,
            }
        }
    }

    fn named(name: &'a [u8]) -> Component<'a> {
        if name == b".." { Component::ParentDir } else { Component::Normal(OsStr::from_bytes(name)) }
    }

    /// The part at the start, of which nothing else is left before the others.
    fn take_start(&mut self, length: usize) -> Component<'a> {
        let first = self.rest[0];
        self.rest = &self.rest[length..];
        self.at_start = false;
        if first == b'/' { Component::RootDir } else { Component::CurDir }
    }
}

impl<'a> Iterator for Components<'a> {
    type Item = Component<'a>;

    fn next(&mut self) -> Option<Component<'a>> {
        let start = self.start_length();
        if start > 0 {
            return Some(self.take_start(start));
        }
        self.at_start = false;
        self.trim_start();
        let length = self.rest.iter().position(|&byte| byte == b'/').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(length).filter(|(name, _)| !name.is_empty())?;
        self.rest = rest;
        Some(Self::named(name))
    }
}

impl<'a> DoubleEndedIterator for Components<'a> {
    fn next_back(&mut self) -> Option<Component<'a>> {
        self.trim_end();
        let start = self.start_length();
        if self.rest.len() == start {
            return (start > 0).then(|| self.take_start(start));
        }
        let begin = self.rest[start..].iter().rposition(|&byte| byte == b'/').map_or(start, |at| start + at + 1);
        let (rest, name) = self.rest.split_at(begin);
        self.rest = rest;
        (!name.is_empty()).then(|| Self::named(name))
    }
}

impl FusedIterator for Components<'_> {}

impl AsRef<Path> for Components<'_> {
    fn as_ref(&self) -> &Path {
        self.as_path()
    }
}

impl AsRef<OsStr> for Components<'_> {
    fn as_ref(&self) -> &OsStr {
        self.as_path().as_os_str()
    }
}

impl fmt::Debug for Components<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Parts<'a>(&'a Components<'a>);
        impl fmt::Debug for Parts<'_> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.debug_list().entries(self.0.clone()).finish()
            }
        }
        formatter.debug_tuple("Components").field(&Parts(self)).finish()
    }
}

/// The parts of a path as text.
#[derive(Clone)]
pub struct Iter<'a>(pub(super) Components<'a>);

impl<'a> Iter<'a> {
    /// The part of the path that is left.
    #[must_use]
    pub fn as_path(&self) -> &'a Path {
        self.0.as_path()
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a OsStr;

    fn next(&mut self) -> Option<&'a OsStr> {
        self.0.next().map(Component::as_os_str)
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(Component::as_os_str)
    }
}

impl FusedIterator for Iter<'_> {}

impl fmt::Debug for Iter<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.clone()).finish()
    }
}

/// A path and all those above it.
#[derive(Clone, Copy, Debug)]
pub struct Ancestors<'a>(pub(super) Option<&'a Path>);

impl<'a> Iterator for Ancestors<'a> {
    type Item = &'a Path;

    fn next(&mut self) -> Option<&'a Path> {
        let next = self.0;
        self.0 = next.and_then(Path::parent);
        next
    }
}

impl FusedIterator for Ancestors<'_> {}
