//! Listeners that share a port (SO_REUSEPORT), as servers with a listener for each thread have them.

use system_tests::{Guest, Platform, need};

use super::{LIMIT, PYTHON, ask, free_port};

/// Two listeners, each with a thread; who asks is told which one it was, and "close" ends the one that hears it. What
/// waits with that one meanwhile is not lost.
const LISTENERS: &str = r#"
import socket, threading
def listener():
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind(("0.0.0.0", 80))
    made.listen(64)
    return made
def serve(number, listener):
    wanted = b"go"
    while wanted == b"go":
        stream, _ = listener.accept()
        wanted = stream.recv(16)
        if wanted != b"go":
            listener.close()
        stream.sendall(b"%d" % number)
        stream.close()
threads = [threading.Thread(target=serve, args=(number, listener())) for number in range(2)]
for thread in threads:
    thread.start()
print("ready", flush=True)
for thread in threads:
    thread.join()
"#;

/// Each gets some of those who ask, and whoever is left all of them.
pub fn ports(platform: Platform) {
    need(&[PYTHON]);
    let port = free_port();
    let guest = Guest::new(platform).option("-p").option(format!("127.0.0.1:{port}:80"));
    let running = guest.start(&[PYTHON, "-c", LISTENERS]);
    running.wait_for_output("ready", LIMIT);
    let who = |word: &[u8]| ask(([127, 0, 0, 1], port), word).expect("it answers");
    let all: Vec<Vec<u8>> = (0..40).map(|_| who(b"go")).collect();
    for number in [b"0", b"1"] {
        assert!(all.iter().any(|answer| answer == number), "nobody came to listener {number:?}: {all:?}");
    }
    let closed = who(b"close");
    let left = if closed == b"0" { b"1" } else { b"0" };
    assert!((0..20).all(|_| who(b"go") == left), "all go to the one that is left");
    assert_eq!(who(b"close"), left);
    running.finish(LIMIT).expect_status(0);
}
