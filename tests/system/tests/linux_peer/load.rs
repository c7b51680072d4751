//! Many connections: at once, one after another, and all kinds of them for minutes over a link that loses.

use std::io::Read;
use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::net::sockopt::set_socket_linger;
use system_tests::{Machine, all, client, in_namespace, ip, leave};

use crate::ADDRESSES;
use crate::link::Forwarded;
use crate::server::{ECHO, Server};

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
    client::descriptors(MANY as u64 + 200);
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

/// Opens them all, has each carry something, and says how much memory they take when nothing happens any more.
fn fill(address: IpAddr) -> u64 {
    let mut streams: Vec<_> = (0..MANY).map(|_| client::connect(address, 7)).collect();
    client::words(&mut streams);
    // What is not acknowledged yet is memory too, and no idle one's.
    std::thread::sleep(Duration::from_secs(1));
    let held = memory(address);
    client::words(&mut streams);
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
    client::words(std::slice::from_mut(&mut stream));
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

/// All kinds of load at once, over a link that loses a hundredth, of which every byte is looked at.
pub fn mixed(machine: Machine) {
    machine.build(Path::new(ECHO));
    let time = if all() { LONG } else { SHORT };
    if !all() {
        leave("ten minutes of all kinds of load over a link that loses");
    }
    in_namespace(move || {
        let link = Forwarded::start(Some((machine, Path::new(ECHO))), 10_000)?;
        let turns = link.act(0, move |_| {
            client::mixed(
                &ADDRESSES.map(|address| address.parse().unwrap()),
                CLIENTS,
                Instant::now() + time,
                client::Ends::AtOnce,
            )
        });
        let (carried, lost) = link.end();
        eprintln!("figure: {turns} conversations in {time:?}, {lost} of {carried} frames lost");
        assert!(turns >= CLIENTS as u64 && lost > 0, "{turns} conversations, {lost} frames lost");
        Ok(())
    });
}
