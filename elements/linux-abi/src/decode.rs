//! What the words of a system call become before its handler gets them.
//!
//! Each kind of [`crate::Argument`] has one type, named in [`kind`], and each type is made of a register in one way:
//! [`FromWord`]. Numbers of 32 bits take the lower half of the register, whatever the upper half holds, as Linux does.
//! Addresses are types of their own, so that a path cannot be given where a buffer is wanted.

use crate::FromWord;

macro_rules! wrapped {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name(pub $inner);

            impl FromWord for $name {
                #[inline(always)]
                fn from_word(word: usize) -> Self {
                    Self(FromWord::from_word(word))
                }
            }
        )*
    };
}

wrapped! {
    /// The number of an open file. Negative ones name none.
    FileDescriptor(i32);
    /// The number of an open directory that a relative path begins at.
    Directory(i32);
    /// Where a NUL-terminated path or name stands.
    UserPath(usize);
    /// Where bytes stand that the call reads.
    UserInput(usize);
    /// Where bytes come that the call writes.
    UserOutput(usize);
    /// Where addresses of strings stand, with NULL behind the last.
    UserStrings(usize);
    /// Where a set of signals stands.
    UserSignalSet(usize);
    /// Where a `struct timespec` stands.
    UserTime(usize);
    /// Where anything else stands or comes.
    UserAddress(usize);
}

impl Directory {
    /// The working directory.
    pub const WORKING: Self = Self(crate::constants::AT_FDCWD);

    /// As any open file.
    #[must_use]
    pub const fn descriptor(self) -> FileDescriptor {
        FileDescriptor(self.0)
    }
}

macro_rules! addresses {
    ($($name:ident)*) => {
        $(
            impl $name {
                /// Whether the application passed NULL.
                #[must_use]
                #[inline(always)]
                pub const fn is_null(self) -> bool {
                    self.0 == 0
                }

                /// So many bytes further on. One that wraps round is as bad an address as any.
                #[must_use]
                #[inline(always)]
                pub const fn wrapping_add(self, bytes: usize) -> Self {
                    Self(self.0.wrapping_add(bytes))
                }
            }
        )*
    };
}

addresses! { UserPath UserInput UserOutput UserStrings UserSignalSet UserTime UserAddress }

macro_rules! plain {
    ($($name:ident)*) => {
        $(
            impl From<$name> for UserAddress {
                #[inline(always)]
                fn from(place: $name) -> Self {
                    Self(place.0)
                }
            }
        )*
    };
}

// Not of paths and arrays of strings: how far they go, only reading them tells.
plain! { UserInput UserOutput UserSignalSet UserTime }

/// The type of each kind of argument, by the kind's name. Flags are of the type that their set names.
pub mod kind {
    pub use super::{
        Directory, FileDescriptor as Descriptor, UserAddress as Pointer, UserInput as Input, UserOutput as Output,
        UserPath as Path, UserSignalSet as SignalSet, UserStrings as Strings, UserStrings as Environment,
        UserTime as TimeSpec,
    };

    /// See [`crate::Argument::Address`].
    pub type Address = usize;
    /// See [`crate::Argument::Size`].
    pub type Size = usize;
    /// See [`crate::Argument::Count`].
    pub type Count = u32;
    /// See [`crate::Argument::Signed`].
    pub type Signed = i32;
    /// See [`crate::Argument::Owner`].
    pub type Owner = u32;
    /// See [`crate::Argument::Offset`].
    pub type Offset = i64;
    /// See [`crate::Argument::MapOffset`].
    pub type MapOffset = usize;
    /// See [`crate::Argument::Word`].
    pub type Word = usize;
    /// See [`crate::Argument::Hexadecimal`].
    pub type Hexadecimal = u32;
    /// See [`crate::Argument::Mode`].
    pub type Mode = u32;
    /// See [`crate::Argument::CreationMode`].
    pub type CreationMode = u32;
    /// See [`crate::Argument::Signal`].
    pub type Signal = i32;
    /// See [`crate::Argument::LongFlags`].
    pub type LongFlags = u64;
}

/// Calls a function with as many words as the table's row has arguments, each made what the row says:
/// `decoded!(read; [a b c d e f] [descriptor: Descriptor, buffer: Output, count: Size])`.
#[macro_export]
macro_rules! decoded {
    ($function:path; [$($word:ident)*] [$($arguments:tt)*]) => {
        $crate::decoded!(@ $function; [$($word)*] [$($arguments)*] [])
    };
    (@ $function:path; [$($rest:ident)*] [] [$($made:expr,)*]) => {
        $function($($made),*)
    };
    (@ $function:path; [$word:ident $($rest:ident)*]
        [$argument:ident: Flags($names:ident) $(, $($more:tt)*)?] [$($made:tt)*]) => {
        $crate::decoded!(@ $function; [$($rest)*] [$($($more)*)?]
            [$($made)* <$crate::constants::$names as $crate::FromWord>::from_word($word),])
    };
    (@ $function:path; [$word:ident $($rest:ident)*]
        [$argument:ident: $kind:ident $(($names:ident))? $(, $($more:tt)*)?] [$($made:tt)*]) => {
        $crate::decoded!(@ $function; [$($rest)*] [$($($more)*)?]
            [$($made)* <$crate::kind::$kind as $crate::FromWord>::from_word($word),])
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::OpenFlags;

    /// A word whose upper half is not the extension of its lower half.
    const MIXED: usize = 0x1234_5678_ffff_fffe;

    fn all(
        descriptor: FileDescriptor,
        size: usize,
        signed: i32,
        offset: i64,
        mode: u32,
        path: UserPath,
    ) -> (FileDescriptor, usize, i32, i64, u32, UserPath) {
        (descriptor, size, signed, offset, mode, path)
    }

    #[test]
    fn words_become_what_the_row_says() {
        let (a, b, c, d, e, f) = (MIXED, MIXED, MIXED, MIXED, MIXED, MIXED);
        let made = decoded!(all; [a b c d e f] [descriptor: Descriptor, size: Size, signed: Signed, offset: Offset,
            mode: Mode, path: Path]);
        let low = 0xffff_fffe_u32;
        assert_eq!(made, (FileDescriptor(-2), MIXED, -2, MIXED as i64, low, UserPath(MIXED)));
    }

    #[test]
    fn signs_are_those_of_the_type() {
        assert_eq!(kind::Signed::from_word(0xffff_ffff), -1);
        assert_eq!(kind::Offset::from_word(0xffff_ffff), 0xffff_ffff);
        assert_eq!(kind::Offset::from_word(usize::MAX), -1);
        assert_eq!(kind::Owner::from_word(usize::MAX), u32::MAX);
        assert_eq!(kind::Count::from_word(1 << 32 | 7), 7);
        assert_eq!(kind::LongFlags::from_word(1 << 32 | 7), 1 << 32 | 7);
        assert_eq!(Directory::from_word(0xffff_ff9c), Directory::WORKING);
    }

    #[test]
    fn flags_are_of_the_type_of_their_set_and_keep_bits_without_names() {
        let both = |origin: u32, flags: OpenFlags| (origin, flags);
        let (a, b) = (MIXED, 1 << 32 | 1 << 31 | 0o101);
        let (origin, flags) = decoded!(both; [a b] [origin: Flags(SEEK_ORIGINS), flags: Flags(OPEN_FLAGS)]);
        assert_eq!((origin, flags.bits()), (0xffff_fffe, 1 << 31 | 0o101));
        assert!(flags.contains(OpenFlags::O_CREAT) && flags.access() == OpenFlags::O_WRONLY);
    }

    #[test]
    fn a_row_takes_only_as_many_words_as_it_names() {
        let first = |signal: i32| signal;
        let (a, b) = (1_usize, 2_usize);
        assert_eq!(decoded!(first; [a b] [signal: Signal]) as usize + b, 3);
    }
}
