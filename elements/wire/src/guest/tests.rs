//! The guest's end against a scripted host.

use std::{boxed::Box, vec, vec::Vec};

use super::*;

/// Collects frames; has room for so many bytes.
struct Recorder {
    room: usize,
    frames: Vec<(u8, u8, i32, Vec<u8>)>,
}

impl Link for Recorder {
    fn room(&self) -> usize {
        self.room
    }

    fn send(&mut self, header: Header, payload: &[u8]) -> bool {
        assert_eq!(header.length as usize, payload.len());
        let fits = HEADER + payload.len() <= self.room;
        if fits {
            self.frames.push((header.kind, header.argument, header.number, payload.to_vec()));
        }
        fits
    }
}

impl Recorder {
    fn take(&mut self) -> Vec<(u8, u8, i32, Vec<u8>)> {
        core::mem::take(&mut self.frames)
    }
}

fn guest(terminal: bool, buffer: usize) -> (Guest<'static>, Recorder) {
    let mut guest = Guest::new();
    let window = WindowSize { rows: 24, columns: 80, ..WindowSize::default() };
    let streams = Streams { terminals: [terminal; 3], answered: [false; 3], attributes: None, window };
    guest.configure(&Streams { attributes: terminal.then_some([7; 36]), ..streams });
    assert!(guest.set_input_buffer(Box::leak(vec![0; buffer].into_boxed_slice())));
    (guest, Recorder { room: 1 << 20, frames: vec![] })
}

fn frame(kind: ToGuest, argument: u8, number: i32, payload: &[u8]) -> Vec<u8> {
    let header = Header { kind: kind as u8, argument, length: payload.len() as u32, number };
    [&header.encode()[..], payload].concat()
}

const WANT_INPUT: u8 = FromGuest::WantInput as u8;

#[test]
fn a_terminal_is_asked_for_one_read_at_a_time() {
    let (mut guest, mut link) = guest(true, 4096);
    let mut buffer = [0; 10];
    assert_eq!(guest.read(&mut buffer, &mut link), Err(ConsoleError::WouldBlock));
    assert_eq!(guest.read(&mut buffer, &mut link), Err(ConsoleError::WouldBlock));
    assert_eq!(link.take(), [(WANT_INPUT, 0, 10, vec![])]);
    guest.receive(&frame(ToGuest::Input, 0, 3, b"ab\n"));
    assert!(guest.readiness(Stream::Input, &mut link).readable);
    assert_eq!(guest.read(&mut buffer, &mut link), Ok(3));
    assert_eq!((link.take(), &buffer[..3]), (vec![], &b"ab\n"[..]));
    // End of file by Ctrl-D is not for ever.
    assert_eq!(guest.read(&mut buffer, &mut link), Err(ConsoleError::WouldBlock));
    guest.receive(&frame(ToGuest::Input, 0, 0, b""));
    assert!(!guest.readiness(Stream::Input, &mut link).hangup);
    assert_eq!(guest.read(&mut buffer, &mut link), Ok(0));
    assert_eq!(guest.read(&mut buffer, &mut link), Err(ConsoleError::WouldBlock));
}

#[test]
fn a_wish_can_be_taken_back() {
    let (mut guest, mut link) = guest(true, 4096);
    guest.cancel_read(&mut link);
    assert!(link.take().is_empty());
    assert!(guest.read(&mut [0; 10], &mut link).is_err());
    guest.cancel_read(&mut link);
    guest.cancel_read(&mut link);
    assert_eq!(link.take()[1..], [(FromGuest::CancelInput as u8, 0, 0, vec![])]);
    assert_eq!(guest.read(&mut [0; 10], &mut link), Err(ConsoleError::WouldBlock));
    assert!(link.take().is_empty(), "one wish at a time");
    guest.receive(&frame(ToGuest::Input, 0, -4, b""));
    assert_eq!(guest.read(&mut [0; 20], &mut link), Err(ConsoleError::WouldBlock));
    assert_eq!(link.take(), [(WANT_INPUT, 0, 20, vec![])]);
    // The answer crossed the cancellation: the keys are kept.
    guest.cancel_read(&mut link);
    guest.receive(&frame(ToGuest::Input, 0, 1, b"x"));
    assert_eq!(guest.read(&mut [0; 20], &mut link), Ok(1));
}

#[test]
fn a_pipe_is_read_ahead() {
    let (mut guest, mut link) = guest(false, 2 * MAX_PAYLOAD);
    let sent: Vec<u8> = (0..500_000_u32).map(|index| (index / 3) as u8).collect();
    let (mut at, mut all, mut buffer) = (0, vec![], [0; 1000]);
    loop {
        match guest.read(&mut buffer, &mut link) {
            Ok(0) => break,
            Ok(count) => all.extend_from_slice(&buffer[..count]),
            Err(error) => assert_eq!(error, ConsoleError::WouldBlock),
        }
        for (kind, _, limit, _) in link.take() {
            assert_eq!((kind, limit), (WANT_INPUT, MAX_PAYLOAD as i32));
            let payload = &sent[at..(at + limit as usize).min(sent.len())];
            at += payload.len();
            frame(ToGuest::Input, 0, payload.len() as i32, payload).chunks(4096).for_each(|piece| guest.receive(piece));
        }
    }
    assert_eq!(all, sent);
}

#[test]
fn errors_and_ends_come_behind_the_bytes() {
    let (mut guest, mut link) = guest(false, 2 * MAX_PAYLOAD);
    let mut buffer = [0; 2];
    assert!(guest.read(&mut buffer, &mut link).is_err());
    guest.receive(&frame(ToGuest::Input, 0, 3, b"abc"));
    assert_eq!(guest.read(&mut buffer, &mut link), Ok(2));
    guest.receive(&frame(ToGuest::Input, 0, 0, b""));
    assert!(!guest.readiness(Stream::Input, &mut link).hangup);
    assert_eq!(guest.read(&mut buffer, &mut link), Ok(1));
    assert!(guest.readiness(Stream::Input, &mut link).hangup);
    assert_eq!(guest.read(&mut buffer, &mut link), Ok(0));
    assert!(guest.read(&mut buffer, &mut link).is_err());
    guest.receive(&frame(ToGuest::Input, 0, -5, b""));
    assert_eq!(guest.read(&mut buffer, &mut link), Err(ConsoleError::Host(5)));
    assert_eq!(guest.read(&mut [], &mut link), Ok(0));
}

#[test]
fn readiness_is_asked_for_once() {
    let (mut guest, mut link) = guest(true, 4096);
    assert_eq!(guest.readiness(Stream::Input, &mut link), Readiness::default());
    assert_eq!(guest.readiness(Stream::Input, &mut link), Readiness::default());
    assert_eq!(link.take(), [(FromGuest::WantReadable as u8, 0, 0, vec![])]);
    assert!(guest.is_asking());
    guest.receive(&frame(ToGuest::Readable, 0, 0, b""));
    assert!(!guest.is_asking() && !guest.readiness(Stream::Input, &mut link).readable);
    guest.receive(&frame(ToGuest::Readable, 0, 1, b""));
    assert!(guest.readiness(Stream::Input, &mut link).readable);
    assert!(guest.has_told() && !guest.is_wishing());
    assert!(guest.read(&mut [0; 4], &mut link).is_err());
    assert!(!guest.has_told() && guest.is_wishing());
    assert!(!guest.readiness(Stream::Input, &mut link).readable);
    assert_eq!(link.take().len(), 1, "the open wish is watch enough");
    guest.receive(&frame(ToGuest::Input, 0, 1, b"x"));
    assert!(!guest.is_wishing());
}

#[test]
fn what_was_told_of_input_holds_until_it_is_read() {
    const WANT_READABLE: u8 = FromGuest::WantReadable as u8;
    let (mut guest, mut link) = guest(true, 4096);
    assert!(!guest.readiness(Stream::Input, &mut link).readable);
    guest.receive(&frame(ToGuest::Readable, 0, 0, b""));
    assert!(guest.read(&mut [0; 4], &mut link).is_err());
    link.take();
    // The watch and the wish are answered by one key.
    guest.receive(&frame(ToGuest::Readable, 0, 1, b""));
    guest.receive(&frame(ToGuest::Input, 0, 1, b"x"));
    assert_eq!(guest.read(&mut [0; 4], &mut link), Ok(1));
    assert!(!guest.readiness(Stream::Input, &mut link).readable);
    assert_eq!(link.take(), [(WANT_READABLE, 0, 0, vec![])], "nobody knows what is behind it");
    // With other attributes the same keys may be no line yet.
    guest.receive(&frame(ToGuest::Readable, 0, 1, b""));
    assert!(guest.readiness(Stream::Input, &mut link).readable);
    guest.set_attributes(Stream::Input, SetWhen::Now, &[9; 36], &mut link).unwrap();
    link.take();
    assert!(!guest.readiness(Stream::Input, &mut link).readable);
    assert_eq!(link.take(), [(WANT_READABLE, 0, 0, vec![])]);
}

#[test]
fn writes_take_what_fits_and_small_ones_all_or_nothing() {
    let (mut guest, mut link) = guest(false, 4096);
    link.room = HEADER + 5000;
    assert_eq!(guest.write(Stream::Output, &[1; 9000], &mut link), Ok(5000));
    link.room = HEADER + 100;
    assert_eq!(guest.write(Stream::Error, &[1; 9000], &mut link), Err(ConsoleError::WouldBlock));
    assert_eq!(guest.write(Stream::Error, &[1; 101], &mut link), Err(ConsoleError::WouldBlock));
    assert_eq!(guest.write(Stream::Error, &[1; 100], &mut link), Ok(100));
    assert!(!guest.readiness(Stream::Output, &mut link).writable);
    link.room = 0;
    assert_eq!(guest.write(Stream::Output, b"", &mut link), Ok(0));
    let sent: Vec<_> = link.take().into_iter().map(|frame| (frame.0, frame.1, frame.3.len())).collect();
    assert_eq!(sent, [(FromGuest::Output as u8, 1, 5000), (FromGuest::Output as u8, 2, 100)]);
    guest.receive(&frame(ToGuest::Broken, 1, 0, b""));
    guest.receive(&frame(ToGuest::Broken, 200, 0, b""));
    assert_eq!(guest.write(Stream::Output, b"x", &mut link), Err(ConsoleError::Broken));
    assert_eq!(guest.write(Stream::Error, b"x", &mut link), Err(ConsoleError::WouldBlock));
    assert!(guest.readiness(Stream::Output, &mut link).hangup);
}

#[test]
fn writes_are_answered_where_that_is_wished_and_errors_come_late_elsewhere() {
    let (mut guest, mut link) = guest(false, 4096);
    let streams = Streams { answered: [false, true, false], ..Streams::default() };
    guest.configure(&streams);
    assert!(guest.is_answered(Stream::Output) && !guest.is_answered(Stream::Error));
    assert_eq!(guest.write(Stream::Output, b"abc", &mut link), Ok(3));
    assert_eq!(guest.answer(Stream::Output), None);
    guest.receive(&frame(ToGuest::Written, 1, 2, b""));
    guest.receive(&frame(ToGuest::Written, 200, 2, b""));
    assert_eq!((guest.answer(Stream::Output), guest.answer(Stream::Output)), (Some(Ok(2)), None));
    guest.receive(&frame(ToGuest::Written, 1, -28, b""));
    assert_eq!(guest.answer(Stream::Output), Some(Err(ConsoleError::Host(28))));
    guest.receive(&frame(ToGuest::Written, 2, i32::MIN, b""));
    assert_eq!(guest.write(Stream::Error, b"x", &mut link), Err(ConsoleError::Host(i32::MAX)));
    assert_eq!(guest.write(Stream::Error, b"x", &mut link), Ok(1));
    guest.receive(&frame(ToGuest::Broken, 1, 0, b""));
    assert_eq!(guest.answer(Stream::Output), Some(Err(ConsoleError::Broken)));
}

#[test]
fn signals_wait_in_a_set() {
    let mut guest = Guest::new();
    for number in [15, 2, 2, 64, 0, 65, -1, i32::MIN] {
        guest.receive(&frame(ToGuest::Signal, 0, number, b""));
    }
    assert!(guest.has_signal());
    assert_eq!(core::iter::from_fn(|| guest.take_signal()).collect::<Vec<_>>(), [2, 15, 64]);
}

#[test]
fn the_time_is_heard_once() {
    let mut guest = Guest::new();
    assert_eq!(guest.take_time(), None);
    guest.receive(&frame(ToGuest::Time, 0, 1, b""));
    guest.receive(&frame(ToGuest::Time, 128, -1, b""));
    assert_eq!(guest.take_time(), Some(4_294_967_295_500_000_000));
    assert_eq!(guest.take_time(), None);
}

#[test]
fn the_terminal_answers_and_resizes() {
    let (mut guest, mut link) = guest(true, 4096);
    assert_eq!(guest.attributes(Stream::Error), Ok([7; 36]));
    assert_eq!(guest.set_attributes(Stream::Input, SetWhen::Drain, &[9; 36], &mut link), Ok(()));
    assert_eq!(link.take(), [(FromGuest::SetTerminal as u8, 1, 0, vec![9; 36])]);
    assert_eq!(guest.attributes_answer(), None);
    frame(ToGuest::TerminalSet, 0, 0, &[8; 36]).chunks(5).for_each(|piece| guest.receive(piece));
    assert_eq!((guest.attributes_answer(), guest.attributes_answer()), (Some(Ok(())), None));
    assert_eq!(guest.attributes(Stream::Input), Ok([8; 36]));
    guest.receive(&frame(ToGuest::TerminalSet, 0, -5, b""));
    assert_eq!(guest.attributes_answer(), Some(Err(ConsoleError::Host(5))));
    guest.receive(&frame(ToGuest::Window, 0, 0, &[50, 0, 0, 1, 0, 0, 0, 0]));
    guest.receive(&frame(ToGuest::Window, 0, 0, &[1; 60]));
    let size = guest.window_size(Stream::Output).unwrap();
    assert_eq!((size.rows, size.columns), (50, 256));
    assert_eq!(self::guest(false, 4096).0.window_size(Stream::Output), Err(ConsoleError::NotTerminal));
}

#[test]
fn a_raving_host_harms_nobody() {
    let mut random = 1_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 40) as u32
    };
    let (mut guest, mut link) = guest(true, 64);
    for _ in 0..if cfg!(miri) { 50 } else { 20_000 } {
        let kind = ToGuest::from_byte((next() % 6 + 1) as u8).unwrap();
        let payload = vec![next() as u8; (next() % 100) as usize];
        let bytes = frame(kind, next() as u8, next() as i32 - (1 << 23), &payload);
        bytes.chunks((next() % 40 + 1) as usize).for_each(|piece| guest.receive(piece));
        let mut buffer = [0; 50];
        let _ = guest.read(&mut buffer, &mut link);
        guest.cancel_read(&mut link);
        guest.readiness(Stream::Input, &mut link);
        assert!(!matches!(guest.attributes(Stream::Input), Err(ConsoleError::Broken)));
        link.take();
    }
    guest.receive(&[0xff; 16]);
    while guest.read(&mut [0; 50], &mut link) != Ok(0) {}
    assert_eq!(guest.attributes_answer(), Some(Err(ConsoleError::Broken)));
}

#[test]
fn records_and_the_exit_have_their_frames() {
    let (_, mut link) = guest(false, 4096);
    assert!(send_record(Record::Panic, "é!".as_bytes(), &mut link));
    assert!(send_record(Record::Error, "é".repeat(40_000).as_bytes(), &mut link));
    assert!(send_exit(ExitReason::Killed(9), &mut link));
    assert!(send_job_control(None, &mut link) && send_job_control(Some(20), &mut link));
    let frames = link.take();
    assert_eq!(frames[3..], [0, 20].map(|number| (FromGuest::JobControl as u8, 0, number, vec![])));
    assert_eq!(frames[0], (FromGuest::Record as u8, 3, 0, "é!".into()));
    assert_eq!(frames[1].3.len(), LONGEST_RECORD);
    assert_eq!(frames[2], (FromGuest::Exit as u8, 1, 9, vec![]));
    link.room = 15;
    assert!(!send_exit(ExitReason::Failed, &mut link));
}
