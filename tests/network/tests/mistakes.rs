//! Stacks that make mistakes, so that it is known that the simulator sees them.

use std::net::SocketAddr;

use network_tests::host::{Held, Host, Ready, Socket, SocketOptions, Trouble};
use network_tests::{Peer, Scenario, World};
use packets::Instant;

/// What goes wrong.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    /// Nothing.
    None,
    /// A byte that was read is another one.
    WrongByte,
    /// The first byte of what was read is gone.
    MissingByte,
    /// A stream ends before its time.
    EarlyEnd,
    /// Nothing is sent from the hundredth frame on, and nobody cares.
    Silence,
    /// It wants to be polled for ever.
    Restless,
    /// It holds a socket more for each that was made.
    Leak,
}

/// A stack that makes one.
struct Mistaken {
    inner: Box<dyn Host>,
    mistake: Mistake,
    frames: usize,
    connections: usize,
}

impl Host for Mistaken {
    fn name(&self) -> &'static str {
        "mistaken"
    }

    fn receive(&mut self, now: Instant, frames: &mut Vec<Vec<u8>>) {
        self.inner.receive(now, frames);
    }

    fn poll(&mut self, now: Instant) {
        self.inner.poll(now);
    }

    fn take_frames(&mut self, to: &mut Vec<Vec<u8>>) {
        self.inner.take_frames(to);
        self.frames += to.len();
        if self.mistake == Mistake::Silence && self.frames > 100 {
            to.clear();
        }
    }

    fn deadline(&mut self, now: Instant) -> Option<Instant> {
        let silent = self.mistake == Mistake::Silence && self.frames > 100;
        let restless = self.mistake == Mistake::Restless && self.connections > 0;
        if silent {
            None
        } else if restless {
            Some(now)
        } else {
            self.inner.deadline(now)
        }
    }

    fn finds_path_mtu(&self) -> bool {
        self.inner.finds_path_mtu()
    }

    fn listen(&mut self, port: u16, options: SocketOptions) {
        self.inner.listen(port, options);
    }

    fn listen_no_longer(&mut self, now: Instant, port: u16) {
        self.inner.listen_no_longer(now, port);
    }

    fn accept(&mut self, now: Instant, port: u16) -> Option<(Socket, SocketAddr)> {
        let accepted = self.inner.accept(now, port)?;
        self.connections += 1;
        Some(accepted)
    }

    fn connect(&mut self, now: Instant, to: SocketAddr, options: SocketOptions) -> Result<(Socket, u16), Trouble> {
        self.connections += 1;
        self.inner.connect(now, to, options)
    }

    fn connected(&mut self, socket: Socket) -> Result<(), Trouble> {
        self.inner.connected(socket)
    }

    fn write(&mut self, now: Instant, socket: Socket, bytes: &[u8]) -> Result<usize, Trouble> {
        self.inner.write(now, socket, bytes)
    }

    fn read(&mut self, now: Instant, socket: Socket, to: &mut [u8]) -> Result<usize, Trouble> {
        let count = self.inner.read(now, socket, to)?;
        match self.mistake {
            Mistake::WrongByte if count > 0 => to[count - 1] ^= 1,
            Mistake::MissingByte if count > 1 => {
                to.copy_within(1..count, 0);
                return Ok(count - 1);
            }
            Mistake::EarlyEnd => return Ok(0),
            _ => {}
        }
        Ok(count)
    }

    fn shut_down(&mut self, now: Instant, socket: Socket) {
        self.inner.shut_down(now, socket);
    }

    fn close(&mut self, now: Instant, socket: Socket) {
        self.inner.close(now, socket);
    }

    fn abort(&mut self, now: Instant, socket: Socket) {
        self.inner.abort(now, socket);
    }

    fn ready(&mut self, to: &mut Vec<Ready>) -> bool {
        self.inner.ready(to)
    }

    fn held(&self) -> Held {
        let mut held = self.inner.held();
        held.sockets += if self.mistake == Mistake::Leak { self.connections } else { 0 };
        held
    }

    fn owes(&self) -> bool {
        self.inner.owes()
    }

    fn describe(&self, socket: Socket) -> String {
        self.inner.describe(socket)
    }
}

/// What the simulator says of a run in which one side makes a mistake.
fn verdict(seed: u64, mistake: Mistake) -> Result<(), String> {
    let scenario = Scenario::new([Peer::Smoltcp; 2], seed);
    let hosts = scenario
        .hosts()
        .map(|inner| -> Box<dyn Host> { Box::new(Mistaken { inner, mistake, frames: 0, connections: 0 }) });
    World::between(hosts, &scenario, false).run().map(drop).map_err(|failure| failure.text)
}

#[test]
fn each_mistake_is_seen() {
    // In this run streams are long enough, and flow both ways.
    let seed = (0..).find(|&seed| network_tests::run([Peer::Smoltcp; 2], seed, false).is_ok_and(|c| c.bytes > 200_000));
    let seed = seed.expect("there is no last number");
    assert_eq!(verdict(seed, Mistake::None), Ok(()));
    for (mistake, told) in [
        (Mistake::WrongByte, "is not what was sent"),
        (Mistake::MissingByte, "is not what was sent"),
        (Mistake::EarlyEnd, "the stream ended after"),
        (Mistake::Silence, "stalls"),
        (Mistake::Restless, "rest"),
        (Mistake::Leak, "holds"),
    ] {
        let text = verdict(seed, mistake).expect_err(told);
        assert!(text.contains(told), "{text}");
    }
}
