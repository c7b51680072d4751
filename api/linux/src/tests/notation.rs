//! How tests say which calls they make and what they expect.

use std::vec::Vec;

use linux_abi::Errno;

use super::program::put;

/// What can stand among a call's arguments.
pub trait Word {
    /// The word in the register.
    fn word(&self) -> usize;
}

macro_rules! numbers {
    ($($type:ty)*) => {
        $(
            impl Word for $type {
                fn word(&self) -> usize {
                    *self as usize
                }
            }

            impl Expected for $type {
                fn expected(self) -> crate::Result {
                    Ok(self as usize)
                }
            }
        )*
    };
}

numbers! { i32 u32 i64 u64 usize u8 u16 }

impl Word for &str {
    fn word(&self) -> usize {
        put(&[self.as_bytes(), b"\0"].concat())
    }
}

impl<const COUNT: usize> Word for &[u8; COUNT] {
    fn word(&self) -> usize {
        put(&self[..])
    }
}

macro_rules! arrays {
    ($($type:ty)*) => {
        $(
            impl<const COUNT: usize> Word for &[$type; COUNT] {
                fn word(&self) -> usize {
                    put(&self.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
                }
            }
        )*
    };
}

arrays! { u16 u32 i32 u64 i64 usize }

/// What a call is to answer: a number, an error, or anything that is no error.
pub trait Expected {
    /// The answer.
    fn expected(self) -> crate::Result;
}

impl Expected for Errno {
    fn expected(self) -> crate::Result {
        Err(self)
    }
}

/// Makes a call as a program does.
pub fn invoke(number: usize, words: [usize; 6]) -> crate::Result {
    answer(test_machine::application::system_call(number, words))
}

/// What the word in the result register says.
pub fn answer(word: isize) -> crate::Result {
    if !(-4095..0).contains(&word) {
        return Ok(word as usize);
    }
    let number = word.unsigned_abs() as u16;
    Err(*ERRORS.iter().find(|error| error.number() == number).unwrap_or_else(|| panic!("error {number}")))
}

macro_rules! errors {
    ($($name:ident)*) => { const ERRORS: &[Errno] = &[$(Errno::$name),*]; };
}

errors! {
    EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV
    ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK
    ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP ENOMSG EIDRM ENODATA EOVERFLOW ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE
    ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT EOPNOTSUPP EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETUNREACH ENOTCONN EISCONN
    ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EALREADY EINPROGRESS ESTALE ENOBUFS EOWNERDEAD ENOTRECOVERABLE
}

/// The six words of a call's arguments.
pub fn words(given: &[usize]) -> [usize; 6] {
    let mut words = [0; 6];
    words[..given.len()].copy_from_slice(given);
    words
}

/// Makes a call: `call!(read(3, buffer, 10))`.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        $crate::tests::notation::invoke(
            $crate::number::$name,
            $crate::tests::notation::words(&[$($crate::tests::notation::Word::word(&$argument)),*]),
        )
    };
}

/// Makes a call that must not fail.
macro_rules! must {
    ($name:ident($($argument:expr),* $(,)?)) => {
        call!($name($($argument),*)).unwrap_or_else(|error| panic!("{}: {error:?}", stringify!($name($($argument),*))))
    };
}

/// Makes calls one after the other, and compares what each answers.
macro_rules! expect {
    ($($name:ident($($argument:expr),* $(,)?) => $expected:expr;)*) => {
        $(
            assert_eq!(
                call!($name($($argument),*)),
                $crate::tests::notation::Expected::expected($expected),
                "{}",
                stringify!($name($($argument),*)),
            );
        )*
    };
}
