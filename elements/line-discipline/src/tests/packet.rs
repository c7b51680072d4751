//! What the master is told in packet mode.

use super::*;

#[test]
fn the_master_is_told_what_happens() {
    type Row = (fn(&mut Discipline), PacketStatus);
    let rows: [Row; 8] = [
        (|terminal| terminal.flush_input(), PacketStatus::FLUSH_READ),
        (|terminal| terminal.flush_output(), PacketStatus::FLUSH_WRITE),
        (|terminal| terminal.stop_output(), PacketStatus::STOP),
        (
            |terminal| {
                terminal.stop_output();
                terminal.start_output();
            },
            PacketStatus::START,
        ),
        (|terminal| flags(terminal, InputFlags::empty(), LocalFlags::ICANON), PacketStatus::NO_STOP),
        (
            |terminal| {
                flags(terminal, InputFlags::empty(), LocalFlags::ICANON);
                flags(terminal, InputFlags::IXON, LocalFlags::ICANON);
            },
            PacketStatus::DO_STOP,
        ),
        (|terminal| flags(terminal, InputFlags::IXON, LocalFlags::EXTPROC), PacketStatus::IOCTL),
        (
            |terminal| {
                terminal.receive(b"\x03");
            },
            PacketStatus::FLUSH_READ.union(PacketStatus::FLUSH_WRITE),
        ),
    ];
    for (work, status) in rows {
        let mut terminal = Discipline::new();
        work(&mut terminal);
        assert_eq!(terminal.take_packet_status(), PacketStatus::empty(), "packet mode is off");
        let mut terminal = Discipline::new();
        terminal.set_packet_mode(true);
        work(&mut terminal);
        assert!(terminal.take_changes().contains(Changes::MASTER_READABLE) && terminal.master_is_readable());
        assert_eq!(terminal.take_packet_status(), status);
        assert_eq!(terminal.packet_status(), PacketStatus::empty());
    }
}

fn flags(terminal: &mut Discipline, input: InputFlags, local: LocalFlags) {
    let mut attributes = *terminal.attributes();
    (attributes.input, attributes.local) = (input, local);
    terminal.set_attributes(&attributes);
}
