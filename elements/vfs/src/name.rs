//! Names of directory entries.
//!
//! A short one, as most are, lies in itself (`d_iname` of Linux' dentries): who keeps one needs no memory for it.

use alloc::{borrow::Cow, boxed::Box};
use core::{fmt, ops::Deref};

use crate::copy::copy;

/// Bytes that a name has room for in itself. With them it is as long as a `Vec`.
const HERE: usize = 22;

/// The name of a directory entry.
#[derive(Clone)]
pub struct Name(Form);

#[derive(Clone)]
enum Form {
    /// So many of these bytes.
    Here(u8, [u8; HERE]),
    /// It lies in the boot archive, or in the kernel.
    Archived(&'static [u8]),
    /// It is long.
    Apart(Box<[u8]>),
}

impl Name {
    /// One that lies where it stays.
    #[must_use]
    pub const fn archived(name: &'static [u8]) -> Self {
        Self(Form::Archived(name))
    }
}

impl From<&[u8]> for Name {
    // Never in line: it is five times its call.
    #[inline(never)]
    fn from(name: &[u8]) -> Self {
        let mut here = [0; HERE];
        if name.len() > HERE {
            return apart(name);
        }
        copy(&mut here, name);
        Self(Form::Here(name.len() as u8, here))
    }
}

// By itself, so that a short name saves no registers.
#[cold]
#[inline(never)]
fn apart(name: &[u8]) -> Name {
    Name(Form::Apart(name.into()))
}

impl From<Name> for Cow<'static, [u8]> {
    fn from(name: Name) -> Self {
        match name.0 {
            Form::Here(..) => Self::Owned(crate::copied(&name)),
            Form::Archived(name) => Self::Borrowed(name),
            Form::Apart(name) => Self::Owned(name.into_vec()),
        }
    }
}

impl Deref for Name {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Form::Here(length, bytes) => bytes.get(..usize::from(*length)).unwrap_or(bytes),
            Form::Archived(name) => name,
            Form::Apart(name) => name,
        }
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Name {}

impl fmt::Debug for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_lengths_are_what_they_were_made_of() {
        static BYTES: [u8; 255] = [b'x'; 255];
        for length in 0..=BYTES.len() {
            let bytes = &BYTES[..length];
            let (made, archived) = (Name::from(bytes), Name::archived(bytes));
            assert_eq!((&*made, &*archived), (bytes, bytes));
            assert_eq!((&made, made.clone()), (&archived, archived.clone()));
            assert!(length == 0 || made != Name::from(&bytes[1..]));
            assert_eq!((&*Cow::from(made), &*Cow::from(archived)), (bytes, bytes));
        }
    }

    #[test]
    fn a_name_is_as_long_as_a_vector() {
        assert_eq!(size_of::<Name>(), size_of::<alloc::vec::Vec<u8>>());
    }
}
