//! The network of Linux programs, as the command gives it: what is published is reached, what is outside is fetched,
//! and nothing else is. Each line of the chapter [Isolation](../../../../docs/src/isolation.md) about the network is a
//! test here.
//!
//! Nothing goes further than this machine's loopback, or a network namespace with an address of its own.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use system_tests::{Check, Guest, Platform, Running, Scope, in_namespace, ip, need, project_root, scratch, whittle};

mod interfaces;
mod shared;
mod told;

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("a_published_port_is_served", Scope::GuestsAtRing0, published),
        Check::new("a_read_takes_all_that_has_come", Scope::GuestsAtRing0, whole),
        Check::new("who_never_waits_is_told_what_has_come", Scope::GuestsAtRing0, busy),
        Check::new("a_connection_is_told_about", Scope::GuestsAtRing0, told::connection),
        Check::new("a_published_port_is_served_in_datagrams", Scope::GuestsAtRing0, datagrams),
        Check::new("what_comes_along_with_a_datagram_is_told", Scope::GuestsAtRing0, told::datagrams),
        Check::new("listeners_that_share_a_port_each_get_some", Scope::GuestsAtRing0, shared::ports),
        Check::new("two_machines_have_port_80", Scope::GuestsAtRing0, two),
        Check::new("nothing_listens_outside_unasked", Scope::GuestsAtRing0, unpublished),
        Check::new("loopback_is_the_machines_own", Scope::GuestsAtRing0, loopback),
        Check::new("what_is_outside_is_fetched", Scope::GuestsAtRing0, outside),
        Check::new("none_leaves_the_machine_alone", Scope::GuestsAtRing0, alone),
        Check::new("none_makes_no_call_of_the_hosts", Scope::Once, |_| no_calls()),
        Check::new("the_hosts_network_is_there_if_asked_for", Scope::Once, hosts),
        Check::new("addresses_of_ipv6_both_ways", Scope::Once, ipv6),
        Check::new("node_serves", Scope::GuestsAtRing0, node),
        Check::new("a_tap_device_has_an_address", Scope::GuestsAtRing0, interfaces::over_tap),
        Check::new("a_program_pings_over_a_tap_device", Scope::GuestsAtRing0, interfaces::pings),
        Check::new("passt_is_started_for_a_machine", Scope::GuestsAtRing0, interfaces::over_passt),
        Check::new("names_are_right", Scope::GuestsAtRing0, names),
        Check::new("what_cannot_be_is_refused_in_a_sentence", Scope::Once, |_| refused()),
    ])
}

/// For whatever goes over a network: machines are shared and slow.
const LIMIT: Duration = Duration::from_secs(60);
const PYTHON: &str = "/usr/bin/python3";

/// A port of this machine's that nobody has.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has ports");
    listener.local_addr().expect("it has an address").port()
}

/// A server of HTTP inside, which says when it listens, and who it is.
const SERVER: &str = r#"
import http.server, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = (sys.argv[2] + self.path).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("", int(sys.argv[1])), Answer)
print("ready", flush=True)
server.serve_forever()
"#;

fn serve(platform: Platform, options: &[&str], port: u16, name: &str) -> Running {
    need(&[PYTHON]);
    let guest = options.iter().fold(Guest::new(platform), |guest, option| guest.option(*option));
    let running = guest.start(&[PYTHON, "-c", SERVER, &port.to_string(), name]);
    running.wait_for_output("ready", LIMIT);
    running
}

/// Ends a server as a person would.
fn end(running: Running) {
    running.signal(Signal::TERM);
    running.finish(LIMIT).expect_status(128 + 15);
}

/// Asks a server; what it answers.
fn ask(address: impl Into<SocketAddr>, request: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect_timeout(&address.into(), LIMIT)?;
    stream.set_read_timeout(Some(LIMIT))?;
    stream.write_all(request)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}

fn fetch(port: u16, path: &str) -> String {
    fetch_from(([127, 0, 0, 1], port), path)
}

fn fetch_from(address: impl Into<SocketAddr>, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.0\r\n\r\n");
    let answer = ask(address, request.as_bytes()).expect("the program serves");
    String::from_utf8(answer).expect("an answer is text").rsplit("\r\n").next().unwrap_or_default().to_owned()
}

fn published(platform: Platform) {
    let port = free_port();
    let running = serve(platform, &["-p", &format!("127.0.0.1:{port}:80")], 80, "one");
    for number in 0..20 {
        assert_eq!(fetch(port, &format!("/{number}")), format!("one/{number}"));
    }
    // More than any buffer on the way holds, both ways, on several connections at once.
    let body: Vec<u8> = (0..1_000_000_u32).map(|number| (number.wrapping_mul(number) >> 8) as u8).collect();
    let clients: Vec<_> = (0..4)
        .map(|_| {
            let body = body.clone();
            thread::spawn(move || {
                let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", body.len());
                let answer = ask(([127, 0, 0, 1], port), &[head.as_bytes(), &body].concat()).expect("it answers");
                assert!(answer.ends_with(&body), "{} bytes came", answer.len());
            })
        })
        .collect();
    clients.into_iter().for_each(|client| client.join().expect("each byte comes back"));
    end(running);
}

/// Asks whether something has come, in three ways, and never waits.
const BUSY: &str = r#"
import select, socket
listener = socket.create_server(("", 80))
print("ready", flush=True)
stream, _ = listener.accept()
stream.setblocking(False)
epoll, poll = select.epoll(), select.poll()
epoll.register(stream, select.EPOLLIN)
poll.register(stream, select.POLLIN)
for ask in lambda: epoll.poll(0), lambda: poll.poll(0), lambda: select.select([stream], [], [], 0)[0]:
    try:
        stream.recv(1)
    except BlockingIOError:
        print("asks", flush=True)
    while not ask():
        pass
    stream.send(stream.recv(1))
"#;

fn busy(platform: Platform) {
    need(&[PYTHON]);
    let port = free_port();
    let guest = Guest::new(platform).option("-p").option(format!("127.0.0.1:{port}:80"));
    let running = guest.start(&[PYTHON, "-c", BUSY]);
    running.wait_for_output("ready", LIMIT);
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    for number in 1..=3_u8 {
        running.wait_for_output(&format!("ready\n{}", "asks\n".repeat(number.into())), LIMIT);
        stream.write_all(&[number]).unwrap();
        let mut answer = [0];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(answer, [number]);
    }
    running.finish(LIMIT).expect_status(0);
}

/// Waits until a part of 200,000 bytes stays as long as it is, and reads with room for all of it and what follows.
const WHOLE: &str = r#"
import array, fcntl, socket, termios, time
listener = socket.create_server(("", 80))
print("ready", flush=True)
stream, _ = listener.accept()
def waits():
    count = array.array("i", [0])
    fcntl.ioctl(stream, termios.FIONREAD, count)
    return count[0]
count, left, last = 0, 200000, b""
while left:
    while waits() != count or count == 0:
        count = waits()
        time.sleep(0.2)
    got = stream.recv(1 << 20)
    assert len(got) >= count, (len(got), count)
    left, last, count = left - len(got), got[-1:], 0
stream.sendall(last)
"#;

/// Programs that wait for edges take a read that is shorter than their buffer for the end of what there is.
fn whole(platform: Platform) {
    need(&[PYTHON]);
    let port = free_port();
    let running =
        Guest::new(platform).option("-p").option(format!("127.0.0.1:{port}:80")).start(&[PYTHON, "-c", WHOLE]);
    running.wait_for_output("ready", LIMIT);
    let mut body = vec![1; 199_999];
    body.push(b'!');
    let answer = ask(([127, 0, 0, 1], port), &body).expect("it answers");
    assert_eq!(answer, b"!");
    running.finish(LIMIT).expect_status(0);
}

/// An echo of datagrams, which says who asks.
const ECHO: &str = r#"
import socket
echo = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
echo.bind(("0.0.0.0", 53))
print("ready", flush=True)
while True:
    data, peer = echo.recvfrom(65536)
    echo.sendto(data[::-1], peer)
"#;

fn datagrams(platform: Platform) {
    need(&[PYTHON]);
    let port = free_port();
    let guest = Guest::new(platform).option("-p").option(format!("127.0.0.1:{port}:53/udp"));
    let running = guest.start(&[PYTHON, "-c", ECHO]);
    running.wait_for_output("ready", LIMIT);
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.connect(("127.0.0.1", port)).unwrap();
    client.set_read_timeout(Some(LIMIT)).unwrap();
    for length in [1, 100, 1400] {
        let data: Vec<u8> = (0..length).map(|number| number as u8).collect();
        client.send(&data).unwrap();
        let mut answer = [0; 2000];
        let count = client.recv(&mut answer).expect("it answers from the port that it was asked at");
        assert!(answer[..count].iter().eq(data.iter().rev()), "{length}");
    }
    end(running);
}

fn two(platform: Platform) {
    let [one, other] = [free_port(), free_port()];
    let first = serve(platform, &["-p", &format!("127.0.0.1:{one}:80")], 80, "one");
    let second = serve(platform, &["-p", &format!("127.0.0.1:{other}:80")], 80, "other");
    assert_eq!((fetch(one, "/"), fetch(other, "/")), ("one/".into(), "other/".into()));
    for running in [first, second] {
        end(running);
    }
}

fn unpublished(platform: Platform) {
    let (asked, port) = (free_port(), free_port());
    let running = serve(platform, &["-p", &format!("127.0.0.1:{asked}:80")], port, "inside");
    let refused = TcpStream::connect(("127.0.0.1", port)).expect_err("nobody listens there outside");
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    end(running);
}

/// Connects to each of its arguments, and says how that ended.
const CONNECT: &str = r#"
import socket, sys
for word in sys.argv[1:]:
    host, port = word.rsplit(":", 1)
    try:
        with socket.create_connection((host, int(port)), timeout=20) as stream:
            stream.sendall(b"GET / HTTP/1.0\r\n\r\n")
            print(b"".join(iter(lambda: stream.recv(65536), b"")).decode(), end="")
    except OSError as error:
        print(type(error).__name__)
"#;

/// Somebody who answers each connection with these words.
fn answer(listener: TcpListener, words: &'static str) {
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = [0; 1000];
            let _ = stream.read(&mut request);
            let _ = stream.write_all(words.as_bytes());
        }
    });
}

fn loopback(platform: Platform) {
    need(&[PYTHON]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    answer(listener, "the host's\n");
    let words =
        [format!("127.0.0.1:{port}"), format!("::1:{port}"), format!("localhost:{port}"), format!("0.0.0.0:{port}")];
    let outcome =
        Guest::new(platform).run(&[&[PYTHON, "-c", CONNECT], &words.each_ref().map(String::as_str)[..]].concat());
    assert_eq!(outcome.text(), "ConnectionRefusedError\n".repeat(4));
    if platform == Platform::Process {
        // What stands for the host when others ask is not to be asked.
        let outcome = Guest::new(platform).run(&[PYTHON, "-c", CONNECT, &format!("10.0.2.2:{port}")]);
        assert_eq!(outcome.text(), "OSError\n");
    }
}

fn outside(platform: Platform) {
    need(&[PYTHON, "curl"]);
    in_namespace(move || {
        away()?;
        let listener = TcpListener::bind("192.0.2.1:0").map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        answer(listener, "HTTP/1.0 200 OK\r\n\r\nfar away\n");
        let url = format!("http://192.0.2.1:{port}/");
        let outcome = Guest::new(platform).run(&["/usr/bin/curl", "-sS", "--max-time", "50", &url]);
        outcome.expect_status(0).expect_output("far away\n");
        let outcome = Guest::new(platform).run(&["/bin/busybox", "wget", "-q", "-O", "-", &url]);
        outcome.expect_status(0).expect_output("far away\n");
        let echo = UdpSocket::bind("192.0.2.1:0").map_err(|error| error.to_string())?;
        let address = echo.local_addr().map_err(|error| error.to_string())?;
        thread::spawn(move || {
            let mut data = [0; 2000];
            while let Ok((count, from)) = echo.recv_from(&mut data) {
                let _ = echo.send_to(&data[..count], from);
            }
        });
        let outcome = Guest::new(platform).run(&[PYTHON, "-c", ASK, "192.0.2.1", &address.port().to_string()]);
        outcome.expect_status(0).expect_output("b'question'\nb'question'\n");
        Ok(())
    });
}

/// Asks by datagrams, connected and not.
const ASK: &str = r#"
import socket, sys
to = (sys.argv[1], int(sys.argv[2]))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
    one.settimeout(20)
    one.sendto(b"question", to)
    print(one.recvfrom(100)[0])
    one.connect(to)
    one.send(b"question")
    print(one.recv(100))
"#;

/// Gives a namespace an address that is none of its loopback's: what is outside of machines there.
fn away() -> Result<(), String> {
    ip("link set lo up")?;
    ip("link add away type veth peer name other")?;
    ip("link set other up")?;
    ip("address add 192.0.2.1/24 dev away")?;
    // Without this it takes a while, for nobody.
    ip("address add 2001:db8::1/64 dev away nodad")?;
    ip("link set away up")
}

fn alone(platform: Platform) {
    need(&[PYTHON]);
    let guest = || Guest::new(platform).option("--net").option("none");
    let outcome = guest().run(&[PYTHON, "-c", CONNECT, "192.0.2.1:80", "127.0.0.1:1"]);
    assert_eq!(outcome.text(), "OSError\nConnectionRefusedError\n");
    let outcome = guest().run(&[PYTHON, "-c", INSIDE]);
    outcome.expect_status(0).expect_output("b'inside'\n");
}

/// Talks to itself.
const INSIDE: &str = r#"
import socket
listener = socket.create_server(("127.0.0.1", 0))
with socket.create_connection(listener.getsockname()) as one, listener.accept()[0] as other:
    one.sendall(b"inside")
    print(other.recv(100))
"#;

/// Of the kernel's process there is no call of the network's in a trace; the list of calls has none either, which the
/// unit tests of `platforms/process/src/boot/seccomp` say.
fn no_calls() {
    need(&["strace", PYTHON]);
    let calls = |net: &str| {
        let folder = scratch();
        let log = folder.path().join("log");
        let mut command = Command::new("strace");
        command.args(["-f", "-e", "trace=%network,epoll_create1", "-o"]).arg(&log).arg(project_root().join("whittle"));
        command.args(["run", "--platform", "process", "--net", net, "--", PYTHON, "-c", CONNECT, "192.0.2.1:80"]);
        let output = command.env("WHITTLE_WATCH", "never").output().expect("strace starts");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let log = std::fs::read_to_string(log).expect("strace leaves a log");
        // What the program asks of the kernel comes as a signal, and is none of the kernel's own calls.
        let calls = log.lines().filter(|line| !line.contains("SIGSYS"));
        calls.filter(|line| line.contains("AF_INET") || line.contains("epoll_create1")).count()
    };
    assert_eq!(calls("none"), 0);
    // The same shows others where there is a network.
    in_namespace(move || {
        away()?;
        assert!(calls("user") > 0);
        Ok(())
    });
}

/// Sends to itself by the host's loopback, and takes it up without waiting.
const AT_ONCE: &str = r#"
import socket
a, b = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
a.bind(("127.0.0.1", 0))
b.connect(a.getsockname())
for number in range(500):
    try:
        a.recv(100, socket.MSG_DONTWAIT)
    except BlockingIOError:
        b.send(str(number).encode())
    assert a.recv(100, socket.MSG_DONTWAIT) == str(number).encode()
print("all")
"#;

/// A port that a connection lingers at (TIME_WAIT), and one that two have: the options are the host's to heed.
const AGAIN: &str = r#"
import errno, socket
first = socket.create_server(("127.0.0.1", 0))
address = first.getsockname()
with socket.create_connection(address) as client:
    first.accept()[0].close()
    assert client.recv(1) == b""
first.close()
try:
    socket.socket().bind(address)
except OSError as error:
    print(errno.errorcode[error.errno])
print(socket.create_server(address).getsockname() == address)
one = socket.create_server(("127.0.0.1", 0), reuse_port=True)
print(socket.create_server(one.getsockname(), reuse_port=True).getsockname() == one.getsockname())
"#;

fn hosts(platform: Platform) {
    need(&[PYTHON]);
    let again = Guest::new(platform).option("--net").option("host").run(&[PYTHON, "-c", AGAIN]);
    assert_eq!(again.text(), "EADDRINUSE\nTrue\nTrue\n", "{}", again.error_text());
    let at_once = Guest::new(platform).option("--net").option("host").run(&[PYTHON, "-c", AT_ONCE]);
    assert_eq!(at_once.text(), "all\n", "{}", at_once.error_text());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    answer(listener, "the host's\n");
    let guest = Guest::new(platform).option("--net").option("host");
    let outcome = guest.run(&[PYTHON, "-c", CONNECT, &format!("127.0.0.1:{port}")]);
    assert_eq!(outcome.text(), "the host's\n");
    let port = free_port();
    let running = serve(platform, &["--net", "host"], port, "host");
    assert_eq!(fetch(port, "/"), "host/");
    end(running);
}

/// A server of IPv6 and a client.
const SIX: &str = r#"
import socket, sys
print("ready", flush=True)
with socket.create_connection(("2001:db8::1", int(sys.argv[1])), timeout=20) as stream:
    stream.sendall(b"x")
    print(stream.recv(100))
listener = socket.create_server(("::", 80), family=socket.AF_INET6)
print("listening", flush=True)
stream, peer = listener.accept()
stream.sendall(peer[0].encode())
stream.close()
"#;

fn ipv6(platform: Platform) {
    need(&[PYTHON]);
    in_namespace(move || {
        away()?;
        let listener = TcpListener::bind("[2001:db8::1]:0").map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        answer(listener, "six");
        let guest = Guest::new(platform).option("-p").option("[2001:db8::1]:8080:80");
        let running = guest.start(&[PYTHON, "-c", SIX, &port.to_string()]);
        running.wait_for_output("b'six'", LIMIT);
        running.wait_for_output("listening", LIMIT);
        let address: SocketAddr = "[2001:db8::1]:8080".parse().map_err(|_| "no address")?;
        assert_eq!(ask(address, b"").map_err(|error| error.to_string())?, b"2001:db8::1");
        running.finish(LIMIT).expect_status(0);
        Ok(())
    });
}

const NODE: &str = "require('http').createServer((question, answer) => answer.end('node' + question.url))
    .listen(80, () => console.log('ready'))";

fn node(platform: Platform) {
    need(&["node"]);
    let port = free_port();
    let guest = Guest::new(platform).option("-p").option(format!("127.0.0.1:{port}:80"));
    let running = guest.start(&["/usr/bin/node", "-e", NODE]);
    running.wait_for_output("ready", LIMIT);
    assert_eq!(fetch(port, "/x"), "node/x");
    end(running);
}

fn names(platform: Platform) {
    let files = ["/etc/resolv.conf", "/etc/hosts", "/etc/hostname", "/proc/sys/kernel/hostname"];
    let words = [&["/bin/busybox", "cat"], &files[..]].concat();
    for root in ["host", "none"] {
        let options = ["--root", root, "--hostname", "box", "--add-host", "db:10.0.0.7", "--dns", "10.9.9.9"];
        let guest = options.iter().fold(Guest::new(platform), |guest, option| guest.option(*option));
        let text = guest.run(&words).expect_status(0).text();
        assert!(text.starts_with("nameserver 10.9.9.9\n"), "{root}: {text}");
        assert!(text.contains("127.0.1.1\tbox\n10.0.0.7\tdb\nbox\nbox\n"), "{root}: {text}");
    }
}

fn refused() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let published = format!("127.0.0.1:{port}:80");
    let used = format!("-p: port {port}/tcp of this machine is used by another already");
    let cases: [(&[&str], &str); 8] = [
        (&["--platform", "process", "-p", &published], &used),
        (&["--platform", "pc", "-p", &published], &used),
        (&["--platform", "process", "-p", "192.0.2.77:8080:80"], "-p: 192.0.2.77 is no address of this machine"),
        (
            &["--net", "tap:whittle-none"],
            "there is no TAP device whittle-none: make one by ip tuntap add whittle-none mode tap user $USER",
        ),
        (
            &["--platform", "pc", "--net", "host"],
            "--net host needs --platform process: a virtual machine has none of this machine's sockets",
        ),
        (&["--net", "none", "-p", "8080:80"], "-p needs a network, and --net none has none"),
        (&["--mtu", "1400"], "--mtu is for --net tap:NAME and --net passt"),
        (
            &["--platform", "pc", "-p", "[::1]:8080:80"],
            "-p: QEMU's own network leads on ports of IPv4 alone; say --platform process or --net passt",
        ),
    ];
    for (options, sentence) in cases {
        let begun = Instant::now();
        let output = whittle().arg("run").args(options).args(["--", "/bin/busybox", "true"]).output();
        let output = output.expect("the command starts");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(told, format!("whittle: {sentence}\n"), "after {:?}", begun.elapsed());
        assert_eq!(output.status.code(), Some(125));
    }
    interfaces::no_passt();
}
