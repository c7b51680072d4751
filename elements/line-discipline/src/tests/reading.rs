//! Reads: by lines and parts of them, by VMIN and VTIME, and across changes of attributes.

use super::*;

#[test]
fn a_line_is_read_in_parts() {
    let mut terminal = Discipline::new();
    terminal.receive(b"hello\nx\n");
    assert_eq!((terminal.input_available(), terminal.slave_is_readable()), (8, true));
    assert_eq!(read_some(&mut terminal, 3), (b"hel".to_vec(), Progress::Over));
    assert_eq!(read_some(&mut terminal, 3), (b"lo\n".to_vec(), Progress::Over));
    assert_eq!(read_some(&mut terminal, 0), (Vec::new(), Progress::Over));
    assert_eq!(read_all(&mut terminal), [b"x\n"]);
    assert_eq!(read_some(&mut terminal, 3), (Vec::new(), Progress::Waits));
}

#[test]
fn the_end_of_a_file_is_no_byte() {
    let mut terminal = Discipline::new();
    terminal.receive(b"abc\x04\x04open");
    assert_eq!(terminal.input_available(), 3);
    // The end is where the buffer ends: the next read is of what follows.
    assert_eq!(read_some(&mut terminal, 3), (b"abc".to_vec(), Progress::Over));
    assert_eq!((terminal.input_available(), terminal.slave_is_readable()), (0, true));
    assert_eq!(read_some(&mut terminal, 3), (Vec::new(), Progress::Over));
    assert!(!terminal.slave_is_readable());
    assert_eq!(read_some(&mut terminal, 3), (Vec::new(), Progress::Waits));
}

#[test]
fn raw_reads_wait_as_minimum_and_time_say() {
    use Progress::{Over, Waits, WaitsForNext, WaitsInAll};
    // VMIN, VTIME, bytes wanted; how far a read comes of nothing, of two bytes, and of two more.
    let rows = [
        (0, 0, 9, [Over, Over, Over], false),
        (0, 5, 9, [WaitsInAll(5), Over, Over], true),
        (1, 0, 9, [Waits, Over, Over], true),
        (3, 0, 9, [Waits, Waits, Over], false),
        (3, 0, 2, [Waits, Over, Over], false),
        (3, 7, 9, [Waits, WaitsForNext(7), Over], true),
    ];
    for (minimum, time, wanted, progress, readable) in rows {
        let mut terminal = terminal(|attributes| {
            raw(attributes);
            attributes.set_character(Character::Minimum, minimum);
            attributes.set_character(Character::Time, time);
        });
        let (mut reading, mut sink) = (Reading::new(wanted), |part: &[u8]| part.len());
        assert_eq!(terminal.read(&mut reading, &mut sink), progress[0], "{minimum} {time}");
        terminal.receive(b"ab");
        assert_eq!(terminal.slave_is_readable(), readable || minimum == 0, "{minimum} {time}");
        assert_eq!(terminal.read(&mut reading, &mut sink), progress[1], "{minimum} {time}");
        terminal.receive(b"cd");
        assert_eq!(terminal.read(&mut reading, &mut sink), progress[2], "{minimum} {time}");
    }
}

#[test]
fn what_the_sink_does_not_take_stays() {
    for change in [raw as fn(&mut Termios), |_| ()] {
        let mut terminal = terminal(change);
        terminal.receive(b"abcdef\n");
        let mut reading = Reading::new(100);
        assert_eq!(terminal.read(&mut reading, &mut |_| 2), Progress::Over);
        assert_eq!((reading.taken(), terminal.input_available()), (2, 5));
        assert_eq!(read_all(&mut terminal), [b"cdef\n"]);
    }
}

/// Who edits lines outside (EXTPROC) ends the file by EOF alone, as far as Linux sees, which reads 64 bytes at once.
#[test]
fn lines_that_were_edited_outside_end_the_file() {
    for (before, delivered) in [(0, 0), (1, 2), (63, 64), (64, 64), (65, 66)] {
        let mut terminal = terminal(|attributes| attributes.local.insert(LocalFlags::EXTPROC));
        terminal.receive(&[&[b'a'; 70][..before], b"\x04"].concat());
        let (bytes, progress) = read_some(&mut terminal, 100);
        assert_eq!((bytes.len(), progress, terminal.input_available()), (delivered, Progress::Over, 0));
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
    assert_eq!(read_some(&mut terminal, 6).0, b"one\ntw");
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
