//! Queues that are full.

use super::*;

#[test]
fn a_line_that_is_too_long_loses_its_end_but_not_the_newline() {
    let mut terminal = terminal(|attributes| attributes.local.remove(LocalFlags::ECHO));
    assert_eq!(terminal.receive(&[b'a'; 10_000]), 10_000);
    assert_eq!(terminal.input_available(), 0);
    terminal.receive(b"z\n");
    let mut line = [b'a'; INPUT];
    line[INPUT - 1] = b'\n';
    assert_eq!(read_all(&mut terminal), [line]);
    terminal.receive(b"next\n");
    assert_eq!(read_all(&mut terminal), [b"next\n"]);
}

#[test]
fn raw_input_is_not_lost_but_not_taken() {
    let mut terminal = terminal(raw);
    assert_eq!(terminal.receive(&[b'a'; 100_000]), INPUT - 1 + ARRIVING);
    assert_eq!(terminal.receive(b"b"), 0);
    assert_eq!((terminal.input_available(), terminal.master_is_writable()), (INPUT - 1, false));
    let _ = terminal.take_changes();
    assert_eq!(read_some(&mut terminal, 1000).map(|bytes| bytes.len()), Some(1000));
    assert_eq!(terminal.take_changes(), Changes::MASTER_WRITABLE | Changes::SLAVE_READABLE);
    assert_eq!(terminal.input_available(), INPUT - 1);
    assert_eq!(terminal.receive(&[b'b'; 2000]), 1000);
    assert_eq!(read_all(&mut terminal).concat().len(), INPUT - 1 + ARRIVING);
}

#[test]
fn start_is_seen_behind_a_full_queue() {
    let mut terminal = terminal(|attributes| {
        raw(attributes);
        attributes.input = InputFlags::IXON;
    });
    terminal.receive(b"\x13");
    terminal.receive(&[b'a'; 5000]);
    assert!(terminal.is_stopped());
    terminal.receive(b"\x11b");
    assert!(!terminal.is_stopped());
    let read = read_all(&mut terminal).concat();
    assert_eq!((read.len(), read.last()), (5001, Some(&b'b')));
    assert!(!terminal.is_stopped());
}

#[test]
fn the_slave_writes_until_the_queue_is_full() {
    let mut terminal = Discipline::new();
    assert_eq!(terminal.write(&[b'\n'; 20_000]), OUTPUT / 2);
    assert_eq!((terminal.write(b"a"), terminal.slave_is_writable()), (0, false));
    assert_eq!(terminal.take_output(1, &mut |part| part.len()), 1);
    // There is no room for two bytes.
    assert_eq!(terminal.write(b"\n"), 0);
    assert_eq!(terminal.write(b"a"), 1);
}

#[test]
fn echoes_that_cannot_be_shown_are_dropped_the_oldest_first() {
    let mut terminal = terminal(|attributes| attributes.input.remove(InputFlags::IXON));
    terminal.stop_output();
    for _ in 0..1000 {
        terminal.receive(b"0123456\n");
    }
    read_all(&mut terminal);
    terminal.start_output();
    terminal.write(b"");
    let shown = shown(&mut terminal);
    assert!((3000..4000).contains(&shown.len()) && shown.ends_with(b"0123456\r\n"), "{}", shown.len());
}

#[test]
fn a_long_line_is_shown_anew_only_while_it_can_be() {
    let mut terminal = Discipline::new();
    terminal.receive(&[b'a'; 4000]);
    assert_eq!(shown(&mut terminal).len(), 4000);
    terminal.receive(&[0x12; 3]);
    assert_eq!(shown(&mut terminal).len(), 3 * 4004);
    terminal.stop_output();
    terminal.receive(&[0x12; 3]);
    terminal.start_output();
    terminal.write(b"");
    // The last part of the first one, and no line of the others.
    let shown = shown(&mut terminal);
    assert!(shown.len() < 4000 && shown.ends_with(b"a^R\r\n^R\r\n"));
}

#[test]
fn a_long_line_is_erased_whole() {
    let mut terminal = Discipline::new();
    terminal.receive(&[1; 4000]);
    assert_eq!(shown(&mut terminal).len(), 8000);
    terminal.receive(b"\x15");
    // As much of it is shown as there is room for, then as much as echoes may wait.
    assert_eq!(shown(&mut terminal).len(), OUTPUT);
    terminal.receive(b"ok\n");
    assert!(shown(&mut terminal).ends_with(b"\x08 \x08ok\r\n"));
    assert_eq!(read_all(&mut terminal), [b"ok\n"]);
}
