//! What is outside of the machine: servers of HTTP, with and without TLS, an echo of datagrams, and one of names.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::ways::OUTSIDE;

/// A certificate for the addresses and the name of what is here, which signs itself.
pub struct Certificate {
    pub certificate: String,
    pub key: String,
}

impl Certificate {
    pub const NAME: &str = "certificate.pem";

    pub fn make(folder: &Path) -> Self {
        let path = |name: &str| folder.join(name).display().to_string();
        let made = Self { certificate: path(Self::NAME), key: path("key.pem") };
        let names = format!("subjectAltName=DNS:{NAME},IP:{OUTSIDE},IP:192.0.2.1,IP:10.7.0.2");
        let mut openssl = Command::new("openssl");
        openssl.args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test", "-addext", &names,
        ]);
        openssl.args(["-keyout", &made.key, "-out", &made.certificate]);
        let output = openssl.output().expect("openssl starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        made
    }
}

/// The one name that the server of names knows.
pub const NAME: &str = "far.example";

/// What is said of what is asked by HTTP.
pub const FAR: &str = "far away\n";

/// Ports of what is outside.
pub struct Outside {
    pub http: u16,
    pub echo: u16,
    pub tls: u16,
    openssl: Child,
}

impl Outside {
    /// Begins all of them, on [`OUTSIDE`].
    pub fn begin(folder: &Path, made: &Certificate) -> Self {
        let web = TcpListener::bind((OUTSIDE, 0)).expect("the address is there");
        let http = web.local_addr().expect("it has an address").port();
        thread::spawn(move || web.incoming().flatten().for_each(answer));
        let datagrams = UdpSocket::bind((OUTSIDE, 0)).expect("the address is there");
        let echo = datagrams.local_addr().expect("it has an address").port();
        thread::spawn(move || datagram(&datagrams, |question| question.iter().rev().copied().collect()));
        let names = UdpSocket::bind((OUTSIDE, 53)).expect("the address is there");
        thread::spawn(move || datagram(&names, name));
        std::fs::write(folder.join("page"), FAR).expect("the folder can be written");
        let tls = 4433;
        let mut openssl = Command::new("openssl");
        openssl.args(["s_server", "-quiet", "-WWW", "-accept", &format!("{OUTSIDE}:{tls}")]).current_dir(folder);
        openssl.args(["-cert", &made.certificate, "-key", &made.key]);
        openssl.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut openssl = openssl.spawn().expect("openssl starts");
        // It takes longer to begin than a machine that asks it.
        while TcpStream::connect((OUTSIDE, tls)).is_err() {
            assert!(openssl.try_wait().expect("the child is ours").is_none(), "openssl s_server has ended");
            thread::sleep(Duration::from_millis(10));
        }
        Self { http, echo, tls, openssl }
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.openssl.kill();
        let _ = self.openssl.wait();
    }
}

fn answer(mut stream: std::net::TcpStream) {
    let mut question = [0; 1000];
    let _ = stream.read(&mut question);
    let _ = stream.write_all(format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{FAR}", FAR.len()).as_bytes());
}

fn datagram(socket: &UdpSocket, answer: impl Fn(&[u8]) -> Vec<u8>) {
    let mut question = [0; 2000];
    while let Ok((count, from)) = socket.recv_from(&mut question) {
        let _ = socket.send_to(&answer(&question[..count]), from);
    }
}

/// The answer of a server of names (RFC 1035) that knows [`NAME`] by its IPv4 address, and nothing else.
fn name(question: &[u8]) -> Vec<u8> {
    let encoded: Vec<u8> = NAME.split('.').flat_map(|part| [&[part.len() as u8], part.as_bytes()].concat()).collect();
    let asked = question.get(12..).unwrap_or_default();
    let end = encoded.len() + 5;
    let known =
        asked.len() >= end && asked[..encoded.len()].eq_ignore_ascii_case(&encoded) && asked[encoded.len()] == 0;
    let address = known && asked[encoded.len() + 1..end] == [0, 1, 0, 1];
    // An answer, with no such name where that is so; of what was asked only the question itself comes back.
    let mut answer =
        [&question[..2], &[0x85, if known { 0x80 } else { 0x83 }, 0, 1, 0, u8::from(address), 0, 0, 0, 0]].concat();
    let length = asked.iter().position(|&byte| byte == 0).map_or(0, |zero| zero + 5).min(asked.len());
    answer.extend(&asked[..length]);
    if address && let std::net::IpAddr::V4(here) = OUTSIDE {
        answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
        answer.extend(here.octets());
    }
    answer
}
