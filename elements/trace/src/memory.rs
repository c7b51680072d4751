//! Which of a system call's arguments are addresses of something worth showing: the table of `linux-abi` without its
//! words, four bytes for a call that has any.

use linux_abi::{Answer, Argument, SYSTEM_CALLS, SystemCall};

/// Most bytes of a buffer that are shown.
pub const SHOWN: usize = 32;
/// Most strings of an array that are shown.
pub const MAX_STRINGS: usize = 32;
/// Most bytes of an array's strings together, each with its NUL.
pub const MAX_LIST: usize = 16 << 10;

/// What an argument is the address of, and what the record holds of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Memory {
    /// Nothing that is shown.
    None = 0,
    /// A NUL-terminated string: its bytes without the NUL.
    Text = 1,
    /// Bytes that the call reads, as many as the next argument says: the first [`SHOWN`].
    Input = 2,
    /// Bytes that the call has written, as many as its result says: the first [`SHOWN`].
    Output = 3,
    /// A NULL-terminated array of strings: each with its NUL, at most [`MAX_STRINGS`] and [`MAX_LIST`] bytes.
    Texts = 4,
    /// The same, but only how many there are: 4 bytes.
    Count = 5,
    /// A set of signals: 8 bytes.
    Set = 6,
    /// A `struct timespec`: 16 bytes.
    Time = 7,
}

/// What a record about a system call needs. Bits 0 to 17 hold six [`Memory`], bit 18 [`Needs::never_returns`], the
/// rest the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs(u32);

const BITS: u32 = 3;
const NEVER: u32 = 1 << (6 * BITS);
const NUMBER: u32 = 6 * BITS + 1;

impl Needs {
    const fn of(row: &SystemCall) -> Self {
        let mut bits = (row.number as u32) << NUMBER;
        let mut index = 0;
        while index < row.arguments.len() {
            bits |= (memory(row.arguments[index]) as u32) << (BITS * index as u32);
            index += 1;
        }
        if matches!(row.answer, Answer::Never) {
            bits |= NEVER;
        }
        Self(bits)
    }

    const fn is_nothing(self) -> bool {
        self.0 & ((1 << NUMBER) - 1) == 0
    }

    /// What argument `index` (0 to 5) is the address of.
    #[must_use]
    pub const fn memory(self, index: usize) -> Memory {
        match self.0 >> (BITS * index as u32) & ((1 << BITS) - 1) {
            1 => Memory::Text,
            2 => Memory::Input,
            3 => Memory::Output,
            4 => Memory::Texts,
            5 => Memory::Count,
            6 => Memory::Set,
            7 => Memory::Time,
            _ => Memory::None,
        }
    }

    /// Whether the call does not come back, so that its record is sent before it.
    #[must_use]
    pub const fn never_returns(self) -> bool {
        self.0 & NEVER != 0
    }
}

const fn memory(argument: Argument) -> Memory {
    match argument {
        Argument::Path => Memory::Text,
        Argument::Input => Memory::Input,
        Argument::Output => Memory::Output,
        Argument::Strings => Memory::Texts,
        Argument::Environment => Memory::Count,
        Argument::SignalSet => Memory::Set,
        Argument::TimeSpec => Memory::Time,
        _ => Memory::None,
    }
}

/// The calls that need anything, at the front, and how many they are.
const fn collect() -> ([Needs; SYSTEM_CALLS.len()], usize) {
    let (mut all, mut count, mut row) = ([Needs(0); SYSTEM_CALLS.len()], 0, 0);
    while row < SYSTEM_CALLS.len() {
        let needs = Needs::of(&SYSTEM_CALLS[row]);
        if !needs.is_nothing() {
            all[count] = needs;
            count += 1;
        }
        row += 1;
    }
    (all, count)
}

static TABLE: [Needs; collect().1] = {
    let (all, mut table, mut index) = (collect().0, [Needs(0); collect().1], 0);
    while index < table.len() {
        table[index] = all[index];
        index += 1;
    }
    table
};

/// What a record about the system call `number` needs; nothing for one that is not in the table.
#[must_use]
pub fn needs(number: usize) -> Needs {
    TABLE.iter().copied().find(|needs| (needs.0 >> NUMBER) as usize == number).unwrap_or(Needs(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_the_rows_say() {
        for row in SYSTEM_CALLS {
            let needs = needs(row.number.into());
            for (index, argument) in row.arguments.iter().enumerate() {
                assert_eq!(needs.memory(index), memory(*argument), "{row:?}");
            }
            assert_eq!(needs.never_returns(), row.answer == Answer::Never);
        }
        assert!(size_of_val(&TABLE) < 512);
    }

    #[test]
    fn unknown_calls_need_nothing() {
        for number in [9999, usize::MAX, 1 << 13] {
            assert!(needs(number).is_nothing());
        }
    }
}
