//! The flags that a comparison would give: enough of an interpreter for the instructions that stand before conditional
//! jumps (Intel SDM volume 2, CMP and TEST).

use machine::Context;

const CARRY: u64 = 1;
const PARITY: u64 = 1 << 2;
const ADJUST: u64 = 1 << 4;
const ZERO: u64 = 1 << 6;
const SIGN: u64 = 1 << 7;
const OVERFLOW: u64 = 1 << 11;
/// The flags that a comparison sets. TEST leaves AF undefined: what [`flags`] gives has the one that there is then.
pub const FLAGS: u64 = CARRY | PARITY | ADJUST | ZERO | SIGN | OVERFLOW;

/// A comparison as it stands in the code, being read.
struct Reader<'a> {
    code: &'a [u8],
    context: &'a Context,
    /// Address behind the instruction.
    behind: usize,
    rex: u8,
    bits: u32,
}

/// The flags after the comparison that is all of `code`, with the registers of `context` and memory as it is now
/// (`read` gives the eight bytes at an address); `None` if it is another instruction. `behind` is the address behind
/// it.
pub fn flags(code: &[u8], behind: usize, context: &Context, read: &mut dyn FnMut(usize) -> Option<u64>) -> Option<u64> {
    let mut reader = Reader { code, context, behind, rex: 0, bits: 32 };
    if reader.peek()? == 0x66 {
        reader.byte()?;
        reader.bits = 16;
    }
    if reader.peek()? & 0xf0 == 0x40 {
        reader.rex = reader.byte()?;
    }
    if reader.rex & 8 != 0 {
        reader.bits = 64;
    }
    let opcode = reader.byte()?;
    // The lowest bit of these opcodes is set for words.
    if opcode & 1 == 0 {
        reader.bits = 8;
    }
    let (test, left, right) = match opcode {
        0x38 | 0x39 | 0x84 | 0x85 => {
            let (register, value) = reader.operand(read)?;
            (opcode >= 0x84, value, reader.register(register))
        }
        0x3a | 0x3b => {
            let (register, value) = reader.operand(read)?;
            (false, reader.register(register), value)
        }
        0x3c | 0x3d | 0xa8 | 0xa9 => (opcode >= 0xa8, reader.register(0), reader.immediate(reader.bits)?),
        0x80 | 0x81 | 0x83 => {
            let (7, value) = reader.operand(read)? else { return None };
            (false, value, reader.immediate(if opcode == 0x81 { reader.bits } else { 8 })?)
        }
        0xf6 | 0xf7 => {
            let (0, value) = reader.operand(read)? else { return None };
            (true, value, reader.immediate(reader.bits)?)
        }
        _ => return None,
    };
    let undefined = if test { context.rflags & ADJUST } else { 0 };
    reader.code.is_empty().then(|| result(test, left, right, reader.bits) | undefined)
}

fn result(test: bool, left: u64, right: u64, bits: u32) -> u64 {
    let cut = 64 - bits;
    let (left, right) = (left << cut, right << cut);
    let result = if test { left & right } else { left.wrapping_sub(right) };
    let mut flags = 0;
    let mut set = |flag, condition| flags |= if condition { flag } else { 0 };
    set(ZERO, result == 0);
    set(SIGN, result >> 63 != 0);
    set(PARITY, ((result >> cut) as u8).count_ones().is_multiple_of(2));
    set(CARRY, !test && left < right);
    set(ADJUST, !test && (left ^ right ^ result) >> cut & 0x10 != 0);
    set(OVERFLOW, !test && ((left ^ right) & (left ^ result)) >> 63 != 0);
    flags
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.code.first().copied()
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.code.split_first()?;
        self.code = rest;
        Some(first)
    }

    /// A signed number of so many bits, 32 at most.
    fn immediate(&mut self, bits: u32) -> Option<u64> {
        let bytes = bits.min(32) / 8;
        let mut value = 0;
        for index in 0..bytes {
            value |= u64::from(self.byte()?) << (8 * index);
        }
        let unused = 64 - 8 * bytes;
        Some(((value << unused) as i64 >> unused) as u64)
    }

    /// A register by number, as large as the operands are.
    fn register(&self, number: u8) -> u64 {
        // Without a REX prefix, the byte registers 4 to 7 are the second bytes of 0 to 3.
        if self.bits == 8 && self.rex == 0 && (4..8).contains(&number) {
            self.whole(number - 4) >> 8
        } else {
            self.whole(number)
        }
    }

    fn whole(&self, number: u8) -> u64 {
        let Context { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15, .. } =
            *self.context;
        let all = [rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15];
        all[usize::from(number & 15)]
    }

    /// What ModRM and its followers say: the register field, and the value of the other operand.
    fn operand(&mut self, read: &mut dyn FnMut(usize) -> Option<u64>) -> Option<(u8, u64)> {
        let modrm = self.byte()?;
        let (mode, low) = (modrm >> 6, modrm & 7);
        let field = modrm >> 3 & 7 | (self.rex & 4) << 1;
        if mode == 3 {
            return Some((field, self.register(low | (self.rex & 1) << 3)));
        }
        let mut address = 0;
        let mut base = Some(low);
        if low == 4 {
            let sib = self.byte()?;
            let index = sib >> 3 & 7 | (self.rex & 2) << 2;
            if index != 4 {
                address = self.whole(index) << (sib >> 6);
            }
            base = Some(sib & 7);
        }
        let relative = mode == 0 && low == 5;
        if mode == 0 && base == Some(5) {
            base = None;
        }
        if let Some(base) = base {
            address = address.wrapping_add(self.whole(base | (self.rex & 1) << 3));
        }
        let displacement = match mode {
            1 => self.immediate(8)?,
            2 => self.immediate(32)?,
            _ if base.is_none() => self.immediate(32)?,
            _ => 0,
        };
        address = address.wrapping_add(displacement);
        if relative {
            address = address.wrapping_add(self.behind as u64);
        }
        Some((field, read(address as usize)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &[u8], context: &Context) -> Option<u64> {
        flags(code, 0x1000, context, &mut |address| match address {
            0x2008 => Some(5),
            0x1010 => Some(7),
            _ => None,
        })
    }

    #[test]
    fn comparisons_give_the_processors_flags() {
        let context =
            Context { rax: 1, rcx: 0xfc0, rdx: 0xf, rdi: 0x2000, rbx: 0x0200, r9: u64::MAX, ..Context::default() };
        // cmp $0xffff,%edx
        assert_eq!(of(&[0x81, 0xfa, 0xff, 0xff, 0, 0], &context), Some(CARRY | SIGN));
        // cmp $0xfc0,%cx; test %edx,%edx; test %rax,%rax
        assert_eq!(of(&[0x66, 0x81, 0xf9, 0xc0, 0x0f], &context), Some(ZERO | PARITY));
        assert_eq!(of(&[0x85, 0xd2], &context), Some(PARITY));
        assert_eq!(of(&[0x48, 0x85, 0xc0], &context), Some(0));
        // TEST leaves AF as it is told.
        assert_eq!(of(&[0x85, 0xd2], &Context { rflags: ADJUST, ..context }), Some(PARITY | ADJUST));
        // cmpl $5,8(%rdi); cmpb $0,0x10(%rip); cmp %bh,%al (2 - 1); cmp %r9,%rax
        assert_eq!(of(&[0x83, 0x7f, 0x08, 0x05], &context), Some(ZERO | PARITY));
        assert_eq!(of(&[0x80, 0x3d, 0x10, 0, 0, 0, 0], &context), Some(0));
        assert_eq!(of(&[0x38, 0xc7], &context), Some(0));
        assert_eq!(of(&[0x4c, 0x39, 0xc8], &context), Some(CARRY | ADJUST));
        // Others: add, a comparison with more behind it, memory that cannot be read.
        assert_eq!(of(&[0x01, 0xd0], &context), None);
        assert_eq!(of(&[0x85, 0xd2, 0x90], &context), None);
        assert_eq!(of(&[0x83, 0x3f, 0x05], &context), None);
    }
}
