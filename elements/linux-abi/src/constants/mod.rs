//! Constants of the system call interface, each family's in its own file.
//!
//! Names are Linux's, so that man pages and headers can be read beside the code. A set of names that belong to one
//! word comes with a [`crate::FlagSet`] of the same content, for traces. The type that such a word has in a handler has
//! the set's name too, as types are named apart from constants: the table of system calls names both by one word.

/// Declares a set of bits: `NAME = value` for single bits, `NAME = value & mask` for fields.
///
/// With the name of a type before the list that type is made too, with the names as its constants. Bits without a name
/// are kept in it: whether a call refuses them, its handler says. Without one the constants are numbers.
macro_rules! flags {
    ($(#[$doc:meta])* $set:ident: $type:ident($bits:ident) {
        $($name:ident = $value:literal $(& $mask:literal)?),* $(,)?
    }) => {
        bitflags::bitflags! {
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq)]
            pub struct $type: $bits {
                $(#[allow(missing_docs)] const $name = $value;)*
            }
        }

        impl $type {
            /// All that have a name.
            pub const NAMED: Self = Self::all();
        }

        impl crate::FromWord for $type {
            #[inline(always)]
            fn from_word(word: usize) -> Self {
                Self::from_bits_retain(crate::FromWord::from_word(word))
            }
        }

        flags! { @names $(#[$doc])* $set: $type { $($name = $value $(& $mask)?),* } }
    };
    ($(#[$doc:meta])* $set:ident: $type:ident { $($name:ident = $value:literal $(& $mask:literal)?),* $(,)? }) => {
        $(#[allow(missing_docs)] pub const $name: $type = $value;)*

        flags! { @names $(#[$doc])* $set: $type { $($name = $value $(& $mask)?),* } }
    };
    (@names $(#[$doc:meta])* $set:ident: $type:ident { $($name:ident = $value:literal $(& $mask:literal)?),* }) => {
        named! { $(#[$doc])* $set: $type, bits(concat!($(
            stringify!($name), " ", stringify!($value), $(" ", stringify!($mask),)? "\n",
        )*)) }
    };
}

/// Declares constants of which a word is one, and the flag set that names them.
macro_rules! choices {
    ($(#[$doc:meta])* $set:ident: $type:ident { $($name:ident = $value:literal),* $(,)? }) => {
        $(#[allow(missing_docs)] pub const $name: $type = $value;)*

        named! { $(#[$doc])* $set: $type, choices(concat!($(stringify!($name), " ", stringify!($value), "\n",)*)) }
    };
}

/// Declares a flag set, and the type of a word that it names by the same name.
macro_rules! named {
    ($(#[$doc:meta])* $set:ident: $type:ident, $kind:ident($text:expr)) => {
        $(#[$doc])*
        pub const $set: crate::FlagSet = crate::FlagSet::$kind($text);

        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub type $set = $type;
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
