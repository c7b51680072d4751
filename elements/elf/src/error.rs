//! Why a file is not loaded, in words that finish the sentence "cannot run FILE: ...".

use core::fmt;

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// It does not begin as an ELF file does.
    NotElf,
    /// It is shorter than its headers.
    ShortHeader,
    /// It is a 32-bit program, for this machine.
    Bits32(u16),
    /// Its numbers are big-endian.
    BigEndian,
    /// It is for another architecture.
    Machine(u16),
    /// Its class, data encoding or version is none that exists.
    Damaged,
    /// It is an object file, a core dump or something else that cannot be run.
    NotExecutable(u16),
    /// The size or number of its program headers is impossible.
    HeaderSize,
    /// Its program headers lie outside the file.
    HeadersOutside,
    /// It has nothing to load.
    NoSegments,
    /// A segment's contents reach behind the end of the file.
    Truncated {
        /// Where they should end.
        needed: u64,
        /// Where the file ends.
        length: u64,
    },
    /// A segment has more bytes in the file than in memory.
    LargerThanMemory,
    /// A segment's address and offset in the file differ within a page.
    Misaligned,
    /// A segment's addresses overflow.
    Overflow,
    /// Segments overlap or are out of order.
    Overlap,
    /// The path of its interpreter is empty, too long or not terminated.
    Interpreter,
    /// Its first instruction lies in no executable segment.
    Entry,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Self::NotElf => "it is not an ELF program",
            Self::ShortHeader => "it ends inside its own header",
            Self::Bits32(machine) => {
                return write!(out, "it is a 32-bit program for {}, and only x86-64 programs run here", Named(machine));
            }
            Self::BigEndian => "it is for a big-endian machine, and only x86-64 programs run here",
            Self::Machine(machine) => {
                return write!(out, "it is for {}, and only x86-64 programs run here", Named(machine));
            }
            Self::Damaged => "its ELF header is damaged",
            Self::NotExecutable(1) => "it is an object file, not a linked program",
            Self::NotExecutable(4) => "it is a core dump, not a program",
            Self::NotExecutable(kind) => return write!(out, "it is an ELF file of type {kind}, not a program"),
            Self::HeaderSize => "the size or number of its program headers is impossible",
            Self::HeadersOutside => "it is truncated: its program headers lie behind its end",
            Self::NoSegments => "it has nothing to load",
            Self::Truncated { needed, length } => {
                return write!(out, "it is truncated: it has {length} bytes, and its segments need {needed}");
            }
            Self::LargerThanMemory => "a segment is larger in the file than in memory",
            Self::Misaligned => "a segment's address does not fit its place in the file",
            Self::Overflow => "a segment's addresses are impossible",
            Self::Overlap => "its segments overlap",
            Self::Interpreter => "the path of its interpreter is damaged",
            Self::Entry => "its entry point lies outside its code",
        };
        out.write_str(text)
    }
}

impl core::error::Error for Error {}

/// A machine number in words.
struct Named(u16);

impl fmt::Display for Named {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match machine_name(self.0) {
            Some(name) => out.write_str(name),
            None => write!(out, "machine number {}", self.0),
        }
    }
}

/// What people call a machine (`e_machine`).
#[must_use]
pub const fn machine_name(machine: u16) -> Option<&'static str> {
    use object::elf as e;
    Some(match machine {
        e::EM_X86_64 => "x86-64",
        e::EM_386 => "x86 (i386)",
        e::EM_AARCH64 => "AArch64",
        e::EM_ARM => "ARM",
        e::EM_RISCV => "RISC-V",
        e::EM_PPC => "PowerPC",
        e::EM_PPC64 => "PowerPC 64",
        e::EM_S390 => "S/390",
        e::EM_MIPS => "MIPS",
        e::EM_SPARC | e::EM_SPARCV9 => "SPARC",
        e::EM_LOONGARCH => "LoongArch",
        e::EM_68K => "m68k",
        e::EM_BPF => "BPF",
        _ => return None,
    })
}
