//! A program that ends has its connections go on: what it has sent arrives, and the end of each behind it.

use std::io::Read;
use std::net::TcpStream;

use system_tests::{Platform, need};

use crate::ways::Way;
use crate::{LIMIT, PYTHON};

/// Sends as much as there is room for, and ends: with a connection that it has closed, one that is open, and a thread
/// that computes.
const END: &str = r#"
import os, socket, threading
listener = socket.create_server(("", 80))
print("ready", flush=True)
streams = [listener.accept()[0] for _ in range(3)]
for stream in streams:
    stream.recv(1)
threading.Thread(target=lambda: all(True for _ in iter(int, 1)), daemon=True).start()
counts = []
for stream in streams[:2]:
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    stream.setblocking(False)
    counts.append(stream.send(bytes(1 << 20)))
streams[0].close()
print("sent", *counts, "bytes", flush=True)
os._exit(3)
"#;

pub fn check(platform: Platform, way: Way) {
    need(&[PYTHON]);
    way.prepared(move || {
        let running = way.guest(platform).start(&[PYTHON, "-c", END]);
        running.wait_for_output("ready", LIMIT);
        let streams: [TcpStream; 3] = std::array::from_fn(|_| way.connect());
        running.wait_for_output("bytes", LIMIT);
        // Nothing was read so far, so most of it still waits for room here.
        let came = streams.map(|mut stream| {
            stream.set_read_timeout(Some(LIMIT)).expect("a time is set");
            let mut all = Vec::new();
            stream.read_to_end(&mut all).expect("all comes, and then the end");
            all.len()
        });
        let outcome = running.finish(LIMIT);
        let text = outcome.text();
        let mut sent = text.split("sent ").nth(1).expect("it says so").split(' ');
        let sent: [usize; 2] =
            std::array::from_fn(|_| sent.next().and_then(|word| word.parse().ok()).expect("a count"));
        assert!(sent[0] > 100_000, "{text}: more than is on its way at once");
        assert_eq!(came, [sent[0], sent[1], 0], "{text}");
        outcome.expect_status(3);
    });
}
