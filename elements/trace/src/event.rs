//! What else a trace tells: signals, faults, the end. A record of fixed length, made without memory.

use machine::{Access, ExitReason, TrapKind};

use crate::WORD;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A signal is delivered (2: number with the thread in its upper half, code, address).
    Signal {
        /// The thread it is delivered to; 0 if there is one only.
        thread: u32,
        /// Its number.
        number: i32,
        /// Its `si_code`.
        code: i32,
        /// Its `si_addr`, or what stands there for a signal that has none.
        address: u64,
    },
    /// The processor refused something (3: kind and access, address, instruction).
    Trap {
        /// What.
        kind: TrapKind,
        /// For a page fault, how memory was touched.
        access: Access,
        /// For a page fault, where.
        address: u64,
        /// The instruction.
        instruction: u64,
    },
    /// The program touched a page that was not there and is now (4: access, address).
    Page {
        /// How.
        access: Access,
        /// Where.
        address: u64,
    },
    /// The program is over (5 exited, 6 killed: status or signal).
    Ended(ExitReason),
    /// The program made a system call that the kernel does not have (7: number).
    Missing {
        /// The call's number.
        number: u64,
    },
}

const SIGNAL: u8 = 2;
const TRAP: u8 = 3;
const PAGE: u8 = 4;
const EXITED: u8 = 5;
const KILLED: u8 = 6;
const MISSING: u8 = 7;

/// Bytes of an event's record.
const LENGTH: usize = 1 + 3 * WORD;

const ACCESSES: [Access; 3] = [Access::Read, Access::Write, Access::Execute];
const KINDS: [TrapKind; 11] = [
    TrapKind::Divide,
    TrapKind::Debug,
    TrapKind::Breakpoint,
    TrapKind::Bound,
    TrapKind::InvalidInstruction,
    TrapKind::Page,
    TrapKind::Protection,
    TrapKind::Stack,
    TrapKind::FloatingPoint,
    TrapKind::Alignment,
    TrapKind::Halt,
];

impl Event {
    /// The event's record; `None` for an end that is not the program's.
    #[must_use]
    pub fn encode(self) -> Option<[u8; LENGTH]> {
        let (what, words) = match self {
            Self::Signal { thread, number, code, address } => {
                (SIGNAL, [u64::from(number as u32) | u64::from(thread) << u32::BITS, code as u64, address])
            }
            Self::Trap { kind, access, address, instruction } => {
                (TRAP, [kind as u64 | (access as u64) << 8, address, instruction])
            }
            Self::Page { access, address } => (PAGE, [access as u64, address, 0]),
            Self::Ended(ExitReason::Exited(status)) => (EXITED, [status.into(), 0, 0]),
            Self::Ended(ExitReason::Killed(signal)) => (KILLED, [signal.into(), 0, 0]),
            Self::Ended(ExitReason::Failed | ExitReason::CannotExecute | ExitReason::NotFound) => return None,
            Self::Missing { number } => (MISSING, [number, 0, 0]),
        };
        let mut bytes = [what; LENGTH];
        for (place, word) in bytes[1..].chunks_exact_mut(WORD).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        Some(bytes)
    }

    /// Reads a record; `None` if it is none of ours.
    #[must_use]
    pub fn decode(record: &[u8]) -> Option<Self> {
        let (&[what], words) = <&[u8; LENGTH]>::try_from(record).ok()?.split_first_chunk::<1>()?;
        let (words, _) = words.as_chunks::<WORD>();
        let [first, second, third] = [0, 1, 2].map(|index| u64::from_le_bytes(words[index]));
        let access = |number: u64| ACCESSES.get(usize::try_from(number).ok()?).copied();
        Some(match what {
            SIGNAL => Self::Signal {
                thread: (first >> u32::BITS) as u32,
                number: first as i32,
                code: second as i32,
                address: third,
            },
            TRAP => Self::Trap {
                kind: *KINDS.get(usize::from(first as u8))?,
                access: access(first >> 8)?,
                address: second,
                instruction: third,
            },
            PAGE => Self::Page { access: access(first)?, address: second },
            EXITED => Self::Ended(ExitReason::Exited(u8::try_from(first).ok()?)),
            KILLED => Self::Ended(ExitReason::Killed(u8::try_from(first).ok()?)),
            MISSING => Self::Missing { number: first },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_read_back() {
        let mut events = alloc::vec![
            Event::Signal { thread: 3, number: 11, code: -6, address: u64::MAX },
            Event::Page { access: Access::Execute, address: 0x1000 },
            Event::Ended(ExitReason::Exited(255)),
            Event::Ended(ExitReason::Killed(9)),
            Event::Missing { number: u64::MAX },
        ];
        for kind in KINDS {
            events.extend(ACCESSES.map(|access| Event::Trap { kind, access, address: 5, instruction: 0 }));
        }
        for event in events {
            assert_eq!(event.encode().as_ref().and_then(|bytes| Event::decode(bytes)), Some(event));
        }
        assert_eq!(Event::Ended(ExitReason::Failed).encode(), None);
    }

    #[test]
    fn nonsense_is_no_event() {
        for what in (0..=255).step_by(if cfg!(miri) { 51 } else { 1 }) {
            assert_eq!(Event::decode(&[what; LENGTH - 1]), None);
            assert_eq!(Event::decode(&[what; LENGTH + 1]), None);
        }
        for bytes in [[0xff; LENGTH], [0; LENGTH], [TRAP; LENGTH], [PAGE; LENGTH], [EXITED; LENGTH]] {
            assert_eq!(Event::decode(&bytes), None);
        }
    }
}
