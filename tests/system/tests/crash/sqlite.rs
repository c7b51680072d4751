//! A service that keeps in SQLite what it is given, over HTTP.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use system_tests::{Platform, need, project_root};

use crate::servers::{Client, Server, value_of};

pub fn on_a_share(platform: Platform) {
    need(&["/usr/bin/python3", "sqlite3"]);
    let share = |folder: &Path| vec!["-v".into(), format!("{}:/keep", folder.display())];
    Server { platform, begin: &share, words: &words, done: &is_whole }.kills::<Service>();
}

/// The service, with each kind of journal in turn.
fn words(port: u16, round: usize) -> Vec<String> {
    let service = project_root().join("tests/system/programs/crash/service.py").display().to_string();
    let journal = ["delete", "wal", "truncate"][round % 3];
    ["/usr/bin/python3", &service, &port.to_string(), "/keep", journal].map(str::to_owned).to_vec()
}

fn is_whole(folder: &Path) {
    let output = Command::new("sqlite3").arg(folder.join("base")).arg("pragma integrity_check").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ok\n");
}

struct Service {
    answers: BufReader<TcpStream>,
}

impl Service {
    fn send(&self, bytes: &[u8]) -> io::Result<()> {
        self.answers.get_ref().write_all(bytes)
    }

    /// The body of one answer.
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line)?;
            let line = line.strip_suffix("\r\n").ok_or(ErrorKind::UnexpectedEof)?;
            assert!(!line.starts_with("HTTP/") || line == "HTTP/1.1 200 OK", "{line}");
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = number.parse().expect("a length is a number");
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.answers.read_exact(&mut body)?;
        Ok(body)
    }
}

impl Client for Service {
    fn connect(stream: TcpStream) -> io::Result<Self> {
        let mut client = Self { answers: BufReader::new(stream) };
        client.send(b"GET / HTTP/1.1\r\n\r\n")?;
        client.read().map(|_| client)
    }

    fn put(&mut self, first: u64, count: u64, mut acknowledged: impl FnMut(u64)) -> io::Result<()> {
        let put = |number: u64| {
            let value = value_of(number);
            let head = format!("PUT /{number} HTTP/1.1\r\nContent-Length: {}\r\n\r\n", value.len());
            [head.into_bytes(), value].concat()
        };
        self.send(&(first..first + count).flat_map(put).collect::<Vec<_>>())?;
        for number in first..first + count {
            self.read()?;
            acknowledged(number);
        }
        Ok(())
    }

    fn values(&mut self) -> io::Result<Vec<Vec<u8>>> {
        self.send(b"GET / HTTP/1.1\r\n\r\n")?;
        let body = self.read()?;
        let (mut rest, mut values) = (&body[..], Vec::new());
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line = std::str::from_utf8(&rest[..end]).expect("numbers are text");
            let (number, length) = line.split_once(' ').expect("a number and a length");
            assert_eq!(number, (values.len() + 1).to_string(), "a value is missing between others");
            let (value, behind) = rest[end + 1..].split_at(length.parse().expect("a length is a number"));
            values.push(value.to_vec());
            rest = behind;
        }
        Ok(values)
    }
}
