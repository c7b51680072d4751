//! Paths are compared part by part, with their like and with text.

use alloc_crate::borrow::Cow;
use core::cmp::Ordering;

use super::{Path, PathBuf};
use crate::ffi::{OsStr, OsString};

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.components().eq(other.components())
    }
}

impl Eq for Path {}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.components().cmp(other.components())
    }
}

impl PartialEq for PathBuf {
    fn eq(&self, other: &Self) -> bool {
        self.as_path() == other.as_path()
    }
}

impl Eq for PathBuf {}

impl PartialOrd for PathBuf {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PathBuf {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_path().cmp(other.as_path())
    }
}

/// Comparison of different kinds, both ways round.
macro_rules! compared {
    ($($left:ty, $right:ty;)*) => {
        $(
            impl PartialEq<$right> for $left {
                fn eq(&self, other: &$right) -> bool {
                    let (left, right): (&Path, &Path) = (self.as_ref(), other.as_ref());
                    left == right
                }
            }

            impl PartialEq<$left> for $right {
                fn eq(&self, other: &$left) -> bool {
                    other == self
                }
            }

            impl PartialOrd<$right> for $left {
                fn partial_cmp(&self, other: &$right) -> Option<Ordering> {
                    let (left, right): (&Path, &Path) = (self.as_ref(), other.as_ref());
                    left.partial_cmp(right)
                }
            }

            impl PartialOrd<$left> for $right {
                fn partial_cmp(&self, other: &$left) -> Option<Ordering> {
                    other.partial_cmp(self).map(Ordering::reverse)
                }
            }
        )*
    };
}

compared! {
    PathBuf, Path;
    PathBuf, &Path;
    PathBuf, OsStr;
    PathBuf, &OsStr;
    PathBuf, OsString;
    Path, OsStr;
    Path, &OsStr;
    Path, OsString;
    Cow<'_, Path>, Path;
    Cow<'_, Path>, PathBuf;
}
