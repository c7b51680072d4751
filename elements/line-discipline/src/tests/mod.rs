//! What both sides see, as tables. `tests/linux` compares with Linux itself.

mod flow;
mod limits;
mod packet;
mod reading;
mod typing;
mod writing;

use std::vec::Vec;

use super::*;

/// A terminal with default attributes but for these changes.
fn terminal(change: impl FnOnce(&mut Termios)) -> Discipline {
    let (mut terminal, mut attributes) = (Discipline::new(), Termios::default());
    change(&mut attributes);
    terminal.set_attributes(&attributes);
    let _ = terminal.take_changes();
    terminal
}

fn raw(attributes: &mut Termios) {
    attributes.input = InputFlags::empty();
    attributes.output = OutputFlags::empty();
    attributes.local = LocalFlags::empty();
}

/// A read of at most `most` bytes; `None` if it would wait.
fn read_some(terminal: &mut Discipline, most: usize) -> Option<Vec<u8>> {
    if terminal.waits_for(most).is_some() {
        return None;
    }
    let mut bytes = Vec::new();
    let taken = terminal.read(most, &mut |part| {
        bytes.extend(part);
        part.len()
    });
    assert_eq!(taken, bytes.len());
    Some(bytes)
}

/// What reads get until one would wait.
fn read_all(terminal: &mut Discipline) -> Vec<Vec<u8>> {
    std::iter::from_fn(|| read_some(terminal, INPUT)).take(10_000).collect()
}

/// What the master sees.
fn shown(terminal: &mut Discipline) -> Vec<u8> {
    let mut bytes = Vec::new();
    terminal.take_output(usize::MAX, &mut |part| {
        bytes.extend(part);
        part.len()
    });
    assert_eq!(terminal.output_available(), 0);
    bytes
}

#[test]
fn attributes_are_those_of_linux_and_their_bytes_stay() {
    let bytes = *Discipline::new().attributes();
    let words = bytes.to_bytes();
    assert_eq!(words[..16], *b"\0\x05\0\0\x05\0\0\0\xbf\0\0\0\x3b\x8a\0\0");
    let all: [u8; TERMIOS] = core::array::from_fn(|index| index as u8 * 7 + 3);
    assert_eq!(Termios::from_bytes(all).to_bytes(), all);
}
