//! The tree that a native program sees.

use crate::{Mounts, NodeReference};

declaration::contract! {
    filesystem = "the tree of files that a native program sees";

    /// The files of an image whose program calls them without a process between.
    pub trait Tree {
        /// The root; always the same.
        fn root(&self) -> &'static NodeReference;

        /// What else is mounted in it.
        fn mounts(&self) -> &'static Mounts;
    }
}
