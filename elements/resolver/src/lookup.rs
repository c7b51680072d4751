//! One name's way to its addresses.

use alloc::{vec, vec::Vec};
use core::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use packets::Instant;
use smoltcp::wire::{DnsFlags, DnsOpcode, DnsPacket, DnsQueryType as Type, DnsQuestion, DnsRepr};

use crate::{
    Error, Name,
    answer::{Answer, answer, question},
};

/// How long the first answer is waited for; twice as long when all servers have been asked: RFC 1035, 4.2.1 has 2 to 5.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// How often each server is asked: resolv.conf(5) has 2.
const PASSES: u32 = 2;
/// Messages that answer no question of ours, behind which the same question gets another number and another port:
/// RFC 5452, 9.2.
const GUESSES: u32 = 16;

/// Which addresses are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Families {
    /// Both.
    Both,
    /// Those of IPv4.
    V4,
    /// Those of IPv6.
    V6,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// These messages are sent to a server's [`PORT`](crate::PORT), each as a datagram, from a socket of their own.
    /// Older sockets are given back.
    Ask(IpAddr, Vec<Vec<u8>>),
    /// This message is sent over TCP, and its length (RFC 1035, 4.2.2) is in front of it. What comes back goes to
    /// [`Lookup::receive`] without its length.
    AskByStream(IpAddr, Vec<u8>),
    /// Nothing, until something comes or it is so late.
    Wait(Instant),
    /// It is over: addresses, of which there is at least one, or why there are none.
    Over(Result<Vec<IpAddr>, Error>),
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// It is to be asked, or asked again.
    Open,
    Asked,
    /// The answer was too long for a datagram.
    TooLong,
    AskedByStream,
    Answered(Vec<IpAddr>),
    NoSuchName,
}

#[derive(Debug)]
struct Question {
    kind: Type,
    number: u16,
    state: State,
}

/// A lookup of one name.
#[derive(Debug)]
pub struct Lookup {
    name: Name,
    servers: Vec<IpAddr>,
    questions: Vec<Question>,
    /// How often somebody was asked.
    attempts: u32,
    deadline: Instant,
    guesses: u32,
    /// A server has answered that it cannot.
    refused: bool,
    /// This attempt is over, without waiting for its end.
    lost: bool,
}

impl Lookup {
    /// Begins one, of servers that are asked in this order.
    #[must_use]
    pub fn new(name: Name, families: Families, servers: &[IpAddr]) -> Self {
        let kinds: &[Type] = match families {
            Families::Both => &[Type::Aaaa, Type::A],
            Families::V4 => &[Type::A],
            Families::V6 => &[Type::Aaaa],
        };
        let open = |kind: &Type| Question { kind: *kind, number: 0, state: State::Open };
        Self {
            name,
            servers: servers.to_vec(),
            questions: kinds.iter().map(open).collect(),
            attempts: 0,
            deadline: Instant::default(),
            guesses: 0,
            refused: false,
            lost: false,
        }
    }

    /// Says what is to be done now. `random` gives numbers that nobody can foresee.
    pub fn poll(&mut self, now: Instant, random: &mut dyn FnMut() -> u16) -> Step {
        if self.name.is_localhost() {
            return Step::Over(Ok(self.questions.iter().map(|question| ourselves(question.kind)).collect()));
        }
        if let Some(result) = self.result() {
            return Step::Over(result);
        }
        if let Some(step) = self.too_long(now) {
            return step;
        }
        if self.attempts > 0 && !self.lost && now < self.deadline {
            return Step::Wait(self.deadline);
        }
        self.attempt(now, random)
    }

    /// Takes what a server has sent. What answers no question of ours changes nothing.
    pub fn receive(&mut self, message: &[u8]) {
        let told = question(message, &self.name);
        let asked = |question: &&mut Question| {
            matches!(question.state, State::Asked | State::AskedByStream)
                && told == Some((question.number, question.kind))
        };
        let Some(question) = self.questions.iter_mut().find(asked) else {
            self.guesses += 1;
            self.lost |= self.guesses >= GUESSES;
            return;
        };
        question.state = match answer(message, &self.name) {
            Answer::Addresses(addresses) => {
                let fits = |address: &IpAddr| address.is_ipv4() == (question.kind == Type::A);
                State::Answered(addresses.into_iter().filter(fits).collect())
            }
            Answer::NoSuchName => State::NoSuchName,
            Answer::Truncated if question.state == State::Asked => State::TooLong,
            // A stream that is too short for an answer is a server that cannot.
            Answer::Truncated | Answer::Failed => {
                (self.refused, self.lost) = (true, true);
                State::Open
            }
        };
    }

    /// What was asked for last cannot be done: no way leads there, or the stream has ended.
    pub fn failed(&mut self) {
        self.lost = true;
    }

    fn attempt(&mut self, now: Instant, random: &mut dyn FnMut() -> u16) -> Step {
        let count = self.servers.len() as u32;
        if count == 0 {
            return Step::Over(Err(Error::NoServers));
        }
        // One family's addresses are enough, if nobody says anything about the other's.
        if self.attempts > 0 && !self.lost && !self.found().is_empty() || self.attempts >= count * PASSES {
            return Step::Over(self.outcome());
        }
        let (pass, server) = (self.attempts / count, self.servers[(self.attempts % count) as usize]);
        (self.guesses, self.lost) = (0, false);
        self.deadline = now + FIRST_WAIT * (1 << pass);
        self.attempts += 1;
        let mut messages = Vec::new();
        for question in &mut self.questions {
            if !matches!(question.state, State::Answered(_) | State::NoSuchName) {
                (question.number, question.state) = (random(), State::Asked);
                messages.push(message(&self.name, question.number, question.kind));
            }
        }
        Step::Ask(server, messages)
    }

    /// The next question that is to be asked over a stream, of the same server.
    fn too_long(&mut self, now: Instant) -> Option<Step> {
        let question = self.questions.iter_mut().find(|question| question.state == State::TooLong)?;
        let server = self.servers[((self.attempts - 1) % self.servers.len() as u32) as usize];
        question.state = State::AskedByStream;
        // A connection, and an answer in several segments.
        self.deadline = now + FIRST_WAIT * 2;
        let message = message(&self.name, question.number, question.kind);
        let length = (message.len() as u16).to_be_bytes();
        Some(Step::AskByStream(server, [&length[..], &message].concat()))
    }

    /// How it ends, if all questions are answered. No such name should be so for all kinds (RFC 2308, 5), but servers
    /// say it of one kind alone (RFC 4074, 4.2).
    fn result(&self) -> Option<Result<Vec<IpAddr>, Error>> {
        let answered = |question: &Question| matches!(question.state, State::Answered(_) | State::NoSuchName);
        self.questions.iter().all(answered).then(|| self.outcome())
    }

    fn outcome(&self) -> Result<Vec<IpAddr>, Error> {
        let found = self.found();
        let has = |wanted: &dyn Fn(&State) -> bool| self.questions.iter().any(|question| wanted(&question.state));
        match () {
            () if !found.is_empty() => Ok(found),
            () if has(&|state| *state == State::NoSuchName) => Err(Error::NoSuchName),
            () if !has(&|state| !matches!(state, State::Answered(_))) => Err(Error::NoAddress),
            () if self.refused => Err(Error::Failed),
            () => Err(Error::TimedOut),
        }
    }

    fn found(&self) -> Vec<IpAddr> {
        let of = |question: &Question| match &question.state {
            State::Answered(addresses) => addresses.clone(),
            _ => Vec::new(),
        };
        self.questions.iter().flat_map(of).collect()
    }
}

fn message(name: &Name, number: u16, kind: Type) -> Vec<u8> {
    let question = DnsQuestion { name: name.bytes(), type_: kind };
    let flags = DnsFlags::RECURSION_DESIRED;
    let message = DnsRepr { transaction_id: number, opcode: DnsOpcode::Query, flags, question };
    let mut bytes = vec![0; message.buffer_len()];
    message.emit(&mut DnsPacket::new_unchecked(&mut bytes[..]));
    bytes
}

const fn ourselves(kind: Type) -> IpAddr {
    if matches!(kind, Type::A) { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { IpAddr::V6(Ipv6Addr::LOCALHOST) }
}
