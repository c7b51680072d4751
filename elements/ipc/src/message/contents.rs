//! The messages of a queue: found by their order, by their types, and by what type they are not.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet},
};

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its type, from 1 on.
    pub kind: i64,
    /// What it says.
    pub bytes: Box<[u8]>,
}

/// Which message is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The first.
    Any,
    /// The first of this type.
    Kind(i64),
    /// The first of any other (MSG_EXCEPT).
    Except(i64),
    /// The first of the lowest type up to this one.
    UpTo(i64),
}

impl Selection {
    /// What msgrcv(2) means by a number and MSG_EXCEPT.
    #[must_use]
    pub const fn new(number: i64, except: bool) -> Self {
        match number {
            0 => Self::Any,
            ..0 => Self::UpTo(number.saturating_neg()),
            _ if except => Self::Except(number),
            _ => Self::Kind(number),
        }
    }

    /// Whether a message of this type is one.
    #[must_use]
    pub const fn takes(self, kind: i64) -> bool {
        match self {
            Self::Any => true,
            Self::Kind(wanted) => kind == wanted,
            Self::Except(unwanted) => kind != unwanted,
            Self::UpTo(most) => kind <= most,
        }
    }
}

/// Messages in the order they came.
///
/// Types are kept as numbers without a sign, which they are in the order of: so both sets are of one type.
#[derive(Debug, Default)]
pub struct Contents {
    messages: BTreeMap<u64, Message>,
    /// Of each message its type, and its place in the order.
    kinds: BTreeSet<(u64, u64)>,
    /// Of the first message of each type its place in the order, and the type.
    heads: BTreeSet<(u64, u64)>,
    next: u64,
    bytes: u64,
}

impl Contents {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.messages.len()
    }

    /// Their bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds one at the end.
    pub fn push(&mut self, message: Message) {
        let (order, kind) = (self.next, message.kind.cast_unsigned());
        self.next += 1;
        self.bytes += message.bytes.len() as u64;
        if self.first_of(kind).is_none() {
            self.heads.insert((order, kind));
        }
        self.kinds.insert((kind, order));
        self.messages.insert(order, message);
    }

    /// The place of the first message of a type.
    fn first_of(&self, kind: u64) -> Option<u64> {
        self.kinds.range((kind, 0)..=(kind, u64::MAX)).next().map(|&(_, order)| order)
    }

    /// Place and type of the one that a selection means.
    fn order(&self, selection: Selection) -> Option<(u64, u64)> {
        match selection {
            Selection::Any => self.heads.first().copied(),
            Selection::Kind(kind) => {
                let kind = kind.cast_unsigned();
                Some((self.first_of(kind)?, kind))
            }
            Selection::Except(unwanted) => {
                self.heads.iter().find(|(_, kind)| *kind != unwanted.cast_unsigned()).copied()
            }
            Selection::UpTo(most) => {
                let &(kind, order) = self.kinds.first()?;
                (kind <= most.cast_unsigned()).then_some((order, kind))
            }
        }
    }

    /// The first that is meant.
    #[must_use]
    pub fn first(&self, selection: Selection) -> Option<&Message> {
        self.messages.get(&self.order(selection)?.0)
    }

    /// Takes it out.
    pub fn take(&mut self, selection: Selection) -> Option<Message> {
        let (order, kind) = self.order(selection)?;
        let message = self.messages.remove(&order)?;
        self.bytes -= message.bytes.len() as u64;
        self.heads.remove(&(order, kind));
        self.kinds.remove(&(kind, order));
        if let Some(next) = self.first_of(kind) {
            self.heads.insert((next, kind));
        }
        Some(message)
    }

    /// The one of that place, the first being 0.
    #[must_use]
    pub fn nth(&self, place: usize) -> Option<&Message> {
        self.messages.values().nth(place)
    }
}
