//! A server that is abused, and what is seen of it.

use std::fs;
use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use system_tests::{
    Guest, Outcome, Platform, Running, client, family, in_namespace, ip, need, open_descriptors, resident_memory,
    scratch,
};
use tempfile::TempDir;

use crate::kind::{Kind, Stream};
use crate::{LIMIT, Load, Size};

/// Each test has a network of its own.
pub const PORT: u16 = 7000;
/// Descriptors that a test needs at most, and its machine.
const DESCRIPTORS: u64 = 12_500;
/// How long it may take until what a load has left is gone.
const SETTLES: Duration = Duration::from_secs(240);
/// How much memory may differ: allocators keep what they have just freed, one time this and another time that.
const SLACK: u64 = 2 << 20;

/// A server that runs on a platform.
pub struct Served {
    pub kind: &'static Kind,
    pub platform: Platform,
    folder: TempDir,
    running: Running,
}

/// Runs `body` beside a server, in a network of its own, and ends the server well.
pub fn on(platform: Platform, kind: &'static Kind, size: &'static Size, body: impl FnOnce(&Served) + Send + 'static) {
    need(kind.needs);
    client::descriptors(DESCRIPTORS);
    in_namespace(move || {
        ip("link set lo up")?;
        // On process a limit is for what is mapped writable, touched or not: redis maps 500 MB for 10,000 clients.
        let served = Served::begin(platform, kind, size, &[], &["--memory", "1G"]);
        (kind.prepare)(&served);
        body(&served);
        served.end();
        Ok(())
    });
}

impl Served {
    /// Starts it with more words and more options, and waits until it answers.
    pub fn begin(platform: Platform, kind: &'static Kind, size: &Size, more: &[&str], options: &[&str]) -> Self {
        let folder = scratch();
        let place = folder.path().to_str().unwrap().to_owned();
        let filled =
            |text: &str| text.replace("{F}", &place).replace("{P}", &PORT.to_string()).replace("{T}", size.patience);
        fs::write(folder.path().join(kind.file.0), filled(kind.file.1)).unwrap();
        let words: Vec<_> = kind.words.iter().chain(more).map(|word| filled(word)).collect();
        let guest = Guest::new(platform).option("-p").option(format!("127.0.0.1:{PORT}:{PORT}"));
        let guest = options.iter().fold(guest, |guest, option| guest.option(*option));
        let running = guest.start(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let mut served = Self { kind, platform, folder, running };
        served.wait();
        served
    }

    fn wait(&mut self) {
        let deadline = Instant::now() + LIMIT;
        while !self.answers() {
            assert!(!self.running.has_ended(), "{} has ended before it answered", self.kind.name);
            assert!(Instant::now() < deadline, "{} is never ready", self.kind.name);
            sleep(Duration::from_millis(20));
        }
    }

    /// Whether somebody who comes anew is answered.
    pub fn answers(&self) -> bool {
        let asked = || -> std::io::Result<bool> {
            let stream = TcpStream::connect(("127.0.0.1", PORT))?;
            stream.set_read_timeout(Some(Duration::from_secs(10)))?;
            (&stream).write_all(&(self.kind.request)(7))?;
            Ok((self.kind.read)(&mut BufReader::new(stream))? == (self.kind.answer)(7))
        };
        asked().unwrap_or(false)
    }

    /// Ends it as it is meant to be ended.
    pub fn end(self) {
        self.running.signal(Signal::TERM);
        self.running.finish_with_open_input(LIMIT).expect_status(0);
    }

    /// Waits for its own end.
    pub fn ends(self) -> Outcome {
        self.running.finish_with_open_input(LIMIT)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn connect(&self) -> Stream {
        let stream = client::connect([127, 0, 0, 1].into(), PORT);
        stream.set_nodelay(true).unwrap();
        BufReader::new(stream)
    }

    pub fn send(&self, stream: &Stream, bytes: &[u8]) {
        stream.get_ref().write_all(bytes).expect("the server takes a request");
    }

    /// Asks once, and looks at the answer.
    pub fn ask(&self, stream: &mut Stream, number: u64) {
        self.send(stream, &(self.kind.request)(number));
        self.expect(stream, number);
    }

    pub fn expect(&self, stream: &mut Stream, number: u64) {
        let answer = (self.kind.read)(stream).expect("the server answers");
        let shown = String::from_utf8_lossy(&answer[..answer.len().min(200)]).into_owned();
        assert!(answer == (self.kind.answer)(number), "{}, {number}: {shown}", self.kind.name);
    }

    /// A load: afterwards it answers, and one more leaves no more behind than the last has. Allocators may need a few
    /// until they have all that they keep.
    pub fn bears(&self, load: Load, size: &Size) {
        const MORE: usize = 4;
        load(self, size);
        let mut before = self.told();
        for turn in 1..=MORE {
            load(self, size);
            let (memory, _) = self.told();
            if memory <= before.0 + SLACK || turn == MORE {
                break;
            }
            before.0 = memory;
        }
        self.is_as_before(&before);
        self.ask(&mut self.connect(), 1);
    }

    /// Lets the machine have so many more of the host's descriptors than it has, and no others.
    pub fn limit_descriptors(&self, more: u64) {
        for process in family(self.running.id()) {
            let own = fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count) as u64;
            let limit = Rlimit { current: Some(own + more), maximum: Some(own + more) };
            prlimit(Pid::from_raw(process), Resource::Nofile, limit).unwrap();
        }
    }

    /// What it has of the host's now. QEMU's own memory is none of the machine's, and grows with what it translates.
    fn now(&self) -> (u64, usize) {
        let memory = if self.platform.is_pc() { 0 } else { resident_memory(self.running.id()) };
        (memory, open_descriptors(self.running.id()))
    }

    /// The same once nothing happens any more.
    fn told(&self) -> (u64, usize) {
        let deadline = Instant::now() + SETTLES;
        let mut before = self.now();
        loop {
            sleep(Duration::from_millis(500));
            let now = self.now();
            if now == before || Instant::now() > deadline {
                return now;
            }
            before = now;
        }
    }

    fn is_as_before(&self, &(memory, descriptors): &(u64, usize)) {
        let deadline = Instant::now() + SETTLES;
        loop {
            let now = self.now();
            if now.0 <= memory + SLACK && now.1 <= descriptors {
                return;
            }
            assert!(Instant::now() < deadline, "something stays behind: {memory} {descriptors}, then {now:?}");
            sleep(Duration::from_millis(200));
        }
    }
}
