//! What becomes of a site.

use architecture::x86_64::length::length;
use smallvec::SmallVec;

use crate::site::{CPUID, SYSCALL, Site};
use crate::{boundaries, movable::is_movable};

/// Bytes of a `jmp` with a distance of 32 bits.
pub const JUMP: usize = 5;
/// The longest run of instructions that a `jmp` takes the place of: four bytes that are too few, and one instruction.
pub(crate) const LONGEST: usize = 4 + 15;

/// `mov $15, %rax`, as both C libraries and the kernel's frames have it.
const RETURN: [u8; 7] = [0x48, 0xc7, 0xc0, 15, 0, 0, 0];

/// What a `jmp` takes the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `mov $n, %eax` right before the `syscall`, which stays.
    Number,
    /// Other instructions right before the `syscall`, which stays.
    Before,
    /// The `syscall`, and instructions behind it.
    Behind,
    /// Instructions right before a `cpuid`, which stays.
    Cpuid,
}

/// Why a site keeps trapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Left {
    /// There is no `syscall`.
    NotThere,
    /// The instructions before it can be read in several ways, and those behind it cannot be moved.
    Boundary,
    /// Who walks a stack knows it by its bytes: it is what a signal's handler returns to (rt_sigreturn(2)).
    Trampoline,
    /// There is an instruction among five bytes before it and behind it that cannot be moved.
    Unmovable,
    /// Another site's `jmp` stands there.
    Neighbour,
    /// There are no free addresses to which a `jmp` may lead.
    NoRoom,
    /// The page could not be written.
    NotWritten,
    /// Whoever came there did not execute what is before it.
    Unproven,
    /// Somebody said that it is to be left alone.
    Excepted,
}

/// Where a `jmp` may stand for a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    kind: Kind,
    /// The address of the first byte that it takes the place of.
    start: u64,
    /// The bytes that are there until then.
    bytes: SmallVec<[u8; 24]>,
    /// Where instructions begin among them, but the first: a bit for each byte.
    boundaries: u32,
}

impl Plan {
    /// What becomes of a site.
    ///
    /// # Errors
    /// Why it keeps trapping.
    pub fn of(site: &Site<'_>) -> Result<Self, Left> {
        if site.code.get(site.at..site.at + SYSCALL) != Some(&[0x0f, 0x05]) {
            return Err(Left::NotThere);
        }
        if site.number == Some(15) || site.code[..site.at].ends_with(&RETURN) {
            return Err(Left::Trampoline);
        }
        match Self::before(site) {
            Ok(plan) => Ok(plan),
            Err(left) => Self::behind(site).ok_or(left),
        }
    }

    /// As [`Plan::of`], for a `cpuid`. It never traps, so nothing proves it: where instructions begin has to be known.
    ///
    /// # Errors
    /// Why it stays as it is.
    pub fn of_cpuid(site: &Site<'_>) -> Result<Self, Left> {
        if site.code.get(site.at..site.at + SYSCALL) != Some(&CPUID) {
            return Err(Left::NotThere);
        }
        if site.known.is_none() {
            return Err(Left::Boundary);
        }
        Self::before(site).map(|plan| Self { kind: Kind::Cpuid, ..plan })
    }

    /// The same plan for the same bytes at another place.
    #[must_use]
    pub fn moved_by(&self, distance: u64) -> Self {
        Self { start: self.start.wrapping_add(distance), ..self.clone() }
    }

    /// Over instructions before it: as few as are five bytes.
    fn before(site: &Site<'_>) -> Result<Self, Left> {
        let mut left = Left::Boundary;
        for count in JUMP..=LONGEST.min(site.at) {
            if !boundaries::begins(site, count) {
                continue;
            }
            let bytes = &site.code[site.at - count..site.at];
            let Some(boundaries) = moved(bytes) else {
                left = Left::Unmovable;
                // Whatever is longer has it too.
                break;
            };
            let here = bytes.strip_prefix(&[0xb8]).and_then(number);
            let is_number = here.is_some() && here == site.number;
            let kind = if count == JUMP && is_number { Kind::Number } else { Kind::Before };
            return Ok(Self::new(site, kind, site.at - count, (bytes, boundaries)));
        }
        Err(left)
    }

    /// Over itself and instructions behind it.
    fn behind(site: &Site<'_>) -> Option<Self> {
        let mut end = site.at + SYSCALL;
        while end < site.at + JUMP {
            end += length(site.code.get(end..)?)?;
        }
        let boundaries = moved(&site.code[site.at + SYSCALL..end])?;
        let whole = boundaries << SYSCALL | 1 << SYSCALL;
        Some(Self::new(site, Kind::Behind, site.at, (&site.code[site.at..end], whole)))
    }

    fn new(site: &Site<'_>, kind: Kind, at: usize, (bytes, boundaries): (&[u8], u32)) -> Self {
        Self { kind, start: site.address + at as u64, bytes: SmallVec::from_slice(bytes), boundaries }
    }

    /// What the `jmp` takes the place of.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The number that its stub loads, if it is over that.
    pub(crate) fn number(&self) -> Option<u32> {
        number(self.moved().get(1..)?).filter(|_| self.kind == Kind::Number)
    }

    /// The address of the first byte that changes.
    #[must_use]
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// The bytes that change, as they are until then: the way back.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The address of the `syscall`, or of the `cpuid`.
    #[must_use]
    pub fn syscall(&self) -> u64 {
        if self.kind == Kind::Behind { self.start } else { self.start + self.bytes.len() as u64 }
    }

    /// The instructions that a stub has in their place.
    #[must_use]
    pub(crate) fn moved(&self) -> &[u8] {
        let first = if self.kind == Kind::Behind { SYSCALL } else { 0 };
        self.bytes.get(first..).unwrap_or_default()
    }

    /// Whether an instruction began at that byte of those that change, which is not the first.
    pub(crate) const fn has_boundary(&self, at: usize) -> bool {
        at < 32 && self.boundaries >> at & 1 != 0
    }
}

/// Where instructions begin among `bytes`, but the first, if all of them may be moved.
fn moved(bytes: &[u8]) -> Option<u32> {
    let (mut at, mut boundaries) = (0, 0);
    while at < bytes.len() {
        let end = at + length(&bytes[at..])?;
        if !is_movable(&bytes[at..end]) {
            return None;
        }
        boundaries |= u32::from(at > 0) << at;
        at = end;
    }
    Some(boundaries)
}

/// The number behind the opcode of `mov $n, %eax`.
fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
