//! A pseudo-terminal of the host's.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use line_discipline::{ControlFlags, FlowCharacter, InputFlags, LocalFlags, OutputFlags, Termios};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::{Errno, ioctl_fionread, read, write};
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{
    Action, ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, QueueSelector, SpecialCodeIndex,
    tcflow, tcflush, tcgetattr, tcsetattr,
};

use crate::{Answer, Bytes, Seen, Step};

pub struct Host {
    master: OwnedFd,
    slave: OwnedFd,
}

/// The control characters, by their index in c_cc.
const CHARACTERS: [SpecialCodeIndex; 17] = [
    SpecialCodeIndex::VINTR,
    SpecialCodeIndex::VQUIT,
    SpecialCodeIndex::VERASE,
    SpecialCodeIndex::VKILL,
    SpecialCodeIndex::VEOF,
    SpecialCodeIndex::VTIME,
    SpecialCodeIndex::VMIN,
    SpecialCodeIndex::VSWTC,
    SpecialCodeIndex::VSTART,
    SpecialCodeIndex::VSTOP,
    SpecialCodeIndex::VSUSP,
    SpecialCodeIndex::VEOL,
    SpecialCodeIndex::VREPRINT,
    SpecialCodeIndex::VDISCARD,
    SpecialCodeIndex::VWERASE,
    SpecialCodeIndex::VLNEXT,
    SpecialCodeIndex::VEOL2,
];

impl Host {
    /// A new one. It is nobody's controlling terminal, so it sends no signals.
    pub fn open() -> io::Result<Self> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let master = openpt(flags)?;
        unlockpt(&master)?;
        let slave = ioctl_tiocgptpeer(&master, flags)?;
        fcntl_setfl(&master, OFlags::NONBLOCK)?;
        fcntl_setfl(&slave, OFlags::NONBLOCK)?;
        Ok(Self { master, slave })
    }

    pub fn attributes(&self) -> Termios {
        let found = tcgetattr(&self.slave).unwrap();
        let mut characters = [0; 19];
        for (byte, index) in characters.iter_mut().zip(CHARACTERS) {
            *byte = found.special_codes[index];
        }
        Termios {
            input: InputFlags::from_bits_retain(found.input_modes.bits()),
            output: OutputFlags::from_bits_retain(found.output_modes.bits()),
            control: ControlFlags::from_bits_retain(found.control_modes.bits()),
            local: LocalFlags::from_bits_retain(found.local_modes.bits()),
            discipline: found.line_discipline,
            characters,
        }
    }

    fn set(&self, wanted: &Termios) -> Answer {
        let mut attributes = tcgetattr(&self.slave).unwrap();
        attributes.input_modes = InputModes::from_bits_retain(wanted.input.bits());
        attributes.output_modes = OutputModes::from_bits_retain(wanted.output.bits());
        attributes.control_modes = ControlModes::from_bits_retain(wanted.control.bits());
        attributes.local_modes = LocalModes::from_bits_retain(wanted.local.bits());
        for (&byte, index) in wanted.characters.iter().zip(CHARACTERS) {
            attributes.special_codes[index] = byte;
        }
        tcsetattr(&self.slave, OptionalActions::Now, &attributes).unwrap();
        Answer::Attributes(Box::new(self.attributes()))
    }

    pub fn does(&self, step: &Step) -> Answer {
        match step {
            Step::Set(attributes) => return self.set(attributes),
            Step::Type(bytes) => return wrote(write(&self.master, &bytes.0)),
            Step::Write(bytes) => return wrote(write(&self.slave, &bytes.0)),
            Step::Read(most) => return reads(&self.slave, *most),
            Step::Take(most) => return reads(&self.master, *most),
            Step::FlushInput => tcflush(&self.slave, QueueSelector::IFlush).unwrap(),
            Step::FlushOutput => tcflush(&self.slave, QueueSelector::OFlush).unwrap(),
            Step::Stop => tcflow(&self.slave, Action::OOff).unwrap(),
            Step::Start => tcflow(&self.slave, Action::OOn).unwrap(),
            Step::Send(FlowCharacter::Stop) => tcflow(&self.slave, Action::IOff).unwrap(),
            Step::Send(FlowCharacter::Start) => tcflow(&self.slave, Action::IOn).unwrap(),
        }
        Answer::Nothing
    }

    /// What both sides see, when it is what is expected, or so much later.
    pub fn shows(&self, expected: &Seen, patience: Duration) -> Seen {
        let until = Instant::now() + patience;
        loop {
            let seen = self.shows_now();
            if seen == *expected || Instant::now() > until {
                return seen;
            }
            std::thread::yield_now();
        }
    }

    fn shows_now(&self) -> Seen {
        let mut sides = [&self.slave, &self.master].map(|side| PollFd::new(side, PollFlags::IN | PollFlags::OUT));
        // With nothing to read, it waits for what the kernel's thread is about to move.
        poll(&mut sides, Some(&Timespec::default())).unwrap();
        let [slave, master] = sides.map(|side| side.revents());
        Seen {
            input_available: ioctl_fionread(&self.slave).unwrap() as usize,
            output_available: ioctl_fionread(&self.master).unwrap() as usize,
            slave_readable: slave.contains(PollFlags::IN),
            slave_writable: slave.contains(PollFlags::OUT),
            master_readable: master.contains(PollFlags::IN),
            master_writable: master.contains(PollFlags::OUT),
        }
    }
}

fn wrote(outcome: Result<usize, Errno>) -> Answer {
    match outcome {
        Ok(count) => Answer::Count(count),
        Err(Errno::AGAIN) => Answer::Count(0),
        Err(error) => panic!("{error}"),
    }
}

fn reads(side: &OwnedFd, most: usize) -> Answer {
    let mut bytes = vec![0; most];
    match read(side, &mut bytes[..]) {
        Ok(count) => Answer::Bytes(Bytes(bytes[..count].to_vec())),
        Err(Errno::AGAIN) => Answer::Waits,
        Err(error) => panic!("{error}"),
    }
}
