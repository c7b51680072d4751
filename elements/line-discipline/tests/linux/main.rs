//! The element beside the host's own pseudo-terminals: random attributes and steps, and both sides see the same.
//!
//! Linux moves bytes by a thread of the kernel, so each step waits until both show the same. What shows nothing may
//! still be under way then. So a case that differs is run again, slower: only a difference that stays is one.

mod bytes;
mod host;
mod random;

use std::time::Duration;

use bytes::Bytes;
use host::Host;
use line_discipline::{Changes, Discipline, FlowCharacter, Termios};
use random::Random;

/// What is done to a pseudo-terminal.
#[derive(Clone, Debug)]
enum Step {
    Set(Box<Termios>),
    Type(Bytes),
    Write(Bytes),
    Read(usize),
    Take(usize),
    FlushInput,
    FlushOutput,
    Stop,
    Start,
    Send(FlowCharacter),
}

/// What a step answers: bytes, their number, or that it would wait.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Nothing,
    Attributes(Box<Termios>),
    Count(usize),
    Bytes(Bytes),
    Waits,
}

/// What both sides see without changing anything.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    input_available: usize,
    output_available: usize,
    slave_readable: bool,
    slave_writable: bool,
    master_readable: bool,
    master_writable: bool,
}

/// How long to wait for what cannot be seen: first, and when a case differed.
const PACES: [Duration; 3] = [Duration::from_micros(50), Duration::from_millis(3), Duration::from_millis(40)];

/// More than Linux' master holds in one place, so what a flush drops depends on the moment.
const TOO_MUCH_OUTPUT: usize = 4095;

fn element_does(element: &mut Discipline, step: &Step) -> Answer {
    match step {
        Step::Set(attributes) => {
            element.set_attributes(attributes);
            return Answer::Attributes(Box::new(*element.attributes()));
        }
        Step::Type(bytes) => return Answer::Count(element.receive(&bytes.0)),
        Step::Write(bytes) => return Answer::Count(element.write(&bytes.0)),
        Step::Read(most) => return element_reads(element, *most),
        Step::Take(most) => {
            let mut bytes = Vec::new();
            element.take_output(*most, &mut |part| {
                bytes.extend(part);
                part.len()
            });
            return if bytes.is_empty() { Answer::Waits } else { Answer::Bytes(Bytes(bytes)) };
        }
        Step::FlushInput => element.flush_input(),
        Step::FlushOutput => element.flush_output(),
        Step::Stop => element.stop_output(),
        Step::Start => element.start_output(),
        Step::Send(which) => element.send_flow_character(*which),
    }
    Answer::Nothing
}

fn element_reads(element: &mut Discipline, most: usize) -> Answer {
    let (waits, mut bytes) = (element.waits_for(most).is_some(), Vec::new());
    let taken = element.read(most, &mut |part| {
        bytes.extend(part);
        part.len()
    });
    assert_eq!(taken, bytes.len());
    if bytes.is_empty() && waits { Answer::Waits } else { Answer::Bytes(Bytes(bytes)) }
}

fn element_shows(element: &Discipline) -> Seen {
    Seen {
        input_available: element.input_available(),
        output_available: element.output_available(),
        slave_readable: element.slave_is_readable(),
        slave_writable: element.slave_is_writable(),
        master_readable: element.master_is_readable(),
        master_writable: element.master_is_writable(),
    }
}

/// Where Linux and the element differ.
struct Difference {
    step: usize,
    /// A character sent a signal then, and flushed echoes: those that had arrived by chance stay.
    is_by_signal: bool,
    shown: String,
}

/// Runs a case; answers how many steps were compared. `pace` is how long to wait for what cannot be seen.
fn run(steps: &[Step], pace: Duration) -> Result<usize, Difference> {
    let mut element = Discipline::new();
    let host = Host::open().unwrap();
    let mut may_be_under_way = false;
    for (index, step) in steps.iter().enumerate() {
        if may_be_under_way {
            std::thread::sleep(pace);
        }
        may_be_under_way = element.slave_is_readable() && matches!(step, Step::Type(_) | Step::Read(_));
        let _before = element.take_changes();
        let ours = element_does(&mut element, step);
        if element.output_available() > TOO_MUCH_OUTPUT {
            return Ok(index);
        }
        let theirs = host.does(step);
        let seen = element_shows(&element);
        let shown = host.shows(&seen, pace * 10 + Duration::from_millis(10));
        if ours != theirs || seen != shown {
            let before: Vec<_> = steps[..=index].iter().map(|step| format!("{step:?}\n")).collect();
            let before = before.concat();
            let shown = format!("\n{before}Linux:   {theirs:?}, {shown:?}\nelement: {ours:?}, {seen:?}");
            let signals = Changes::INTERRUPT | Changes::QUIT | Changes::SUSPEND;
            return Err(Difference { step: index, is_by_signal: element.take_changes().intersects(signals), shown });
        }
    }
    Ok(steps.len())
}

/// Runs the cases of these seeds; answers how many steps were compared.
fn compare(seeds: std::ops::Range<u64>, steps_of: impl Fn(&mut Random) -> Vec<Step>) -> usize {
    let mut compared = 0;
    for seed in seeds {
        let steps = steps_of(&mut Random::new(seed));
        match run_patiently(steps.clone()) {
            Ok(steps) => compared += steps,
            Err(_) => panic!("seed {seed}: {}", shortest(steps)),
        }
    }
    compared
}

/// Runs a case, slower each time that it differs. What a signal is among is then typed byte by byte.
fn run_patiently(mut steps: Vec<Step>) -> Result<usize, Difference> {
    loop {
        let mut outcome = run(&steps, PACES[0]);
        for pace in &PACES[1..] {
            outcome = outcome.or_else(|_| run(&steps, *pace));
        }
        match &outcome {
            Err(Difference { step, is_by_signal: true, .. }) if typed(&steps[*step]).len() > 1 => {
                let bytes = typed(&steps[*step]).to_vec();
                steps.splice(*step..=*step, bytes.into_iter().map(|byte| Step::Type(Bytes(vec![byte]))));
            }
            _ => return outcome,
        }
    }
}

fn typed(step: &Step) -> &[u8] {
    if let Step::Type(bytes) = step { &bytes.0 } else { &[] }
}

/// The difference of a case of which no step, and no byte, can be left out.
fn shortest(mut steps: Vec<Step>) -> String {
    let difference = |steps: &[Step]| run_patiently(steps.to_vec()).err().map(|difference| difference.shown);
    let mut last = difference(&steps).unwrap_or_default();
    let mut at = 0;
    while at < steps.len() {
        let mut fewer: Vec<Vec<Step>> = vec![steps.clone()];
        fewer[0].remove(at);
        if let Step::Type(Bytes(bytes)) | Step::Write(Bytes(bytes)) = &steps[at] {
            fewer.extend((0..bytes.len().min(200)).map(|byte| {
                let mut fewer = steps.clone();
                if let Step::Type(Bytes(bytes)) | Step::Write(Bytes(bytes)) = &mut fewer[at] {
                    bytes.remove(byte);
                }
                fewer
            }));
        }
        match fewer.into_iter().find_map(|steps| Some((difference(&steps)?, steps))) {
            Some((difference, fewer)) => (last, steps) = (difference, fewer),
            None => at += 1,
        }
    }
    last
}

fn has_pseudo_terminals(test: &str) -> bool {
    let opened = Host::open();
    if let Err(error) = &opened {
        eprintln!("skipped: {test} needs pseudo-terminals of the host: {error}");
    }
    opened.is_ok()
}

#[test]
fn a_new_terminal_is_as_on_linux() {
    if has_pseudo_terminals("a_new_terminal_is_as_on_linux") {
        assert_eq!(Host::open().unwrap().attributes(), *Discipline::new().attributes());
    }
}

#[test]
fn random_steps_are_answered_as_by_linux() {
    if has_pseudo_terminals("random_steps_are_answered_as_by_linux") {
        let compared = compare(range(0, 2000), Random::steps);
        eprintln!("{compared} steps are answered as by Linux");
    }
}

#[test]
fn long_lines_are_cut_as_by_linux() {
    if has_pseudo_terminals("long_lines_are_cut_as_by_linux") {
        compare(range(0, 100), Random::steps_of_long_lines);
    }
}

/// Seeds: others, to look for more, by `LINE_DISCIPLINE_SEEDS=from-to`.
fn range(from: u64, to: u64) -> std::ops::Range<u64> {
    let wanted = std::env::var("LINE_DISCIPLINE_SEEDS").ok();
    let parsed = wanted.as_deref().and_then(|text| {
        let (from, to) = text.split_once('-')?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    parsed.unwrap_or(from..to)
}
