//! Clients that stop, end in the middle, or vanish without a word: the server serves the others, and nothing of them
//! stays.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
use rustix::process::{Pid, Signal, kill_process};
use system_tests::{client as peer, ip};

use crate::way::{Served, Way};

/// The variable by which this program is one of these clients: whom it asks.
pub const CLIENT: &str = "LOAD_CLIENT";
/// Bytes that it asks for: more than all buffers on the way hold.
const LENGTH: u64 = 20_000_000;
/// Where clients vanish from.
const GOING: &str = "192.0.2.77/32";

/// Such a client, in a process of its own: asks for bytes, says that they come, and takes them all.
pub fn client(address: &str) -> ExitCode {
    let mut stream = peer::connect(address.parse().expect("an address"), 19);
    stream.write_all(&LENGTH.to_be_bytes()).expect("the server takes a length");
    let mut digest = Default::default();
    peer::read_exactly(&mut stream, 100_000, &mut digest);
    println!("begun");
    peer::read_exactly(&mut stream, LENGTH as usize - 100_000, &mut digest);
    assert_eq!([digest.length, digest.finish()], forwarder::client::expected(LENGTH));
    ExitCode::SUCCESS
}

/// One that has got something.
fn begun(served: &Served) -> Child {
    let program = std::env::current_exe().expect("this program has a file");
    let mut command = Command::new(program);
    command.env(CLIENT, served.address.to_string()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("this program starts");
    let mut said = [0; 5];
    child.stdout.as_mut().unwrap().read_exact(&mut said).expect("bytes come");
    assert_eq!(&said, b"begun");
    child
}

/// One is stopped in the middle, and gets every byte when it goes on; one is ended.
fn stop_and_end(served: &Served) {
    let (mut stopped, mut ended) = (begun(served), begun(served));
    kill_process(Pid::from_child(&stopped), Signal::STOP).unwrap();
    ended.kill().unwrap();
    ended.wait().unwrap();
    // Others are served meanwhile.
    for _ in 0..4 {
        peer::echo(served.address, 50_000);
        std::thread::sleep(Duration::from_millis(500));
    }
    kill_process(Pid::from_child(&stopped), Signal::CONT).unwrap();
    let status = stopped.wait().unwrap();
    assert!(status.success(), "a client that stopped for a while: {status}");
}

/// A connection from an address that goes: nothing that the server sends comes anywhere any more.
fn from_nowhere(served: &Served, port: u16) -> TcpStream {
    let from: SocketAddr = (GOING.split('/').next().unwrap().parse::<std::net::IpAddr>().unwrap(), 0).into();
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&socket, &from).unwrap();
    connect(&socket, &SocketAddr::new(served.address, port)).unwrap();
    socket.into()
}

/// A client that has gone without a word, with nothing under way, and if wanted another with much.
fn vanish(served: &Served, busy: bool) -> Vec<TcpStream> {
    let device = if served.way == Way::Tap { "tap9" } else { "lo" };
    ip(&format!("address add {GOING} dev {device}")).unwrap();
    let mut gone = vec![from_nowhere(served, 7)];
    peer::words(&mut gone);
    if busy {
        let mut stream = from_nowhere(served, 19);
        stream.write_all(&LENGTH.to_be_bytes()).unwrap();
        stream.read_exact(&mut [0; 1000]).unwrap();
        gone.push(stream);
    }
    ip(&format!("address del {GOING} dev {device}")).unwrap();
    gone
}

/// Whether the server can see that somebody has vanished: not behind QEMU's network, which answers for everyone.
fn sees(served: &Served) -> bool {
    !(served.way == Way::Published && served.platform.is_pc())
}

/// All of them. One that vanishes in the middle is seen after half a minute.
pub fn all(served: &Served) {
    some(served, true);
}

/// All of them; whether one vanishes in the middle is for the caller to say.
pub fn some(served: &Served, busy: bool) {
    let before = served.told();
    let gone = if sees(served) { vanish(served, busy) } else { Vec::new() };
    stop_and_end(served);
    served.is_as_before(&before);
    drop(gone);
}
