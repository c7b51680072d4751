//! A path, owned.

use alloc_crate::{borrow::Cow, string::String};
use core::{
    borrow::Borrow,
    convert::Infallible,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    str::FromStr,
};

use super::{Iter, Path};
use crate::ffi::{OsStr, OsString};

/// A path, owned.
#[derive(Clone, Default)]
pub struct PathBuf {
    text: OsString,
}

impl PathBuf {
    /// Empty.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: OsString::new() }
    }

    /// The path.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        self
    }

    /// Puts `path` behind it; one that begins at the root takes its place.
    pub fn push<P: AsRef<Path>>(&mut self, path: P) {
        let path = path.as_ref();
        if path.is_absolute() {
            self.text.clear();
        } else if self.bytes().last().is_some_and(|&last| last != b'/') {
            self.text.push("/");
        }
        self.text.push(path);
    }

    /// Takes the last part away; `false` if there is none to be taken.
    pub fn pop(&mut self) -> bool {
        let length = self.parent().map(|parent| parent.bytes().len());
        length.map(|length| self.truncate(length)).is_some()
    }

    /// Gives it another last part.
    pub fn set_file_name<S: AsRef<OsStr>>(&mut self, name: S) {
        if self.file_name().is_some() {
            self.pop();
        }
        self.push(name.as_ref());
    }

    /// Gives the file's name another extension, or takes it away if that is empty; `false` if there is no name.
    ///
    /// # Panics
    /// The extension has a `/`.
    pub fn set_extension<S: AsRef<OsStr>>(&mut self, extension: S) -> bool {
        let extension = extension.as_ref();
        assert!(!extension.as_encoded_bytes().contains(&b'/'), "extension cannot contain path separators");
        let Some(stem) = self.file_stem().map(OsStr::len) else { return false };
        let above = self.parent().map_or(0, |parent| parent.bytes().len());
        // Behind the path above come slashes and dots, which the name does not begin with.
        let Some(name) = self.file_name() else { return false };
        let name = name.as_encoded_bytes();
        let begin = (above..self.bytes().len()).rfind(|&at| self.bytes()[at..].starts_with(name));
        let Some(begin) = begin else { return false };
        self.truncate(begin + stem);
        if !extension.is_empty() {
            self.text.push(".");
            self.text.push(extension);
        }
        true
    }

    /// Its text.
    #[must_use]
    pub fn into_os_string(self) -> OsString {
        self.text
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    fn truncate(&mut self, length: usize) {
        let mut bytes = core::mem::take(&mut self.text).into_encoded_bytes();
        bytes.truncate(length);
        self.text = OsString::from_bytes(bytes);
    }
}

impl Deref for PathBuf {
    type Target = Path;

    fn deref(&self) -> &Path {
        Path::new(&self.text)
    }
}

impl fmt::Debug for PathBuf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_path().fmt(formatter)
    }
}

impl Hash for PathBuf {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.as_path().hash(hasher);
    }
}

impl Borrow<Path> for PathBuf {
    fn borrow(&self) -> &Path {
        self
    }
}

impl AsRef<Path> for PathBuf {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl AsRef<OsStr> for PathBuf {
    fn as_ref(&self) -> &OsStr {
        &self.text
    }
}

impl From<OsString> for PathBuf {
    fn from(text: OsString) -> Self {
        Self { text }
    }
}

impl From<String> for PathBuf {
    fn from(text: String) -> Self {
        OsString::from(text).into()
    }
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for PathBuf {
    fn from(text: &T) -> Self {
        text.as_ref().to_os_string().into()
    }
}

impl From<PathBuf> for OsString {
    fn from(path: PathBuf) -> Self {
        path.text
    }
}

impl<'a> From<Cow<'a, Path>> for PathBuf {
    fn from(path: Cow<'a, Path>) -> Self {
        path.into_owned()
    }
}

impl From<PathBuf> for Cow<'_, Path> {
    fn from(path: PathBuf) -> Self {
        Self::Owned(path)
    }
}

impl FromStr for PathBuf {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.into())
    }
}

impl<P: AsRef<Path>> FromIterator<P> for PathBuf {
    fn from_iter<I: IntoIterator<Item = P>>(parts: I) -> Self {
        let mut path = Self::new();
        path.extend(parts);
        path
    }
}

impl<P: AsRef<Path>> Extend<P> for PathBuf {
    fn extend<I: IntoIterator<Item = P>>(&mut self, parts: I) {
        parts.into_iter().for_each(|part| self.push(part));
    }
}

impl<'a> IntoIterator for &'a PathBuf {
    type Item = &'a OsStr;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
