//! What a panic prints.

use core::panic::{Location, PanicInfo};

use crate::{io, process};

/// As the standard library: place and message.
pub fn message(information: &PanicInfo<'_>) -> ! {
    match information.location() {
        Some(place) => crate::eprintln!("panicked at {place}:\n{}", information.message()),
        None => crate::eprintln!("panicked: {}", information.message()),
    }
    process::panicked()
}

/// The file and the line, by no more than it takes to write a number.
pub fn place(location: Option<&Location<'_>>) -> ! {
    io::say(b"panicked");
    if let Some(location) = location {
        io::say(b" at ");
        io::say(location.file().as_bytes());
        io::say(b":");
        let mut digits = [b'0'; 10];
        let mut rest = location.line();
        let mut start = digits.len();
        for place in digits.iter_mut().rev() {
            *place += (rest % 10) as u8;
            rest /= 10;
            start -= 1;
            if rest == 0 {
                break;
            }
        }
        io::say(digits.get(start..).unwrap_or_default());
    }
    io::say(b"\n");
    process::panicked()
}
