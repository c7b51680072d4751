//! ELF files made to order, mostly wrong ones: a good executable with fields overwritten (elf(5)).

/// Points chosen by a fixed seed, so that a failure can be repeated.
#[must_use]
pub fn random_points(count: usize, below: u64) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count).map(|_| next() % below).collect()
}

/// An executable's bytes to be changed. Offsets are those of the 64-bit format.
#[derive(Clone, Debug)]
pub struct Elf {
    /// The file.
    pub bytes: Vec<u8>,
}

const ENTRY: usize = 0x18;
const HEADERS_AT: usize = 0x20;
const MACHINE: usize = 0x12;
const HEADER_COUNT: usize = 0x38;
const PROGRAM_HEADER: usize = 56;
const LOAD: u32 = 1;

impl Elf {
    /// The smallest program that ends with this status: one segment, at 0x400000.
    #[must_use]
    pub fn exit_with(status: u8) -> Self {
        // mov $60, %eax; mov $status, %edi; syscall
        let code = [0xb8, 60, 0, 0, 0, 0xbf, status, 0, 0, 0, 0x0f, 0x05];
        let mut elf = Self { bytes: vec![0; 0x1000] };
        elf.bytes[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\0");
        elf.set(0x10, 2, 2).set(MACHINE, 62, 2).set(0x14, 1, 4).set(ENTRY, 0x40_0800, 8).set(HEADERS_AT, 64, 8);
        elf.set(0x34, 64, 2).set(0x36, PROGRAM_HEADER as u64, 2).set(HEADER_COUNT, 1, 2);
        elf.set(64, LOAD.into(), 4).set(68, 5, 4).set(80, 0x40_0000, 8).set(88, 0x40_0000, 8);
        elf.set(96, 0x1000, 8).set(104, 0x1000, 8).set(112, 0x1000, 8);
        elf.bytes[0x800..0x800 + code.len()].copy_from_slice(&code);
        elf
    }

    /// Overwrites `size` bytes at an offset with a number, little endian.
    pub fn set(&mut self, offset: usize, value: u64, size: usize) -> &mut Self {
        self.bytes[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
        self
    }

    /// Sets the machine the file is for (`EM_` numbers).
    pub fn machine(&mut self, number: u16) -> &mut Self {
        self.set(MACHINE, number.into(), 2)
    }

    /// Sets the entry address.
    pub fn entry(&mut self, address: u64) -> &mut Self {
        self.set(ENTRY, address, 8)
    }

    /// Sets where the program headers are and how many.
    pub fn headers(&mut self, offset: u64, count: u16) -> &mut Self {
        self.set(HEADERS_AT, offset, 8).set(HEADER_COUNT, count.into(), 2)
    }

    /// Sets a field of the first loaded segment: `offset` within the program header.
    pub fn segment(&mut self, offset: usize, value: u64) -> &mut Self {
        let at = self.segments()[0].0;
        self.set(at + offset, value, 8)
    }

    /// Of each loaded segment: where its header is, and the range of the file it takes.
    #[must_use]
    pub fn segments(&self) -> Vec<(usize, std::ops::Range<u64>)> {
        let (first, count) = (self.number(HEADERS_AT, 8) as usize, self.number(HEADER_COUNT, 2) as usize);
        let headers = (0..count).map(|index| first + index * PROGRAM_HEADER);
        let loads = headers.filter(|&at| self.number(at, 4) == u64::from(LOAD));
        loads.map(|at| (at, self.number(at + 8, 8)..self.number(at + 8, 8) + self.number(at + 32, 8))).collect()
    }

    fn number(&self, offset: usize, size: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&self.bytes[offset..offset + size]);
        u64::from_le_bytes(bytes)
    }
}
