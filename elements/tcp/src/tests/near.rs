//! Both ends within one machine: bytes go without segments, and nobody can tell.

use alloc::{collections::VecDeque, vec, vec::Vec};
use core::time::Duration;

use bytes::Bytes;
use packets::{Head, Instant};

use super::world::*;
use crate::{Arrival, Cubic, Error, Family, Handle, Limits, Readiness, Shutdown, State, Tcp, WriteFlags};

/// One machine, whose segments come back to it.
struct Alone {
    tcp: Tcp<Cubic>,
    wire: Wire,
    now: Instant,
    /// Segments so far.
    segments: usize,
}

impl Alone {
    fn new() -> Self {
        let own = ADDRESSES[0];
        let wire = Wire { own, payload: 1480, burst: 1480, sent: Vec::new(), dead: false, refuses: false, near: true };
        Self { tcp: Tcp::new([7; 32], Limits::default()), wire, now: Instant::default() + millis(1), segments: 0 }
    }

    /// Has all segments come back, and all that they lead to.
    fn turn(&mut self) {
        let mut under_way = VecDeque::new();
        loop {
            under_way.extend(self.wire.sent.drain(..));
            let Some(outgoing) = under_way.pop_front() else { return };
            self.segments += 1;
            let arrival = Arrival {
                from: outgoing.from,
                to: outgoing.to,
                interface: 1,
                traffic_class: outgoing.traffic_class,
                hop_limit: 64,
            };
            let packet = outgoing.packet;
            self.tcp.receive(self.now, &mut self.wire, &arrival, packet);
        }
    }

    fn wait(&mut self, time: Duration) {
        self.now += time;
        self.tcp.poll(self.now, &mut self.wire);
        self.turn();
    }

    fn listen(&mut self, backlog: u32) -> Handle {
        let listener = self.tcp.open(Family::V4).unwrap();
        self.tcp.bind(&self.wire, listener, (ADDRESSES[0], PORT).into()).unwrap();
        self.tcp.listen(listener, backlog).unwrap();
        listener
    }

    fn connect(&mut self) -> Handle {
        let client = self.tcp.open(Family::V4).unwrap();
        self.tcp.connect(self.now, &mut self.wire, client, (ADDRESSES[0], PORT).into()).unwrap();
        client
    }

    /// A connection: the end that connected, and the one that was accepted.
    fn pair(&mut self) -> [Handle; 2] {
        let listener = self.listen(8);
        let client = self.connect();
        self.turn();
        [client, self.tcp.accept(listener).unwrap().0]
    }

    fn write(&mut self, end: Handle, data: &[u8], flags: WriteFlags) -> Result<usize, Error> {
        self.tcp.write(self.now, &mut self.wire, end, &mut Head::payload(data), flags)
    }

    fn read(&mut self, end: Handle, most: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; most];
        let count = self.tcp.read(self.now, &mut self.wire, end, &mut bytes)?;
        bytes.truncate(count);
        Ok(bytes)
    }

    fn read_all(&mut self, end: Handle) -> Vec<u8> {
        let mut all = Vec::new();
        while let Ok(bytes) = self.read(end, 1 << 16)
            && !bytes.is_empty()
        {
            all.extend(bytes);
            self.turn();
        }
        all
    }
}

#[test]
fn a_request_and_its_answer_take_no_segments() {
    let mut alone = Alone::new();
    let ends = alone.pair();
    alone.wait(millis(100));
    let before = alone.segments;
    for round in 0..1000 {
        for (writer, reader) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let message = stream(round, 64);
            assert_eq!(alone.write(writer, &message, WriteFlags::empty()), Ok(64));
            let mut events = Vec::new();
            alone.tcp.take_events(&mut events);
            assert!(events.contains(&reader), "the reader is told");
            let ready = alone.tcp.readiness(reader).unwrap();
            assert!(ready.contains(Readiness::READABLE), "{ready:?}");
            assert_eq!(alone.read(reader, 100), Ok(message));
            assert_eq!(alone.read(reader, 100), Err(Error::WouldBlock));
        }
        alone.wait(millis(1));
    }
    assert_eq!(alone.segments, before);
    assert_eq!(alone.tcp.memory(), 0);
    for end in ends {
        let info = alone.tcp.info(end).unwrap();
        assert_eq!((info.bytes_acknowledged, info.bytes_received, info.queued), (64_000, 64_000, 0));
    }
}

#[test]
fn who_meets_is_as_after_a_handshake() {
    let told = |watched: bool| {
        let mut alone = Alone::new();
        alone.tcp.set_watched(watched);
        let listener = alone.listen(8);
        let client = alone.connect();
        assert!(watched || alone.wire.sent.is_empty());
        alone.turn();
        assert_eq!(alone.segments, if watched { 3 } else { 0 });
        let mut events = Vec::new();
        alone.tcp.take_events(&mut events);
        assert!(events.contains(&listener) && events.contains(&client), "both are told");
        let (server, from) = alone.tcp.accept(listener).unwrap();
        assert_eq!(from, alone.tcp.local(client).unwrap());
        alone.wait(Duration::from_secs(2));
        let statistics = alone.tcp.statistics();
        let counts = [statistics.active_opens, statistics.passive_opens, statistics.segments_sent];
        let ends = [client, server].map(|end| {
            let info = alone.tcp.info(end).unwrap();
            let port = |address: core::net::SocketAddr| address.port() == PORT;
            (
                (info.state, port(info.local), port(info.remote), info.timestamps, info.selective, info.window_shifts),
                (info.send_segment, info.path_payload, info.congestion_window, info.send_limit, info.receive_limit),
                (info.receive_window >= 65_535, info.send_window >= 65_535, info.queued, info.unacknowledged),
            )
        });
        (counts, ends, alone.tcp.deadline())
    };
    assert_eq!(told(false), told(true));
}

#[test]
fn who_does_not_find_room_comes_by_a_handshake() {
    let mut alone = Alone::new();
    // Nobody listens.
    let client = alone.connect();
    alone.turn();
    assert_eq!(alone.read(client, 1), Err(Error::Refused));
    // One more than the backlog fits, and the third waits.
    let listener = alone.listen(1);
    let clients = [(); 3].map(|()| alone.connect());
    alone.turn();
    let states = clients.map(|client| alone.tcp.info(client).unwrap().state);
    assert_eq!(states, [State::Established, State::Established, State::SynSent]);
    for _ in 0..2 {
        let server = alone.tcp.accept(listener).unwrap().0;
        alone.write(server, b"welcome", WriteFlags::empty()).unwrap();
    }
    alone.wait(Duration::from_secs(2));
    assert!(alone.tcp.accept(listener).is_ok());
    assert_eq!(alone.tcp.info(clients[2]).unwrap().state, State::Established);
    for client in &clients[..2] {
        assert_eq!(alone.read(*client, 100).unwrap(), b"welcome");
    }
}

#[test]
fn a_listener_that_closes_resets_who_waits() {
    let mut alone = Alone::new();
    let listener = alone.listen(8);
    let client = alone.connect();
    alone.write(client, b"before it is accepted", WriteFlags::empty()).unwrap();
    alone.tcp.close(alone.now, &mut alone.wire, listener).unwrap();
    alone.turn();
    assert_eq!(alone.read(client, 1), Err(Error::Reset));
    alone.tcp.close(alone.now, &mut alone.wire, client).unwrap();
    assert_eq!((alone.tcp.counts().sockets, alone.tcp.memory()), (0, 0));
}

#[test]
fn who_is_watched_sends_segments() {
    let mut alone = Alone::new();
    let ends = alone.pair();
    let before = alone.segments;
    alone.tcp.set_watched(true);
    alone.write(ends[0], b"seen", WriteFlags::empty()).unwrap();
    alone.turn();
    assert!(alone.segments > before);
    assert_eq!(alone.read(ends[1], 100).unwrap(), b"seen");
}

#[test]
fn a_reader_that_does_not_read_is_not_filled() {
    let mut alone = Alone::new();
    let ends = alone.pair();
    let piece = Bytes::from(stream(0, 10_000));
    let mut written = 0;
    for _ in 0..10_000 {
        match alone.tcp.write_bytes(alone.now, &mut alone.wire, ends[0], piece.clone(), WriteFlags::empty()) {
            Ok(count) => written += count,
            Err(error) => {
                assert_eq!(error, Error::WouldBlock);
                break;
            }
        }
        alone.wait(millis(1));
    }
    let info = alone.tcp.info(ends[1]).unwrap();
    assert!(info.readable <= info.receive_limit, "{info:?}");
    assert!(written < 10_000_000, "{written}");
    let mut read = 0;
    for _ in 0..10_000 {
        read += alone.read_all(ends[1]).len();
        alone.wait(millis(10));
    }
    assert_eq!(read, written);
    assert!(alone.tcp.readiness(ends[0]).unwrap().contains(Readiness::WRITABLE));
    assert_eq!(alone.tcp.memory(), 0);
}

#[test]
fn numbers_go_round_and_all_goes_on() {
    let mut alone = Alone::new();
    let ends = alone.pair();
    let piece = Bytes::from(vec![9; 40_000]);
    let mut taken = Vec::new();
    // More than all numbers, so that each comparison has been wrong once where a number stayed behind.
    for _ in 0..110_000 {
        let count = alone.tcp.write_bytes(alone.now, &mut alone.wire, ends[0], piece.clone(), WriteFlags::empty());
        assert_eq!(count, Ok(40_000));
        assert_eq!(alone.tcp.take(alone.now, &mut alone.wire, ends[1], 1 << 20, &mut taken), Ok(40_000));
        taken.clear();
        alone.now += Duration::from_micros(10);
        if alone.tcp.deadline().is_some_and(|due| due <= alone.now) {
            alone.tcp.poll(alone.now, &mut alone.wire);
        }
        alone.turn();
        // By segments now and then, each way.
        if alone.now.as_nanos() % 70_000_000 < 10_000 {
            alone.tcp.set_watched(true);
            for (writer, reader) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                let message = stream(7, 20_000);
                assert_eq!(alone.write(writer, &message, WriteFlags::empty()), Ok(message.len()));
                alone.wait(millis(1));
                assert!(alone.read_all(reader) == message);
            }
            alone.tcp.set_watched(false);
        }
    }
    for end in ends {
        alone.tcp.shutdown(alone.now, &mut alone.wire, end, Shutdown::Write).unwrap();
        alone.turn();
    }
    assert_eq!((alone.read(ends[0], 1), alone.read(ends[1], 1)), (Ok(vec![]), Ok(vec![])));
}

/// Writes of all kinds, readers that come late, and segments that do.
fn at_random(seed: u64) {
    let (mut alone, mut random) = (Alone::new(), Random(seed));
    let ends = alone.pair();
    let (mut written, mut read) = ([0; 2], [0; 2]);
    const LENGTH: usize = 300_000;
    while read != [LENGTH; 2] {
        let side = random.below(2) as usize;
        let left = LENGTH - written[side];
        let most = if random.below(4) == 0 { 50_000 } else { 300 };
        let wanted = left.min(1 + random.below(most) as usize);
        let flags = if random.below(8) == 0 && wanted < left { WriteFlags::MORE } else { WriteFlags::empty() };
        let data = stream(written[side] + side, wanted);
        let result = if random.below(2) == 0 {
            alone.write(ends[side], &data, flags)
        } else {
            alone.tcp.write_bytes(alone.now, &mut alone.wire, ends[side], Bytes::from(data), flags)
        };
        written[side] += result.or_else(|error| if error == Error::WouldBlock { Ok(0) } else { Err(error) }).unwrap();
        if random.below(3) == 0 {
            alone.turn();
        }
        if random.below(3) > 0 {
            continue;
        }
        let reader = random.below(2) as usize;
        if let Ok(data) = alone.read(ends[reader], 1 + random.below(60_000) as usize) {
            let from = read[reader] + (1 - reader);
            assert!(data == stream(from, data.len()), "seed {seed}: other bytes at {from}");
            read[reader] += data.len();
        }
        alone.now += Duration::from_micros(random.below(30_000));
        alone.tcp.poll(alone.now, &mut alone.wire);
        alone.turn();
        assert!(alone.now < Instant::default() + Duration::from_secs(3600), "seed {seed}: {written:?} {read:?}");
    }
    let first = random.below(2) as usize;
    for side in [first, 1 - first] {
        alone.tcp.close(alone.now, &mut alone.wire, ends[side]).unwrap();
        alone.turn();
    }
    alone.wait(Duration::from_secs(1));
    assert_eq!((alone.tcp.memory(), alone.tcp.counts().orphans), (0, 0), "seed {seed}");
}

#[test]
fn nobody_can_tell_how_bytes_went() {
    (1..=300).for_each(at_random);
}

#[test]
fn ends_take_no_segments() {
    for first in 0..2 {
        for halves in [false, true] {
            let mut alone = Alone::new();
            let ends = alone.pair();
            let (one, other) = (ends[first], ends[1 - first]);
            alone.wait(millis(100));
            let before = alone.segments;
            alone.write(one, b"the last bytes", WriteFlags::empty()).unwrap();
            if halves {
                alone.tcp.shutdown(alone.now, &mut alone.wire, one, Shutdown::Write).unwrap();
                assert_eq!(alone.tcp.info(one).unwrap().state, State::FinWait2);
            } else {
                alone.tcp.close(alone.now, &mut alone.wire, one).unwrap();
                assert_eq!(alone.tcp.counts().orphans, 1);
            }
            let mut events = Vec::new();
            alone.tcp.take_events(&mut events);
            assert!(events.contains(&other), "it is told");
            assert_eq!(alone.tcp.info(other).unwrap().state, State::CloseWait);
            assert_eq!(alone.read(other, 100).unwrap(), b"the last bytes");
            assert_eq!(alone.read(other, 100), Ok(Vec::new()));
            alone.tcp.close(alone.now, &mut alone.wire, other).unwrap();
            if halves {
                assert_eq!(alone.read(one, 100), Ok(Vec::new()));
                alone.tcp.close(alone.now, &mut alone.wire, one).unwrap();
            }
            assert_eq!(alone.segments, before);
            let counts = alone.tcp.counts();
            assert_eq!((counts.time_waits, counts.orphans, alone.tcp.memory()), (1, 0, 0));
            alone.wait(Duration::from_secs(61));
            assert_eq!(alone.tcp.counts().time_waits, 0);
            assert_eq!(alone.segments, before);
        }
    }
}

#[test]
fn a_half_that_is_open_goes_on() {
    let mut alone = Alone::new();
    let ends = alone.pair();
    alone.tcp.shutdown(alone.now, &mut alone.wire, ends[0], Shutdown::Write).unwrap();
    for round in 0..10 {
        let message = stream(round, 3000);
        assert_eq!(alone.write(ends[1], &message, WriteFlags::empty()), Ok(3000));
        alone.wait(millis(1));
        assert_eq!(alone.read_all(ends[0]), message);
    }
    assert_eq!(alone.write(ends[0], b"more", WriteFlags::empty()), Err(Error::Closed));
    // What nobody has read resets, as ever.
    alone.write(ends[1], b"unread", WriteFlags::empty()).unwrap();
    alone.turn();
    alone.tcp.close(alone.now, &mut alone.wire, ends[0]).unwrap();
    alone.turn();
    assert_eq!(
        alone.write(ends[1], b"more", WriteFlags::empty()),
        Err(Error::Closed),
        "as Linux, which has got the end"
    );
    alone.tcp.close(alone.now, &mut alone.wire, ends[1]).unwrap();
    assert_eq!((alone.tcp.counts().sockets, alone.tcp.memory()), (1, 0), "the listener");
}

#[test]
fn a_socket_that_is_its_own_peer_reads_what_it_writes() {
    let mut alone = Alone::new();
    let own = (ADDRESSES[0], PORT).into();
    let end = alone.tcp.open(Family::V4).unwrap();
    alone.tcp.bind(&alone.wire, end, own).unwrap();
    alone.tcp.connect(alone.now, &mut alone.wire, end, own).unwrap();
    alone.turn();
    for round in 0..100 {
        let message = stream(round, 500);
        assert_eq!(alone.write(end, &message, WriteFlags::empty()), Ok(500));
        assert_eq!(alone.read_all(end), message);
        alone.wait(millis(5));
    }
    alone.tcp.close(alone.now, &mut alone.wire, end).unwrap();
    alone.turn();
    assert_eq!((alone.tcp.counts().sockets, alone.tcp.counts().orphans), (0, 0));
}
