//! A terminal with any attributes, to whose sides anything is done in any order: queues keep their bounds, what is said
//! to be there is there, and a raw terminal loses no byte.
#![no_main]

use std::collections::VecDeque;

use libfuzzer_sys::fuzz_target;
use line_discipline::{
    ARRIVING, Character, Discipline, FlowCharacter, INPUT, InputFlags, LocalFlags, OUTPUT, OutputFlags, TERMIOS,
    Termios,
};

/// A terminal, and the bytes under way in both directions if it is raw.
struct Terminal {
    discipline: Discipline,
    model: Option<[VecDeque<u8>; 2]>,
}

impl Terminal {
    /// What `step` says is done, with the bytes that follow.
    fn step(&mut self, step: u8, bytes: &mut &[u8]) {
        let length = usize::from(step >> 4) * 3;
        match step % 16 {
            0..5 => self.receive(taken(bytes, length)),
            // As long as queues are, so that they are filled.
            5 => self.receive(&taken(bytes, 2).repeat(length * 40)),
            6 | 7 => self.write(&taken(bytes, 2).repeat(length * 8)),
            8 | 9 => self.read(length * 5),
            10 => self.take(length * 100),
            11 if self.model.is_none() => self.set_attributes(taken(bytes, TERMIOS)),
            12 if self.model.is_none() => match length {
                0..12 => self.discipline.flush_input(),
                12..24 => self.discipline.flush_output(),
                24..36 => self.discipline.flush_master_input(),
                _ => self.discipline.flush_master_output(),
            },
            13 => self.discipline.stop_output(),
            14 if self.model.is_none() => self.discipline.send_flow_character(FlowCharacter::Stop),
            _ => self.discipline.start_output(),
        }
        assert!(self.discipline.input_available() <= INPUT && self.discipline.output_available() <= OUTPUT);
        let _ = (self.discipline.take_changes(), self.discipline.take_packet_status());
    }

    fn set_attributes(&mut self, bytes: &[u8]) {
        let mut all = self.discipline.attributes().to_bytes();
        all[..bytes.len()].copy_from_slice(bytes);
        self.discipline.set_attributes(&Termios::from_bytes(all));
    }

    fn receive(&mut self, bytes: &[u8]) {
        let count = self.discipline.receive(bytes);
        assert!(count <= bytes.len());
        if let Some([input, _]) = &mut self.model {
            input.extend(&bytes[..count]);
            assert!(count == bytes.len() || input.len() == INPUT - 1 + ARRIVING);
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        let count = self.discipline.write(bytes);
        assert!(count <= bytes.len() && (count == 0 || !self.discipline.is_stopped()));
        if let Some([_, output]) = &mut self.model {
            output.extend(&bytes[..count]);
            assert!(count == bytes.len() || output.len() == OUTPUT || self.discipline.is_stopped());
        }
    }

    /// Reads at most `most` bytes; of odd numbers, not all that is offered is taken.
    fn read(&mut self, most: usize) {
        let available = self.discipline.input_available();
        let (waits, mut got) = (self.discipline.waits_for(most).is_some(), Vec::new());
        let taken = self.discipline.read(most, &mut |part| keep(&mut got, part, most));
        assert!(taken == got.len() && got.len() <= most.min(available));
        assert!(!waits || got.len() < most);
        if let Some([input, _]) = &mut self.model {
            assert!(got.iter().eq(input.drain(..got.len()).collect::<Vec<_>>().iter()));
            assert!(most == 0 || !got.is_empty() || input.is_empty());
        }
    }

    fn take(&mut self, most: usize) {
        let available = self.discipline.output_available();
        let mut got = Vec::new();
        let count = self.discipline.take_output(most, &mut |part| keep(&mut got, part, most));
        assert!(count == got.len() && count <= most.min(available));
        assert_eq!(self.discipline.output_available(), available - count);
        if let Some([_, output]) = &mut self.model {
            assert!(got.iter().eq(output.drain(..count).collect::<Vec<_>>().iter()));
        }
    }
}

fn keep(got: &mut Vec<u8>, part: &[u8], most: usize) -> usize {
    let count = if most % 2 == 0 { part.len() } else { part.len().div_ceil(2) };
    got.extend(&part[..count]);
    count
}

/// The first `count` bytes, or as many as there are.
fn taken<'a>(bytes: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (first, rest) = bytes.split_at(count.min(bytes.len()));
    *bytes = rest;
    first
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, mut bytes)) = bytes.split_first() else { return };
    let mut terminal = Terminal { discipline: Discipline::new(), model: None };
    terminal.discipline.set_packet_mode(kind & 2 != 0);
    if kind & 1 != 0 {
        let mut raw = Termios {
            input: InputFlags::empty(),
            output: OutputFlags::empty(),
            local: LocalFlags::empty(),
            ..Termios::default()
        };
        raw.set_character(Character::Minimum, kind >> 2);
        terminal.discipline.set_attributes(&raw);
        terminal.model = Some(Default::default());
    }
    while let Some((&step, rest)) = bytes.split_first() {
        bytes = rest;
        terminal.step(step, &mut bytes);
    }
});
