//! The ways that can be walked.

use crate::arguments::Asked;

/// One thing that a program asks of the kernel.
#[derive(Debug)]
pub struct Way {
    /// How it is asked for.
    pub asked: Asked,
    /// The word for `apps/walk`.
    pub word: &'static str,
    /// What it is, for people.
    pub what: &'static str,
    /// Whether the program wants two files of a share.
    pub has_files: bool,
    /// Where the way down ends: part of the name of the function that does what was asked.
    pub bottom: &'static str,
    /// The same for people.
    pub end: &'static str,
}

/// All of them.
pub const WAYS: &[Way] = &[
    Way {
        asked: Asked::Read,
        word: "read",
        what: "read: 64 bytes of a file on a share",
        has_files: true,
        bottom: "Transport>::notify",
        end: "the host being told that a 9p message waits",
    },
    Way {
        asked: Asked::Fault,
        word: "fault",
        what: "fault: the first store into a page of memory",
        has_files: false,
        bottom: "<pc::memory::tables::PageTables as TableMemory>::write",
        end: "the entry in the page table",
    },
    Way {
        asked: Asked::Console,
        word: "console",
        what: "console: a byte to standard output",
        has_files: false,
        bottom: "Transport>::notify",
        end: "the host being told that a byte waits",
    },
];
