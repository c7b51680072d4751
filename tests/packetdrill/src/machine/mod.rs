//! The machine under test: its one state and clock, what stands behind descriptors, and what these are ready for.

pub mod connections;
pub mod lent;
pub mod library;
pub mod objects;
pub mod readiness;
pub mod stamps;
