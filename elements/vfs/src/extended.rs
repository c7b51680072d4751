//! Extended attributes in memory (xattr(7)): names with values, a few each.

use alloc::{boxed::Box, vec::Vec};

use crate::FileError;

/// Most bytes of all names and values of a node.
const MOST_BYTES: usize = 1 << 20;

/// The extended attributes of a node. While there are none they take a word.
#[derive(Default)]
pub struct Extended(Option<Box<Attributes>>);

#[derive(Default)]
struct Attributes(Vec<Attribute>);

struct Attribute {
    name: Box<[u8]>,
    value: Box<[u8]>,
}

/// What may be there when an attribute is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Anything.
    Any,
    /// Nothing of that name ([`FileError::Exists`]).
    New,
    /// Something of that name ([`FileError::NoAttribute`]).
    Old,
}

impl Extended {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    fn all(&self) -> &[Attribute] {
        self.0.as_ref().map_or(&[], |attributes| &attributes.0)
    }

    fn place(&self, name: &[u8]) -> Option<usize> {
        self.all().iter().position(|attribute| *attribute.name == *name)
    }

    /// The value of that name.
    #[must_use]
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.place(name).map(|place| &*self.all()[place].value)
    }

    /// All names, in the order in which they came.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.all().iter().map(|attribute| &*attribute.name)
    }

    /// Gives `name` a value. [`FileError::NoSpace`] if that is too much for one node.
    pub fn set(&mut self, name: &[u8], value: &[u8], setting: Setting) -> Result<(), FileError> {
        let place = self.place(name);
        match (place, setting) {
            (Some(_), Setting::New) => return Err(FileError::Exists),
            (None, Setting::Old) => return Err(FileError::NoAttribute),
            _ => {}
        }
        let size = |attribute: &Attribute| attribute.name.len() + attribute.value.len();
        if self.all().iter().map(size).sum::<usize>() + name.len() + value.len() > MOST_BYTES {
            return Err(FileError::NoSpace);
        }
        let attributes = &mut self.0.get_or_insert_default().0;
        match place.and_then(|place| attributes.get_mut(place)) {
            Some(attribute) => attribute.value = value.into(),
            None => attributes.push(Attribute { name: name.into(), value: value.into() }),
        }
        Ok(())
    }

    /// Takes an attribute away; [`FileError::NoAttribute`] if there is none of that name.
    pub fn remove(&mut self, name: &[u8]) -> Result<(), FileError> {
        let place = self.place(name).ok_or(FileError::NoAttribute)?;
        if let Some(attributes) = &mut self.0 {
            attributes.0.remove(place);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_set_replaced_and_removed() {
        let mut extended = Extended::new();
        assert_eq!(extended.remove(b"user.a"), Err(FileError::NoAttribute));
        assert_eq!(extended.set(b"user.a", b"1", Setting::Old), Err(FileError::NoAttribute));
        for (name, value) in [(b"user.a", b"1"), (b"user.b", b"2"), (b"user.a", b"3")] {
            assert_eq!(extended.set(name, value, Setting::Any), Ok(()));
        }
        assert_eq!(extended.set(b"user.b", b"", Setting::New), Err(FileError::Exists));
        assert!(extended.names().eq([&b"user.a"[..], b"user.b"]));
        assert_eq!((extended.get(b"user.a"), extended.get(b"user.c")), (Some(&b"3"[..]), None));
        assert_eq!(extended.remove(b"user.a"), Ok(()));
        assert_eq!(extended.get(b"user.a"), None);
        assert!(extended.names().eq([&b"user.b"[..]]));
    }

    #[test]
    fn one_node_has_only_so_many() {
        let (mut extended, value) = (Extended::new(), [0; 60_000]);
        let mut name = *b"user.0";
        let fit = (0..100).take_while(|number| {
            name[5] = *number;
            extended.set(&name, &value, Setting::New).is_ok()
        });
        assert_eq!(fit.count(), MOST_BYTES / (60_000 + name.len()));
        assert_eq!(extended.set(&name, &value, Setting::Any), Err(FileError::NoSpace));
    }
}
