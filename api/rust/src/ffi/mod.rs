//! Strings of other languages and of the machine, as `std::ffi` has them.

mod os_str;
mod os_string;

pub use alloc_crate::ffi::{CString, FromVecWithNulError, IntoStringError, NulError};
pub use core::ffi::{
    CStr, FromBytesUntilNulError, FromBytesWithNulError, c_char, c_double, c_float, c_int, c_long, c_longlong, c_schar,
    c_short, c_uchar, c_uint, c_ulong, c_ulonglong, c_ushort, c_void,
};
pub use os_str::{Display, OsStr};
pub use os_string::OsString;
