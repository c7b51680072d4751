//! What systemd is told: by a socket of the test's that NOTIFY_SOCKET names.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::process::Command;

use rustix::process::Signal;
use system_tests::{Platform, Running, need};

use crate::home::{Home, free_port};
use crate::{LIMIT, PYTHON};

/// Waits for a file, then serves: first it is busy, and after another file well.
const SERVER: &str = "\
import os, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if os.path.exists('/kept/well') else 503)
        self.send_header('Content-Length', '0')
        self.end_headers()
    def log_message(self, *_): pass
print('waits', flush=True)
while not os.path.exists('/kept/listen'): time.sleep(0.02)
HTTPServer(('', 80), Handler).serve_forever()
";

/// A service of the test's, in the foreground, as systemd starts it.
struct Service {
    home: Home,
    told: UnixDatagram,
    port: u16,
}

impl Service {
    fn new(platform: Platform) -> Self {
        need(&[PYTHON]);
        let home = Home::new(platform);
        let told = UnixDatagram::bind(home.folder().join("notify")).unwrap();
        told.set_read_timeout(Some(LIMIT)).unwrap();
        fs::create_dir(home.folder().join("kept")).unwrap();
        Self { home, told, port: free_port() }
    }

    fn start(&self, options: &[&str]) -> Running {
        let share = format!("{}:/kept", self.home.folder().join("kept").display());
        let port = format!("127.0.0.1:{}:80", self.port);
        let own = ["-v", &share, "-p", &port, "--name", "one"];
        let mut command: Command = self.home.run_command(&[&own, options, &["--", PYTHON, "-c", SERVER]].concat());
        command.env("NOTIFY_SOCKET", self.home.folder().join("notify"));
        let running = Running::start(command, None);
        running.wait_for_output("waits\n", LIMIT);
        running
    }

    /// The program is let go on.
    fn makes(&self, file: &str) {
        fs::write(self.home.folder().join("kept").join(file), "").unwrap();
    }

    fn hears(&self) -> String {
        let mut text = [0; 200];
        let count = self.told.recv(&mut text).expect("systemd is told");
        String::from_utf8_lossy(&text[..count]).into_owned()
    }

    fn has_heard_nothing(&self) {
        self.told.set_nonblocking(true).unwrap();
        assert!(self.told.recv(&mut [0; 200]).is_err(), "it is not ready yet");
        self.told.set_nonblocking(false).unwrap();
    }

    /// What the program answers.
    fn answer(&self) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    fn ends(&self, running: Running) {
        running.signal(Signal::TERM);
        assert_eq!(self.hears(), "STOPPING=1");
        running.finish(LIMIT).expect_status(143);
    }
}

pub fn listens(platform: Platform) {
    let service = Service::new(platform);
    let running = service.start(&[]);
    service.has_heard_nothing();
    service.makes("listen");
    assert_eq!(service.hears(), format!("READY=1\nMAINPID={}", running.id()));
    assert!(service.answer().contains(" 503 "));
    service.ends(running);
}

pub fn is_well(platform: Platform) {
    let service = Service::new(platform);
    let url = format!("http://127.0.0.1:{}/up", service.port);
    let running = service.start(&["--health", &url, "--health-interval", "1"]);
    service.makes("listen");
    service.home.wait("one", "a bad answer", |machine| machine["health"]["told"] == "503");
    service.has_heard_nothing();
    service.makes("well");
    assert_eq!(service.hears(), format!("READY=1\nMAINPID={}", running.id()));
    assert_eq!(service.home.machine("one").unwrap()["health"]["is_well"], true);
    assert!(service.home.says(&["ps"]).contains("well: 200, every 1 s"));
    fs::remove_file(service.home.folder().join("kept/well")).unwrap();
    service.home.wait("one", "bad answers", |machine| machine["health"]["is_well"] == false);
    running.wait_for_error("the program is not well", LIMIT);
    service.ends(running);
}
