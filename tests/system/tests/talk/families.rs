//! Streams and datagrams of IPv4 and of IPv6, each from the machine and to it.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use system_tests::{Platform, need};

use crate::ways::{OUTSIDE, OUTSIDE_V6, Way};
use crate::{LIMIT, PYTHON};

/// Asks what is outside by streams and by datagrams, and then serves until it has answered four, or as many as it is
/// told. Addresses of IPv6 that nobody has objected to for a second can be used (RFC 4862, 5.4).
const PROGRAM: &str = r#"
import select, socket, sys, time
(port, count), hosts = map(int, sys.argv[1:3]), sys.argv[3:]
def ask(host, kind):
    end = time.monotonic() + 100
    while True:
        try:
            with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, kind) as one:
                one.settimeout(3)
                one.connect((host, port))
                one.send(b"olleh")
                return one.recv(100).decode()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
for host in hosts:
    print(ask(host, socket.SOCK_STREAM), ask(host, socket.SOCK_DGRAM))
stream = socket.create_server(("", 80), family=socket.AF_INET6, dualstack_ipv6=True)
datagram = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
datagram.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
datagram.bind(("", 80))
print("ready", flush=True)
while count:
    for one in select.select([stream, datagram], [], [])[0]:
        if one is stream:
            with stream.accept()[0] as accepted:
                accepted.send(accepted.recv(100)[::-1])
                count -= 1
        else:
            question, whose = datagram.recvfrom(100)
            datagram.sendto(question[::-1], whose)
            # One that is asked again has been answered before.
            count -= question.endswith(b"1")
"#;

fn reversed(question: &[u8]) -> Vec<u8> {
    question.iter().rev().copied().collect()
}

/// What gives back whatever comes, the last byte first, at both addresses outside and one port.
fn outside() -> u16 {
    let port = TcpListener::bind((OUTSIDE, 0)).and_then(|one| one.local_addr()).expect("the address is there").port();
    for address in [OUTSIDE, OUTSIDE_V6] {
        let (listener, datagrams) = (TcpListener::bind((address, port)), UdpSocket::bind((address, port)));
        let (listener, datagrams) = (listener.expect("the port is free"), datagrams.expect("the port is free"));
        thread::spawn(move || listener.incoming().flatten().for_each(answer));
        thread::spawn(move || {
            let mut question = [0; 100];
            while let Ok((count, from)) = datagrams.recv_from(&mut question) {
                let _ = datagrams.send_to(&reversed(&question[..count]), from);
            }
        });
    }
    port
}

fn answer(mut stream: TcpStream) {
    let mut question = [0; 100];
    if let Ok(count) = stream.read(&mut question) {
        let _ = stream.write_all(&reversed(&question[..count]));
    }
}

pub fn check(platform: Platform, way: Way) {
    need(&[PYTHON]);
    way.prepared(move || {
        let port = outside();
        let servers = way.servers(platform);
        let hosts = [OUTSIDE, OUTSIDE_V6].map(|address| address.to_string());
        let (port, count) = (port.to_string(), (2 * servers.len()).to_string());
        let words = [&[PYTHON, "-c", PROGRAM, &port, &count], &hosts.each_ref().map(String::as_str)[..]].concat();
        let running = way.guest(platform).start(&words);
        running.wait_for_output("ready", LIMIT);
        for server in servers {
            assert_eq!(by_stream(server), b"maerts", "{server}");
            assert_eq!(by_datagram(server), b"0margatad", "{server}");
        }
        let outcome = running.finish(LIMIT);
        assert_eq!(outcome.text(), "hello hello\nhello hello\nready\n", "{}", outcome.error_text());
        outcome.expect_status(0);
    });
}

fn by_stream(server: SocketAddr) -> Vec<u8> {
    let mut stream = TcpStream::connect_timeout(&server, LIMIT).expect("it listens");
    stream.set_read_timeout(Some(LIMIT)).expect("a time is set");
    stream.write_all(b"stream").expect("it takes bytes");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    answer
}

/// Asks until it is answered, as datagrams may be lost; and says that it has been, without waiting for more.
fn by_datagram(server: SocketAddr) -> Vec<u8> {
    let any: IpAddr = if server.is_ipv4() { [0; 4].into() } else { [0_u16; 8].into() };
    let socket = UdpSocket::bind((any, 0)).expect("there are ports");
    socket.set_read_timeout(Some(Duration::from_millis(500))).expect("a time is set");
    let (begun, mut answer) = (Instant::now(), [0; 100]);
    while begun.elapsed() < LIMIT {
        socket.send_to(b"datagram0", server).expect("it goes");
        if let Ok((count, _)) = socket.recv_from(&mut answer) {
            socket.send_to(b"1", server).expect("it goes");
            return answer[..count].to_vec();
        }
    }
    Vec::new()
}
