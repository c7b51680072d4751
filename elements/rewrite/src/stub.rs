//! What a `jmp` leads to.

use smallvec::SmallVec;

use crate::plan::{JUMP, Kind, Plan};
use crate::site::SYSCALL;

/// How a stub enters the kernel. The platform knows.
pub trait Entry {
    /// Bytes that this takes.
    fn length(&self) -> usize;

    /// Writes them to `to`.
    fn write(&self, call: &Call, to: &mut [u8]);
}

/// An entry by a jump: the kernel goes on at the address in r11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Where the kernel is entered.
    pub to: Target,
    /// Whether interrupts are off there, by a `cli` of the stub's.
    pub masked: bool,
}

/// How a jump finds its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// This is the address. It takes rcx, which is lost.
    Address(u64),
    /// The address is in the word there: for a kernel in the highest 2 GB, or the lowest.
    Word(i32),
}

impl Entry for Jump {
    fn length(&self) -> usize {
        let jump = if matches!(self.to, Target::Address(_)) { ADDRESS + 2 } else { INDIRECT };
        ADDRESS + jump + usize::from(self.masked)
    }

    fn write(&self, call: &Call, to: &mut [u8]) {
        let mask = if self.masked { &[0xfa][..] } else { &[] };
        // movabs back, %r11
        let back = [&[0x49, 0xbb][..], &call.back.to_le_bytes()].concat();
        let jump = match self.to {
            // movabs to, %rcx; jmp *%rcx
            Target::Address(to) => [&[0x48, 0xb9][..], &to.to_le_bytes(), &[0xff, 0xe1]].concat(),
            // jmp *word
            Target::Word(word) => [&[0xff, 0x24, 0x25][..], &word.to_le_bytes()].concat(),
        };
        to.copy_from_slice(&[mask, &back, &jump].concat());
    }
}

/// An entry for `cpuid`, to the kernel's code at an address. The kernel finds the leaf in eax and the subleaf in edx,
/// and goes on at the address in rbx. No other register has changed, and of these two `cpuid` changes both: so whoever
/// is interrupted in the stub can begin again at the instruction itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuidEntry(pub u64);

impl CpuidEntry {
    /// Bytes of it.
    const LENGTH: usize = 2 + ADDRESS + 6 + 8;
}

impl Entry for CpuidEntry {
    fn length(&self) -> usize {
        Self::LENGTH
    }

    fn write(&self, call: &Call, to: &mut [u8]) {
        // mov %ecx, %edx; movabs back, %rbx; jmp *behind(%rip), and the address behind it.
        let load = [&[0x89, 0xca, 0x48, 0xbb][..], &call.back.to_le_bytes()].concat();
        to.copy_from_slice(&[&load[..], &[0xff, 0x25, 0, 0, 0, 0], &self.0.to_le_bytes()].concat());
    }
}

/// Bytes of a `jmp` to the address in a word at an address of 32 bits.
const INDIRECT: usize = 7;

/// Bytes of `movabs`, which loads a register with 64 bits.
const ADDRESS: usize = 10;

/// A call of the kernel from a stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The address of its first byte.
    pub at: u64,
    /// Where the kernel goes on.
    pub back: u64,
    /// The address behind the `syscall`, which the program finds in rcx.
    pub behind: u64,
    /// The number that it is called with each time, if the stub itself loads it.
    pub number: Option<u32>,
}

impl Plan {
    /// Bytes by which its stub enters the kernel, where those of system calls have so many.
    const fn entry(&self, call: usize) -> usize {
        if matches!(self.kind(), Kind::Cpuid) { CpuidEntry::LENGTH } else { call }
    }

    /// Bytes of a stub, where those of system calls enter the kernel by so many.
    #[must_use]
    pub fn stub_length(&self, entry: usize) -> usize {
        let entry = self.entry(entry);
        let back = if self.kind() == Kind::Behind { ADDRESS + JUMP } else { 0 };
        self.moved().len() + entry + back
    }

    /// The bytes of the stub, at the address `at`.
    #[must_use]
    pub fn stub(&self, at: u64, entry: &dyn Entry) -> SmallVec<[u8; 96]> {
        let (moved, length) = (self.moved(), self.entry(entry.length()));
        let behind = self.syscall() + SYSCALL as u64;
        let mut bytes = SmallVec::from_elem(0, self.stub_length(length));
        if self.kind() == Kind::Behind {
            let (enter, rest) = bytes.split_at_mut(length);
            entry.write(&Call { at, back: at + length as u64, behind, number: None }, enter);
            let (load, rest) = rest.split_at_mut(ADDRESS);
            // movabs behind, %rcx
            load[..2].copy_from_slice(&[0x48, 0xb9]);
            load[2..].copy_from_slice(&behind.to_le_bytes());
            let (copy, jump) = rest.split_at_mut(moved.len());
            copy.copy_from_slice(moved);
            let end = at + (length + ADDRESS + moved.len() + JUMP) as u64;
            let distance = behind.wrapping_add(moved.len() as u64).wrapping_sub(end) as u32;
            jump[0] = 0xe9;
            jump[1..].copy_from_slice(&distance.to_le_bytes());
        } else {
            let (copy, enter) = bytes.split_at_mut(moved.len());
            copy.copy_from_slice(moved);
            entry.write(&Call { at: at + moved.len() as u64, back: behind, behind, number: self.number() }, enter);
        }
        bytes
    }

    /// The address in the program that a place in the stub stands for, `offset` bytes from its start: what signals,
    /// unwinders and reports are to see.
    #[must_use]
    pub fn program_of(&self, offset: usize, entry: usize) -> u64 {
        let moved = self.moved().len();
        let behind = self.syscall() + SYSCALL as u64;
        match (self.kind(), offset) {
            (Kind::Behind, offset) if offset < entry => self.syscall(),
            (Kind::Behind, offset) => behind + offset.saturating_sub(entry + ADDRESS).min(moved) as u64,
            (_, offset) if offset < moved => self.start() + offset as u64,
            _ => self.syscall(),
        }
    }

    /// Where the stub has what was at an address in the program, from the stub's start on; `None` if the program has it
    /// still, or if no instruction began there.
    #[must_use]
    pub fn stub_of(&self, address: u64, entry: usize) -> Option<usize> {
        let at = usize::try_from(address.checked_sub(self.start())?).ok()?;
        if at >= self.bytes().len() || at > 0 && !self.has_boundary(at) {
            return None;
        }
        match (self.kind(), at) {
            (Kind::Behind, 0) => Some(0),
            (Kind::Behind, at) => Some(entry + ADDRESS + at - SYSCALL),
            (_, at) => Some(at),
        }
    }
}
