//! Network interfaces of native programs: frames over datagram sockets, streams, passt and TAP devices, to a program
//! that answers them itself (`apps/responder`), on both platforms and over both of pc's buses.

mod frames;
mod links;
mod responder;

use std::fs;
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use frames::Peer;
use links::{Datagrams, Link, Stream};
use nix::sched::{CloneFlags, unshare};
use responder::{RESPONDER, Responder, whittle};
use system_tests::{Check, Machine, Scope, need, scratch, skip};

fn main() -> ExitCode {
    let mut checks = vec![
        Check::new("what_is_no_interface_is_refused", Scope::Once, |_| refused()),
        Check::new("a_stack_is_not_in_the_image", Scope::Once, |_| alone()),
    ];
    for machine in Machine::ALL {
        let name = |what: &str| format!("{}::{what}", machine.name());
        checks.push(Check::new(name("frames_in_datagrams"), Scope::Once, move |_| datagrams(machine)));
        checks.push(Check::new(name("frames_in_a_stream"), Scope::Once, move |_| stream(machine)));
        checks.push(Check::new(name("packets_are_recorded"), Scope::Once, move |_| recorded(machine)));
        checks.push(Check::new(name("a_signal_ends_it"), Scope::Once, move |_| ended(machine)));
        checks.push(Check::new(name("frames_over_passt"), Scope::Once, move |_| passt(machine)));
        checks.push(Check::new(name("frames_over_a_tap"), Scope::Once, move |_| tap(machine, &[])));
        checks.push(Check::new(name("frames_over_a_tap_of_queues"), Scope::Once, move |_| {
            tap(machine, &["multi_queue"])
        }));
    }
    system_tests::run(&checks)
}

/// What a machine does with frames, whatever carries them; then it rests, and ends when it is told.
fn conversation(machine: Machine, option: &str, peer: impl FnOnce() -> Peer) {
    let running = Responder::start(machine, &["--nic", option]);
    let mut peer = peer();
    peer.resolve();
    peer.ping(56);
    for length in (0..1472).step_by(7) {
        peer.echo(length);
    }
    peer.burst(100);
    running.expect_rest();
    // Behind a rest, the next frame still wakes it.
    peer.echo(33);
    peer.end();
    running.finish();
}

fn datagrams(machine: Machine) {
    let folder = scratch();
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
    let link = Datagrams::bind(&theirs, &ours);
    let option = format!("dgram:{},{}", ours.display(), theirs.display());
    conversation(machine, &option, || Peer::new(Link::Datagrams(link)));
    assert!(!ours.exists(), "the socket goes with the machine");
}

fn stream(machine: Machine) {
    let folder = scratch();
    let path = folder.path().join("socket");
    let listener = Stream::listen(&path);
    conversation(machine, &format!("passt:{}", path.display()), || Peer::new(Link::Stream(listener.accept())));
}

/// A record of all packets has what was sent and what came back, in a form that others read.
fn recorded(machine: Machine) {
    let folder = scratch();
    let [ours, theirs, record] = ["ours", "theirs", "record"].map(|name| folder.path().join(name));
    let link = Datagrams::bind(&theirs, &ours);
    let option = format!("dgram:{},{}", ours.display(), theirs.display());
    let running = Responder::start(machine, &["--nic", &option, "--pcap", record.to_str().unwrap()]);
    let mut peer = Peer::new(Link::Datagrams(link));
    peer.resolve();
    peer.echo(1001);
    peer.end();
    running.finish();
    let record = fs::read(&record).unwrap();
    let magic = u32::from_le_bytes(record[..4].try_into().unwrap());
    // The first words of pcap and of pcapng.
    assert!([0xa1b2_c3d4, 0x0a0d_0d0a].contains(&magic), "{magic:x}");
    let payload = frames::payload(1001);
    assert_eq!(record.windows(payload.len()).filter(|piece| *piece == payload).count(), 2);
}

/// A machine that rests ends by a signal, as a program of the host's would.
fn ended(machine: Machine) {
    let folder = scratch();
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
    let _link = Datagrams::bind(&theirs, &ours);
    let running = Responder::start(machine, &["--nic", &format!("dgram:{},{}", ours.display(), theirs.display())]);
    running.end_by_signal();
    assert!(!ours.exists(), "the socket goes with the machine");
}

/// Sends datagrams to a machine by the host's own network, and has it end.
fn ask(to: &str) {
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    socket.connect(to).unwrap();
    let echo = |payload: &[u8]| {
        // The way may not be there yet, and UDP may lose: so it is said again.
        let mut answer = [0; 2000];
        (0..60).any(|_| {
            let _ = socket.send(payload);
            matches!(socket.recv(&mut answer), Ok(length) if answer[..length] == *payload)
        })
    };
    assert!(echo(b"are you there?"), "nobody answers at {to}");
    for length in (1..1400).step_by(11) {
        assert!(echo(&vec![length as u8; length]), "{length} bytes");
    }
    // Who ends may take the last answer along: it is the end that counts, which the caller waits for.
    for _ in 0..5 {
        let mut answer = [0; 8];
        // What was said about a datagram before is no answer to this one.
        let _ = socket.send(b"end");
        if matches!(socket.recv(&mut answer), Ok(length) if answer[..length] == *b"end") {
            break;
        }
    }
}

fn passt(machine: Machine) {
    need(&["passt"]);
    let folder = scratch();
    let socket = folder.path().join("socket");
    // A port of its own: that of a socket that has just gone.
    let port = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new("passt");
    command.args(["--foreground", "--quiet", "--address", "10.0.2.15", "--netmask", "24", "--gateway", "10.0.2.2"]);
    command.args(["--no-dhcp", "--no-ndp", "--no-ra", "--udp-ports", &port.to_string(), "--socket"]).arg(&socket);
    // It gives up being root, and the folder is ours alone.
    command.args(["--runas", "0"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        socket.exists()
    });
    if !begun {
        let _ = child.kill();
        let _ = child.wait();
        skip("passt does not start here");
    }
    let running = Responder::start(machine, &["--nic", &format!("passt:{}", socket.display())]);
    running.expect_rest();
    ask(&format!("127.0.0.1:{port}"));
    running.finish();
    let _ = child.kill();
    let _ = child.wait();
}

/// A TAP device in a network namespace of this thread's, which is gone with it.
fn tap(machine: Machine, kind: &[&str]) {
    need(&["ip"]);
    let kind: Vec<String> = kind.iter().map(ToString::to_string).collect();
    let body = move || {
        if let Err(error) = unshare(CloneFlags::CLONE_NEWNET) {
            return Some(format!("no network namespace of our own: {error}"));
        }
        let ip = |words: &[&str]| {
            let output = Command::new("ip").args(words).output().unwrap();
            output.status.success().then_some(()).ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let kind: Vec<&str> = kind.iter().map(String::as_str).collect();
        if let Err(error) = ip(&[&["tuntap", "add", "tap0", "mode", "tap"][..], &kind].concat()) {
            return Some(format!("no TAP device: {error}"));
        }
        ip(&["addr", "add", "10.0.2.2/24", "dev", "tap0"]).unwrap();
        ip(&["link", "set", "tap0", "up"]).unwrap();
        let running = Responder::start(machine, &["--cpus", "2", "--nic", "tap:tap0"]);
        ask("10.0.2.15:7");
        running.finish();
        None
    };
    if let Some(reason) = std::thread::spawn(body).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
        skip(reason);
    }
}

fn refused() {
    [Machine::Process, Machine::Microvm].iter().for_each(|machine| machine.build(Path::new(RESPONDER)));
    let folder = scratch();
    let nobody = format!("dgram:{}/ours,/nobody/there", folder.path().display());
    let refusal = |words: &[&str], status: i32| {
        let outcome = whittle(&[&["run"][..], words].concat());
        outcome.expect_status(status).expect_sentence()
    };
    let native =
        |platform: &str, option: &str| refusal(&["--platform", platform, "--nic", option, "apps/responder"], 125);
    for platform in ["pc", "process"] {
        assert!(native(platform, "tap:whittle-none").contains("there is no TAP device whittle-none"));
        assert!(
            native(platform, "tap:lo").contains("lo is no TAP device") || native(platform, "tap:lo").contains("right")
        );
        assert!(native(platform, "passt:/nobody/there").contains("passt is not at /nobody/there"));
        assert!(native(platform, &nobody).contains("nobody is at /nobody/there"));
        assert!(!folder.path().join("ours").exists());
    }
    assert!(native("process", "user").contains("--platform pc"));
    let sentence = refusal(&["--platform", "process", "--nic", "tap:lo", "--", "/bin/true"], 125);
    assert!(sentence.contains("--nic is for native programs"), "{sentence}");
    let sentence = refusal(&["--platform", "process", "--nic", "tap:lo", "apps/hello-native"], 125);
    assert!(sentence.contains("no part that uses network interfaces"), "{sentence}");
}

/// The image says which part its interfaces are, and has nothing of a network stack.
fn alone() {
    [Machine::Process, Machine::Microvm].iter().for_each(|machine| machine.build(Path::new(RESPONDER)));
    for platform in ["pc", "process"] {
        let told = whittle(&["inspect", "--platform", platform, "apps/responder"]).expect_status(0).text();
        assert!(
            told.contains("links") && told.contains("network interfaces") || told.contains("TAP devices"),
            "{told}"
        );
        assert!(!told.contains("netstack"), "{told}");
    }
}
