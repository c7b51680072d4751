//! Native Rust: the standard library's interface, straight on the kernel's contracts.
//!
//! An application is a `no_std` library with `pub fn main()`. One line makes the standard library's paths and macros
//! mean this crate:
//!
//! ```ignore
//! #![no_std]
//! #[macro_use] extern crate whittle_std as std;
//!
//! pub fn main() {
//!     println!("Hello, world!");
//! }
//! ```
//!
//! What it does not bring along is the prelude: a module that uses `Vec`, `String`, `Box`, `format!` and their like
//! says `use std::prelude::v1::*;`.
//!
//! There is no descriptor, no table and no system call between a call here and the contract that answers it, so a part
//! that an application never calls is not in its image, and a part that the image does not have is an error of
//! `whittle build` only if the application calls it.
//!
//! # What calls which contract
//!
//! | call | contract |
//! |---|---|
//! | `print!` and its relatives, [`io::stdin`], [`io::stdout`], [`io::stderr`], [`io::IsTerminal`] | `console` |
//! | [`time::Instant`], [`time::SystemTime`] | `clock` |
//! | [`env::args`], [`env::var`] and their relatives | `arguments` |
//! | [`fs`], and what a [`path::Path`] tells about the file at it | `filesystem` |
//! | [`net`] but addresses | `sockets` |
//! | [`net::ToSocketAddrs`] of names | `sockets`, `clock`, `entropy` |
//! | [`hash::RandomState`], so [`collections::HashMap`] and [`collections::HashSet`] unless they get another hasher | `entropy`, once |
//! | [`process::exit`], [`process::abort`], the end of `main`, a panic | `power` |
//! | [`thread`] and `thread_local!` | `processor`, `scheduler`, `heap` |
//! | [`sync`] but `Arc`, `Weak` and `atomic` | `processor`, `scheduler` |
//! | [`thread::sleep`], and what waits at most so long | `alarm`, `clock` |
//! | [`nic`], which the standard library has not | `nic`, `processor` |
//! | [`asynchronous`], which it has not either | `sockets`, `processor`, `scheduler` |
//! | whatever allocates: `Box`, `Vec`, `String`, `format!`, collections, an error with a value of its own | `heap` |
//!
//! The standard streams, errors without a value of their own, cursors over slices, clocks and numbers need no heap.
//! [`heap!`] declares further heaps, which an image provides by name.
//!
//! # Moving a program here
//!
//! 1. The program becomes a library with `pub fn main()`, whose result may be whatever `std`'s main may return, but
//!    `!`.
//! 2. Its first lines become those above; each module that uses the prelude's names of `alloc` imports the prelude.
//! 3. What the list below names is replaced.
//!
//! Not there:
//! - `thread::park_timeout_ms` and its like, `sync::ReentrantLock`, `sync::mpmc`;
//! - other programs: `process::Command`; of `os` all but `os::unix::fs`;
//! - of files: `File::try_clone`, locks, a working directory (relative paths begin at the root), `Box<Path>`;
//! - changing or guessing the surroundings: `env::set_var`, `env::current_dir`, `env::current_exe` and the like;
//! - catching panics: `panic::catch_unwind`, `panic::set_hook`, `backtrace`. A panic ends the machine with status 101
//!   and drops nothing;
//! - floating-point functions that need a library of mathematics: `sqrt`, `sin`, `powf` and the like;
//! - `alloc::System`, `io::pipe`, `io::Error::last_os_error`, and everything that is not stable.
//!
//! Different:
//! - `print!` writes at once, where the standard library keeps a line without its end. What is written through
//!   [`io::stdout`] is kept line by line as there, and comes out before what is printed or written after it, and at the
//!   end;
//! - threads take turns on one processor, where one of them waits, yields or ends; one that only computes keeps it;
//! - no lock is ever poisoned, and joining a thread always succeeds, as a panic ends the machine;
//! - values of `thread_local!` are dropped at a thread's end, those of the first thread never;
//! - locking standard input twice panics, where it would wait for ever;
//! - a program that waits for input keeps the processor busy, unless the console waits by itself;
//! - files are those of the image's contract `filesystem`; with `memory-files` there are none at the start, but `/tmp`.
//!   Their times of change are those of the moment when somebody asks or the file is closed;
//! - standard streams and errors speak Linux's error numbers, and their text is the kind's: `broken pipe (os error
//!   32)`;
//! - [`io::BufWriter`] and [`io::LineWriter`] hold writers of a known size; vectored reads and writes use one buffer;
//! - [`collections::hash_map::Entry`] is a name of hashbrown's type: its variants cannot be imported by `*`;
//! - [`ffi::OsStr`] is bytes with no more than the methods that arguments and variables need;
//! - [`process::id`] is 1.
#![no_std]
#![forbid(unsafe_code)]
// Programs still write `u32::MAX` by the path of a module.
#![expect(clippy::legacy_numeric_constants)]

extern crate alloc as alloc_crate;

pub mod asynchronous;
pub mod collections;
pub mod env;
pub mod ffi;
pub mod fs;
pub mod hash;
pub mod io;
pub mod net;
pub mod nic;
pub mod os;
mod panic_text;
pub mod path;
pub mod prelude;
pub mod process;
mod start;
pub mod sync;
pub mod thread;
pub mod time;

pub use alloc_crate::{borrow, boxed, fmt, format, rc, slice, str, string, vec};
#[doc(hidden)]
pub use contracts;
pub use contracts::heap;
pub use core::{
    any, arch, array, ascii, assert, assert_eq, assert_ne, cell, cfg, char, clone, cmp, column, compile_error, concat,
    convert, debug_assert, debug_assert_eq, debug_assert_ne, default, env, error, file, format_args, future, hint,
    include, include_bytes, include_str, iter, line, marker, matches, mem, module_path, num, ops, option, option_env,
    panic, pin, primitive, ptr, result, stringify, todo, unimplemented, unreachable, write, writeln,
};
pub use core::{f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize};
pub use instruction_set;
#[doc(hidden)]
pub use kernel::memory::OneProcessor;
#[doc(hidden)]
pub use panic_text::{message, place};
#[doc(hidden)]
pub use start::Native;

/// Futures and their wakers, as `std::task` has them.
pub mod task {
    pub use alloc_crate::task::*;
    pub use core::task::*;
}

/// The allocator, as `std::alloc` has it.
pub mod alloc {
    pub use alloc_crate::alloc::*;
}

#[global_allocator]
static HEAP: contracts::heap::Global = contracts::heap::Global;

/// Names the application's main function, in the image.
#[macro_export]
macro_rules! application {
    ($main:path) => {
        $crate::contracts::provide_kernel!(
            $crate::Native = $crate::Native::new(|| $crate::process::Termination::report($main()))
        );
    };
}

/// Says what a panic prints, in the image: `message` is what the standard library prints, `place` the file and the
/// line only, `silent` nothing. The last two leave formatting out of an image that does not need it otherwise.
#[macro_export]
macro_rules! panic_handler {
    (message) => {
        #[panic_handler]
        fn panic(information: &::core::panic::PanicInfo) -> ! {
            $crate::message(information)
        }
    };
    (place) => {
        #[panic_handler]
        fn panic(information: &::core::panic::PanicInfo) -> ! {
            $crate::place(information.location())
        }
    };
    (silent) => {
        #[panic_handler]
        fn panic(_: &::core::panic::PanicInfo) -> ! {
            $crate::process::panicked()
        }
    };
}
