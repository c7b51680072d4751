//! Kinds of characters as Linux sorts them: Latin-1, whatever the terminal shows (`lib/ctype.c`).

use crate::termios::{Character, DISABLED, InputFlags, LocalFlags, Termios};

/// Whether it is shown as ^X: the first 32, and DEL.
pub(crate) const fn is_control(byte: u8) -> bool {
    byte < 0x20 || byte == 0x7f
}

/// Whether it is a letter, a digit or an underscore: what WERASE takes for a word.
pub(crate) const fn is_of_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0xc0 && byte != 0xd7 && byte != 0xf7
}

/// Whether it goes on with a character of UTF-8 that began before.
pub(crate) const fn is_continuation(byte: u8, utf8: bool) -> bool {
    utf8 && byte & 0xc0 == 0x80
}

/// As a small letter.
pub(crate) const fn lower(byte: u8) -> u8 {
    match byte {
        0xc0..=0xd6 | 0xd8..=0xde => byte + 0x20,
        _ => byte.to_ascii_lowercase(),
    }
}

/// As a capital: ß and ÿ, which have none in Latin-1, become what is 32 before them.
pub(crate) const fn upper(byte: u8) -> u8 {
    match byte {
        0xdf..=0xf6 | 0xf8..=0xff => byte - 0x20,
        _ => byte.to_ascii_uppercase(),
    }
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    /// Whether `byte` is in it.
    pub(crate) const fn contains(&self, byte: u8) -> bool {
        self.0[byte as usize >> 6] >> (byte & 63) & 1 != 0
    }

    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte) >> 6] |= 1 << (byte & 63);
    }

    /// What is more than a character of text for a terminal with these attributes.
    pub(crate) fn special(attributes: &Termios) -> Self {
        let (input, local) = (attributes.input, attributes.local);
        let mut set = Self::default();
        let mut add = |wanted: bool, characters: &[Character]| {
            for &which in characters.iter().filter(|_| wanted) {
                set.add(attributes.character(which));
            }
        };
        let (canonical, extended) =
            (local.contains(LocalFlags::ICANON), local.contains(LocalFlags::ICANON | LocalFlags::IEXTEN));
        add(canonical, &[Character::Erase, Character::Kill, Character::EndOfFile, Character::EndOfLine]);
        add(extended, &[Character::EraseWord, Character::LiteralNext, Character::OtherEndOfLine]);
        add(extended && local.contains(LocalFlags::ECHO), &[Character::Reprint]);
        add(input.contains(InputFlags::IXON), &[Character::Start, Character::Stop]);
        add(local.contains(LocalFlags::ISIG), &[Character::Interrupt, Character::Quit, Character::Suspend]);
        if canonical || input.contains(InputFlags::INLCR) {
            set.add(b'\n');
        }
        if input.intersects(InputFlags::IGNCR | InputFlags::ICRNL) {
            set.add(b'\r');
        }
        set.0[0] &= !(1 << DISABLED);
        set
    }
}
