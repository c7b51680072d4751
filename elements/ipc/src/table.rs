//! Objects of one kind by number and by key, numbered as Linux numbers them: the place in the table, and above it a
//! sequence, so that the number of an object that is gone does not soon become another's.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

use crate::{Caller, Error, Permission};

/// Bits of a number that are the place (IPCMNI_SHIFT).
const PLACE_BITS: u32 = 15;
/// Sequences begin again from here (`ipcid_seq_max`).
const SEQUENCES: u32 = (i32::MAX >> PLACE_BITS) as u32;
/// Places among which numbers go round at least (`ipc_min_cycle`).
const LEAST_CYCLE: usize = 64;

/// Flags of shmget(2), semget(2) and msgget(2): make it, and refuse one that is there.
const CREATE: u32 = 0o1000;
const EXCLUSIVE: u32 = 0o2000;

/// An object.
#[derive(Debug)]
pub struct Object<T> {
    /// Whose it is.
    pub permission: Permission,
    /// Which of the objects that had this place it is.
    pub sequence: u32,
    /// What is in it.
    pub content: T,
}

/// What a key and flags lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Get {
    /// An object that is there, by its number.
    Found(i32),
    /// One that is to be made.
    New,
}

/// The objects of one kind.
#[derive(Debug)]
pub struct Table<T> {
    places: Vec<Option<Object<T>>>,
    /// Places below the end of `places` that are free.
    free: BTreeSet<usize>,
    /// Places by key, whose bits are taken as a number without a sign: an order is all that is wanted of them.
    keys: BTreeMap<usize, usize>,
    used: usize,
    /// The place given last, and the sequence there.
    last: Option<usize>,
    sequence: u32,
}

const fn bits(key: i32) -> usize {
    key.cast_unsigned() as usize
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Table<T> {
    /// No objects.
    #[must_use]
    pub const fn new() -> Self {
        Self { places: Vec::new(), free: BTreeSet::new(), keys: BTreeMap::new(), used: 0, last: None, sequence: 0 }
    }

    /// Looks for the object with this key. `fits` says whether it is what the caller wants, before his rights are
    /// asked.
    pub fn get(
        &self,
        key: i32,
        flags: u32,
        caller: &Caller<'_>,
        fits: impl FnOnce(&T) -> Result<(), Error>,
    ) -> Result<Get, Error> {
        let found = if key == 0 { return Ok(Get::New) } else { self.keys.get(&bits(key)) };
        match found.and_then(|&place| Some((place, self.places.get(place)?.as_ref()?))) {
            None if flags & CREATE == 0 => Err(Error::NotFound),
            None => Ok(Get::New),
            Some(_) if flags & (CREATE | EXCLUSIVE) == CREATE | EXCLUSIVE => Err(Error::Exists),
            Some((place, object)) => {
                fits(&object.content)?;
                object.permission.check(caller, flags)?;
                Ok(Get::Found(number(place, object.sequence)))
            }
        }
    }

    /// Adds an object, of which there may be `most`; its number.
    pub fn add(&mut self, permission: Permission, content: T, most: usize) -> Result<i32, Error> {
        if self.used >= most {
            return Err(Error::NoRoom);
        }
        let place = self.next_place(most).ok_or(Error::NoRoom)?;
        if self.last.is_some_and(|last| place <= last) {
            self.sequence = (self.sequence + 1) % SEQUENCES;
        }
        self.last = Some(place);
        if place == self.places.len() {
            self.places.push(None);
        }
        self.free.remove(&place);
        self.places[place] = Some(Object { permission, sequence: self.sequence, content });
        self.used += 1;
        if permission.key != 0 {
            self.keys.insert(bits(permission.key), place);
        }
        Ok(number(place, self.sequence))
    }

    /// The next free place behind the last one, and again from the first one on.
    fn next_place(&self, most: usize) -> Option<usize> {
        let end = LEAST_CYCLE.max(self.used * 3 / 2).min(most);
        let begin = self.last.map_or(0, |last| last + 1).min(end);
        let fresh = Some(self.places.len()).filter(|&fresh| fresh < end);
        let behind = self.free.range(begin..end).next().copied();
        behind.or(fresh).or_else(|| self.free.range(..end).next().copied())
    }

    /// The object of that number: [`Error::Invalid`] if there is none.
    pub fn find(&mut self, number: i32) -> Result<&mut Object<T>, Error> {
        let (place, sequence) = split(number)?;
        let object = self.places.get_mut(place).and_then(Option::as_mut);
        object.filter(|object| object.sequence == sequence).ok_or(Error::Invalid)
    }

    /// The object at the place that a number begins with, whatever its sequence (SEM_STAT); its number too.
    pub fn at(&mut self, number_or_place: i32) -> Result<(i32, &mut Object<T>), Error> {
        let (place, _) = split(number_or_place)?;
        let object = self.places.get_mut(place).and_then(Option::as_mut).ok_or(Error::Invalid)?;
        Ok((number(place, object.sequence), object))
    }

    /// Takes an object out.
    pub fn remove(&mut self, number: i32) -> Result<Object<T>, Error> {
        self.forget_key(number)?;
        let (place, _) = split(number)?;
        let object = self.places.get_mut(place).and_then(Option::take).ok_or(Error::Invalid)?;
        self.used -= 1;
        self.free.insert(place);
        Ok(object)
    }

    /// Leaves an object its number alone: its key is free for others.
    pub fn forget_key(&mut self, number: i32) -> Result<(), Error> {
        let key = core::mem::take(&mut self.find(number)?.permission.key);
        self.keys.remove(&bits(key));
        Ok(())
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.used
    }

    /// The highest place in use; 0 if there is none.
    #[must_use]
    pub fn highest(&self) -> usize {
        self.places.iter().rposition(Option::is_some).unwrap_or(0)
    }

    /// All of them with their numbers, by their places.
    pub fn iter(&self) -> impl Iterator<Item = (i32, &Object<T>)> {
        let objects = self.places.iter().enumerate();
        objects.filter_map(|(place, object)| object.as_ref().map(|object| (number(place, object.sequence), object)))
    }
}

const fn number(place: usize, sequence: u32) -> i32 {
    (sequence << PLACE_BITS) as i32 | place as i32
}

fn split(number: i32) -> Result<(usize, u32), Error> {
    let number = u32::try_from(number).map_err(|_| Error::Invalid)?;
    Ok(((number & ((1 << PLACE_BITS) - 1)) as usize, number >> PLACE_BITS))
}
