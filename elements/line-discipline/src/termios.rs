//! The attributes of a terminal: termios(3), as the 36 bytes that Linux' kernel has (TCGETS).

/// Bytes of Linux' kernel `struct termios`.
pub const TERMIOS: usize = 36;

/// Control characters of Linux' kernel `struct termios`.
const CHARACTERS: usize = 19;

bitflags::bitflags! {
    /// What is done with bytes that come in (c_iflag). Others than these are kept, and do nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct InputFlags: u32 {
        /// A byte 0xff is read as two.
        const PARMRK = 0x8;
        /// The eighth bit is cleared.
        const ISTRIP = 0x20;
        /// Newline becomes carriage return.
        const INLCR = 0x40;
        /// Carriage return is dropped.
        const IGNCR = 0x80;
        /// Carriage return becomes newline.
        const ICRNL = 0x100;
        /// Letters become small, if IEXTEN is set, too.
        const IUCLC = 0x200;
        /// STOP and START hold output.
        const IXON = 0x400;
        /// Any character starts output that STOP held.
        const IXANY = 0x800;
        /// Input is held by STOP and START: a pseudo-terminal has no need to.
        const IXOFF = 0x1000;
        /// A full queue rings the bell: Linux does not.
        const IMAXBEL = 0x2000;
        /// Input is UTF-8: whole characters are erased.
        const IUTF8 = 0x4000;
        const _ = !0;
    }
}

bitflags::bitflags! {
    /// What is done with bytes that go out (c_oflag). Others than these are kept, and do nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OutputFlags: u32 {
        /// Any of the others counts.
        const OPOST = 0x1;
        /// Letters become capitals.
        const OLCUC = 0x2;
        /// Newline becomes carriage return and newline.
        const ONLCR = 0x4;
        /// Carriage return becomes newline.
        const OCRNL = 0x8;
        /// No carriage return in column 0.
        const ONOCR = 0x10;
        /// Newline returns the carriage by itself.
        const ONLRET = 0x20;
        /// What is done with tabs: a field, not a bit.
        const TABDLY = 0x1800;
        /// Tabs become spaces: a value of the field.
        const XTABS = 0x1800;
        const _ = !0;
    }
}

bitflags::bitflags! {
    /// The hardware, of which a pseudo-terminal has none (c_cflag).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ControlFlags: u32 {
        /// 38400 bits in a second: a value of the field of speeds.
        const B38400 = 0xf;
        /// Bits of a character: a field.
        const CSIZE = 0x30;
        /// Eight of them: a value of the field.
        const CS8 = 0x30;
        /// The receiver is on.
        const CREAD = 0x80;
        /// Parity.
        const PARENB = 0x100;
        const _ = !0;
    }
}

bitflags::bitflags! {
    /// How lines are edited and shown (c_lflag). Others than these are kept, and do nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct LocalFlags: u32 {
        /// INTR, QUIT and SUSP send signals.
        const ISIG = 0x1;
        /// Input is read by lines.
        const ICANON = 0x2;
        /// Input is shown.
        const ECHO = 0x8;
        /// ERASE and WERASE wipe out what they erase.
        const ECHOE = 0x10;
        /// KILL begins a new line.
        const ECHOK = 0x20;
        /// Newline is shown, also without ECHO.
        const ECHONL = 0x40;
        /// Signals do not flush queues.
        const NOFLSH = 0x80;
        /// Those in the background may not write: the caller's business.
        const TOSTOP = 0x100;
        /// Control characters are shown as ^X.
        const ECHOCTL = 0x200;
        /// What is erased is shown, between \ and /.
        const ECHOPRT = 0x400;
        /// KILL wipes out the line.
        const ECHOKE = 0x800;
        /// WERASE, REPRINT, LNEXT, EOL2 and IUCLC count.
        const IEXTEN = 0x8000;
        /// Input was edited outside already.
        const EXTPROC = 0x10000;
        const _ = !0;
    }
}

/// Control characters, by their index in c_cc. One that is 0 is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// Interrupts (VINTR).
    Interrupt = 0,
    /// Quits (VQUIT).
    Quit = 1,
    /// Erases a character (VERASE).
    Erase = 2,
    /// Erases a line (VKILL).
    Kill = 3,
    /// Ends the file, or the line without a newline (VEOF).
    EndOfFile = 4,
    /// Tenths of a second that a read waits (VTIME).
    Time = 5,
    /// Bytes that a read waits for (VMIN).
    Minimum = 6,
    /// Starts output (VSTART).
    Start = 8,
    /// Stops output (VSTOP).
    Stop = 9,
    /// Suspends (VSUSP).
    Suspend = 10,
    /// Ends a line, too (VEOL).
    EndOfLine = 11,
    /// Shows the line anew (VREPRINT).
    Reprint = 12,
    /// Erases a word (VWERASE).
    EraseWord = 14,
    /// Takes the next character as it is (VLNEXT).
    LiteralNext = 15,
    /// Ends a line, too (VEOL2).
    OtherEndOfLine = 16,
}

/// What a control character is that does nothing.
pub(crate) const DISABLED: u8 = 0;

/// The attributes of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Termios {
    /// c_iflag.
    pub input: InputFlags,
    /// c_oflag.
    pub output: OutputFlags,
    /// c_cflag.
    pub control: ControlFlags,
    /// c_lflag.
    pub local: LocalFlags,
    /// c_line: kept, and does nothing.
    pub discipline: u8,
    /// c_cc, by [`Character`].
    pub characters: [u8; CHARACTERS],
}

impl Default for Termios {
    /// What Linux gives a new pseudo-terminal.
    fn default() -> Self {
        let mut characters = [0; CHARACTERS];
        characters[..17].copy_from_slice(b"\x03\x1c\x7f\x15\x04\0\x01\0\x11\x13\x1a\0\x12\x0f\x17\x16\0");
        Self {
            input: InputFlags::ICRNL | InputFlags::IXON,
            output: OutputFlags::OPOST | OutputFlags::ONLCR,
            control: ControlFlags::B38400 | ControlFlags::CS8 | ControlFlags::CREAD,
            local: LocalFlags::ISIG
                | LocalFlags::ICANON
                | LocalFlags::ECHO
                | LocalFlags::ECHOE
                | LocalFlags::ECHOK
                | LocalFlags::ECHOCTL
                | LocalFlags::ECHOKE
                | LocalFlags::IEXTEN,
            discipline: 0,
            characters,
        }
    }
}

impl Termios {
    /// From the bytes of Linux' kernel `struct termios`: any are valid.
    #[must_use]
    pub fn from_bytes(bytes: [u8; TERMIOS]) -> Self {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self {
            input: InputFlags::from_bits_retain(word(0)),
            output: OutputFlags::from_bits_retain(word(4)),
            control: ControlFlags::from_bits_retain(word(8)),
            local: LocalFlags::from_bits_retain(word(12)),
            discipline: bytes[16],
            characters: core::array::from_fn(|index| bytes[17 + index]),
        }
    }

    /// The bytes of Linux' kernel `struct termios`.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; TERMIOS] {
        let mut bytes = [0; TERMIOS];
        let words = [self.input.bits(), self.output.bits(), self.control.bits(), self.local.bits()];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes[16] = self.discipline;
        bytes[17..].copy_from_slice(&self.characters);
        bytes
    }

    /// A control character.
    #[must_use]
    pub const fn character(&self, which: Character) -> u8 {
        self.characters[which as usize]
    }

    /// Sets a control character.
    pub const fn set_character(&mut self, which: Character, byte: u8) {
        self.characters[which as usize] = byte;
    }

    /// Whether input is UTF-8.
    pub(crate) const fn is_utf8(&self) -> bool {
        self.input.contains(InputFlags::IUTF8)
    }

    /// Whether input is changed byte by byte before anything else.
    pub(crate) const fn translates(&self) -> bool {
        self.input.contains(InputFlags::ISTRIP) || self.lowers()
    }

    /// Whether capitals become small letters.
    pub(crate) const fn lowers(&self) -> bool {
        self.input.contains(InputFlags::IUCLC) && self.local.contains(LocalFlags::IEXTEN)
    }

    /// Whether input is by lines: also those that were edited outside (EXTPROC).
    pub(crate) const fn is_canonical(&self) -> bool {
        self.local.contains(LocalFlags::ICANON)
    }

    /// Whether input is taken as it is, and nothing of it is shown.
    pub(crate) fn is_raw(&self) -> bool {
        let input = InputFlags::ISTRIP
            | InputFlags::IUCLC
            | InputFlags::IGNCR
            | InputFlags::ICRNL
            | InputFlags::INLCR
            | InputFlags::IXON
            | InputFlags::PARMRK;
        let local = LocalFlags::ICANON | LocalFlags::ISIG | LocalFlags::ECHO;
        let is_plain = !self.input.intersects(input) && !self.local.intersects(local);
        is_plain || self.local.contains(LocalFlags::EXTPROC) && !self.translates()
    }

    /// Whether the line discipline edits lines.
    pub(crate) const fn edits(&self) -> bool {
        self.local.contains(LocalFlags::ICANON) && !self.local.contains(LocalFlags::EXTPROC)
    }
}
