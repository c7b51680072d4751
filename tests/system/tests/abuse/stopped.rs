//! Clients that are stopped with full pipes, and go on; that are killed; and that end by a reset in the middle of a
//! request.

use std::io::{BufReader, Read};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use rustix::net::sockopt::set_socket_linger;
use rustix::process::{Pid, Signal, kill_process};
use system_tests::client;

use crate::kind::much;
use crate::served::{PORT, Served};
use crate::{KINDS, Size};

/// The variable by which this program is one of these clients: of which kind of server.
pub const CLIENT: &str = "ABUSE_CLIENT";
/// Bytes that it asks for: more than all buffers on the way hold.
const LENGTH: usize = 20_000_000;

/// Such a client, in a process of its own: asks for much, says that it comes, and takes it all.
pub fn client(name: &str) -> ExitCode {
    let kind = KINDS.into_iter().find(|kind| kind.name == name).expect("a kind");
    let stream = client::connect([127, 0, 0, 1].into(), PORT);
    let (request, length) = kind.much;
    let count = LENGTH.div_ceil(length);
    std::thread::scope(|scope| {
        scope.spawn(|| std::io::Write::write_all(&mut &stream, request.repeat(count).as_bytes()));
        // Some of it has come.
        stream.peek(&mut [0]).expect("the server answers");
        println!("begun");
        let (mut answers, expected) = (BufReader::new(stream.try_clone().unwrap()), much(length));
        for _ in 0..count {
            assert!((kind.read)(&mut answers).expect("the server answers") == expected, "another answer");
        }
    });
    ExitCode::SUCCESS
}

/// One that has got something.
fn begun(served: &Served) -> Child {
    let program = std::env::current_exe().expect("this program has a file");
    let mut child = Command::new(program).env(CLIENT, served.kind.name).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = [0; 5];
    child.stdout.as_mut().unwrap().read_exact(&mut said).expect("bytes come");
    assert_eq!(&said, b"begun");
    child
}

pub fn all(served: &Served, size: &Size) {
    let (mut stopped, mut ended) = (begun(served), begun(served));
    kill_process(Pid::from_child(&stopped), Signal::STOP).unwrap();
    ended.kill().unwrap();
    ended.wait().unwrap();
    for number in 0..size.clients * 10 {
        vanish(served, number);
    }
    for _ in 0..4 {
        served.ask(&mut served.connect(), 5);
        std::thread::sleep(Duration::from_millis(300));
    }
    kill_process(Pid::from_child(&stopped), Signal::CONT).unwrap();
    let status = stopped.wait().unwrap();
    assert!(status.success(), "a client that stopped for a while: {status}");
}

/// One that ends by a reset, behind a part of a request or a whole one whose answer it does not read.
fn vanish(served: &Served, number: usize) {
    let stream = served.connect();
    let request =
        if number.is_multiple_of(3) { served.kind.much.0.into() } else { (served.kind.request)(number as u64) };
    served.send(&stream, &request[..1 + number % request.len()]);
    set_socket_linger(stream.get_ref(), Some(Duration::ZERO)).unwrap();
}
