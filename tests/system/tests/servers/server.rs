//! A server of the table: it is started, asked, and ended, natively and inside.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use system_tests::{Guest, Outcome, Platform, Running, need, scratch, skip};

use crate::LIMIT;

/// A server. In its texts `{F}` is a folder of the run's own, `{F}/keep` a share, `{P}` and `{Q}` are its ports. `{R}`
/// is the port of another server on the host, and `{H}` where the one inside finds the host.
pub struct Server {
    pub name: &'static str,
    pub needs: &'static [&'static str],
    pub words: &'static [&'static str],
    /// What a profile adds inside, and Linux has to be told.
    pub natively: &'static [&'static str],
    /// Files that the test writes: name and text.
    pub files: &'static [(&'static str, &'static str)],
    /// A script that makes what else it wants.
    pub prepare: &'static str,
    /// Another server, on the host, which is started before and ended after.
    pub beside: &'static [&'static str],
    /// A script that ends well once the server is ready.
    pub ready: &'static str,
    /// The script of its client: what it prints is compared.
    pub client: &'static str,
    /// What it ends with on SIGTERM, on Linux and inside.
    pub status: [i32; 2],
    /// What it wants of memory, if that is more than usual.
    pub memory: Option<&'static str>,
    /// Whether it is left to `--all` on `process`, too.
    pub is_long: bool,
}

/// What most have.
pub const USUAL: Server = Server {
    name: "",
    needs: &[],
    words: &[],
    natively: &[],
    files: &[],
    prepare: "true",
    beside: &[],
    ready: "curl -s --max-time 5 -o /dev/null http://127.0.0.1:{P}/",
    client: "",
    status: [143, 143],
    memory: None,
    is_long: true,
};

/// One run of a server.
struct Run<'a> {
    server: &'a Server,
    platform: Platform,
    folder: &'a Path,
    ports: [u16; 3],
}

impl Server {
    pub fn check(&self, platform: Platform) {
        need(self.needs);
        if !rustix::process::geteuid().is_root() {
            skip("these packages' files are root's");
        }
        let [native, inside] = [Platform::Native, platform].map(|platform| {
            let folder = scratch();
            Run { server: self, platform, folder: folder.path(), ports: free_ports() }.answers()
        });
        assert_eq!(inside, native, "inside, and on Linux");
    }
}

impl Run<'_> {
    /// What the client says.
    fn answers(&self) -> String {
        self.prepare();
        let beside = (!self.server.beside.is_empty()).then(|| self.beside());
        let running = self.start();
        self.wait();
        let told = self.script(self.server.client);
        running.signal(Signal::TERM);
        running.finish(LIMIT).expect_status(self.server.status[usize::from(self.platform.is_guest())]);
        drop(beside);
        told.expect_status(0);
        self.without_places(&told.text())
    }

    fn prepare(&self) {
        fs::create_dir(self.folder.join("keep")).unwrap();
        for (name, text) in self.server.files {
            fs::write(self.folder.join(name), self.filled(text)).unwrap();
        }
        self.script(self.server.prepare).expect_status(0);
    }

    fn beside(&self) -> Running {
        let words: Vec<_> = self.server.beside.iter().map(|word| self.filled(word)).collect();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(self.folder);
        Running::start(command, None)
    }

    fn start(&self) -> Running {
        let mut guest = Guest::new(self.platform).share(&self.folder.join("keep"));
        if self.is_on_hosts_network() {
            guest = guest.option("--net").option("host");
        } else {
            for port in &self.ports[..2] {
                guest = guest.option("-p").option(format!("127.0.0.1:{port}:{port}"));
            }
        }
        if let Some(memory) = self.server.memory {
            guest = guest.option("--memory").option(memory);
        }
        let natively = if self.platform.is_guest() { &[] } else { self.server.natively };
        let words: Vec<_> = self.server.words.iter().chain(natively).map(|word| self.filled(word)).collect();
        guest.start(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// On `process` that is how the host's own loopback is the program's, too.
    fn is_on_hosts_network(&self) -> bool {
        self.platform == Platform::Process && !self.server.beside.is_empty()
    }

    fn wait(&self) {
        let deadline = Instant::now() + LIMIT;
        while self.script(self.server.ready).status != 0 {
            assert!(Instant::now() < deadline, "{} is never ready", self.server.name);
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn script(&self, text: &str) -> Outcome {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(self.filled(text)).current_dir(self.folder).stdin(Stdio::null());
        Running::start(command, Some(Vec::new())).finish(LIMIT)
    }

    fn filled(&self, text: &str) -> String {
        let host = if self.platform.is_pc() { "10.0.2.2" } else { "127.0.0.1" };
        let [own, second, beside] = self.ports.map(|port| port.to_string());
        let places =
            [("{F}", self.folder.to_str().unwrap()), ("{H}", host), ("{P}", &own), ("{Q}", &second), ("{R}", &beside)];
        places.iter().fold(text.to_owned(), |text, (place, is)| text.replace(place, is))
    }

    /// What is another in each run.
    fn without_places(&self, text: &str) -> String {
        let text = text.replace(self.folder.to_str().unwrap(), "{F}");
        self.ports.iter().fold(text, |text, port| text.replace(&format!(":{port}"), ":{PORT}"))
    }
}

/// Ports that nobody has.
fn free_ports() -> [u16; 3] {
    let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").expect("loopback has ports"));
    listeners.map(|listener| listener.local_addr().unwrap().port())
}
