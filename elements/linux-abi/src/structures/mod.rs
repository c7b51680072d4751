//! Structures of the system call interface, byte for byte as Linux has them on x86-64.
//!
//! Fields have Linux' names where a man page lists them. All are plain data without padding (`zerocopy`), so copying
//! one to an application never shows kernel bytes.

/// Declares a structure that is plain bytes, and checks its size.
macro_rules! structure {
    ($(#[$doc:meta])* $name:ident $size:literal { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable,
            zerocopy::KnownLayout,
        )]
        #[repr(C)]
        #[allow(missing_docs)] // the man page named above lists the fields
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                zerocopy::FromZeros::new_zeroed()
            }
        }

        const _: () = assert!(size_of::<$name>() == $size);
    };
}

mod file;
mod interprocess;
mod process;
mod signal;
mod signal_frame;
mod socket;
mod system;
mod time;

pub use file::*;
pub use interprocess::*;
pub use process::*;
pub use signal::*;
pub use signal_frame::*;
pub use socket::*;
pub use system::*;
pub use time::*;
