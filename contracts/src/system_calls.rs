//! Contract `system_calls`: the handlers that the image names, by number. A layer that answers system calls
//! (`api/linux`) exports the macro that fills it.

use machine::Context;

/// What answers a system call: with the number that goes into the application's result register.
pub type Handler = fn(&mut Context) -> isize;

/// Numbers from here on have no handler.
pub const NUMBERS: usize = 512;

/// Handlers by number.
pub type Table = [Handler; NUMBERS];

unsafe extern "Rust" {
    /// The image's table.
    #[link_name = "whittle.provide_system_calls.table"]
    pub safe static TABLE: Table;
}

/// Fills the table: `contracts::provide_system_calls!(unknown; 0 => read, 1 => write);`. The layer that has the handlers
/// wraps it in a macro that knows their numbers.
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
        };
    };
}
