//! Servers of Debian's, as its packages have them: without its profile each ends at once, and with it each answers.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use system_tests::{Platform, need, skip};

use crate::home::{Home, eventually, free_port};

/// A server that has a profile.
pub struct Server {
    pub name: &'static str,
    needs: &'static [&'static str],
    words: &'static [&'static str],
    port: u16,
    /// What it ends with without its profile, and a part of what it says: on process, and on pc.
    without: [(i32, &'static str); 2],
    asked: &'static str,
    answers: &'static str,
}

pub const SERVERS: &[Server] = &[
    Server {
        name: "nginx",
        needs: &["nginx"],
        words: &["/usr/sbin/nginx"],
        port: 80,
        without: [(0, " with the first one"); 2],
        asked: "GET / HTTP/1.0\r\n\r\n",
        answers: "HTTP/1.1 200 OK",
    },
    Server {
        name: "redis-server",
        needs: &["redis-server"],
        words: &["/usr/bin/redis-server", "/etc/redis/redis.conf", "--bind", "0.0.0.0", "--protected-mode", "no"],
        port: 6379,
        without: [(0, " with the first one"); 2],
        asked: "PING\r\n",
        answers: "+PONG",
    },
    Server {
        name: "memcached",
        needs: &["memcached"],
        words: &["/usr/bin/memcached"],
        port: 11211,
        without: [(64, "can't run as root without the -u switch"); 2],
        asked: "set a 0 0 1\r\nx\r\n",
        answers: "STORED",
    },
];

impl Server {
    pub fn check(&self, platform: Platform) {
        need(self.needs);
        if !rustix::process::geteuid().is_root() {
            skip("these packages' files and ports are root's");
        }
        let home = Home::new(platform);
        let plain = home.runs(&[&["--no-profile", "--"], self.words].concat());
        let (status, says) = self.without[usize::from(platform.is_pc())];
        plain.expect_status(status);
        assert!(plain.error_text().contains(says), "{}", plain.error_text());
        let port = format!("127.0.0.1:{}:{}", free_port(), self.port);
        home.detaches("one", &[&["--verbose", "-p", &port, "--"], self.words].concat());
        let place: Vec<&str> = port.split(':').collect();
        let place = format!("{}:{}", place[0], place[1]);
        eventually("an answer", || ask(&place, self.asked).filter(|answer| answer.starts_with(self.answers)));
        assert_eq!(home.says(&["stop", "one"]), "one ended with status 0\n");
    }
}

fn ask(place: &str, words: &str) -> Option<String> {
    let mut stream = TcpStream::connect(place).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    stream.write_all(words.as_bytes()).ok()?;
    let mut answer = [0; 512];
    let count = stream.read(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer[..count]).into_owned())
}

pub fn users(platform: Platform) {
    need(&["/bin/busybox"]);
    let home = Home::new(platform);
    let folder = home.folder().join("configuration/whittle/profiles");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("busybox.toml");
    fs::write(&file, "[environment]\nGREETING = \"hello\"\n").unwrap();
    let words = ["--", "/bin/busybox", "sh", "-c", "echo $GREETING"];
    home.runs(&words).expect_output("hello\n");
    home.runs(&[&["--no-profile"], &words[..]].concat()).expect_output("\n");
    home.runs(&[&["--env", "GREETING=mine"], &words[..]].concat()).expect_output("mine\n");
    let told = home.runs(&[&["--verbose"], &words[..]].concat()).error_text();
    assert!(told.contains(&format!("{} sets GREETING=hello", file.display())), "{told}");
    fs::write(&file, "greeting = 1\n").unwrap();
    let told = home.runs(&words).expect_status(125).expect_sentence();
    assert!(told.contains("busybox.toml is not to be used: line 1: unknown field"), "{told}");
}
