//! How many of a program's system calls are calls, once it has run for a while: by `--report syscalls`.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use system_tests::{Build, Guest, Outcome, Platform, Unmodified, need, scratch};

/// Programs that make one kind of call or a few very often.
const PROGRAMS: [&[&str]; 6] = [
    &["/usr/bin/python3", "-c", "import os\nfor _ in range(60000): os.stat('/')"],
    &["/usr/bin/perl", "-e", "stat '/' for 1..60000"],
    &["/usr/bin/node", "-e", "const fs = require('fs'); for (let i = 0; i < 60000; i++) fs.statSync('/')"],
    &["/bin/busybox", "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=50000"],
    &["/usr/bin/ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "sine=d=60000", "-f", "s16le", "-y", "/dev/null"],
    &["/usr/bin/sqlite3", ":memory:", ".read many"],
];

/// Java compiles this in memory, and runs it.
const JAVA: &str = "class Often { public static void main(String[] words) { \
                    for (int i = 0; i < 90000; i++) new java.io.File(\"/etc/passwd\").length(); } }";

/// Calls for each trap, at least: 99 in 100 enter by what was written.
const LEAST: u64 = 99;

/// Requests of one connection to a server.
const REQUESTS: usize = 20_000;

fn guest(platform: Platform) -> Guest {
    // Emulated, ffmpeg takes its time.
    let seconds = if platform == Platform::Process { 300 } else { 1800 };
    Guest::new(platform).option("--report").option("syscalls").limit(Duration::from_secs(seconds))
}

/// What a report says: how many trapped, and how many were calls.
fn counts(outcome: &Outcome) -> (u64, u64) {
    let text = outcome.error_text();
    let line = text.lines().find_map(|line| line.strip_prefix("whittle: system calls: "));
    let line = line.unwrap_or_else(|| panic!("no report: {text}"));
    let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    (numbers[0], numbers[1])
}

#[track_caller]
fn holds(name: &str, outcome: &Outcome) {
    let (trapped, called) = counts(outcome);
    println!("{name}: {trapped} trapped, {called} were calls");
    assert!(called >= LEAST * trapped, "{name}: {trapped} trapped, {called} were calls\n{}", outcome.error_text());
}

pub fn programs(platform: Platform) {
    let folder = scratch();
    let rows: String = (0..4000).map(|row| format!("insert into t values({row});\n")).collect();
    let file = folder.path().join("many.db");
    std::fs::write(folder.path().join("many"), format!(".open {}\ncreate table t(a);\n{rows}", file.display()))
        .unwrap();
    for words in PROGRAMS {
        need(&[words[0].strip_prefix("/usr/bin/").filter(|name| *name != "python3").unwrap_or(words[0])]);
        let outcome = guest(platform).share(folder.path()).directory(folder.path().to_str().unwrap()).run(words);
        assert_eq!(outcome.status, 0, "{words:?}: {}", outcome.error_text());
        holds(words[0], &outcome);
    }
    need(&["javac", "java"]);
    let source = folder.path().join("Often.java");
    std::fs::write(&source, JAVA).unwrap();
    let outcome = guest(platform).share(folder.path()).run(&["/usr/bin/java", source.to_str().unwrap()]);
    assert_eq!(outcome.status, 0, "java: {}", outcome.error_text());
    holds("java", &outcome);
}

/// A server, what it is asked, and how its answer ends.
struct Server {
    name: &'static str,
    words: Vec<String>,
    request: &'static str,
    end: &'static str,
}

pub fn servers(platform: Platform) {
    need(&["redis-server", "nginx", "go"]);
    let folder = scratch();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let go = Unmodified { folder: "server-go", build: Build::Go }.path();
    let http = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    let all = [
        Server {
            name: "redis-server",
            words: words(&["/usr/bin/redis-server", "--save", "", "--protected-mode", "no", "--port", "8000"]),
            request: "PING\r\n",
            end: "+PONG\r\n",
        },
        Server {
            name: "nginx",
            words: words(&["/usr/sbin/nginx", "-c", nginx(folder.path()).to_str().unwrap()]),
            request: http,
            end: "here",
        },
        Server { name: "a Go server", words: words(&[go.to_str().unwrap(), "8000"]), request: http, end: "go/" },
    ];
    for server in all {
        let words: Vec<&str> = server.words.iter().map(String::as_str).collect();
        let guest = guest(platform).share(folder.path()).option("-p").option(format!("127.0.0.1:{port}:8000"));
        let running = guest.start(&words);
        ask(port, &server);
        running.signal(rustix::process::Signal::TERM);
        holds(server.name, &running.finish(Duration::from_secs(30)));
    }
}

fn nginx(folder: &Path) -> PathBuf {
    let file = folder.join("nginx.conf");
    let text = "error_log stderr;\nevents {}\nhttp { access_log off; keepalive_requests 1000000;\n\
                server { listen 8000; location / { return 200 'here'; } } }\n";
    std::fs::write(&file, text).unwrap();
    file
}

/// Asks it again and again over one connection.
fn ask(port: u16, server: &Server) {
    let connect = || TcpStream::connect(("127.0.0.1", port)).ok();
    let mut stream = std::iter::repeat_with(connect).take(600).find_map(|stream| {
        sleep(Duration::from_millis(if stream.is_some() { 0 } else { 50 }));
        stream
    });
    let stream = stream.as_mut().unwrap_or_else(|| panic!("{} does not listen", server.name));
    stream.set_nodelay(true).unwrap();
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    for _ in 0..REQUESTS {
        stream.write_all(server.request.as_bytes()).unwrap();
        answer.clear();
        while !answer.ends_with(server.end.as_bytes()) {
            let count = stream.read(&mut buffer).unwrap();
            assert!(count > 0, "{} ends: {}", server.name, String::from_utf8_lossy(&answer));
            answer.extend_from_slice(&buffer[..count]);
        }
    }
}
