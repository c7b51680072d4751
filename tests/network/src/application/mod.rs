//! A program at one end of a connection: it writes and reads by its plan, and looks at each byte.

mod plan;
mod transfer;
mod turn;

use std::time::Duration;

use packets::Instant;

use crate::host::{Host, Socket, Trouble};
use crate::stream::Stream;
use transfer::Wrong;
use turn::Turn;

pub use plan::{Finish, Pace, Plan};

/// For how long an end waits whose other one has ended it: a reset may be lost, and who only reads learns nothing more.
const PATIENCE: Duration = Duration::from_secs(120);

/// One end.
#[derive(Debug)]
pub struct Endpoint {
    plan: Plan,
    /// The other end sends so many.
    expects: u64,
    /// One of the two ends resets it, so losing what is under way is right.
    may_break: bool,
    outgoing: Stream,
    incoming: Stream,
    writing: Turn,
    reading: Turn,
    /// Its socket while it has one.
    pub socket: Option<Socket>,
    stage: Stage,
    shut: bool,
    ended: bool,
    gives_up: Option<Instant>,
    /// The moment that was told last.
    alarm: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Before,
    Connecting,
    Open,
    Whole,
    Broken,
}

impl Endpoint {
    /// One that has not begun. Keys are those of the stream that goes and of the one that comes.
    #[must_use]
    pub fn new(plan: &Plan, other: &Plan, keys: (u64, u64)) -> Self {
        Self {
            plan: plan.clone(),
            expects: other.sends,
            may_break: plan.aborts_after.is_some() || other.aborts_after.is_some(),
            outgoing: Stream::new(keys.0),
            incoming: Stream::new(keys.1),
            writing: Turn::default(),
            reading: Turn::default(),
            socket: None,
            stage: Stage::Before,
            shut: false,
            ended: false,
            gives_up: None,
            alarm: None,
        }
    }

    /// It has begun to connect.
    pub fn connecting(&mut self, socket: Socket) {
        self.socket = Some(socket);
        self.stage = Stage::Connecting;
    }

    /// It was accepted.
    pub fn accepted(&mut self, socket: Socket) {
        self.socket = Some(socket);
        self.stage = Stage::Open;
    }

    /// Whether a socket that comes for it is the first one.
    #[must_use]
    pub fn is_expected(&self) -> bool {
        self.stage == Stage::Before
    }

    /// Whether it is over.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Whole | Stage::Broken)
    }

    /// Whether it ended before its time, as the plan of one end says.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.stage == Stage::Broken
    }

    /// Bytes that it has sent and received.
    #[must_use]
    pub fn passed(&self) -> u64 {
        self.outgoing.passed + self.incoming.passed
    }

    /// The other end has broken it: it does not wait for ever.
    pub fn lose_patience(&mut self, now: Instant) {
        self.gives_up.get_or_insert(now + PATIENCE);
    }

    /// What changes when it has done something, beside [`Endpoint::passed`].
    #[must_use]
    pub fn state(&self) -> impl PartialEq + use<> {
        (self.stage, self.shut, self.ended)
    }

    /// When it has something to do though its socket has not changed; each moment is told once.
    pub fn alarm(&mut self, now: Instant) -> Option<Instant> {
        if self.is_done() {
            return None;
        }
        let pauses = [self.writing.paused_until, self.reading.paused_until];
        let moments = pauses.into_iter().filter(|_| self.socket.is_some()).chain(self.gives_up);
        let alarm = moments.filter(|&moment| moment > now).min();
        if alarm == self.alarm {
            return None;
        }
        self.alarm = alarm;
        alarm
    }

    /// Does what can be done now. An error says what must not be.
    pub fn run(&mut self, now: Instant, host: &mut dyn Host) -> Result<(), String> {
        if self.gives_up.is_some_and(|moment| moment <= now) && !self.is_done() {
            self.break_off(now, host);
        }
        let Some(socket) = self.socket else { return Ok(()) };
        if self.stage == Stage::Connecting {
            match host.connected(socket) {
                Ok(()) => self.stage = Stage::Open,
                Err(Trouble::WouldBlock) => return Ok(()),
                Err(trouble) => return self.broken(now, host, trouble, "connecting"),
            }
        }
        match self.write(now, host, socket).and_then(|()| self.read(now, host, socket)) {
            Ok(()) => self.finish(now, host, socket),
            Err(Wrong::Trouble(trouble, what)) => self.broken(now, host, trouble, what),
            Err(Wrong::Bytes(text)) => Err(text),
        }
    }

    fn aborts_now(&self) -> bool {
        self.plan.aborts_after.is_some_and(|bytes| self.passed() >= bytes)
    }

    fn finish(&mut self, now: Instant, host: &mut dyn Host, socket: Socket) -> Result<(), String> {
        if self.aborts_now() {
            self.break_off(now, host);
            return Ok(());
        }
        let written = self.outgoing.passed == self.plan.sends;
        let may_end = self.plan.finish != Finish::AfterTheOther || self.ended;
        if written && may_end && !self.shut {
            self.shut = true;
            if self.plan.finish == Finish::HalfClose {
                host.shut_down(now, socket);
            }
        }
        if self.shut && (self.ended || self.plan.finish == Finish::Close) {
            self.give_back(|socket| host.close(now, socket));
            self.stage = Stage::Whole;
        }
        Ok(())
    }

    fn broken(
        &mut self,
        now: Instant,
        host: &mut dyn Host,
        trouble: Trouble,
        what: &'static str,
    ) -> Result<(), String> {
        if !self.may_break {
            return Err(format!("{trouble:?} while {what}, and nobody has broken it"));
        }
        self.give_back(|socket| host.close(now, socket));
        self.stage = Stage::Broken;
        Ok(())
    }

    fn break_off(&mut self, now: Instant, host: &mut dyn Host) {
        self.give_back(|socket| host.abort(now, socket));
        self.stage = Stage::Broken;
    }

    fn give_back(&mut self, how: impl FnOnce(Socket)) {
        if let Some(socket) = self.socket.take() {
            how(socket);
        }
    }

    /// A line for people.
    #[must_use]
    pub fn describe(&self, host: &dyn Host) -> String {
        let socket = self.socket.map_or_else(|| "no socket".into(), |socket| host.describe(socket));
        let (sent, received) = (self.outgoing.passed, self.incoming.passed);
        format!(
            "{:?}, sent {sent} of {}, received {received} of {}{}{}; {socket}",
            self.stage,
            self.plan.sends,
            self.expects,
            if self.shut { ", shut" } else { "" },
            if self.ended { ", ended" } else { "" }
        )
    }
}
