//! System calls by family: one folder each, calls of one idea in a file; `mod.rs` says which call is where. A family
//! names objects and no other family.

pub mod asynchronous;
pub mod attribute;
pub mod descriptor;
pub mod directory;
pub mod event;
pub mod file;
pub mod identity;
pub mod interprocess;
pub mod memory;
pub mod process;
pub mod queue;
pub mod signal;
pub mod socket;
pub mod system;
pub mod time;
pub mod watch;
