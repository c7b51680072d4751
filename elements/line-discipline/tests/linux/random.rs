//! Random attributes, bytes and steps: a seed is a case.

use line_discipline::{Character, ControlFlags, FlowCharacter, InputFlags, LocalFlags, OutputFlags, Termios};

use crate::{Bytes, Step};

pub struct Random(u64);

/// What is typed most: characters that do something, and such as are shown in different ways.
const BYTES: &[u8] = b"\x03\x1c\x7f\x7f\x7f\x15\x04\x11\x11\x13\x1a\x12\x0f\x17\x16\r\n\n\n\t\t\x08\x07\0\xff\
    aaabBZ_ /~\x80\x9f\xc3\xa9\xc3\xa9\xe2\x82\xac\xd7\xdf\xde\xf7\xe0";

/// Flags that change what a terminal does.
const INPUT: InputFlags = InputFlags::from_bits_retain(0x7fff);
const LOCAL: LocalFlags = LocalFlags::from_bits_retain(0x1dffb);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// A number below `most` (xorshift64*).
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % most as u64) as usize
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Bits of which each is set once in so many times.
    fn bits(&mut self, times: usize) -> u32 {
        (0..32).filter(|_| self.one_in(times)).fold(0, |bits, bit| bits | 1 << bit)
    }

    fn byte(&mut self) -> u8 {
        if self.one_in(8) { self.below(256) as u8 } else { BYTES[self.below(BYTES.len())] }
    }

    fn bytes(&mut self, most: usize) -> Bytes {
        let length = 1 + self.below(most);
        Bytes((0..length).map(|_| self.byte()).collect())
    }

    /// Attributes that are some bits away from `from`, or from a raw terminal.
    fn attributes(&mut self, from: &Termios) -> Termios {
        let mut attributes = *from;
        if self.one_in(4) {
            attributes.input = InputFlags::empty();
            attributes.output = OutputFlags::empty();
            attributes.local = LocalFlags::empty();
        }
        let times = [3, 6, 12][self.below(3)];
        attributes.input ^= InputFlags::from_bits_retain(self.bits(times)) & INPUT;
        // Delays, which only printers had, are kept and do nothing.
        attributes.output ^= OutputFlags::from_bits_retain(self.bits(times) & 0xffff);
        attributes.local ^= LocalFlags::from_bits_retain(self.bits(times)) & LOCAL;
        if self.one_in(8) {
            attributes.local ^= LocalFlags::EXTPROC;
        }
        if self.one_in(4) {
            attributes.control ^= ControlFlags::from_bits_retain(self.bits(2) & 0xff0);
        }
        while self.one_in(2) {
            let index = [0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 14, 15, 16][self.below(13)];
            attributes.characters[index] = self.byte();
        }
        attributes.set_character(Character::Minimum, [0, 1, 1, 1, 3, 70, 255][self.below(7)]);
        attributes.set_character(Character::Time, [0, 0, 1][self.below(3)]);
        attributes
    }

    fn read(&mut self) -> Step {
        Step::Read([1, 3, 64, 65, 4096, 5000][self.below(6)])
    }

    fn take(&mut self) -> Step {
        Step::Take([5, 200, 4096, 4096][self.below(4)])
    }

    fn step(&mut self, attributes: &mut Termios) -> Step {
        match self.below(40) {
            0..14 => Step::Type(self.bytes(24)),
            14 => Step::Type(self.bytes(60)),
            15..19 => Step::Write(self.bytes(24)),
            19..26 => self.read(),
            26..32 => self.take(),
            32 => Step::FlushInput,
            33 => Step::FlushOutput,
            34 => Step::Stop,
            35 => Step::Start,
            36 => Step::Send([FlowCharacter::Stop, FlowCharacter::Start][self.below(2)]),
            _ => {
                *attributes = self.attributes(attributes);
                Step::Set(Box::new(*attributes))
            }
        }
    }

    /// Attributes, some steps, and all that is left in the end.
    pub fn steps(&mut self) -> Vec<Step> {
        let mut attributes = Termios::default();
        let mut steps = Vec::new();
        if !self.one_in(8) {
            attributes = self.attributes(&attributes);
            steps.push(Step::Set(Box::new(attributes)));
        }
        let count = 4 + self.below(16);
        steps.extend((0..count).map(|_| self.step(&mut attributes)));
        steps.extend([Step::Type(Bytes(b"\n".to_vec())), Step::Take(4096), Step::Read(4096), Step::Read(4096)]);
        steps
    }

    /// Lines and raw input that the queue has no room for.
    pub fn steps_of_long_lines(&mut self) -> Vec<Step> {
        let mut attributes = self.attributes(&Termios::default());
        // Linux has -1 bytes to read when there are too many that were edited outside, and overruns a full queue by the
        // second 0xff of PARMRK.
        if attributes.local.contains(LocalFlags::ICANON) {
            attributes.input.remove(InputFlags::PARMRK);
        }
        attributes.local.remove(LocalFlags::ECHO | LocalFlags::ECHONL | LocalFlags::EXTPROC);
        let mut steps = vec![Step::Set(Box::new(attributes))];
        for _ in 0..12 {
            let letter = b'a' + self.below(26) as u8;
            steps.push(match self.below(8) {
                0..4 => Step::Type(Bytes(vec![letter; 1 + self.below(1500)])),
                4 | 5 => Step::Type(self.bytes(8)),
                _ => self.read(),
            });
            steps.push(Step::Take(4096));
        }
        steps.extend([Step::Read(1000), Step::Read(5000), Step::Read(5000), Step::Read(5000), Step::Read(5000)]);
        steps
    }
}
