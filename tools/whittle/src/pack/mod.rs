//! Packing the guest's file system: the program, what `-v` names and the launch record, as one archive.

mod collect;
pub mod program;
mod script;
pub mod tree;
pub mod unpack;
mod write;

pub use collect::{file_with_its_way, share};
pub use script::{Interpreter, interpreter};
pub use tree::Tree;
pub use write::{in_memory, length, write};
