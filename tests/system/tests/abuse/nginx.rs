//! Nginx with answers of its configuration's and a file.

use std::io::{self, Read};

use fastrand::Rng;

use crate::kind::{Kind, Stream, damaged, line, much, noise, word};

pub const NGINX: Kind = Kind {
    name: "nginx",
    needs: &["nginx", "/bin/busybox"],
    // Only its workers take the limit of open files from its configuration, and here there are none.
    words: &[
        "/bin/busybox",
        "sh",
        "-c",
        "ulimit -n 13000; exec /usr/sbin/nginx -g 'daemon off; master_process off;' -c {F}/nginx.conf",
    ],
    file: ("nginx.conf", CONFIGURATION),
    prepare: |served| std::fs::write(served.folder().join("much"), much(MUCH)).unwrap(),
    request: |number| format!("GET /{number} HTTP/1.1\r\nHost: a\r\n\r\n").into_bytes(),
    answer: |number| format!("200 /{number}").into_bytes(),
    read,
    much: ("GET /much HTTP/1.1\r\nHost: a\r\n\r\n", MUCH),
    wrong,
    broken,
};

const MUCH: usize = 20_000_000;

const CONFIGURATION: &str = r#"
error_log /dev/null crit;
pid {F}/nginx.pid;
events { worker_connections 12000; }
http {
    access_log off;
    keepalive_requests 100000000;
    keepalive_timeout 3600s;
    client_header_timeout {T}s;
    client_body_timeout {T}s;
    send_timeout 120s;
    server {
        listen 0.0.0.0:{P} backlog=4096;
        default_type text/plain;
        location / { return 200 "$uri"; }
        location = /much { root {F}; }
    }
}
"#;

/// The status and the body; of a file the body alone.
fn read(stream: &mut Stream) -> io::Result<Vec<u8>> {
    let status = line(stream)?;
    let mut length = 0;
    let mut is_file = false;
    loop {
        let header = line(stream)?;
        if header.is_empty() {
            break;
        }
        if let Some(number) = header.strip_prefix("Content-Length: ") {
            length = number.parse().map_err(io::Error::other)?;
        }
        is_file |= header.starts_with("Accept-Ranges: ");
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    let status = status.split(' ').nth(1).unwrap_or_default();
    Ok(if is_file { body } else { [status.as_bytes(), b" ", &body].concat() })
}

/// Headers, names and methods that mean nothing.
fn wrong(random: &mut Rng) -> Vec<u8> {
    let text = |bytes: Vec<u8>| bytes.into_iter().map(|byte| if byte < 32 { b'?' } else { byte }).collect::<Vec<_>>();
    let (name, value) = (word(random, 200), text(noise(random, 500)));
    let (method, more): (&[u8], _) = match random.u8(..5) {
        0 => (b"GET", [&b"X-"[..], &name, b": ", &value].concat()),
        1 => (b"GET", [&b"Range: bytes="[..], &value].concat()),
        2 => (b"GET", [&b"If-Modified-Since: "[..], &value].concat()),
        3 => (b"PURGE", [&b"Cookie: "[..], &value].concat()),
        _ => (b"POST", b"Content-Length: 0".to_vec()),
    };
    [method, b" /", &name, b" HTTP/1.1\r\nHost: a\r\n", &more, b"\r\n\r\n"].concat()
}

fn broken(random: &mut Rng) -> Vec<u8> {
    let request = b"GET /broken HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n".to_vec();
    match random.u8(..7) {
        0 => noise(random, 2000),
        1 => damaged(random, request),
        2 => b"GET /%zz%00 HTTP/9.9\r\n\r\n".to_vec(),
        3 => [b"GET /", &vec![b'x'; 40_000][..], b" HTTP/1.1\r\n"].concat(),
        4 => [b"GET / HTTP/1.1\r\n", &b"X: y\r\n".repeat(8000)[..]].concat(),
        5 => b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n".to_vec(),
        _ => b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n".to_vec(),
    }
}
