//! Lines for whoever started the fuzzer, made and written without memory of a library's.

use crate::raw::call;
use crate::state::REPORT;

/// A line that is being written.
pub struct Line {
    bytes: [u8; 400],
    length: usize,
}

impl Line {
    /// Begins with a word. Whatever a fuzzed call wrote before, the line is one of its own.
    pub fn new(word: &str) -> Self {
        Self { bytes: [0; 400], length: 0 }.text("\n").text(word)
    }

    /// Adds text, as far as there is room.
    pub fn text(mut self, text: &str) -> Self {
        for byte in text.bytes() {
            if self.length + 1 < self.bytes.len() {
                self.bytes[self.length] = byte;
                self.length += 1;
            }
        }
        self
    }

    /// Adds a number with words before it.
    pub fn number(self, before: &str, number: u64) -> Self {
        self.digits(before, number, 10)
    }

    /// Adds a number in hexadecimal.
    pub fn hexadecimal(self, before: &str, number: u64) -> Self {
        self.digits(before, number, 16)
    }

    fn digits(self, before: &str, mut number: u64, radix: u64) -> Self {
        let (mut digits, mut at) = ([0; 20], 20);
        loop {
            at -= 1;
            digits[at] = b"0123456789abcdef"[(number % radix) as usize];
            number /= radix;
            if number == 0 {
                break;
            }
        }
        self.text(before).text(std::str::from_utf8(&digits[at..]).unwrap_or("?"))
    }

    /// Writes it.
    pub fn print(mut self) {
        self.bytes[self.length] = b'\n';
        call(1, [REPORT, self.bytes.as_ptr() as u64, self.length as u64 + 1]);
    }
}
