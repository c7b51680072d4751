//! Reads: by lines and parts of them, by VMIN and VTIME, and across changes of attributes.

use super::*;

#[test]
fn a_line_is_read_in_parts() {
    let mut terminal = Discipline::new();
    terminal.receive(b"hello\nx\n");
    assert_eq!((terminal.input_available(), terminal.slave_is_readable()), (8, true));
    assert_eq!(read_some(&mut terminal, 3), Some(b"hel".to_vec()));
    assert_eq!(read_some(&mut terminal, 3), Some(b"lo\n".to_vec()));
    assert_eq!(read_some(&mut terminal, 0), Some(Vec::new()));
    assert_eq!(read_all(&mut terminal), [b"x\n"]);
    assert_eq!(read_some(&mut terminal, 3), None);
}

#[test]
fn the_end_of_a_file_is_no_byte() {
    let mut terminal = Discipline::new();
    terminal.receive(b"abc\x04\x04open");
    assert_eq!(terminal.input_available(), 3);
    // The end is where the buffer ends: the next read is of what follows.
    assert_eq!(read_some(&mut terminal, 3), Some(b"abc".to_vec()));
    assert_eq!((terminal.input_available(), terminal.slave_is_readable()), (0, true));
    assert_eq!(read_some(&mut terminal, 3), Some(Vec::new()));
    assert!(!terminal.slave_is_readable());
    assert_eq!(read_some(&mut terminal, 3), None);
}

#[test]
fn raw_reads_wait_as_minimum_and_time_say() {
    use Wait::{ForEver, ForNext, InAll};
    // VMIN, VTIME, bytes wanted; how a read waits when nothing is there, two bytes, and two more.
    let rows = [
        (0, 0, 9, [None, None, None], false),
        (0, 5, 9, [Some(InAll(5)), None, None], true),
        (1, 0, 9, [Some(ForEver), None, None], true),
        (3, 0, 9, [Some(ForEver), Some(ForEver), None], false),
        (3, 0, 2, [Some(ForEver), None, None], false),
        (3, 7, 9, [Some(ForEver), Some(ForNext(7)), None], true),
    ];
    for (minimum, time, wanted, waits, readable) in rows {
        let mut terminal = terminal(|attributes| {
            raw(attributes);
            attributes.set_character(Character::Minimum, minimum);
            attributes.set_character(Character::Time, time);
        });
        assert_eq!(terminal.waits_for(wanted), waits[0], "{minimum} {time}");
        terminal.receive(b"ab");
        assert_eq!(terminal.slave_is_readable(), readable || minimum == 0, "{minimum} {time}");
        assert_eq!(terminal.waits_for(wanted), waits[1], "{minimum} {time}");
        terminal.receive(b"cd");
        assert_eq!(terminal.waits_for(wanted), waits[2], "{minimum} {time}");
        assert_eq!(terminal.read(wanted, &mut |part| part.len()), wanted.min(4));
    }
}

#[test]
fn what_the_sink_does_not_take_stays() {
    for change in [raw as fn(&mut Termios), |_| ()] {
        let mut terminal = terminal(change);
        terminal.receive(b"abcdef\n");
        assert_eq!(terminal.read(100, &mut |_| 2), 2);
        assert_eq!(terminal.input_available(), 5);
        assert_eq!(read_all(&mut terminal), [b"cdef\n"]);
    }
}

/// Who edits lines outside (EXTPROC) ends the file by EOF alone, as far as Linux sees, which reads 64 bytes at once.
#[test]
fn lines_that_were_edited_outside_end_the_file() {
    for (before, delivered) in [(0, 0), (1, 2), (63, 64), (64, 64), (65, 66)] {
        let mut terminal = terminal(|attributes| attributes.local.insert(LocalFlags::EXTPROC));
        terminal.receive(&[&[b'a'; 70][..before], b"\x04"].concat());
        let bytes = read_some(&mut terminal, 100).expect("the file ends");
        assert_eq!((bytes.len(), terminal.input_available()), (delivered, 0));
    }
}

#[test]
fn what_waits_survives_a_change_of_mode() {
    let canonical = Termios::default();
    let mut plain = canonical;
    raw(&mut plain);
    let mut terminal = Discipline::new();
    terminal.receive(b"one\ntwo\x04open");
    terminal.set_attributes(&plain);
    // The end of a file is a byte in raw mode.
    assert_eq!(read_some(&mut terminal, 6), Some(b"one\ntw".to_vec()));
    assert_eq!(terminal.input_available(), 6);
    terminal.set_attributes(&canonical);
    assert_eq!(terminal.input_available(), 6);
    terminal.receive(b"x\n");
    // What was there is one line.
    assert_eq!(read_all(&mut terminal), [&b"o\0open"[..], b"x\n"]);
}

#[test]
fn who_waits_is_woken_by_a_line() {
    let mut terminal = Discipline::new();
    terminal.receive(b"abc");
    assert_eq!(terminal.take_changes(), Changes::MASTER_READABLE);
    terminal.receive(b"\n");
    assert_eq!(terminal.take_changes(), Changes::MASTER_READABLE | Changes::SLAVE_READABLE);
    read_all(&mut terminal);
    assert_eq!(terminal.take_changes(), Changes::MASTER_WRITABLE);
    shown(&mut terminal);
    assert_eq!(terminal.take_changes(), Changes::SLAVE_WRITABLE);
}
