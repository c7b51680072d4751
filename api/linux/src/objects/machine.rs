//! What the machine says that it is: uname(2), `/proc/version`.

/// The Linux whose interface this is. Libraries refuse to start on one that is too old.
pub const RELEASE: &str = "6.12.0-whittle";
/// The build, in Linux' form.
pub const VERSION: &str = concat!("#1 whittle ", env!("CARGO_PKG_VERSION"));
