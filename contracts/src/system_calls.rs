//! Contract `system_calls`: the handlers that the image names, by number. A layer that answers system calls
//! (`api/linux`) exports the macro that fills it.

pub use machine::Handler;

/// Numbers from here on have no handler.
pub const NUMBERS: usize = 512;

/// Handlers by number.
pub type Table = [Handler; NUMBERS];

unsafe extern "Rust" {
    /// The image's table.
    #[link_name = "whittle.provide_system_calls.table"]
    pub safe static TABLE: Table;
}

unsafe extern "Rust" {
    /// Which numbers the image names.
    #[link_name = "whittle.provide_system_calls.named"]
    safe static NAMED: [bool; NUMBERS];
}

/// Whether the image answers the system call of this number: known when the image is linked, so that what only this
/// call leads to folds away with it.
#[inline(always)]
#[must_use]
pub fn answers(number: usize) -> bool {
    NAMED[number % NUMBERS]
}

/// Fills the table: `contracts::provide_system_calls!(unknown; 0 => read, 1 => write);`. The layer that has the
/// handlers wraps it in a macro that knows their numbers.
#[macro_export]
macro_rules! provide_system_calls {
    ($unknown:path; $($number:expr => $handler:path),* $(,)?) => {
        const _: () = {
            use $crate::system_calls::{NUMBERS, Table};
            #[unsafe(export_name = "whittle.provide_system_calls.table")]
            static TABLE: Table = {
                let mut table: Table = [$unknown; NUMBERS];
                $(table[$number] = $handler;)*
                table
            };
            #[unsafe(export_name = "whittle.provide_system_calls.named")]
            static NAMED: [bool; NUMBERS] = {
                let mut named = [false; NUMBERS];
                $(named[$number] = true;)*
                named
            };
        };
    };
}
