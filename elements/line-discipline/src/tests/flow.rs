//! Output that stops and starts, and queues that are flushed.

use super::*;

#[test]
fn stop_and_start_hold_output_and_echoes() {
    let mut terminal = Discipline::new();
    terminal.receive(b"\x13ab");
    assert_eq!((terminal.write(b"out"), terminal.slave_is_writable()), (0, false));
    assert_eq!(shown(&mut terminal), b"");
    terminal.receive(b"\x11");
    assert_eq!(shown(&mut terminal), b"ab");
    assert!(terminal.take_changes().contains(Changes::SLAVE_WRITABLE));
    assert_eq!(terminal.write(b"out"), 3);
    assert_eq!(read_all(&mut terminal), [b""; 0]);
}

#[test]
fn any_character_starts_output_where_it_may() {
    for (flags, sees) in [(InputFlags::empty(), &b""[..]), (InputFlags::IXANY, b"x")] {
        let mut terminal = terminal(|attributes| attributes.input |= flags);
        terminal.receive(b"\x13");
        terminal.receive(b"x");
        assert_eq!(shown(&mut terminal), sees);
    }
}

#[test]
fn what_a_call_stopped_only_a_call_starts() {
    let mut terminal = Discipline::new();
    terminal.stop_output();
    terminal.receive(b"a\x11");
    assert!(terminal.is_stopped());
    terminal.start_output();
    assert!(!terminal.is_stopped());
    // Linux shows what waited only when something else is to be shown.
    assert_eq!(shown(&mut terminal), b"");
    assert_eq!(terminal.write(b"b"), 1);
    assert_eq!(shown(&mut terminal), b"ab");
}

#[test]
fn no_stop_outlives_its_meaning() {
    let mut terminal = Discipline::new();
    terminal.receive(b"\x13a");
    let mut attributes = *terminal.attributes();
    attributes.input.remove(InputFlags::IXON);
    terminal.set_attributes(&attributes);
    assert_eq!(shown(&mut terminal), b"a");
    assert!(!terminal.is_stopped());
}

#[test]
fn stop_and_start_are_sent_though_output_is_stopped() {
    let mut terminal = Discipline::new();
    terminal.receive(b"\x13");
    terminal.send_flow_character(FlowCharacter::Stop);
    terminal.send_flow_character(FlowCharacter::Start);
    assert!(terminal.is_stopped());
    assert_eq!(shown(&mut terminal), b"\x13\x11");
}

#[test]
fn flushes_drop_what_is_not_read() {
    let mut terminal = Discipline::new();
    terminal.receive(b"a\nb");
    terminal.flush_input();
    terminal.receive(b"c\n");
    assert_eq!(read_all(&mut terminal), [b"c\n"]);
    shown(&mut terminal);
    // What the master could have read stays.
    terminal.write(&[b'x'; 5000]);
    terminal.flush_output();
    assert_eq!(shown(&mut terminal).len(), 4095);
    terminal.write(&[b'x'; 5000]);
    terminal.flush_master_input();
    assert_eq!(shown(&mut terminal).len(), 905);
}
