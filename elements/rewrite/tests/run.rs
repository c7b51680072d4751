//! Random code around a system call, run on this machine as it is and patched: registers, flags and memory are the
//! same.
//!
//! Unsafe: it runs code that it has written.
#![allow(unsafe_code)]

use std::ptr;

use rewrite::{Call, CpuidEntry, Entry, Kind, Plan, Room, Site};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, mprotect};

/// Addresses that are kept for code, data and stubs: stubs stand up to half of them away.
const SPACE: usize = 1 << 30;
/// Where data begin behind the code, and how much of both there is.
const DATA: usize = 4096;
const PAGES: usize = 2 * 4096;
/// Places in the data: registers before and behind, flags, and the caller's stack pointer.
const BEFORE: usize = 0;
const BEHIND: usize = 16;
const FLAGS: usize = 32;
const CALLER: usize = 33;
const WORDS: usize = DATA / 8;
/// Where the code's own stack is, as a number of words.
const STACK: usize = 300;
/// getpid(2): it changes nothing.
const GETPID: u32 = 39;
const RSP: u8 = 4;
const KINDS: [Kind; 3] = [Kind::Number, Kind::Before, Kind::Behind];

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }

    fn below(&mut self, bound: u64) -> u8 {
        (self.next() % bound) as u8
    }

    /// A register, but not the stack pointer, nor the one that has the number if `keeps_number`.
    fn register(&mut self, keeps_number: bool) -> u8 {
        loop {
            let register = self.below(16);
            if register != RSP && !(keeps_number && register == 0) {
                return register;
            }
        }
    }

    /// An instruction that writes registers, flags, or the stack.
    fn instruction(&mut self, keeps_number: bool) -> Vec<u8> {
        let (to, from) = (self.register(keeps_number), self.below(16));
        let wide = |reg: u8, rm: u8| 0x48 | (reg >> 3) << 2 | rm >> 3;
        let both = |reg: u8, rm: u8| 0xc0 | (reg & 7) << 3 | rm & 7;
        // Below the stack pointer, where leaf functions have their own.
        let place = 0x80 | (self.below(16) << 3);
        match self.below(11) {
            0 => vec![wide(from, to), 0x89, both(from, to)],
            1 => vec![wide(from, to), [0x01, 0x29, 0x31, 0x39][usize::from(self.below(4))], both(from, to)],
            2 => vec![wide(to, RSP), 0x8d, 0x44 | (to & 7) << 3, 0x24, place],
            3 => vec![wide(from, RSP), 0x89, 0x44 | (from & 7) << 3, 0x24, place],
            4 => vec![wide(to, RSP), 0x8b, 0x44 | (to & 7) << 3, 0x24, place],
            5 => vec![wide(0, to), 0x83, both(self.below(8), to), self.below(256)],
            6 => vec![wide(0, to), 0xf7, both(2 + self.below(2), to)],
            7 => vec![wide(0, to), 0xc1, both([4, 5, 7][usize::from(self.below(3))], to), 1 + self.below(31)],
            8 => vec![wide(to, from), 0x0f, 0x40 | self.below(16), both(to, from)],
            9 => vec![0x41, 0xb8 | 3, self.below(256), self.below(256), 0, 0],
            _ => vec![wide(to, from), 0x85, both(to, from)],
        }
    }
}

/// The bytes of a stub's call: the system call itself, and what the kernel would see to.
struct Real;

impl Entry for Real {
    fn length(&self) -> usize {
        17
    }

    fn write(&self, call: &Call, to: &mut [u8]) {
        let distance = call.back.wrapping_sub(call.at + 17) as u32;
        let bytes = [&[0x0f, 0x05, 0x48, 0xb9][..], &call.behind.to_le_bytes(), &[0xe9], &distance.to_le_bytes()];
        to.copy_from_slice(&bytes.concat());
    }
}

/// Memory for code, behind which data lie, and room for stubs.
struct Machine {
    base: *mut u8,
}

impl Machine {
    fn new() -> Self {
        let protection = ProtFlags::READ | ProtFlags::WRITE | ProtFlags::EXEC;
        // SAFETY: the kernel chooses free addresses, and the first pages of them are ours.
        unsafe {
            let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
            let base = mmap_anonymous(ptr::null_mut(), SPACE, ProtFlags::empty(), flags).unwrap();
            mprotect(base, PAGES, rustix::mm::MprotectFlags::from_bits_retain(protection.bits())).unwrap();
            Self { base: base.cast() }
        }
    }

    fn address(&self) -> u64 {
        self.base.addr() as u64
    }

    fn write(&self, at: usize, bytes: &[u8]) {
        let page = at & !4095;
        let length = (at + bytes.len() - page).next_multiple_of(4096);
        let all = rustix::mm::MprotectFlags::from_bits_retain(7);
        // SAFETY: it is within the addresses that are kept, and nobody has a reference to them.
        unsafe {
            mprotect(self.base.add(page).cast(), length, all).unwrap();
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.base.add(at), bytes.len());
        }
    }

    /// Writes a plan's stub, and what leads there.
    fn patch(&self, plan: &Plan, entry: &dyn Entry) {
        let free = self.address() + PAGES as u64..self.address() + SPACE as u64;
        let place = plan.place(&Room { free, length: plan.stub_length(entry.length()) }).unwrap();
        self.write((place - self.address()) as usize, &plan.stub(place, entry));
        let mut patch = vec![0; plan.bytes().len()];
        plan.write(place, &mut patch);
        self.write((plan.start() - self.address()) as usize, &patch);
    }

    /// Runs the code over these data, and gives what they are then.
    fn run(&self, data: &[u64; WORDS]) -> [u64; WORDS] {
        let mut after = [0; WORDS];
        // SAFETY: the code keeps what a function has to keep, and touches only the data, which nobody else has.
        unsafe {
            let place = self.base.add(DATA).cast::<u64>();
            ptr::copy_nonoverlapping(data.as_ptr(), place, WORDS);
            core::mem::transmute::<*mut u8, extern "C" fn()>(self.base)();
            ptr::copy_nonoverlapping(place, after.as_mut_ptr(), WORDS);
        }
        // It is another each time.
        after[CALLER] = 0;
        after
    }
}

/// `bytes` and the distance from behind them to a word of the data.
fn with_word(code: &mut Vec<u8>, bytes: &[u8], word: usize) {
    code.extend(bytes);
    let distance = DATA + 8 * word - (code.len() + 4);
    code.extend((distance as u32).to_le_bytes());
}

fn moves(code: &mut Vec<u8>, opcode: u8, words: usize, registers: impl Iterator<Item = u8>) {
    for register in registers {
        with_word(code, &[0x48 | (register >> 3) << 2, opcode, 5 | (register & 7) << 3], words + usize::from(register));
    }
}

/// A function around `body`: all registers and flags are loaded before it and stored behind it. Also where it begins.
fn function(body: &[u8]) -> (Vec<u8>, usize) {
    let mut code = vec![0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57];
    moves(&mut code, 0x89, CALLER - usize::from(RSP), [RSP].into_iter());
    with_word(&mut code, &[0xff, 0x35], FLAGS);
    code.push(0x9d);
    moves(&mut code, 0x8b, BEFORE, 0..16);
    let start = code.len();
    code.extend(body);
    moves(&mut code, 0x89, BEHIND, 0..16);
    moves(&mut code, 0x8b, CALLER - usize::from(RSP), [RSP].into_iter());
    code.push(0x9c);
    with_word(&mut code, &[0x8f, 0x05], FLAGS);
    code.extend([0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3]);
    (code, start)
}

/// Code with such an instruction in it, which `number` goes to, and where that is.
fn body(random: &mut Random, number: u32, instruction: [u8; 2]) -> (Vec<u8>, usize) {
    let mut code = Vec::new();
    for _ in 0..random.below(4) {
        code.extend(random.instruction(false));
    }
    code.push(0xb8);
    code.extend(number.to_le_bytes());
    for _ in 0..random.below(4) {
        code.extend(random.instruction(true));
    }
    if random.below(4) == 0 {
        // What is not moved: the flags' direction is cleared, as it is.
        code.push(0xfc);
    }
    let at = code.len();
    code.extend(instruction);
    for _ in 0..1 + random.below(4) {
        code.extend(random.instruction(false));
    }
    (code, at)
}

/// What registers and flags begin with.
fn data(random: &mut Random, machine: &Machine) -> [u64; WORDS] {
    let mut data = [0; WORDS];
    data.fill_with(|| random.next() << 24 ^ random.next());
    data[usize::from(RSP)] = machine.address() + (DATA + 8 * STACK) as u64;
    // Carry, parity, adjust, zero, sign and overflow.
    data[FLAGS] = data[FLAGS] & 0x8d5 | 0x202;
    data
}

/// What stands for the kernel: it asks the processor, and keeps the way back in a word behind itself.
const ASKS: [u8; 26] = [
    // mov %rbx, 17(%rip); mov %edx, %ecx; cpuid; jmp *way back
    0x48, 0x89, 0x1d, 10, 0, 0, 0, 0x89, 0xd1, 0x0f, 0xa2, 0xff, 0x25, 0, 0, 0, 0, // the way back
    0, 0, 0, 0, 0, 0, 0, 0, 0,
];

/// A question to the processor is the same: it says the same twice, but for who asks it (leaf 1).
#[test]
fn questions_have_the_same_answers() {
    let (machine, mut random) = (Machine::new(), Random(4));
    let asks = DATA - 64;
    let mut done = 0;
    for case in 0..4_000 {
        let leaf = [0, 2, 4, 7, 0x8000_0000, 0x8000_0001][usize::from(random.below(6))];
        let (body, at) = body(&mut random, leaf, [0x0f, 0xa2]);
        let (code, start) = function(&body);
        let data = data(&mut random, &machine);
        machine.write(0, &code);
        machine.write(asks, &ASKS);
        let expected = machine.run(&data);
        let site = Site { code: &code, address: machine.address(), at: start + at, number: None, known: Some(start) };
        let Ok(plan) = Plan::of_cpuid(&site) else { continue };
        assert_eq!(plan.kind(), Kind::Cpuid);
        machine.patch(&plan, &CpuidEntry(machine.address() + asks as u64));
        assert_eq!(machine.run(&data), expected, "case {case}: {body:x?}");
        done += 1;
    }
    assert!(done > 2_000, "only {done} have a plan");
}

#[test]
fn patched_code_does_the_same() {
    let (machine, mut random) = (Machine::new(), Random(3));
    let mut kinds = Vec::new();
    for case in 0..20_000 {
        let (body, at) = body(&mut random, GETPID, [0x0f, 0x05]);
        let (code, start) = function(&body);
        let data = data(&mut random, &machine);
        machine.write(0, &code);
        let expected = machine.run(&data);

        let number = Some(GETPID);
        let site = Site { code: &code, address: machine.address(), at: start + at, number, known: Some(start) };
        let Ok(plan) = Plan::of(&site) else { continue };
        kinds.push(plan.kind());
        machine.patch(&plan, &Real);
        assert_eq!(machine.run(&data), expected, "case {case}, {:?}: {body:x?}", plan.kind());
        // And the way back.
        machine.write((plan.start() - machine.address()) as usize, plan.bytes());
        assert_eq!(machine.run(&data), expected, "case {case}");
    }
    assert!(KINDS.iter().all(|kind| kinds.iter().filter(|found| *found == kind).count() > 500), "too few of a kind");
}
