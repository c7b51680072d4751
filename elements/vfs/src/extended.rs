//! Extended attributes in memory (xattr(7)): names with values, a few each.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, btree_map::Entry},
};
use core::{borrow::Borrow, cmp::Ordering};

use crate::FileError;

/// Most bytes of all names and values of a node.
const MOST_BYTES: usize = 1 << 20;

/// The extended attributes of a node. While there are none they take a word.
#[derive(Default)]
pub struct Extended(Option<Box<Attributes>>);

#[derive(Default)]
struct Attributes {
    /// Values by name. A program may give a node a hundred thousand.
    values: BTreeMap<Label, Box<[u8]>>,
    /// Of all names and values.
    bytes: usize,
}

/// A name, in the order of its bytes.
#[derive(PartialEq, Eq)]
struct Label(Box<[u8]>);

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        #[cfg(test)]
        steps::count(1);
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Borrow<[u8]> for Label {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
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

    /// The value of that name.
    #[must_use]
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.0.as_ref()?.values.get(name).map(|value| &**value)
    }

    /// All names, in the order of their bytes, as Linux has them since 6.6.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().flat_map(|attributes| attributes.values.keys()).map(|name| &*name.0)
    }

    /// Gives `name` a value. [`FileError::NoSpace`] if that is too much for one node.
    pub fn set(&mut self, name: &[u8], value: &[u8], setting: Setting) -> Result<(), FileError> {
        if setting == Setting::Old && self.0.is_none() {
            return Err(FileError::NoAttribute);
        }
        let Attributes { values, bytes } = &mut **self.0.get_or_insert_default();
        let added = name.len() + value.len();
        match (values.entry(Label(name.into())), setting) {
            (Entry::Occupied(_), Setting::New) => Err(FileError::Exists),
            (Entry::Vacant(_), Setting::Old) => Err(FileError::NoAttribute),
            // Both values at once count, as long as one is there in the place of the other.
            _ if *bytes + added > MOST_BYTES => Err(FileError::NoSpace),
            (Entry::Occupied(mut entry), _) => {
                *bytes += value.len();
                *bytes -= entry.insert(value.into()).len();
                Ok(())
            }
            (Entry::Vacant(entry), _) => {
                *bytes += added;
                entry.insert(value.into());
                Ok(())
            }
        }
    }

    /// Takes an attribute away; [`FileError::NoAttribute`] if there is none of that name.
    pub fn remove(&mut self, name: &[u8]) -> Result<(), FileError> {
        let attributes = self.0.as_mut().ok_or(FileError::NoAttribute)?;
        let Entry::Occupied(entry) = attributes.values.entry(Label(name.into())) else {
            return Err(FileError::NoAttribute);
        };
        attributes.bytes -= name.len() + entry.remove().len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "thousands take minutes")]
    fn thousands_of_attributes_take_steps_by_their_logarithm() {
        const MANY: usize = 65_536;
        let mut extended = Extended::new();
        let name = |index: usize| std::format!("user.{index}").into_bytes();
        for setting in [Setting::New, Setting::Old] {
            (0..MANY).for_each(|index| assert_eq!(extended.set(&name(index * 7919 % MANY), b"", setting), Ok(())));
        }
        assert_eq!(extended.names().count(), MANY);
        (0..MANY).for_each(|index| assert_eq!(extended.remove(&name(index)), Ok(())));
        assert_eq!((extended.names().count(), extended.0.map(|attributes| attributes.bytes)), (0, Some(0)));
        let most = 12 * MANY * MANY.ilog2() as usize;
        let steps = steps::taken();
        assert!(steps <= most, "{steps} steps, more than {most}");
    }

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
