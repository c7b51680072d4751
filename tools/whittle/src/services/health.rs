//! Asking a program whether it is well: one GET by HTTP/1.1, of which the answer's first line is read.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::failure::plain;
use crate::words::HealthUrl;

/// A program that takes longer to answer is not well.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes of the longest first line.
const LINE: usize = 1024;

/// What it answers, for people: whether that is well, and what it was.
#[must_use]
pub fn ask(url: &HealthUrl) -> (bool, String) {
    let mut last = (false, String::new());
    for place in url.places() {
        last = match status(url, place, Instant::now() + PATIENCE) {
            Ok(status) => return ((200..400).contains(&status), status.to_string()),
            Err(error) => (false, why(&error)),
        };
    }
    last
}

fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => format!("no answer for {} s", PATIENCE.as_secs()),
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => "no answer by HTTP".into(),
        _ => plain(error),
    }
}

/// The status that the program answers with until then.
fn status(url: &HealthUrl, place: SocketAddr, until: Instant) -> io::Result<u16> {
    let mut stream = TcpStream::connect_timeout(&place, PATIENCE)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let HealthUrl { path, authority, .. } = url;
    let head = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: whittle\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    let mut line = Vec::new();
    while !line.contains(&b'\n') && line.len() < LINE {
        let left = until.saturating_duration_since(Instant::now());
        // None at all would be no limit.
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        let mut part = [0; LINE];
        match stream.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ if left.is_zero() => return Err(io::ErrorKind::TimedOut.into()),
            count => line.extend_from_slice(&part[..count]),
        }
    }
    status_in(&line).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// The status in `HTTP/1.1 200 OK` (RFC 9112, section 4).
fn status_in(line: &[u8]) -> Option<u16> {
    let line = std::str::from_utf8(line.split(|&byte| byte == b'\n').next()?).ok()?;
    let mut words = line.split_ascii_whitespace();
    words.next().filter(|version| version.starts_with("HTTP/1."))?;
    words.next()?.parse().ok().filter(|status| (100..600).contains(status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    /// What is found where a server answers so.
    fn found(answer: &'static [u8]) -> (bool, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = [0; 200];
            let count = stream.read(&mut asked).unwrap();
            stream.write_all(answer).unwrap();
            String::from_utf8_lossy(&asked[..count]).into_owned()
        });
        let found = ask(&format!("http://127.0.0.1:{port}/up").parse().unwrap());
        let asked = server.join().unwrap();
        assert!(asked.starts_with(&format!("GET /up HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n")), "{asked}");
        found
    }

    #[test]
    fn the_status_tells_how_well_it_is() {
        assert_eq!(found(b"HTTP/1.1 200 OK\r\n\r\n"), (true, "200".into()));
        assert_eq!(found(b"HTTP/1.0 302 Found\r\n\r\n"), (true, "302".into()));
        assert_eq!(found(b"HTTP/1.1 503 Busy\r\n\r\n"), (false, "503".into()));
    }

    #[test]
    fn what_is_no_answer_is_told() {
        for wrong in [&b""[..], b"HTTP/1.1 200", b"SSH-2.0-x\r\n", b"HTTP/1.1 999 x\n", b"\n", b"\xff\n", &[b'x'; 2000]]
        {
            assert_eq!(found(wrong), (false, "no answer by HTTP".into()), "{wrong:?}");
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        assert_eq!(ask(&format!("http://127.0.0.1:{port}/").parse().unwrap()), (false, "connection refused".into()));
    }
}
