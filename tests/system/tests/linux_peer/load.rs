//! Many connections: at once, one after another, and all kinds of them for minutes over a link that loses.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::net::sockopt::set_socket_linger;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use system_tests::{Machine, all, in_namespace, ip, leave, skip};

use crate::link::Forwarded;
use crate::server::{ECHO, Server};
use crate::{ADDRESSES, client};

/// The program whose connections are tasks.
const TASKS: &str = "apps/echo-tasks";
/// Connections at once.
const MANY: usize = 10_000;
/// Bytes of the machine's memory that one may take when nothing happens on it: the stack's, the program's object, and
/// what wakes it.
const EACH: u64 = 1536;
/// Connections one after another, and those before the memory is looked at for the first time.
const MILLION: usize = 1_000_000;
const BEFORE: usize = MILLION / 2;
/// How much memory may differ, for what is under way when it is asked for.
const SLACK: u64 = 64 << 10;
/// How long the link is loaded: with `--all`, and always.
const LONG: Duration = Duration::from_secs(600);
const SHORT: Duration = Duration::from_secs(5);
/// Clients at once on that link.
const CLIENTS: usize = 8;

/// Bytes of the machine's heap that are in use.
fn memory(address: IpAddr) -> u64 {
    let mut told = [0; 16];
    client::connect(address, 91).read_exact(&mut told).expect("the server tells its memory");
    u64::from_be_bytes(told[..8].try_into().unwrap())
}

/// Two machines' worth of descriptors at the end of a link without losses.
fn beside(machine: Machine, body: impl FnOnce(IpAddr) + Send + 'static) {
    let wanted = MANY as u64 + 200;
    let limit = getrlimit(Resource::Nofile);
    if limit.maximum.is_some_and(|most| most < wanted) {
        skip(format!("no more than {:?} open files", limit.maximum));
    }
    if limit.current.is_some_and(|now| now < wanted) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }).unwrap();
    }
    machine.build(Path::new(TASKS));
    in_namespace(move || {
        ip("tuntap add tap0 mode tap vnet_hdr").map_err(|error| format!("no TAP device: {error}"))?;
        ip("address add 10.0.2.2/24 dev tap0")?;
        ip("link set tap0 up")?;
        let server = Server::start_in(machine, "tap:tap0", Path::new(TASKS));
        body(ADDRESSES[0].parse().unwrap());
        server.end();
        Ok(())
    });
}

/// A word of its own there and back on each of them.
fn words(streams: &mut [TcpStream]) {
    let word = |number: usize| (number as u64).to_be_bytes();
    streams.iter_mut().enumerate().for_each(|(number, stream)| stream.write_all(&word(number)).unwrap());
    for (number, stream) in streams.iter_mut().enumerate() {
        let mut back = [0; 8];
        stream.read_exact(&mut back).expect("each connection is served");
        assert_eq!(back, word(number));
    }
}

/// Opens them all, has each carry something, and says how much memory they take when nothing happens any more.
fn fill(address: IpAddr) -> u64 {
    let mut streams: Vec<_> = (0..MANY).map(|_| client::connect(address, 7)).collect();
    words(&mut streams);
    // What is not acknowledged yet is memory too, and no idle one's.
    std::thread::sleep(Duration::from_secs(1));
    let held = memory(address);
    words(&mut streams);
    held
}

/// How much memory is in use once nothing happens any more.
fn settled(address: IpAddr) -> u64 {
    let mut before = 0;
    for _ in 0..60 {
        std::thread::sleep(Duration::from_secs(1));
        let now = memory(address);
        if now == before {
            return now;
        }
        before = now;
    }
    panic!("the machine does not come to rest: {before} bytes, and others a second before")
}

/// Ten thousand connections at once.
pub fn at_once(machine: Machine) {
    beside(machine, |address| {
        let before = memory(address);
        let first = fill(address);
        let each = (first - before) / MANY as u64;
        eprintln!("figure: {each} bytes for each of {MANY} idle connections");
        assert!(each <= EACH, "{each} bytes for each of {MANY} idle connections");
        let after = settled(address);
        fill(address);
        let again = settled(address);
        eprintln!("figure: {after} bytes when they have gone, {again} when others have gone too");
        assert!(again <= after + SLACK, "{after} bytes when they have gone, {again} when others have gone too");
    });
}

/// A connection that the client ends by a reset, which leaves nothing behind on its side, or one that the server ends
/// first, and so remembers for a minute (RFC 9293, 3.6.1).
fn one(address: IpAddr, number: usize) {
    if number.is_multiple_of(2) {
        memory(address);
        return;
    }
    let mut stream = client::connect(address, 7);
    words(std::slice::from_mut(&mut stream));
    set_socket_linger(&stream, Some(Duration::ZERO)).unwrap();
}

/// A million connections, one after another: the second half leaves no more behind than the first has.
pub fn one_after_another(machine: Machine) {
    beside(machine, |address| {
        let since = Instant::now();
        (0..BEFORE).for_each(|number| one(address, number));
        let half = memory(address);
        (BEFORE..MILLION).for_each(|number| one(address, number));
        let whole = memory(address);
        eprintln!("figure: {half} bytes after {BEFORE} connections, {whole} after {MILLION}, {:?}", since.elapsed());
        assert!(whole <= half + SLACK, "{half} bytes after {BEFORE} connections, {whole} after {MILLION}");
    });
}

/// One client's part: all services in turn, with other lengths each time.
fn client(address: IpAddr, number: usize, until: Instant) -> u64 {
    let mut turns = 0;
    while Instant::now() < until {
        let length = (turns * 7919 + number as u64 * 104_729) % 300_000 + 1;
        match (turns + number as u64) % 4 {
            0 => client::echo(address, length),
            1 => _ = client::send(address, length),
            2 => _ = client::receive(address, length),
            _ => client::datagrams(address, &[length as usize % 8000, 1, 1472]),
        }
        turns += 1;
    }
    turns
}

/// All kinds of load at once, over a link that loses a hundredth, of which every byte is looked at.
pub fn mixed(machine: Machine) {
    machine.build(Path::new(ECHO));
    let time = if all() { LONG } else { SHORT };
    if !all() {
        leave("ten minutes of all kinds of load over a link that loses");
    }
    in_namespace(move || {
        let link = Forwarded::start(Some(machine), 10_000)?;
        let turns = link.act(0, move |_| {
            let until = Instant::now() + time;
            let start = |number: usize| {
                let address = ADDRESSES[number % 2].parse().unwrap();
                std::thread::spawn(move || client(address, number, until))
            };
            let clients: Vec<_> = (0..CLIENTS).map(start).collect();
            clients.into_iter().map(|client| client.join().expect("every byte is there")).sum::<u64>()
        });
        let (carried, lost) = link.end();
        eprintln!("figure: {turns} conversations in {time:?}, {lost} of {carried} frames lost");
        assert!(turns >= CLIENTS as u64 && lost > 0, "{turns} conversations, {lost} frames lost");
        Ok(())
    });
}
