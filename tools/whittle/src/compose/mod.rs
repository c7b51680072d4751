//! Composition: from `whittle.toml` and the manifests of components to the program that is an image.
//!
//! | module | what it does |
//! |---|---|
//! | [`catalogue`], [`component`], [`parameter`] | what the house offers: `[package.metadata.whittle]` of its crates |
//! | [`declaration`] | the contracts and settings that their sources declare |
//! | [`request`] | what a person wants: `whittle.toml` |
//! | [`resolve`], [`plan`] | which components that makes, or one sentence that says why not |
//! | [`dependencies`] | the crates that a component's lines name |
//! | [`generate`] | the image's crate as text |
//! | [`place`], [`build`], [`linker`] | the crate built, and what the linker says in our words |
//! | `rebuild` | the same only where its sources have changed |
//! | [`image_file`] | an image as one file that says what it is |
//! | [`packed`], [`embed`] | a Linux program as an archive, put into a linked image |
//! | [`commands`] | the verbs: `build`, `eject`, `new`, `components`, `explain` |
//!
//! Everything up to the text is pure: no cargo, no compiler.

pub mod build;
mod cargo;
pub mod catalogue;
pub mod commands;
pub mod component;
pub mod declaration;
pub mod dependencies;
mod embed;
pub mod generate;
pub mod image_file;
pub mod linker;
mod nearest;
pub mod packed;
pub mod parameter;
pub mod place;
pub mod plan;
mod rebuild;
pub mod request;
pub mod resolve;
mod stages;
mod system_calls;

pub use catalogue::Catalogue;
pub use component::{Component, Contract, Platform};
pub use declaration::{Declaration, Method};
pub use embed::embed;
pub use nearest::nearest;
pub use parameter::{Parameter, Value};
pub use place::Place;
pub use plan::Plan;
pub use rebuild::{general_stamps, rebuild, rebuild_image, rebuild_image_with_disks};
pub use request::Request;
pub use resolve::resolve;

/// The file that says what an image is.
pub const REQUEST: &str = "whittle.toml";

/// The setting without which no code keeps frames for a backtrace.
pub const REPORT: &str = "report";
