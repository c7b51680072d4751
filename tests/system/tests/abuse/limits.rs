//! What is used up: the room on a share, the host's descriptors, the machine's memory.

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use system_tests::resp::command;
use system_tests::{Platform, Small, in_namespace, ip, need, scratch};

use crate::kind::Kind;
use crate::nginx::NGINX;
use crate::redis::REDIS;
use crate::served::Served;
use crate::{KINDS, LARGE, LIMIT, SMALL};

/// Takes all the room that is left.
fn take_room(small: &Small) -> PathBuf {
    let ballast = small.0.join("ballast");
    let _ = fs::write(&ballast, vec![0; 1 << 20]);
    ballast
}

/// Starts a server that writes to a small share at `/keep`.
fn with_share(platform: Platform, kind: &'static Kind, more: &'static [&'static str], body: fn(&Served, &Small)) {
    need(kind.needs);
    in_namespace(move || {
        ip("link set lo up")?;
        let folder = scratch();
        let small = Small::new(folder.path().join("small"));
        let share = format!("{}:/keep", small.0.display());
        let served = Served::begin(platform, kind, &SMALL, more, &["-v", &share]);
        body(&served, &small);
        served.end();
        Ok(())
    });
}

/// What redis answers to a command.
fn told(served: &Served, words: &[&[u8]]) -> String {
    let mut stream = served.connect();
    served.send(&stream, &command(words));
    String::from_utf8_lossy(&(served.kind.read)(&mut stream).expect("redis answers")).into_owned()
}

/// Asks until the answer begins so.
fn until(served: &Served, words: &[&[u8]], begins: &str) {
    let deadline = Instant::now() + LIMIT;
    loop {
        let answer = told(served, words);
        if answer.starts_with(begins) {
            return;
        }
        assert!(Instant::now() < deadline, "{answer:?}, not {begins:?}");
        sleep(Duration::from_millis(20));
    }
}

/// It refuses writes with the reason, answers questions, and takes writes again once there is room.
pub fn redis_on_a_full_share(platform: Platform) {
    with_share(platform, &REDIS, &["--dir", "/keep", "--appendonly", "yes"], |served, small| {
        assert_eq!(told(served, &[b"SET", b"before", b"1"]), "OK");
        let ballast = take_room(small);
        until(served, &[b"SET", b"more", &[b'x'; 4000]], "MISCONF Errors writing to the AOF file: No space left");
        assert_eq!(told(served, &[b"GET", b"before"]), "1");
        fs::remove_file(ballast).unwrap();
        until(served, &[b"SET", b"after", b"2"], "OK");
        assert_eq!(told(served, &[b"GET", b"after"]), "2");
    });
}

/// It serves as before, and writes its log again once there is room.
pub fn nginx_on_a_full_share(platform: Platform) {
    static LOGS: Kind = Kind { file: ("nginx.conf", CONFIGURATION), ..NGINX };
    const CONFIGURATION: &str = "
        error_log /keep/error.log;
        events { worker_connections 100; }
        http { access_log /keep/access.log; server { listen 0.0.0.0:{P}; location / { return 200 \"$uri\"; } } }";
    with_share(platform, &LOGS, &[], |served, small| {
        let log = small.0.join("access.log");
        let has = |number: u64| fs::read_to_string(&log).unwrap().contains(&format!("GET /{number} HTTP"));
        let mut stream = served.connect();
        served.ask(&mut stream, 1000);
        let ballast = take_room(small);
        (2000..2200).for_each(|number| served.ask(&mut stream, number));
        assert!(has(1000) && !has(2199), "the share is not full");
        fs::remove_file(ballast).unwrap();
        served.ask(&mut stream, 3000);
        // It asks again a while after it was told that there is no room.
        let deadline = Instant::now() + LIMIT;
        while !has(3000) && !has(3001) {
            assert!(Instant::now() < deadline, "nothing is written any more");
            sleep(Duration::from_millis(200));
            served.ask(&mut stream, 3001);
        }
    });
}

/// Descriptors that the host leaves the machine, beyond those that it has when it serves.
const LEFT: u64 = 20;

/// Connections for which the host has no descriptors wait or end. Once others have gone, who comes is answered. QEMU's
/// network gives a descriptor back ten seconds after its connection has ended, and takes what has waited meanwhile in
/// turn.
pub fn descriptors(platform: Platform) {
    for kind in KINDS {
        need(kind.needs);
        in_namespace(move || {
            ip("link set lo up")?;
            let served = Served::begin(platform, kind, &LARGE, &[], &[]);
            served.limit_descriptors(LEFT);
            let mut first = served.connect();
            served.ask(&mut first, 1);
            let many: Vec<_> = (0..100).map(|_| served.connect()).collect();
            // Who is in is served on.
            served.ask(&mut first, 2);
            drop(many);
            let deadline = Instant::now() + LIMIT;
            while !served.answers() {
                assert!(Instant::now() < deadline, "{} answers nobody any more", kind.name);
                sleep(Duration::from_millis(100));
            }
            served.ask(&mut first, 3);
            served.end();
            Ok(())
        });
    }
}

/// Fills redis until something gives way: what it is told last.
fn fill(served: &Served) -> String {
    let mut stream = served.connect();
    let value = vec![b'x'; 100_000];
    for number in 0..10_000 {
        let set = command(&[b"SET", format!("key{number}").as_bytes(), &value]);
        let told = std::io::Write::write_all(stream.get_mut(), &set).and_then(|()| (served.kind.read)(&mut stream));
        match told {
            Ok(answer) if answer == b"OK" => {}
            Ok(answer) => return String::from_utf8_lossy(&answer).into_owned(),
            Err(error) => return error.to_string(),
        }
    }
    panic!("a gigabyte fits into 64 MB")
}

/// More than the machine has: redis is refused memory, as on a Linux that promises no more than it has, and says so
/// before it ends; or the machine says so where it finds none for a page.
pub fn memory(platform: Platform) {
    need(REDIS.needs);
    in_namespace(move || {
        ip("link set lo up")?;
        // Else it looks through its memory at its end, over its own stack, which is SIGSEGV on Linux too.
        let more = ["--crash-memcheck-enabled", "no"];
        let served = Served::begin(platform, &REDIS, &SMALL, &more, &["--memory", "64M"]);
        fill(&served);
        let outcome = served.ends();
        let (said, error) = (outcome.text(), outcome.error_text());
        match outcome.status {
            134 => assert!(said.contains("Redis aborting for OUT OF MEMORY"), "{said}{error}"),
            137 => assert!(error.contains("whittle: out of memory: "), "{error}"),
            status => panic!("status {status}: {said}{error}"),
        }
        Ok(())
    });
}

/// More than redis is to take: it says so for each write, and goes on.
pub fn own_limit(platform: Platform) {
    need(REDIS.needs);
    in_namespace(move || {
        ip("link set lo up")?;
        let more = ["--maxmemory", "20mb"];
        // On process a limit is for what is mapped writable: three threads' stacks of 8 MB, and what the allocator
        // keeps, which depends on how long a command waits.
        let served = Served::begin(platform, &REDIS, &SMALL, &more, &["--memory", "128M"]);
        let answer = fill(&served);
        if !answer.starts_with("OOM command not allowed") {
            let outcome = served.ends();
            panic!("{answer}; status {}: {}{}", outcome.status, outcome.text(), outcome.error_text());
        }
        assert_eq!(told(&served, &[b"EXISTS", b"key1"]), "1");
        assert_eq!(told(&served, &[b"FLUSHALL"]), "OK");
        assert_eq!(told(&served, &[b"SET", b"key", b"value"]), "OK");
        served.end();
        Ok(())
    });
}
