//! The person's terminal: its attributes as the guest sees them, and leaving it as it was found.

use std::os::fd::{AsFd, BorrowedFd};

use machine::{SetWhen, TERMINAL_ATTRIBUTES, TerminalAttributes};
use rustix::io::Errno;
use rustix::stdio::{stderr, stdin, stdout};
use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex as Code, Termios, isatty,
    tcgetattr, tcgetwinsize, tcsetattr,
};

/// Control characters in the order of Linux's `struct termios` (asm-generic/termbits.h); two more are unused.
const CODES: [Code; 17] = [
    Code::VINTR,
    Code::VQUIT,
    Code::VERASE,
    Code::VKILL,
    Code::VEOF,
    Code::VTIME,
    Code::VMIN,
    Code::VSWTC,
    Code::VSTART,
    Code::VSTOP,
    Code::VSUSP,
    Code::VEOL,
    Code::VREPRINT,
    Code::VDISCARD,
    Code::VWERASE,
    Code::VLNEXT,
    Code::VEOL2,
];

/// Where the control characters begin: behind four flag words and the line discipline.
const CODES_START: usize = 17;

/// Standard stream 0, 1 or 2.
#[must_use]
pub fn stream(number: u8) -> BorrowedFd<'static> {
    match number {
        0 => stdin(),
        1 => stdout(),
        _ => stderr(),
    }
}

/// Which standard streams are terminals, as digits.
#[must_use]
pub fn streams() -> String {
    (0..3_u8).filter(|&number| isatty(stream(number))).map(|number| char::from(b'0' + number)).collect()
}

/// The attributes of the terminal behind the first stream that is one.
#[must_use]
pub fn attributes() -> Option<TerminalAttributes> {
    Some(to_bytes(&tcgetattr(first()?).ok()?))
}

/// The terminal's size as rows, columns, and pixels in both directions.
#[must_use]
pub fn window() -> Option<[u16; 4]> {
    let size = tcgetwinsize(first()?).ok()?;
    Some([size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel])
}

fn first() -> Option<BorrowedFd<'static>> {
    (0..3).map(stream).find(|stream| isatty(stream))
}

/// Sets attributes the guest wishes and returns those now in force.
pub fn set(number: u8, when: SetWhen, wanted: &TerminalAttributes) -> Result<TerminalAttributes, Errno> {
    let terminal = stream(number);
    let mut termios = tcgetattr(terminal)?;
    from_bytes(&mut termios, wanted);
    let when = match when {
        SetWhen::Now => OptionalActions::Now,
        SetWhen::Drain => OptionalActions::Drain,
        SetWhen::Flush => OptionalActions::Flush,
    };
    tcsetattr(terminal, when, &termios)?;
    Ok(to_bytes(&tcgetattr(terminal)?))
}

fn to_bytes(termios: &Termios) -> TerminalAttributes {
    let mut bytes = [0; TERMINAL_ATTRIBUTES];
    let words = [
        termios.input_modes.bits(),
        termios.output_modes.bits(),
        termios.control_modes.bits(),
        termios.local_modes.bits(),
    ];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_ne_bytes());
    }
    bytes[CODES_START - 1] = termios.line_discipline;
    for (place, code) in bytes[CODES_START..].iter_mut().zip(CODES) {
        *place = termios.special_codes[code];
    }
    bytes
}

fn from_bytes(termios: &mut Termios, bytes: &TerminalAttributes) {
    let word = |index: usize| u32::from_ne_bytes(std::array::from_fn(|byte| bytes[4 * index + byte]));
    termios.input_modes = InputModes::from_bits_retain(word(0));
    termios.output_modes = OutputModes::from_bits_retain(word(1));
    termios.control_modes = ControlModes::from_bits_retain(word(2));
    termios.local_modes = LocalModes::from_bits_retain(word(3));
    termios.line_discipline = bytes[CODES_START - 1];
    for (place, code) in bytes[CODES_START..].iter().zip(CODES) {
        termios.special_codes[code] = *place;
    }
}

/// Remembers the terminal's attributes and restores them when dropped: whatever became of the machine.
#[derive(Debug)]
pub struct Guard {
    found: Option<Termios>,
}

impl Guard {
    /// Remembers the attributes in force.
    #[must_use]
    pub fn new() -> Self {
        Self { found: first().and_then(|terminal| tcgetattr(terminal).ok()) }
    }

    /// Puts the remembered attributes in force and returns those that were, to come back to them with
    /// [`Guard::resume`].
    pub fn suspend(&self) -> Option<Termios> {
        let terminal = first()?;
        let current = tcgetattr(terminal).ok();
        self.restore();
        current
    }

    /// Puts attributes in force that [`Guard::suspend`] returned.
    pub fn resume(&self, attributes: Option<Termios>) {
        if let (Some(terminal), Some(attributes)) = (first(), attributes) {
            set_from_anywhere(terminal, &attributes);
        }
    }

    fn restore(&self) {
        if let (Some(terminal), Some(found)) = (first(), &self.found) {
            let changed = tcgetattr(terminal).is_ok_and(|current| to_bytes(&current) != to_bytes(found));
            if changed {
                set_from_anywhere(terminal, found);
            }
        }
    }
}

impl Default for Guard {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.restore();
    }
}

/// Sets attributes even from the background, where SIGTTOU would stop us: it is blocked in `crate::signals`.
/// A failure (the terminal is gone) is nothing we could answer.
fn set_from_anywhere(terminal: impl AsFd, attributes: &Termios) {
    let _ = tcsetattr(terminal, OptionalActions::Drain, attributes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    #[test]
    fn attributes_keep_every_bit_on_their_way() {
        let leader = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&leader).unwrap();
        unlockpt(&leader).unwrap();
        let path = ptsname(&leader, Vec::new()).unwrap();
        let terminal = std::fs::File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
        let mut termios = tcgetattr(&terminal).unwrap();
        let before = to_bytes(&termios);
        assert_eq!(before[CODES_START], 3, "interrupt is Ctrl-C");
        let mut wanted = before;
        wanted[12] &= !0b1010; // ICANON and ECHO, the local modes' second and fourth bit
        wanted[CODES_START + 6] = 7; // VMIN
        from_bytes(&mut termios, &wanted);
        tcsetattr(&terminal, OptionalActions::Now, &termios).unwrap();
        assert_eq!(to_bytes(&tcgetattr(&terminal).unwrap()), wanted);
    }
}
