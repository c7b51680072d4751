//! Constants of the system call interface, each family's in its own file.
//!
//! Names are Linux's, so that man pages and headers can be read beside the code. A set of names that belong to one
//! word comes with a [`crate::FlagSet`] of the same content, for traces.

/// Declares constants and the flag set that names them: `NAME = value` for single bits, `NAME = value & mask` for
/// fields.
macro_rules! flags {
    ($(#[$doc:meta])* $set:ident: $type:ty { $($name:ident = $value:literal $(& $mask:literal)?),* $(,)? }) => {
        $(#[allow(missing_docs)] pub const $name: $type = $value;)*

        $(#[$doc])*
        pub const $set: crate::FlagSet = crate::FlagSet::bits(concat!($(
            stringify!($name), " ", stringify!($value), $(" ", stringify!($mask),)? "\n",
        )*));
    };
}

/// Declares constants of which a word is one, and the flag set that names them.
macro_rules! choices {
    ($(#[$doc:meta])* $set:ident: $type:ty { $($name:ident = $value:literal),* $(,)? }) => {
        $(#[allow(missing_docs)] pub const $name: $type = $value;)*

        $(#[$doc])*
        pub const $set: crate::FlagSet =
            crate::FlagSet::choices(concat!($(stringify!($name), " ", stringify!($value), "\n",)*));
    };
}

/// Declares constants that never need printing.
macro_rules! values {
    ($type:ty { $($name:ident = $value:expr),* $(,)? }) => {
        $(#[allow(missing_docs)] pub const $name: $type = $value;)*
    };
}

mod auxiliary;
mod file;
mod interprocess;
mod memory;
mod process;
mod signal;
mod socket;
mod terminal;
mod time;

pub use auxiliary::*;
pub use file::*;
pub use interprocess::*;
pub use memory::*;
pub use process::*;
pub use signal::*;
pub use socket::*;
pub use terminal::*;
pub use time::*;
