//! The kinds of system call arguments: what they mean, for whoever prints them or makes them up. What they are made for
//! a handler, [`crate::kind`] says.

use crate::{FlagSet, constants};

/// How an argument register is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// There is no such argument.
    None,
    /// A file descriptor.
    Descriptor,
    /// A descriptor of a directory, or AT_FDCWD.
    Directory,
    /// Address of a NUL-terminated path or name.
    Path,
    /// Address of bytes that the call reads; the next argument is their length.
    Input,
    /// Address of bytes that the call has written; its result is their length.
    Output,
    /// Address of a NULL-terminated array of strings.
    Strings,
    /// The same, printed as a count (an environment).
    Environment,
    /// Any other address of what the call reads or writes.
    Pointer,
    /// A place in the address space: nothing is read or written there.
    Address,
    /// A number of bytes or things.
    Size,
    /// An unsigned 32-bit number.
    Count,
    /// A signed 32-bit number.
    Signed,
    /// A user's or a group's number, 32 bits without a sign; all ones, which is nobody's, is printed as -1.
    Owner,
    /// A signed 64-bit number (a file offset).
    Offset,
    /// A file offset as mmap prints it: 0 or hexadecimal.
    MapOffset,
    /// Address of a set of signals.
    SignalSet,
    /// Address of a `struct timespec` that the call reads.
    TimeSpec,
    /// An unsigned 32-bit number best read in hexadecimal.
    Hexadecimal,
    /// The same, of 64 bits: an address or a number, as another argument says.
    Word,
    /// Permission bits, octal.
    Mode,
    /// Permission bits that count only when O_CREAT or O_TMPFILE is among the flags before.
    CreationMode,
    /// A signal number.
    Signal,
    /// Bits and fields with names, in 32 bits. A handler gets the type that the set names, bits without a name kept.
    Flags(Names),
    /// The same, in 64 bits, as a number.
    LongFlags(Names),
}

macro_rules! names {
    ($($set:ident)*) => {
        /// Which constants name the bits of an argument: the [`FlagSet`]s of [`constants`] by number, so that an
        /// argument's type takes two bytes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs, non_camel_case_types)] // the names of the constants
        pub enum Names { $($set,)* }

        impl Names {
            /// The names themselves.
            #[must_use]
            pub const fn flags(self) -> FlagSet {
                match self { $(Self::$set => constants::$set,)* }
            }
        }
    };
}

names! {
    ACCESS_AT_FLAGS ACCESS_MODES ADDRESS_FAMILIES ARCH_OPERATIONS AT_FLAGS_NAMES CLOCKS CLONE_FLAGS CLOSE_RANGE_FLAGS
    EPOLL_OPERATIONS EVENT_DESCRIPTOR_FLAGS FALLOCATE_FLAGS FCNTL_OPERATIONS FUTEX_OPERATIONS INTERVAL_TIMERS
    IOCTL_REQUESTS IPC_FLAGS LOCK_ALL_FLAGS LOCK_FLAGS LOCK_OPERATIONS MAP_FLAGS MEMFD_FLAGS MEMORY_ADVICE MEMBARRIER_COMMANDS
    MESSAGE_FLAGS MSG_COMMANDS OPEN_FLAGS PERSONALITIES PRCTL_OPERATIONS PROTECTION_FLAGS QUEUE_FLAGS
    RANDOM_FLAGS READ_WRITE_FLAGS REMAP_FLAGS RENAME_FLAGS RESOURCES SCHEDULING_POLICIES SEEK_ORIGINS SEM_COMMANDS SHM_COMMANDS SHM_FLAGS
    SHUTDOWN_WAYS SIGNAL_MASK_CHANGES SOCKET_LEVELS SOCKET_OPTIONS SOCKET_TYPES SPLICE_FLAGS STATX_MASK SYNC_FLAGS SYNC_RANGE_FLAGS TIMER_DESCRIPTOR_FLAGS TIMER_FLAGS USAGE_WHO WAIT_OPTIONS WATCH_MASKS XATTR_FLAGS
}

/// What a system call answers when it succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Answer {
    /// A number.
    Number,
    /// An address, printed in hexadecimal.
    Address,
    /// Permission bits, octal.
    Mode,
    /// It does not come back.
    Never,
}

/// One row of the table of system calls, small enough to be carried by a kernel.
#[derive(Clone, Copy, Debug)]
pub struct SystemCall {
    /// Its number on x86-64.
    pub number: u16,
    /// What it answers.
    pub answer: Answer,
    /// The types of its arguments, [`Argument::None`] behind the last.
    pub arguments: [Argument; 6],
}

/// What the table says for people.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its number on x86-64.
    pub number: u16,
    /// Its name.
    pub name: &'static str,
    /// The family: the folder of `api/linux/src/calls` that its handler is in.
    pub family: &'static str,
    /// Names of its arguments.
    pub arguments: &'static [&'static str],
    /// What is there of it.
    pub support: Support,
}

/// What is there of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// All that Linux has.
    Full,
    /// Not all: what is missing, in words.
    Partial(&'static str),
    /// It answers one error, whatever it is asked.
    Only(crate::Errno),
}

macro_rules! rows {
    ($(
        $number:literal $family:ident $name:ident($($argument:ident: $kind:ident $(($flags:ident))?),*)
        $(-> $answer:ident)? $(partial $missing:literal)? $(only $error:ident)?;
    )*) => {
        /// The table of [`crate::for_each_system_call!`] as data, by number.
        pub static SYSTEM_CALLS: &[SystemCall] = &[$(SystemCall {
            number: $number,
            answer: rows!(@ $($answer)?),
            arguments: six(&[$(Argument::$kind $((Names::$flags))?),*]),
        },)*];

        /// The table for people, by number.
        pub const DESCRIPTIONS: &[Description] = &[$(Description {
            number: $number,
            name: stringify!($name),
            family: stringify!($family),
            arguments: &[$(stringify!($argument)),*],
            support: rows!(support $($missing)? $($error)?),
        },)*];
    };
    (support) => { Support::Full };
    (support $missing:literal) => { Support::Partial($missing) };
    (support $error:ident) => { Support::Only(crate::Errno::$error) };
    (@) => { Answer::Number };
    (@ $answer:ident) => { Answer::$answer };
}

crate::for_each_system_call!(rows);

/// Fills up with [`Argument::None`].
const fn six(arguments: &[Argument]) -> [Argument; 6] {
    let mut six = [Argument::None; 6];
    let mut index = 0;
    while index < arguments.len() {
        six[index] = arguments[index];
        index += 1;
    }
    six
}

/// The row of a system call number, if we have it.
#[must_use]
pub fn system_call(number: usize) -> Option<&'static SystemCall> {
    let index = SYSTEM_CALLS.binary_search_by_key(&number, |row| row.number.into()).ok()?;
    SYSTEM_CALLS.get(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_named_as_linux_names_them() {
        assert!(SYSTEM_CALLS.is_sorted_by(|one, next| one.number < next.number));
        for (row, description) in SYSTEM_CALLS.iter().zip(DESCRIPTIONS) {
            assert_eq!(crate::system_call_name(row.number.into()), Some(description.name));
            let arguments = row.arguments.iter().filter(|&&argument| argument != Argument::None).count();
            assert_eq!(arguments, description.arguments.len());
        }
        assert_eq!(system_call(1).map(|row| row.number), Some(1));
        assert!(system_call(9999).is_none());
        assert!(size_of::<SystemCall>() <= 16);
    }
}
