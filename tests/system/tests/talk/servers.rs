//! Servers inside, and what a client outside is answered.

use std::fs;
use std::io::{Read, Result, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use rustix::process::Signal;
use system_tests::{Build, Platform, Unmodified, need, project_root, scratch, work_folder};

use crate::outside::Certificate;
use crate::ways::Way;
use crate::{LIMIT, PYTHON};

/// A server, which listens on port 80.
pub struct Server {
    pub name: &'static str,
    /// What this machine must have.
    needs: &'static [&'static str],
    /// Its words. A folder for files of its own.
    words: fn(&std::path::Path) -> Vec<String>,
    /// What it says when it listens; nothing if it says nothing.
    says: &'static str,
    asked: Asked,
    /// How long it takes.
    weight: Weight,
}

/// What it is asked.
#[derive(Clone, Copy)]
enum Asked {
    /// For this path by HTTP, with this answer; and to give back what is posted, if it does.
    Http(&'static str, &'static str, bool),
    /// To give back what is sent.
    Bytes,
    /// For a page by HTTP over TLS, by curl, with these words in it.
    Tls(&'static str),
}

/// Which of its tests run always.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// On process, over what `-p` makes and over a TAP device.
    Light,
    /// On process, over what `-p` makes.
    Heavy,
}

impl Server {
    /// Whether a test of it is left to `--all`.
    pub fn is_long(&self, platform: Platform, way: Way) -> bool {
        platform.is_pc() || way == Way::Passt || way == Way::Tap && self.weight == Weight::Heavy
    }
}

pub const ALL: &[Server] = &[
    Server {
        name: "go",
        needs: &["go"],
        words: go,
        says: "ready",
        asked: Asked::Http("/x", "go/x", true),
        weight: Weight::Heavy,
    },
    Server {
        name: "java",
        needs: &["java", "javac"],
        words: java,
        says: "ready",
        asked: Asked::Http("/x", "java/x", true),
        weight: Weight::Heavy,
    },
    Server {
        name: "node",
        needs: &["node"],
        words: |_| words(&["/usr/bin/node", "-e", NODE]),
        says: "ready",
        asked: Asked::Http("/x", "node/x", true),
        weight: Weight::Heavy,
    },
    Server {
        name: "tokio",
        needs: &[],
        words: |_| {
            let server = Unmodified { folder: "server-rust", build: Build::Rust };
            words(&[&server.path().display().to_string(), "80"])
        },
        says: "ready",
        asked: Asked::Http("/x", "rust/x", true),
        weight: Weight::Light,
    },
    Server {
        name: "http_server",
        needs: &[PYTHON],
        words: |folder| {
            fs::write(folder.join("x"), "a file").expect("the folder can be written");
            words(&[PYTHON, "-u", "-m", "http.server", "-d", &folder.display().to_string(), "80"])
        },
        says: "Serving HTTP",
        asked: Asked::Http("/x", "a file", false),
        weight: Weight::Light,
    },
    Server {
        name: "asyncio",
        needs: &[PYTHON],
        words: |_| words(&[PYTHON, "-u", "-c", ASYNCIO]),
        says: "ready",
        asked: Asked::Bytes,
        weight: Weight::Heavy,
    },
    Server {
        name: "nc",
        needs: &["/bin/busybox"],
        words: |_| words(&["/bin/busybox", "nc", "-l", "-p", "80", "-e", "/bin/busybox", "cat"]),
        says: "",
        asked: Asked::Bytes,
        weight: Weight::Heavy,
    },
    Server {
        name: "s_server",
        needs: &["openssl", "curl"],
        words: |folder| {
            let made = Certificate::make(folder);
            words(&[
                "/usr/bin/openssl",
                "s_server",
                "-www",
                "-accept",
                "80",
                "-cert",
                &made.certificate,
                "-key",
                &made.key,
            ])
        },
        says: "ACCEPT",
        asked: Asked::Tls("s_server -www -accept 80"),
        weight: Weight::Heavy,
    },
];

const NODE: &str = "require('http').createServer((question, answer) => question.method == 'POST'
    ? question.pipe(answer) : answer.end('node' + question.url)).listen(80, () => console.log('ready'))";

const ASYNCIO: &str = r#"
import asyncio

async def echo(reader, writer):
    while piece := await reader.read(65536):
        writer.write(piece)
        await writer.drain()
    writer.close()

async def main():
    server = await asyncio.start_server(echo, None, 80)
    print("ready")
    await server.serve_forever()

asyncio.run(main())
"#;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn go(_: &std::path::Path) -> Vec<String> {
    let server = Unmodified { folder: "server-go", build: Build::Go };
    words(&[&server.path().display().to_string(), "80"])
}

fn java(_: &std::path::Path) -> Vec<String> {
    let classes: PathBuf = work_folder().join("server-java");
    let source = project_root().join("tests/system/programs/server-java/Serve.java");
    let status = Command::new("javac").arg("-d").arg(&classes).arg(source).status().expect("javac starts");
    assert!(status.success(), "javac compiles it");
    // Fewer threads and no writing of what nobody reads.
    let options = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-XX:-UsePerfData"];
    let java = fs::canonicalize("/usr/bin/java").expect("java is there").display().to_string();
    words(&[&[java.as_str()][..], &options, &["-cp", &classes.display().to_string(), "Serve", "80"]].concat())
}

pub fn check(server: &'static Server, platform: Platform, way: Way) {
    need(server.needs);
    // Built where crates can be fetched: the way leads to nobody but the tests.
    let folder = scratch();
    let words = (server.words)(folder.path());
    way.prepared(move || {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let memory = if platform.is_pc() { "1G" } else { "2G" };
        let running = way.guest(platform).option("--memory").option(memory).start(&words);
        if !server.says.is_empty() {
            running.wait_for_output(server.says, LIMIT);
        }
        server.asked.ask(way, folder.path());
        running.signal(Signal::TERM);
        let _ = running.finish(LIMIT);
    });
}

impl Asked {
    fn ask(self, way: Way, folder: &std::path::Path) {
        let server = way.server();
        // More than any buffer on the way holds.
        let body: Vec<u8> = (0..2_000_000_u32).map(|number| (number.wrapping_mul(number) >> 8) as u8).collect();
        match self {
            Self::Http(path, answer, echoes) => {
                for _ in 0..10 {
                    let got = http(server, format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()).expect("it answers");
                    assert_eq!(String::from_utf8_lossy(&got), answer);
                }
                if echoes {
                    let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", body.len());
                    let got = http(server, &[head.as_bytes(), &body].concat()).expect("it answers");
                    assert!(got == body, "{} bytes came back", got.len());
                }
            }
            Self::Bytes => {
                let got = bytes(way, &body);
                assert!(got == body, "{} bytes came back", got.len());
            }
            Self::Tls(answer) => {
                let url = format!("https://{server}/");
                let certificate = folder.join(Certificate::NAME).display().to_string();
                let curl = ["-sS", "--max-time", "60", "--cacert", &certificate, &url];
                let output = Command::new("curl").args(curl).output().expect("curl starts");
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                assert!(String::from_utf8_lossy(&output.stdout).contains(answer));
            }
        }
    }
}

/// When a client says that it sends no more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Never,
    BehindQuestion,
    BehindAnswer,
}

/// Both ways at once: whoever gives back what it gets holds no more than buffers do.
fn exchange(server: SocketAddr, question: &[u8], ends: Ends) -> Result<Vec<u8>> {
    let mut stream = TcpStream::connect_timeout(&server, LIMIT)?;
    stream.set_read_timeout(Some(LIMIT))?;
    let mut to = stream.try_clone()?;
    let (question, length) = (question.to_vec(), question.len());
    let sender = std::thread::spawn(move || {
        to.write_all(&question)?;
        if ends == Ends::BehindQuestion { to.shutdown(Shutdown::Write) } else { Ok(()) }
    });
    let mut answer = Vec::new();
    if ends == Ends::BehindAnswer {
        Read::by_ref(&mut stream).take(length as u64).read_to_end(&mut answer)?;
        stream.shutdown(Shutdown::Write)?;
    }
    stream.read_to_end(&mut answer)?;
    sender.join().expect("the sender does not panic")?;
    Ok(answer)
}

/// What a server of HTTP answers, without its head.
fn http(server: SocketAddr, question: &[u8]) -> Result<Vec<u8>> {
    let answer = exchange(server, question, Ends::Never)?;
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
    Ok(answer[head..].to_vec())
}

/// What a server gives back that may not have begun yet, as nobody hears of it.
fn bytes(way: Way, question: &[u8]) -> Vec<u8> {
    let begun = Instant::now();
    // docs/src/limits.md says why.
    let ends = if way == Way::Passt { Ends::BehindAnswer } else { Ends::BehindQuestion };
    loop {
        match exchange(way.server(), question, ends) {
            Ok(answer) if !answer.is_empty() => return answer,
            tried => assert!(begun.elapsed() < LIMIT, "{tried:?}"),
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}
