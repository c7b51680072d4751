//! Lists and trees that are linked through their members: no allocation, removal from the middle.
//!
//! A member embeds [`Links`] and is reached by a [`Ref`]; who makes a `Ref` promises that the member stays where it
//! is. A member is in one list or tree at a time. Everything in a member that a structure changes is a [`Word`] or a
//! [`Link`], which any thread may read and write: whoever shares a structure puts a lock around it, and one that
//! forgets gets a broken list, but no undefined behaviour while its members live.
#![no_std]
// A `Ref` is a pointer that its maker vouches for: `reference.rs` and `word.rs` hold all of it.
#![allow(unsafe_code)]

#[cfg(any(test, loom))]
extern crate std;

mod list;
mod reference;
#[cfg(all(test, not(loom)))]
mod tests;
mod tree;
mod word;

pub use list::{Iter, List};
pub use reference::Ref;
pub use tree::{Ordered, Tree, below};
pub use word::{Link, Word};

/// A member's places for its neighbours.
///
/// In a list `before` and `after` are the neighbours; in a tree they are the subtrees, and `above` is the parent.
#[derive(Debug, Default)]
pub struct Links<T> {
    before: Link<T>,
    after: Link<T>,
    above: Link<T>,
}

impl<T> Links<T> {
    /// Of a member that is in nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { before: Link::new(), after: Link::new(), above: Link::new() }
    }
}

/// What can be a member.
pub trait Linked: Sized {
    /// Its links.
    fn links(&self) -> &Links<Self>;
}
