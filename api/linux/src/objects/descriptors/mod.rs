//! Descriptors and what they lead to: open files, where they came from, who watches and locks them.

pub mod closing;
pub mod description;
pub mod locking;
pub mod origin;
pub mod table;
pub mod watching;

pub use closing::Watching;
pub use description::Description;
pub use table::Descriptor;
