//! Linux on x86-64 as data: system calls, error numbers, structures, constants.
//!
//! Knows no kernel. The kernel's Linux layer dispatches by [`for_each_system_call!`], traces by [`SYSTEM_CALLS`], and
//! copies the [`structures`] to and from applications.
#![no_std]
#![forbid(unsafe_code)]

mod argument;
pub mod constants;
mod decode;
mod errno;
mod flag_set;
mod names;
mod refused;
pub mod structures;
mod table;
mod word;

pub use argument::{
    Answer, Argument, DESCRIPTIONS, Description, Names, SYSTEM_CALLS, Support, SystemCall, system_call,
};
pub use decode::{
    Directory, FileDescriptor, UserAddress, UserInput, UserOutput, UserPath, UserSignalSet, UserStrings, UserTime, kind,
};
pub use errno::Errno;
pub use flag_set::FlagSet;
pub use names::system_call_name;
pub use refused::{REFUSALS, Refusal, refusal};
pub use word::FromWord;
