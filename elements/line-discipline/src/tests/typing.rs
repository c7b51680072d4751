//! What is typed, by each flag: what the slave reads, and what the master sees.

use super::*;

/// Changes of the attributes, what is typed, what reads get, what the master sees. There, `<` wipes out a character.
type Row = (fn(&mut Termios), &'static [u8], &'static [&'static [u8]], &'static [u8]);

#[track_caller]
fn check(rows: &[Row]) {
    for (index, (change, typed, reads, sees)) in rows.iter().enumerate() {
        let mut terminal = terminal(change);
        assert_eq!(terminal.receive(typed), typed.len());
        let text = |bytes: &[u8]| std::format!("{}", bytes.escape_ascii());
        let sees = text(sees).replace('<', &text(b"\x08 \x08"));
        assert_eq!(text(&shown(&mut terminal)), sees, "row {index}: the master sees");
        let got: Vec<_> = read_all(&mut terminal).iter().map(|bytes| text(bytes)).collect();
        let wanted: Vec<_> = reads.iter().map(|bytes| text(bytes)).collect();
        assert_eq!(got, wanted, "row {index}: reads get");
    }
}

fn input(attributes: &mut Termios, flags: InputFlags) {
    attributes.input |= flags;
}

fn silent(attributes: &mut Termios) {
    attributes.local.remove(LocalFlags::ECHO);
}

#[test]
fn lines_and_their_ends() {
    check(&[
        (|_| (), b"hi\rho\nrest", &[b"hi\n", b"ho\n"], b"hi\r\nho\r\nrest"),
        (|_| (), b"end\x04", &[b"end"], b"end"),
        (|_| (), b"\x04x\n\x04", &[b"", b"x\n", b""], b"x\r\n"),
        (|a| a.set_character(Character::EndOfLine, b';'), b"a;b\n", &[b"a;", b"b\n"], b"a;b\r\n"),
        (|a| a.set_character(Character::OtherEndOfLine, b';'), b"a;b\n", &[b"a;", b"b\n"], b"a;b\r\n"),
        (
            |a| {
                a.set_character(Character::OtherEndOfLine, b';');
                a.local.remove(LocalFlags::IEXTEN);
            },
            b"a;b\n",
            &[b"a;b\n"],
            b"a;b\r\n",
        ),
    ]);
}

#[test]
fn input_is_translated() {
    check(&[
        (|a| input(a, InputFlags::ISTRIP), b"\xe1\n", &[b"a\n"], b"a\r\n"),
        (|a| input(a, InputFlags::IUCLC), b"AB\xc9\n", &[b"ab\xe9\n"], b"ab\xe9\r\n"),
        (|a| input(a, InputFlags::IGNCR), b"a\rb\n", &[b"ab\n"], b"ab\r\n"),
        (|a| input(a, InputFlags::INLCR), b"a\nb\r", &[b"a\rb\n"], b"a^Mb\r\n"),
        (|a| input(a, InputFlags::PARMRK), b"a\xff\n", &[b"a\xff\xff\n"], b"a\xff\r\n"),
        (|a| a.input.remove(InputFlags::ICRNL), b"a\rb\n", &[b"a\rb\n"], b"a^Mb\r\n"),
    ]);
}

#[test]
fn what_is_typed_is_shown() {
    check(&[
        (silent, b"ab\x7f\n", &[b"a\n"], b""),
        (|a| a.local = a.local & !LocalFlags::ECHO | LocalFlags::ECHONL, b"ab\n", &[b"ab\n"], b"\r\n"),
        (|_| (), b"\x01\t\x1b\n", &[b"\x01\t\x1b\n"], b"^A\t^[\r\n"),
        (|a| a.local.remove(LocalFlags::ECHOCTL), b"\x01\n", &[b"\x01\n"], b"\x01\r\n"),
        (|_| (), b"\x16\x03\n", &[b"\x03\n"], b"^\x08^C\r\n"),
        (|_| (), b"ab\x12c\n", &[b"abc\n"], b"ab^R\r\nabc\r\n"),
        (|a| a.local.insert(LocalFlags::EXTPROC), b"a\x7f\n", &[b"a\x7f\n"], b""),
        (|a| a.output.remove(OutputFlags::OPOST), b"a\n", &[b"a\n"], b"a\n"),
    ]);
}

#[test]
fn characters_words_and_lines_are_erased() {
    check(&[
        (|_| (), b"abc\x7f\n", &[b"ab\n"], b"abc<\r\n"),
        (|_| (), b"\x7f\x17\x15\n", &[b"\n"], b"\r\n"),
        (|_| (), b"a\x16\x01\x7f\n", &[b"a\n"], b"a^\x08^A<<\r\n"),
        (|_| (), b"one two_2 \x17\n", &[b"one \n"], b"one two_2 <<<<<<\r\n"),
        (|_| (), b"abc\x15d\n", &[b"d\n"], b"abc<<<d\r\n"),
        (|a| a.local.remove(LocalFlags::ECHOKE), b"abc\x15d\n", &[b"d\n"], b"abc^U\r\nd\r\n"),
        (|a| a.local.remove(LocalFlags::ECHOKE | LocalFlags::ECHOK), b"abc\x15d\n", &[b"d\n"], b"abc^Ud\r\n"),
        (|a| a.local.remove(LocalFlags::ECHOE), b"ab\x7f\n", &[b"a\n"], b"ab^?\r\n"),
        (|a| a.local.insert(LocalFlags::ECHOPRT), b"abc\x7f\x7fd\n", &[b"ad\n"], b"abc\\cb/d\r\n"),
        (|a| input(a, InputFlags::IUTF8), "é€\x7f\n".as_bytes(), &[b"\xc3\xa9\n"], "é€<\r\n".as_bytes()),
        (|_| (), "é\x7f\n".as_bytes(), &[b"\xc3\n"], "é<\r\n".as_bytes()),
        (|_| (), b"a\t\x7f\n", &[b"a\n"], b"a\t\x08\x08\x08\x08\x08\x08\x08\r\n"),
        (|_| (), b"\t\t\x7f\n", &[b"\t\n"], b"\t\t\x08\x08\x08\x08\x08\x08\x08\x08\r\n"),
    ]);
}

/// The prompt before it is not known to the line, but to the column.
#[test]
fn a_tab_after_a_prompt_is_erased_to_where_it_began() {
    let mut terminal = Discipline::new();
    terminal.write(b"$ ");
    terminal.receive(b"ab\t\x7f");
    assert_eq!(shown(&mut terminal), b"$ ab\t\x08\x08\x08\x08");
}

#[test]
fn signals_are_told_and_flush() {
    let rows =
        [(b"\x03", Changes::INTERRUPT, b"^C"), (b"\x1c", Changes::QUIT, b"^\\"), (b"\x1a", Changes::SUSPEND, b"^Z")];
    for (typed, signal, sees) in rows {
        let mut terminal = Discipline::new();
        terminal.receive(b"line\nab");
        assert_eq!(shown(&mut terminal), b"line\r\nab");
        terminal.receive(typed);
        assert!(terminal.take_changes().contains(signal));
        assert_eq!(shown(&mut terminal), sees);
        assert_eq!(read_all(&mut terminal), [b""; 0]);
    }
    let mut terminal = terminal(|attributes| attributes.local.insert(LocalFlags::NOFLSH));
    terminal.receive(b"ab\x03c\n");
    assert!(terminal.take_changes().contains(Changes::INTERRUPT));
    assert_eq!(shown(&mut terminal), b"ab^Cc\r\n");
    assert_eq!(read_all(&mut terminal), [b"abc\n"]);
}

#[test]
fn without_isig_signals_are_text() {
    check(&[(|a| a.local.remove(LocalFlags::ISIG), b"\x03\x1c\x1a\n", &[b"\x03\x1c\x1a\n"], b"^C^\\^Z\r\n")]);
}
