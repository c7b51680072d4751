//! Virtual time: it jumps to whatever comes next, a frame's arrival or a moment that somebody waits for.

mod agenda;
mod ends;
mod outcome;

use std::time::Duration;

use packets::Instant;

use crate::host::{Held, Host};
use crate::link::{Fate, Link};
use crate::path_mtu;
use crate::random::Random;
use crate::scenario::{PORTS, Scenario};
use crate::trace::Tracer;
use agenda::{Agenda, What};
use ends::Ends;
pub use outcome::{Counts, Failure};

/// A run that has not ended by then has stalled.
const LONGEST: Duration = Duration::from_secs(2 * 3_600);

/// All that the protocols wait for is over by then, when nobody has a socket any more: TIME_WAIT, retransmissions of
/// those who were left alone by a reset that was lost (RFC 9293, 3.8.3: 100 seconds at the least, Linux' default 924).
const LONGEST_WAIT: Duration = Duration::from_secs(1_200);

/// When runs begin: hosts settle before, alone.
pub const START: Instant = Instant::from_nanos(5_000_000_000);

/// How often a host may say "now" again without anything happening, before it is said to spin.
const SPINS: usize = 1_000;

/// Two hosts, the link between them, and the programs on both.
pub struct World {
    now: Instant,
    hosts: [Box<dyn Host>; 2],
    links: [Link; 2],
    random: Random,
    agenda: Agenda,
    ends: Ends,
    tracer: Tracer,
    at_start: [Held; 2],
    deadlines: [Option<Instant>; 2],
    /// Steps at one moment.
    steps: usize,
    counts: Counts,
}

const STALLS: &str = "it stalls: nobody waits for anything";
const TOO_LONG: &str = "it takes too long";

impl World {
    /// Everybody is there, and nothing has happened.
    #[must_use]
    pub fn new(scenario: &Scenario, trace: bool) -> Self {
        Self::between(scenario.hosts(), scenario, trace)
    }

    /// As [`World::new`], with hosts of the caller's.
    #[must_use]
    pub fn between(mut hosts: [Box<dyn Host>; 2], scenario: &Scenario, trace: bool) -> Self {
        let mut random = Random::new(scenario.seed ^ 0x5eed);
        let links = [0, 1].map(|side| Link::new(scenario.faults[side], random.next()));
        for host in &mut hosts {
            PORTS.into_iter().for_each(|port| host.listen(port, scenario.listeners));
        }
        let mut agenda = Agenda::default();
        for (number, conversation) in scenario.conversations.iter().enumerate() {
            agenda.add(START + conversation.starts, What::Start(number));
        }
        for &(moment, side, mtu) in &scenario.changes {
            if hosts[side].finds_path_mtu() {
                agenda.add(START + moment, What::Shorten(side, mtu));
            }
        }
        let at_start = [0, 1].map(|side| hosts[side].held());
        let deadlines = [Some(START); 2];
        let (ends, tracer) = (Ends::new(scenario), Tracer::new(trace));
        let (now, steps, counts) = (START, 0, Counts::default());
        Self { now, hosts, links, random, agenda, ends, tracer, at_start, deadlines, steps, counts }
    }

    /// Runs until all programs are done, and the stacks have forgotten them. An error says what went wrong.
    pub fn run(self) -> Result<Counts, Failure> {
        self.run_out().map(|(counts, _)| counts)
    }

    /// As [`World::run`], and gives the hosts back.
    pub fn run_out(mut self) -> Result<(Counts, [Box<dyn Host>; 2]), Failure> {
        match self.talk().and_then(|()| self.fall_silent()) {
            Ok(()) => Ok((self.counts, self.hosts)),
            Err(text) => {
                let stalled = text.starts_with(STALLS) || text.starts_with(TOO_LONG);
                let owing = stalled.then(|| [0, 1].map(|side| self.hosts[side].owes()));
                Err(Failure { text: format!("{text}\n{}", self.describe()), owing })
            }
        }
    }

    fn talk(&mut self) -> Result<(), String> {
        while !self.ends.all_done() {
            if !self.step()? {
                return Err(STALLS.into());
            }
            if self.now > START + LONGEST {
                return Err(TOO_LONG.into());
            }
        }
        self.counts.time = self.now.since(START);
        (self.counts.whole, self.counts.broken) = self.ends.outcomes();
        self.counts.bytes = self.ends.bytes();
        Ok(())
    }

    fn fall_silent(&mut self) -> Result<(), String> {
        for host in &mut self.hosts {
            PORTS.into_iter().for_each(|port| host.listen_no_longer(self.now, port));
        }
        self.deadlines = [Some(self.now); 2];
        let end = self.now + LONGEST_WAIT;
        while self.now < end && self.step()? {
            if (0..2).all(|side| self.hosts[side].held() == self.at_start[side]) {
                return Ok(());
            }
        }
        let leak = (0..2).find(|&side| self.hosts[side].held() != self.at_start[side]);
        let told =
            |side: usize| format!("{side} holds {:?}, at first {:?}", self.hosts[side].held(), self.at_start[side]);
        leak.map_or(Ok(()), |side| Err(told(side)))
    }

    /// Goes to the next moment; `false` if there is none.
    fn step(&mut self) -> Result<bool, String> {
        let moments = self.deadlines.iter().copied().flatten().chain(self.agenda.next());
        let Some(next) = moments.min() else { return Ok(false) };
        self.steps = if next > self.now { 0 } else { self.steps + 1 };
        if self.steps > SPINS * 10 {
            return Err("time does not go on".into());
        }
        self.now = self.now.max(next);
        let mut inboxes = [Vec::new(), Vec::new()];
        let mut touched = [false; 2];
        while let Some(what) = self.agenda.due(self.now) {
            match what {
                What::Arrival(side, frame) => inboxes[side].push(frame),
                What::Wake(side, number) => {
                    self.ends.wake(side, number);
                    touched[side] = true;
                }
                What::Shorten(side, mtu) => self.links[side].faults.mtu = mtu,
                What::Start(number) => touched[self.start(number)?] = true,
            }
        }
        for (side, mut inbox) in inboxes.into_iter().enumerate() {
            let due = self.deadlines[side].is_some_and(|deadline| deadline <= self.now);
            if touched[side] || due || !inbox.is_empty() {
                self.serve(side, &mut inbox)?;
            }
        }
        Ok(true)
    }

    fn start(&mut self, number: usize) -> Result<usize, String> {
        let side = self.ends.client(number);
        self.tracer.note(self.now, || format!("connection {number} starts on {}", ["A", "B"][side]));
        self.ends.connect(number, self.now, &mut *self.hosts[side])?;
        Ok(side)
    }

    /// Gives a host what has come, and lets it and its programs run until they rest.
    fn serve(&mut self, side: usize, inbox: &mut Vec<Vec<u8>>) -> Result<(), String> {
        let (now, host) = (self.now, &mut *self.hosts[side]);
        if !inbox.is_empty() {
            host.receive(now, inbox);
        }
        let mut rounds = 0;
        loop {
            let due = host.deadline(now).is_some_and(|deadline| deadline <= now);
            if due {
                host.poll(now);
            }
            let moved = self.ends.run(side, now, host)?;
            if !due && !moved {
                break;
            }
            rounds += 1;
            if rounds > SPINS {
                return Err(format!("{} on side {side} does not come to rest", host.name()));
            }
        }
        self.deadlines[side] = host.deadline(now);
        for (moment, side, number) in self.ends.alarms() {
            self.agenda.add(moment, What::Wake(side, number));
        }
        self.send(side);
        Ok(())
    }

    /// Puts what a host sends on the link.
    fn send(&mut self, side: usize) {
        let mut frames = Vec::new();
        self.hosts[side].take_frames(&mut frames);
        for frame in frames {
            self.count(side, &frame);
            // A frame that nobody looks at any more need not be copied.
            let fate = self.links[side].offer(self.now, frame.clone());
            self.tracer.sent(self.now, side, &frame, &fate);
            match fate {
                Fate::Delivered(copies) => {
                    for (moment, bytes) in copies {
                        self.agenda.add(moment, What::Arrival(1 - side, bytes));
                    }
                }
                Fate::Lost => self.counts.lost += 1,
                Fate::TooLong(mtu) => self.say_too_long(side, &frame, mtu),
            }
        }
    }

    /// The router's word may be lost too.
    fn say_too_long(&mut self, side: usize, frame: &[u8], mtu: usize) {
        if self.random.happens(900_000)
            && let Some(answer) = path_mtu::too_long(frame, mtu)
        {
            let moment = self.now + self.links[side].faults.delay;
            self.agenda.add(moment, What::Arrival(side, answer));
        }
    }

    fn count(&mut self, side: usize, frame: &[u8]) {
        self.counts.frames += 1;
        let word = self.now.as_nanos() << 1 | side as u64;
        self.counts.digest = crate::random::mix(self.counts.digest ^ word ^ (frame.len() as u64) << 48);
    }

    fn describe(&self) -> String {
        let seconds = self.now.as_nanos() as f64 / 1e9;
        let deadlines = self.deadlines.map(|deadline| deadline.map(Instant::as_micros));
        let mut told = format!("at {seconds:.6} s; deadlines {deadlines:?} us; {} on the agenda", self.agenda.len());
        for line in self.ends.describe(&self.hosts) {
            told.push('\n');
            told.push_str(&line);
        }
        told
    }
}
