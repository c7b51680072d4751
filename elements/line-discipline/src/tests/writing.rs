//! What the slave writes, by each flag.

use super::*;

#[test]
fn output_is_processed() {
    type Row = (OutputFlags, &'static [u8], &'static [u8]);
    let rows: [Row; 10] = [
        (OutputFlags::empty(), b"a\n\t\r", b"a\n\t\r"),
        (OutputFlags::OPOST, b"a\n\t\r\x01\xff", b"a\n\t\r\x01\xff"),
        (OutputFlags::ONLCR, b"a\n", b"a\n"),
        (OutputFlags::OPOST.union(OutputFlags::ONLCR), b"a\nb\n", b"a\r\nb\r\n"),
        (OutputFlags::OPOST.union(OutputFlags::OCRNL), b"a\rb", b"a\nb"),
        (OutputFlags::OPOST.union(OutputFlags::ONOCR), b"\ra\r\rb", b"a\rb"),
        (OutputFlags::OPOST.union(OutputFlags::ONOCR).union(OutputFlags::ONLRET), b"a\n\rb\r", b"a\nb\r"),
        (OutputFlags::OPOST.union(OutputFlags::OLCUC), b"aZ\xe9", b"AZ\xc9"),
        (OutputFlags::OPOST.union(OutputFlags::XTABS), b"ab\tc\t\x08\t", b"ab      c       \x08 "),
        (OutputFlags::OPOST.union(OutputFlags::XTABS), b"\n\t", b"\n        "),
    ];
    for (flags, written, sees) in rows {
        let mut terminal = terminal(|attributes| attributes.output = flags);
        assert_eq!(terminal.write(written), written.len());
        assert_eq!(shown(&mut terminal).escape_ascii().collect::<Vec<_>>(), sees.escape_ascii().collect::<Vec<_>>());
    }
}

#[test]
fn characters_of_utf8_are_a_column() {
    for (flags, spaces) in [(InputFlags::IUTF8, 7), (InputFlags::empty(), 5)] {
        let mut terminal = terminal(|attributes| {
            attributes.input |= flags;
            attributes.output |= OutputFlags::XTABS;
        });
        terminal.write("€\t".as_bytes());
        assert_eq!(shown(&mut terminal).len(), 3 + spaces);
    }
}

#[test]
fn the_master_takes_what_it_wants() {
    let mut terminal = Discipline::new();
    terminal.write(b"abcdef");
    assert_eq!(terminal.take_output(4, &mut |part| part.len().min(3)), 3);
    assert!(terminal.master_is_readable());
    assert_eq!(shown(&mut terminal), b"def");
    assert!(!terminal.master_is_readable());
}
