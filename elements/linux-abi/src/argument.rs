//! The types of system call arguments, as a trace prints them.

use crate::constants;

/// How an argument register is to be read.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
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
    /// Any other address.
    Pointer,
    /// A number of bytes or things.
    Size,
    /// A signed 32-bit number.
    Signed,
    /// A signed 64-bit number (a file offset).
    Offset,
    /// A file offset as mmap prints it: 0 or hexadecimal.
    MapOffset,
    /// Address of a set of signals.
    SignalSet,
    /// Address of a `struct timespec` that the call reads.
    TimeSpec,
    /// An unsigned number best read in hexadecimal.
    Hexadecimal,
    /// Permission bits, octal.
    Mode,
    /// Permission bits that count only when O_CREAT or O_TMPFILE is among the flags before.
    CreationMode,
    /// A signal number.
    Signal,
    /// Bits and fields with names.
    Flags(&'static FlagSet),
}

/// What a system call answers when it succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// One name of a [`FlagSet`]: it stands for `value` in the bits of `mask`.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The bits that this name speaks about; for a simple flag the same as `value`.
    pub mask: u64,
    /// What those bits are.
    pub value: u64,
    /// The name.
    pub name: &'static str,
}

/// Named bits and fields of a word.
#[derive(Clone, Copy, Debug)]
pub struct FlagSet {
    /// Names, fields of several bits first.
    pub flags: &'static [Flag],
}

impl FlagSet {
    /// Writes `word` as `A|B|0x10`; bits without a name come last, in hexadecimal. Zero without a name is `0`.
    pub fn format(&self, word: u64, out: &mut dyn core::fmt::Write) -> core::fmt::Result {
        let mut rest = word;
        let mut named = 0;
        let mut first = true;
        for flag in self.flags {
            if flag.mask & named != 0 || rest & flag.mask != flag.value {
                continue;
            }
            separate(&mut first, out)?;
            out.write_str(flag.name)?;
            named |= flag.mask;
            rest &= !flag.mask;
        }
        match (rest, first) {
            (0, false) => Ok(()),
            (0, true) => out.write_str("0"),
            _ => {
                separate(&mut first, out)?;
                write!(out, "{rest:#x}")
            }
        }
    }
}

/// Writes a `|` before every name but the first.
fn separate(first: &mut bool, out: &mut dyn core::fmt::Write) -> core::fmt::Result {
    if !core::mem::take(first) {
        out.write_str("|")?;
    }
    Ok(())
}

/// One row of the table of system calls.
#[derive(Clone, Copy, Debug)]
pub struct SystemCall {
    /// Its number on x86-64.
    pub number: usize,
    /// Its name.
    pub name: &'static str,
    /// The family: the folder of `api/linux/src` that its handler is in.
    pub family: &'static str,
    /// Names and types of its arguments.
    pub arguments: &'static [(&'static str, Argument)],
    /// What it answers.
    pub answer: Answer,
}

macro_rules! rows {
    ($(
        $number:literal $family:ident $name:ident($($argument:ident: $kind:ident $(($flags:ident))?),*)
        $(-> $answer:ident)?;
    )*) => {
        /// The table of [`crate::for_each_system_call!`] as data, by number.
        pub const SYSTEM_CALLS: &[SystemCall] = &[$(SystemCall {
            number: $number,
            name: stringify!($name),
            family: stringify!($family),
            arguments: &[$((stringify!($argument), Argument::$kind $((&constants::$flags))?)),*],
            answer: rows!(@ $($answer)?),
        },)*];
    };
    (@) => { Answer::Number };
    (@ $answer:ident) => { Answer::$answer };
}

crate::for_each_system_call!(rows);

/// The row of a system call number, if we have it.
#[must_use]
pub fn system_call(number: usize) -> Option<&'static SystemCall> {
    let index = SYSTEM_CALLS.binary_search_by_key(&number, |row| row.number).ok()?;
    SYSTEM_CALLS.get(index)
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use alloc::string::String;

    use super::*;

    fn text(set: &FlagSet, word: u64) -> String {
        let mut out = String::new();
        set.format(word, &mut out).expect("a String takes everything");
        out
    }

    #[test]
    fn rows_are_sorted_and_named_as_linux_names_them() {
        assert!(SYSTEM_CALLS.is_sorted_by(|one, next| one.number < next.number));
        for row in SYSTEM_CALLS {
            assert_eq!(crate::system_call_name(row.number), Some(row.name));
            assert!(row.arguments.len() <= 6);
        }
        assert_eq!(system_call(1).map(|row| row.name), Some("write"));
        assert!(system_call(9999).is_none());
    }

    #[test]
    fn flags_print_as_strace_prints_them() {
        assert_eq!(text(&constants::OPEN_FLAGS, 0), "O_RDONLY");
        assert_eq!(text(&constants::OPEN_FLAGS, 0o1101), "O_WRONLY|O_CREAT|O_TRUNC");
        assert_eq!(text(&constants::PROTECTION_FLAGS, 0), "PROT_NONE");
        assert_eq!(text(&constants::PROTECTION_FLAGS, 3), "PROT_READ|PROT_WRITE");
        assert_eq!(text(&constants::MAP_FLAGS, 0x22), "MAP_PRIVATE|MAP_ANONYMOUS");
        assert_eq!(text(&constants::SIGNAL_ACTION_FLAGS, 0x800), "0x800");
        assert_eq!(text(&constants::POLL_FLAGS, 0), "0");
    }
}
