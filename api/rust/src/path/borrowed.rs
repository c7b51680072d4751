//! A path.

use alloc_crate::borrow::{Cow, ToOwned};
use core::{
    error, fmt,
    hash::{Hash, Hasher},
};

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::{Ancestors, Component, Components, Iter, PathBuf};
use crate::ffi::{OsStr, OsString};

/// A path: bytes. Two are equal if their parts are.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Path {
    bytes: [u8],
}

/// What the name of a file is made of: all before the last dot, and all behind it. A dot at the beginning does not
/// count.
fn split_name(name: &[u8]) -> (Option<&[u8]>, Option<&[u8]>) {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) if dot > 0 && name != b".." => (Some(&name[..dot]), Some(&name[dot + 1..])),
        _ => (Some(name), None),
    }
}

impl Path {
    pub(super) fn from_bytes(bytes: &[u8]) -> &Self {
        match Self::ref_from_bytes(bytes) {
            Ok(path) => path,
            Err(_) => unreachable!("any bytes are one"),
        }
    }

    pub(crate) const fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The path that a text is.
    pub fn new<S: AsRef<OsStr> + ?Sized>(text: &S) -> &Self {
        Self::from_bytes(text.as_ref().as_encoded_bytes())
    }

    /// Its text.
    #[must_use]
    pub fn as_os_str(&self) -> &OsStr {
        OsStr::from_bytes(&self.bytes)
    }

    /// Its text, if it is UTF-8.
    #[must_use]
    pub fn to_str(&self) -> Option<&str> {
        str::from_utf8(&self.bytes).ok()
    }

    /// Its text, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        self.as_os_str().to_string_lossy()
    }

    /// An owned copy.
    #[must_use]
    pub fn to_path_buf(&self) -> PathBuf {
        PathBuf::from(self.as_os_str().to_os_string())
    }

    /// Whether it begins at the root.
    #[must_use]
    pub const fn is_absolute(&self) -> bool {
        self.has_root()
    }

    /// Whether it does not begin at the root.
    #[must_use]
    pub const fn is_relative(&self) -> bool {
        !self.has_root()
    }

    /// Whether it begins at the root.
    #[must_use]
    pub const fn has_root(&self) -> bool {
        matches!(self.bytes, [b'/', ..])
    }

    /// The path without its last part; `None` for the root and for nothing.
    #[must_use]
    pub fn parent(&self) -> Option<&Self> {
        let mut components = self.components();
        match components.next_back()? {
            Component::RootDir => None,
            Component::Normal(_) | Component::CurDir | Component::ParentDir => Some(components.as_path()),
        }
    }

    /// It and all paths above it.
    #[must_use]
    pub const fn ancestors(&self) -> Ancestors<'_> {
        Ancestors(Some(self))
    }

    /// Its last part, if that is a name.
    #[must_use]
    pub fn file_name(&self) -> Option<&OsStr> {
        match self.components().next_back()? {
            Component::Normal(name) => Some(name),
            _ => None,
        }
    }

    /// The path behind `base`.
    ///
    /// # Errors
    /// It does not begin with `base`.
    pub fn strip_prefix<P: AsRef<Self>>(&self, base: P) -> Result<&Self, StripPrefixError> {
        let mut rest = self.components();
        for part in base.as_ref().components() {
            if rest.next() != Some(part) {
                return Err(StripPrefixError(()));
            }
        }
        Ok(rest.as_path())
    }

    /// Whether its first parts are those of `base`.
    pub fn starts_with<P: AsRef<Self>>(&self, base: P) -> bool {
        self.strip_prefix(base).is_ok()
    }

    /// Whether its last parts are those of `child`.
    pub fn ends_with<P: AsRef<Self>>(&self, child: P) -> bool {
        let mut own = self.components();
        child.as_ref().components().rev().all(|part| own.next_back() == Some(part))
    }

    /// The file's name up to its last dot.
    #[must_use]
    pub fn file_stem(&self) -> Option<&OsStr> {
        split_name(self.file_name()?.as_encoded_bytes()).0.map(OsStr::from_bytes)
    }

    /// The file's name behind its last dot.
    #[must_use]
    pub fn extension(&self) -> Option<&OsStr> {
        split_name(self.file_name()?.as_encoded_bytes()).1.map(OsStr::from_bytes)
    }

    /// With `path` behind it; `path` itself if that begins at the root.
    pub fn join<P: AsRef<Self>>(&self, path: P) -> PathBuf {
        let mut joined = self.to_path_buf();
        joined.push(path);
        joined
    }

    /// With another last part.
    pub fn with_file_name<S: AsRef<OsStr>>(&self, name: S) -> PathBuf {
        let mut path = self.to_path_buf();
        path.set_file_name(name);
        path
    }

    /// With another extension.
    pub fn with_extension<S: AsRef<OsStr>>(&self, extension: S) -> PathBuf {
        let mut path = self.to_path_buf();
        path.set_extension(extension);
        path
    }

    /// Its parts.
    #[must_use]
    pub const fn components(&self) -> Components<'_> {
        Components::new(&self.bytes)
    }

    /// Its parts as text.
    #[must_use]
    pub const fn iter(&self) -> Iter<'_> {
        Iter(self.components())
    }

    /// To be printed, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn display(&self) -> Display<'_> {
        Display(self.as_os_str().display())
    }
}

/// See [`Path::display`].
pub struct Display<'a>(crate::ffi::Display<'a>);

impl fmt::Display for Display<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Display<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// See [`Path::strip_prefix`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripPrefixError(());

impl fmt::Display for StripPrefixError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("prefix not found")
    }
}

impl error::Error for StripPrefixError {}

impl fmt::Debug for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_os_str().fmt(formatter)
    }
}

impl Hash for Path {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.components().for_each(|part| part.hash(hasher));
    }
}

impl ToOwned for Path {
    type Owned = PathBuf;

    fn to_owned(&self) -> PathBuf {
        self.to_path_buf()
    }
}

impl<'a> IntoIterator for &'a Path {
    type Item = &'a OsStr;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<'a> From<&'a Path> for Cow<'a, Path> {
    fn from(path: &'a Path) -> Self {
        Self::Borrowed(path)
    }
}

/// What is a path.
macro_rules! as_path {
    ($($kind:ty)*) => {
        $(impl AsRef<Path> for $kind {
            fn as_ref(&self) -> &Path {
                Path::new(self)
            }
        })*
    };
}

as_path! { str alloc_crate::string::String OsStr OsString }

impl AsRef<Self> for Path {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsRef<OsStr> for Path {
    fn as_ref(&self) -> &OsStr {
        self.as_os_str()
    }
}

impl AsRef<Path> for Iter<'_> {
    fn as_ref(&self) -> &Path {
        self.as_path()
    }
}
