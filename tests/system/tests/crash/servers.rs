//! A server, and a client that writes numbered values and notes which were acknowledged, until the machine is killed.

use std::fmt::Debug;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use system_tests::{Guest, Platform, Running, random_points, scratch};

use crate::{END, LONGEST, ROUNDS, START, count, kill};

/// A client of the server's. Each call waits for the answers; an error is the machine's end.
pub trait Client: Sized {
    /// One that the server answers: an error while it does not.
    fn connect(stream: TcpStream) -> io::Result<Self>;

    /// Writes `count` values from this number on, all before the first answer is read, and says of each that it is
    /// acknowledged.
    fn put(&mut self, first: u64, count: u64, acknowledged: impl FnMut(u64)) -> io::Result<()>;

    /// The values there are from 1 on, up to the first number that is not there.
    fn values(&mut self) -> io::Result<Vec<Vec<u8>>>;
}

/// A server, and where it keeps what it keeps.
pub struct Server<'a> {
    pub platform: Platform,
    /// Makes what a new store begins with, and answers options that bring it to the machine.
    pub begin: &'a dyn Fn(&std::path::Path) -> Vec<String>,
    /// The words that start it, on a port, in a round.
    pub words: &'a dyn Fn(u16, usize) -> Vec<String>,
    /// What is looked at on the host when a store is done with.
    pub done: &'a dyn Fn(&std::path::Path),
}

/// What is written as value `number`.
pub fn value_of(number: u64) -> Vec<u8> {
    (0..number * 37 % 700).map(|place| b'a' + (number * (place + 3) % 26) as u8).collect()
}

impl Server<'_> {
    /// Kills, and looks each time.
    pub fn kills<C: Client + Send + 'static>(&self) {
        let (mut folder, mut options) = (scratch(), Vec::new());
        let (mut acknowledged, mut total) = (0, 0);
        for (round, micros) in random_points(count(), LONGEST.as_micros() as u64).into_iter().enumerate() {
            if round % ROUNDS == 0 {
                if round > 0 {
                    total += self.last_look::<C>(round, &options, acknowledged);
                    (self.done)(folder.path());
                }
                (folder, acknowledged) = (scratch(), 0);
                options = (self.begin)(folder.path());
            }
            let (running, mut client) = self.start::<C>(round, &options);
            let there = is_there(&mut client, acknowledged, round);
            acknowledged = write_and_kill(running, client, there, Duration::from_micros(micros), round);
        }
        total += self.last_look::<C>(count(), &options, acknowledged);
        (self.done)(folder.path());
        println!("{}: {} kills among {total} acknowledged writes", self.platform.name(), count());
        assert!(acknowledged > 0, "nothing was written");
    }

    /// Starts it once more, and ends it with a word.
    fn last_look<C: Client>(&self, round: usize, options: &[String], acknowledged: u64) -> u64 {
        let (running, mut client) = self.start::<C>(round, options);
        let there = is_there(&mut client, acknowledged, round);
        running.signal(rustix::process::Signal::TERM);
        let outcome = running.finish(START);
        assert!(!outcome.timed_out, "the server does not end");
        there
    }

    fn start<C: Client>(&self, round: usize, options: &[String]) -> (Running, C) {
        let port = free_port();
        let guest = Guest::new(self.platform).option("-p").option(format!("127.0.0.1:{port}:{port}"));
        let guest = guest.option("--cpus").option((1 + round % 2).to_string());
        let guest = options.iter().fold(guest, |guest, option| guest.option(option));
        let words = (self.words)(port, round);
        let mut running = guest.start(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let deadline = Instant::now() + START;
        loop {
            match connected(port) {
                Ok(client) => return (running, client),
                Err(error) if Instant::now() > deadline => panic!("round {round}: the server does not answer: {error}"),
                Err(_) if running.has_ended() => {
                    let outcome = running.finish(END);
                    panic!("round {round}: {}: {}{}", outcome.status, outcome.text(), outcome.error_text())
                }
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has ports");
    listener.local_addr().unwrap().port()
}

fn connected<C: Client>(port: u16) -> io::Result<C> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(START))?;
    stream.set_nodelay(true)?;
    C::connect(stream)
}

/// All values that were acknowledged are there, and each that is there is what was written: how many those are.
fn is_there(client: &mut impl Client, acknowledged: u64, round: usize) -> u64 {
    let values = client.values().expect("a server that has answered tells its values");
    let there = values.len() as u64;
    assert!(there >= acknowledged, "before round {round}: {acknowledged} were acknowledged, {there} are there");
    for (number, value) in (1..).zip(values) {
        assert!(value == value_of(number), "before round {round}: value {number} is {:?}", Text(&value));
    }
    there
}

struct Text<'a>(&'a [u8]);

impl Debug for Text<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Debug::fmt(&String::from_utf8_lossy(self.0), out)
    }
}

/// Writes on behind the values that are there until the machine is killed: up to which number they were acknowledged.
fn write_and_kill(
    running: Running,
    mut client: impl Client + Send + 'static,
    there: u64,
    time: Duration,
    round: usize,
) -> u64 {
    // One at a time, or some at once, as clients do.
    let batch = 1 + round as u64 % 8;
    let (begun, has_begun) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        let mut acknowledged = there;
        let mut note = |number| {
            assert_eq!(number, acknowledged + 1, "answers come in order");
            acknowledged = number;
            let _ = begun.send(());
        };
        let mut next = there + 1;
        while client.put(next, batch, &mut note).is_ok() {
            next += batch;
        }
        acknowledged
    });
    has_begun.recv_timeout(START).expect("the server acknowledges a first value");
    std::thread::sleep(time);
    kill::all(&running, round.is_multiple_of(3));
    let outcome = running.finish(END);
    assert!(!outcome.timed_out && outcome.status != 0, "{}", outcome.error_text());
    writer.join().expect("answers are as expected")
}
