//! The harness of the whole-system tests: starts `./whittle` on each platform and looks at what comes out.
//!
//! A test file lists its [`Check`]s and hands them to [`run`], which makes one test for each platform, named
//! `platform::check`. The platforms are those of [`Platform::ALL`] that this machine has; the others are named in a
//! line and skipped. `WHITTLE_TEST_NATIVE=1` adds Linux itself as a platform: the reference that the checks are held
//! to.
#![forbid(unsafe_code)]

mod archive;
mod chapter;
mod child;
pub mod client;
mod craft;
mod debian;
pub mod dynamic;
mod figure;
mod guest;
mod inside;
pub mod machine;
mod matrix;
mod namespace;
mod paths;
mod platform;
mod processor_time;
mod programs;
pub mod resp;
mod skip;
mod small;
mod terminal;
mod tracer;
mod tree;
mod unmodified;

pub use archive::{Source, suite_folder};
pub use chapter::{MINUTES, Step, TERMINAL, Typed, chapter};
pub use child::{Outcome, Running};
pub use craft::{Elf, random_points};
pub use debian::{debian_files, debian_source};
pub use figure::report_rate;
pub use guest::Guest;
pub use inside::network_inside;
pub use machine::Machine;
pub use matrix::{Check, Scope, run};
pub use namespace::{in_namespace, ip};
pub use paths::{project_root, scratch, whittle, work_folder};
pub use platform::Platform;
pub use processor_time::{family, open_descriptors, processor_time, resident_memory};
pub use programs::{
    LibC, attributes, call_fuzzer, crowds, die, example, gather, intruder, jobs, keys, leaving, native_busybox,
    processes, processors, pseudo_terminals, rust_selftest, selftest, sharing, single, taken, users,
};
pub use skip::{all, leave, need, skip};
pub use small::Small;
pub use terminal::{Terminal, shell_words};
pub use tracer::{Tracer, symbol};
pub use tree::copy_of_the_tree;
pub use unmodified::{Build, Unmodified};
