//! What programs are told of connections and datagrams, and not only sent.

use std::io::Write;
use std::net::{TcpStream, UdpSocket};

use system_tests::{Guest, Platform, need};

use crate::{LIMIT, PYTHON, end, free_port};

/// TCP_INFO of one that listens and of its connection, what `/proc/net/tcp` says of both, and SIOCOUTQ once the other
/// side reads nothing.
const TOLD: &str = r#"
import array, fcntl, os, socket, struct, termios
def info(stream):
    return stream.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 240)
def queued(stream):
    count = array.array("i", [0])
    fcntl.ioctl(stream, termios.TIOCOUTQ, count)
    return count[0]
def end(address):
    return socket.inet_aton(address[0])[::-1].hex().upper() + f":{address[1]:04X}"
def line(stream):
    lines = [line.split() for line in open("/proc/net/tcp")][1:]
    [mine] = [line for line in lines if line[9] == str(os.fstat(stream.fileno()).st_ino)]
    return mine[1:4]
listener = socket.create_server(("", 80))
assert info(listener)[0] == 10, info(listener)
print("ready", flush=True)
stream, _ = listener.accept()
assert stream.recv(100) == b"hello"
told = info(stream)
state, segment, received = told[0], struct.unpack_from("I", told, 16)[0], struct.unpack_from("Q", told, 128)[0]
assert (state, received) == (1, 5) and segment >= 500, (state, received, segment)
assert queued(stream) == 0, queued(stream)
assert line(listener) == ["00000000:0050", "00000000:0000", "0A"], line(listener)
assert line(stream) == [end(stream.getsockname()), end(stream.getpeername()), "01"], line(stream)
stream.setblocking(False)
# There may be no room for a moment, and all of it the next. In the end the buffers on the way are full.
while queued(stream) == 0:
    try:
        while True:
            stream.send(bytes(1 << 16))
    except BlockingIOError:
        pass
print("told", flush=True)
"#;

pub fn connection(platform: Platform) {
    need(&[PYTHON]);
    let port = free_port();
    let running = Guest::new(platform).option("-p").option(format!("127.0.0.1:{port}:80")).start(&[PYTHON, "-c", TOLD]);
    running.wait_for_output("ready", LIMIT);
    let mut client = TcpStream::connect(("127.0.0.1", port)).unwrap();
    client.write_all(b"hello").unwrap();
    running.wait_for_output("told", LIMIT);
    drop(client);
    running.finish(LIMIT).expect_status(0);
}

/// A server of UDP that says what came along with each datagram, and answers from the address that was spoken to.
const ALONG: &str = r#"
import socket, struct, time
PKTINFO, RECVTTL, RECVTOS, TTL, TOS, TIMESTAMPNS = 8, 12, 13, 2, 1, 35
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for option in PKTINFO, RECVTTL, RECVTOS:
    server.setsockopt(socket.IPPROTO_IP, option, 1)
server.setsockopt(socket.SOL_SOCKET, TIMESTAMPNS, 1)
server.bind(("", 53))
print("ready", flush=True)
while True:
    begun = time.time()
    data, messages, flags, who = server.recvmsg(2000, 256)
    [when] = [struct.unpack("qq", content) for level, kind, content in messages if kind == TIMESTAMPNS]
    # The clocks are read one behind the other.
    assert begun - 0.1 <= when[0] + when[1] / 1e9 <= time.time() + 0.1, (begun, when)
    told = {kind: content for level, kind, content in messages if level == socket.IPPROTO_IP}
    index, own, to = struct.unpack("I4s4s", told[PKTINFO])
    limit = struct.unpack("i", told[TTL])[0]
    answer = f"{socket.if_indextoname(index)} {socket.inet_ntoa(to)} {limit} {told[TOS][0]}"
    server.sendmsg([answer.encode()], [(socket.IPPROTO_IP, PKTINFO, struct.pack("I4s4s", 0, to, bytes(4)))], 0, who)
"#;

pub fn datagrams(platform: Platform) {
    need(&[PYTHON]);
    let port = free_port();
    let guest = Guest::new(platform).option("-p").option(format!("0.0.0.0:{port}:53/udp"));
    let running = guest.start(&[PYTHON, "-c", ALONG]);
    running.wait_for_output("ready", LIMIT);
    // A client hears answers from the address alone that it speaks to. QEMU's own network answers by the first one, and
    // with hop limits of its own.
    let spoken_to: &[&str] = if platform.is_pc() { &["127.0.0.1"] } else { &["127.0.0.1", "127.0.0.2"] };
    for (address, limit) in spoken_to.iter().zip([33, 44]) {
        let client = UdpSocket::bind("127.0.0.1:0").unwrap();
        client.connect((*address, port)).unwrap();
        client.set_read_timeout(Some(LIMIT)).unwrap();
        client.set_ttl(limit).unwrap();
        rustix::net::sockopt::set_ip_tos(&client, 8).unwrap();
        client.send(b"who?").unwrap();
        let mut answer = [0; 200];
        let count = client.recv(&mut answer).expect("it answers from the address that it was asked at");
        let answer = String::from_utf8_lossy(&answer[..count]);
        let wanted = if platform.is_pc() { "eth0 10.0.2.15 ".into() } else { format!("eth0 10.0.2.15 {limit} 8") };
        assert!(answer.starts_with(&wanted), "{answer}, not {wanted}");
    }
    end(running);
}
