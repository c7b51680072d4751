//! Paths, as `std::path` has them on Unix: bytes, with `/` between the parts.

mod borrowed;
mod compare;
mod components;
mod path_buf;

pub use borrowed::{Display, Path, StripPrefixError};
pub use components::{Ancestors, Component, Components, Iter};
pub use path_buf::PathBuf;

/// What stands between the parts of a path.
pub const MAIN_SEPARATOR: char = '/';
/// [`MAIN_SEPARATOR`] as text.
pub const MAIN_SEPARATOR_STR: &str = "/";

/// Whether a character stands between the parts of a path.
#[must_use]
pub const fn is_separator(character: char) -> bool {
    character == MAIN_SEPARATOR
}
