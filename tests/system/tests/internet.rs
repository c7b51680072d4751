//! Sockets of the Internet for Linux programs, in an image whose network stays inside: unmodified programs talk to
//! themselves over 127.0.0.1 and ::1.

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Guest, Outcome, Platform, Scope, need, network_inside};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("python_talks_to_itself", Scope::GuestsAtRing0, python),
        Check::new("small_writes_arrive", Scope::GuestsAtRing0, small_writes),
        Check::new("datagrams_stay_together", Scope::GuestsAtRing0, together),
        Check::new("ip_shows_the_loop", Scope::GuestsAtRing0, ip),
        Check::new("node_knows_its_interfaces", Scope::Guests, node),
        Check::new("busybox_pings_itself", Scope::GuestsAtRing0, ping),
    ])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);

const PYTHON: &str = r#"
import asyncio, os, socket, threading, time

def echo(listener):
    with listener.accept()[0] as stream:
        while piece := stream.recv(65536):
            stream.sendall(piece)

def send(stream, data):
    stream.sendall(data)
    stream.shutdown(socket.SHUT_WR)

for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    listener = socket.create_server((address, 0), family=family)
    server = threading.Thread(target=echo, args=(listener,))
    server.start()
    stream = socket.create_connection(listener.getsockname()[:2])
    data = os.urandom(2_000_000)
    sender = threading.Thread(target=send, args=(stream, data))
    sender.start()
    back = bytearray()
    while piece := stream.recv(65536):
        back += piece
    sender.join()
    server.join()
    print(address, back == data)
    one, other = (socket.socket(family, socket.SOCK_DGRAM) for _ in range(2))
    one.bind((address, 0))
    other.sendto(bytes(60_000), one.getsockname())
    print(len(one.recv(65536)))

listener = socket.create_server(("127.0.0.1", 0))

def wait():
    try:
        listener.accept()
    except OSError as error:
        print(error)

waiter = threading.Thread(target=wait)
waiter.start()
time.sleep(0.2)
listener.shutdown(socket.SHUT_RDWR)
waiter.join()
listener.listen()
socket.create_connection(listener.getsockname()).close()
print(len(listener.accept()))

for peer in ("10.1.2.3", 80), ("127.0.0.1", 1):
    try:
        socket.create_connection(peer, timeout=5)
    except OSError as error:
        print(error)

async def upper(reader, writer):
    writer.write((await reader.readline()).upper())
    await writer.drain()
    writer.close()

async def main():
    server = await asyncio.start_server(upper, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"hello\n")
    print(await reader.readline())
    writer.close()
    server.close()

asyncio.run(main())
"#;

/// What a program says in such an image.
fn run(platform: Platform, program: &[&str]) -> Outcome {
    let image = network_inside().display().to_string();
    Guest::new(platform).limit(BUILD).run(&[&[image.as_str()][..], program].concat())
}

fn python(platform: Platform) {
    need(&["/usr/bin/python3"]);
    let outcome = run(platform, &["/usr/bin/python3", "-c", PYTHON]);
    outcome.expect_status(0);
    let expected = "127.0.0.1 True\n60000\n::1 True\n60000\n[Errno 22] Invalid argument\n2\n\
        [Errno 101] Network is unreachable\n[Errno 111] Connection refused\nb'HELLO\\n'\n";
    assert_eq!(outcome.text(), expected);
}

/// Datagrams that one call sends, and one call receives where the receiver wants that: UDP_SEGMENT, UDP_GRO (udp(7)).
const TOGETHER: &str = r#"
import socket

SEGMENT, TOGETHER = 103, 104
receiver, sender = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
receiver.bind(("127.0.0.1", 0))
sender.setsockopt(socket.IPPROTO_UDP, SEGMENT, 100)
for wanted in 0, 1, 0:
    receiver.setsockopt(socket.IPPROTO_UDP, TOGETHER, wanted)
    sender.sendto(bytes(250), receiver.getsockname())
    left = 250
    while left:
        data, told, *_ = receiver.recvmsg(1000, 100)
        left -= len(data)
        print(receiver.getsockopt(socket.IPPROTO_UDP, TOGETHER), len(data), told)
"#;

fn together(platform: Platform) {
    need(&["/usr/bin/python3"]);
    let outcome = run(platform, &["/usr/bin/python3", "-c", TOGETHER]);
    outcome.expect_status(0);
    let alone = "0 100 []\n0 100 []\n0 50 []\n";
    assert_eq!(outcome.text(), format!("{alone}1 250 [(17, 104, b'd\\x00\\x00\\x00')]\n{alone}"));
}

/// Pieces as of a handshake of TLS, of which Nagle's rule holds some back until an acknowledgment comes late.
const PIECES: &str = r#"
import socket, threading

def take(stream, count):
    while count:
        count -= len(stream.recv(count))

def serve(listener):
    for _ in range(20):
        with listener.accept()[0] as stream:
            take(stream, 517)
            stream.sendall(bytes(3351))
            take(stream, 80)
            stream.sendall(bytes(255))
            stream.sendall(bytes(255))
            take(stream, 25)
            stream.sendall(bytes(106))
            stream.recv(1)

listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,)).start()
for _ in range(20):
    with socket.create_connection(listener.getsockname()) as stream:
        stream.sendall(bytes(517))
        take(stream, 3351)
        stream.sendall(bytes(80))
        stream.sendall(bytes(25))
        take(stream, 255 + 255 + 106)
print("all")
"#;

fn small_writes(platform: Platform) {
    need(&["/usr/bin/python3"]);
    let outcome = run(platform, &["/usr/bin/python3", "-c", PIECES]);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "all\n");
}

/// What iproute2 asks by netlink, and how it shows that, as on Linux.
fn ip(platform: Platform) {
    need(&["ip"]);
    let outcome = run(platform, &["/usr/sbin/ip", "-o", "addr"]);
    outcome.expect_status(0);
    let lines: Vec<String> =
        outcome.text().lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "1: lo inet 127.0.0.1/8 scope host lo\\ valid_lft forever preferred_lft forever",
        "1: lo inet6 ::1/128 scope host \\ valid_lft forever preferred_lft forever",
    ];
    assert_eq!(lines, expected);
    let outcome = run(platform, &["/usr/sbin/ip", "route", "get", "127.0.0.1"]);
    assert!(outcome.text().starts_with("local 127.0.0.1 dev lo "), "{}", outcome.text());
}

fn node(platform: Platform) {
    need(&["node"]);
    let program = "const lo = require('os').networkInterfaces().lo; console.log(lo.map(own => own.cidr).join(' '))";
    let outcome = run(platform, &["/usr/bin/node", "-e", program]);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "127.0.0.1/8 ::1/128\n");
}

/// By a raw socket, and by one for echoes.
fn ping(platform: Platform) {
    need(&["/bin/busybox"]);
    for address in ["127.0.0.1", "::1"] {
        let outcome = run(platform, &["/bin/busybox", "ping", "-c", "2", "-i", "0.1", address]);
        outcome.expect_status(0);
        assert!(
            outcome.text().contains("2 packets transmitted, 2 packets received, 0% packet loss"),
            "{}",
            outcome.text()
        );
    }
}
