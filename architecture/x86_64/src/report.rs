//! The report of a dying kernel: what happened, the registers, and the way there, line by line. The command puts names
//! to the addresses.

use core::{
    fmt::{self, Write},
    ops::Range,
    panic::PanicInfo,
};

use machine::Context;

/// Most frames of a backtrace.
const FRAMES: usize = 40;
/// Most bytes of a line, and of a character.
const LINE: usize = 256;
const CHARACTER: usize = 4;
/// The registers of a [`Context`] in its order, four letters each; `call` is the system call's number or the fault's
/// error code.
const NAMES: &[u8] = b"r15 r14 r13 r12 rbp rbx r11 r10 r9  r8  rax rcx rdx rsi rdi callrip cs  flagrsp ss  ";
/// Registers in a line.
const COLUMNS: usize = 3;

/// What a person is told when the kernel's own memory is used up.
pub const OUT_OF_MEMORY: &str =
    "out of memory: the kernel needs more to keep account of what the program has; give it more with --memory";

/// What a person is told by an image whose setting `report` is off.
pub const BRIEF: &str = "the kernel died; an image with the setting `report` on says where and of what";

/// Whether Rust code panicked because an allocation failed that cannot fail otherwise. The language says so by its
/// message alone.
#[must_use]
pub fn is_out_of_memory(information: &PanicInfo<'_>) -> bool {
    let mut expected = Expected(b"memory allocation of ");
    let _ = write!(expected, "{}", information.message());
    expected.0.is_empty()
}

/// What is still to come of a text's beginning.
struct Expected(&'static [u8]);

impl Write for Expected {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (text, wanted) = (text.as_bytes(), self.0);
        let length = text.len().min(wanted.len());
        if text[..length] != wanted[..length] {
            return Err(fmt::Error);
        }
        self.0 = &wanted[length..];
        Ok(())
    }
}

/// Collects lines and sends each when it is whole.
#[derive(Debug)]
pub struct Report {
    send: fn(&[u8]),
    line: [u8; LINE],
    length: usize,
}

impl Report {
    /// An empty one, whose lines go to `send`, without their ends.
    #[must_use]
    pub const fn new(send: fn(&[u8])) -> Self {
        Self { send, line: [0; LINE], length: 0 }
    }

    /// Where Rust code panicked, and why.
    pub fn panic(&mut self, information: &PanicInfo<'_>) {
        // Writing to a report does not fail, here and below.
        let _ = match information.location() {
            Some(place) => writeln!(self, "panic at {}:{}: {}", place.file(), place.line(), information.message()),
            None => writeln!(self, "panic: {}", information.message()),
        };
    }

    /// A word and an address in a line.
    pub fn address(&mut self, word: &str, address: usize) {
        let _ = self.write_str(word);
        let _ = self.write_str(" 0x");
        self.hexadecimal(address as u64);
        self.put(b'\n');
    }

    /// All registers of `context`.
    pub fn registers(&mut self, context: &Context) {
        const COUNT: usize = size_of::<Context>() / 8;
        // SAFETY: a Context is so many 64-bit words, in the order of its declaration.
        let values: &[u64; COUNT] = unsafe { &*core::ptr::from_ref(context).cast() };
        for (index, (name, &value)) in NAMES.chunks_exact(4).zip(values).enumerate() {
            for &letter in name {
                self.put(letter);
            }
            self.put(b' ');
            self.hexadecimal(value);
            self.put(if index % COLUMNS == COLUMNS - 1 { b'\n' } else { b' ' });
        }
    }

    /// Follows frame pointers from `frame` on, as long as two words there lie on a stack (`is_stack` says so), each
    /// above the one before, and calls come from `text`.
    pub fn backtrace(&mut self, mut frame: usize, text: &Range<usize>, is_stack: &dyn Fn(usize) -> bool) {
        for _ in 0..FRAMES {
            if frame & 7 != 0 || !is_stack(frame) {
                return;
            }
            // SAFETY: both words lie on a mapped stack.
            let [next, caller] = unsafe { (frame as *const [usize; 2]).read() };
            if !text.contains(&caller) {
                return;
            }
            self.address("backtrace:", caller);
            if next <= frame {
                return;
            }
            frame = next;
        }
    }

    /// 16 digits. Not by `core::fmt`: each of its uses with a width costs more than this function.
    fn hexadecimal(&mut self, mut value: u64) {
        for _ in 0..16 {
            value = value.rotate_left(4);
            let digit = value as u8 & 15;
            self.put(if digit < 10 { b'0' + digit } else { b'a' - 10 + digit });
        }
    }

    #[inline(never)]
    fn put(&mut self, byte: u8) {
        let begins_character = byte & 0xc0 != 0x80;
        if byte == b'\n' || begins_character && self.length > LINE - CHARACTER {
            (self.send)(self.line.get(..self.length).unwrap_or_default());
            self.length = 0;
        }
        if byte != b'\n'
            && let Some(place) = self.line.get_mut(self.length)
        {
            *place = byte;
            self.length += 1;
        }
    }
}

impl Write for Report {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            self.put(byte);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{cell::RefCell, string::String, thread_local, vec::Vec};

    use super::*;

    thread_local! {
        static SENT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    fn report() -> Report {
        Report::new(|line| SENT.with_borrow_mut(|sent| sent.push(String::from_utf8(line.to_vec()).unwrap())))
    }

    #[test]
    fn every_register_has_its_name() {
        let context = Context { r15: 1, rip: 0xfedc_ba98_7654_3210, ss: 0x2b, ..Context::default() };
        report().registers(&context);
        let all = SENT.take().join("\n");
        assert!(all.starts_with("r15  0000000000000001 r14  0000000000000000 r13  0"), "{all}");
        assert!(all.contains("\nrip  fedcba9876543210 cs  ") || all.contains(" rip  fedcba9876543210"), "{all}");
        assert!(all.ends_with("ss   000000000000002b"), "{all}");
    }

    #[test]
    fn long_lines_go_on_in_the_next_one() {
        let mut report = report();
        report.write_str(&"é".repeat(200)).unwrap();
        report.write_str("\nb\n").unwrap();
        let sent = SENT.take();
        assert_eq!((sent[0].len(), sent[0].len() + sent[1].len(), &sent[2][..]), (254, 400, "b"));
    }

    #[test]
    fn frames_are_followed_upwards() {
        let (inner, outer) = ([0_usize; 2], [0_usize; 2]);
        let mut frames = [inner, outer];
        let base = frames.as_ptr() as usize;
        frames = [[base + 16, 0x1000], [0, 0x2000]];
        let stack = base..base + 32;
        report().backtrace(base, &(0x1000..0x2001), &|at| stack.contains(&at));
        assert_eq!(SENT.take(), ["backtrace: 0x0000000000001000", "backtrace: 0x0000000000002000"]);
        assert_eq!(core::hint::black_box(frames)[0][1], 0x1000);
    }
}
