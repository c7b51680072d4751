//! Words that come from outside, owned.

use alloc_crate::{string::String, vec::Vec};
use core::{borrow::Borrow, convert::Infallible, fmt, ops::Deref, str::FromStr};

use super::OsStr;

/// A word that comes from outside, owned.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OsString {
    bytes: Vec<u8>,
}

impl OsString {
    /// Empty.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    pub(crate) const fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// The word.
    #[must_use]
    pub fn as_os_str(&self) -> &OsStr {
        self
    }

    /// Its bytes.
    #[must_use]
    pub fn into_encoded_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The text, if it is UTF-8.
    ///
    /// # Errors
    /// The word itself.
    pub fn into_string(self) -> Result<String, Self> {
        String::from_utf8(self.bytes).map_err(|error| Self { bytes: error.into_bytes() })
    }

    /// Appends.
    pub fn push<T: AsRef<OsStr>>(&mut self, text: T) {
        self.bytes.extend_from_slice(text.as_ref().as_encoded_bytes());
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

impl Deref for OsString {
    type Target = OsStr;

    fn deref(&self) -> &OsStr {
        OsStr::from_bytes(&self.bytes)
    }
}

impl fmt::Debug for OsString {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_os_str().fmt(formatter)
    }
}

impl AsRef<OsStr> for OsString {
    fn as_ref(&self) -> &OsStr {
        self
    }
}

impl Borrow<OsStr> for OsString {
    fn borrow(&self) -> &OsStr {
        self
    }
}

impl From<String> for OsString {
    fn from(text: String) -> Self {
        Self { bytes: text.into_bytes() }
    }
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for OsString {
    fn from(text: &T) -> Self {
        text.as_ref().to_os_string()
    }
}

impl FromStr for OsString {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.into())
    }
}

/// Comparison with text.
macro_rules! compared {
    ($($left:ty, $right:ty: |$a:ident, $b:ident| $equal:expr;)*) => {
        $(impl PartialEq<$right> for $left {
            fn eq(&self, other: &$right) -> bool {
                let ($a, $b) = (self, other);
                $equal
            }
        })*
    };
}

compared! {
    OsString, str: |left, right| left.as_os_str() == right;
    OsString, &str: |left, right| left.as_os_str() == *right;
    OsString, OsStr: |left, right| left.as_os_str() == right;
    OsString, &OsStr: |left, right| left.as_os_str() == *right;
    str, OsString: |left, right| right.as_os_str() == left;
    &str, OsString: |left, right| right.as_os_str() == *left;
    OsStr, OsString: |left, right| right.as_os_str() == left;
}
