//! The ways to the server, and the server at the end of one.

use std::io::Read;
use std::net::IpAddr;
use std::time::Duration;

use rustix::process::Signal;
use system_tests::{
    Build, Guest, Platform, Running, Unmodified, client, in_namespace, ip, open_descriptors, processor_time,
};

/// For whatever a machine begins or ends: machines are shared, and emulated ones slow.
const LIMIT: Duration = Duration::from_secs(180);
/// How long a machine may take until it has come to rest.
const SETTLES: usize = 120;
/// How much memory may differ, for what is under way when it is asked for, and what tables have grown to.
const SLACK: u64 = 256 << 10;
/// Descriptors that a test needs at most, and its machine.
const DESCRIPTORS: u64 = 11_000;

/// How a machine is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// What `-p` makes by itself: the host's sockets on process, QEMU's own network on pc.
    Published,
    /// The own stack over a TAP device.
    Tap,
}

impl Way {
    pub const ALL: [Self; 2] = [Self::Published, Self::Tap];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Tap => "over_tap",
        }
    }

    const fn options(self) -> &'static [&'static str] {
        match self {
            Self::Published => {
                &["-p", "7:7", "-p", "9:9", "-p", "19:19", "-p", "90:90", "-p", "91:91", "-p", "7:7/udp"]
            }
            Self::Tap => &["--net", "tap:tap9", "--ip", "10.9.0.2/24", "--gateway", "10.9.0.1"],
        }
    }

    fn prepare(self) -> Result<(), String> {
        ip("link set lo up")?;
        // Where a client can vanish from: an address that goes.
        ip("address add 192.0.2.1/32 dev lo")?;
        if self == Self::Tap {
            ip("tuntap add tap9 mode tap vnet_hdr").map_err(|error| format!("no TAP device: {error}"))?;
            ip("address add 10.9.0.1/24 dev tap9")?;
            ip("link set tap9 up")?;
        }
        Ok(())
    }

    /// Runs `body` beside the server on a platform.
    pub fn serve(self, platform: Platform, body: fn(&Served)) {
        let program = Unmodified { folder: "server-epoll", build: Build::Rust }.path().display().to_string();
        client::descriptors(DESCRIPTORS);
        in_namespace(move || {
            self.prepare()?;
            let served = Served::begin(self, platform, &program);
            body(&served);
            served.end();
            Ok(())
        });
    }
}

/// A machine with the server on it, which is ready.
pub struct Served {
    /// Where it is found.
    pub address: IpAddr,
    pub way: Way,
    pub platform: Platform,
    /// For figures.
    pub name: String,
    running: Running,
    /// What QEMU takes by itself: a machine of the kind with nobody who could ask it for anything.
    halted: Option<Running>,
}

/// What the machine says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Bytes of its memory that are in use.
    pub memory: u64,
    /// Descriptors that the server has.
    pub descriptors: u64,
    /// Those that the machine has of the host's.
    pub host: usize,
}

impl Served {
    fn begin(way: Way, platform: Platform, program: &str) -> Self {
        let guest = |options: &[&str]| options.iter().fold(Guest::new(platform), |guest, word| guest.option(*word));
        let running = guest(way.options()).option("--memory").option("1G").start(&[program]);
        running.wait_for_output("ready", LIMIT);
        let halted = platform.is_pc().then(|| guest(&["--net", "none"]).start(&["/bin/busybox", "sleep", "100000"]));
        let address = if way == Way::Tap { [10, 9, 0, 2] } else { [127, 0, 0, 1] }.into();
        let name = format!("{} {}", platform.name(), way.name());
        Self { address, way, platform, name, running, halted }
    }

    /// A signal ends it, and it has said nothing of trouble.
    fn end(self) {
        self.running.signal(Signal::TERM);
        let outcome = self.running.finish_with_open_input(LIMIT);
        outcome.expect_status(143);
        assert_eq!(outcome.text(), "ready\n");
    }

    /// The command's process.
    pub fn id(&self) -> i32 {
        self.running.id()
    }

    /// What a machine of the kind takes of a processor that only waits: none, where there is no machine.
    pub fn halted(&self) -> Duration {
        self.halted.as_ref().map_or(Duration::ZERO, |halted| processor_time(halted.id()))
    }

    /// What the machine says about itself now.
    pub fn now(&self) -> Told {
        let mut told = [0; 16];
        client::connect(self.address, 91).read_exact(&mut told).expect("the server tells its memory");
        let (words, _) = told.as_chunks::<8>();
        let [memory, descriptors] = [words[0], words[1]].map(u64::from_be_bytes);
        Told { memory, descriptors, host: open_descriptors(self.id()) }
    }

    /// What it says once nothing happens any more.
    pub fn told(&self) -> Told {
        let mut before = self.now();
        for _ in 0..SETTLES {
            std::thread::sleep(Duration::from_secs(1));
            let now = self.now();
            if now == before {
                return now;
            }
            before = now;
        }
        panic!("the machine does not come to rest: {before:?}")
    }

    /// Nothing is left behind of what happened since. QEMU's network gives descriptors back after a while, so that
    /// there may be fewer.
    pub fn is_as_before(&self, before: &Told) {
        self.is_as_before_but(before, 0);
    }

    /// The same, but for so many bytes of memory.
    pub fn is_as_before_but(&self, before: &Told, more: u64) {
        let mut now = self.now();
        for _ in 0..SETTLES {
            let fewer = now.descriptors <= before.descriptors && now.host <= before.host;
            if fewer && now.memory <= before.memory + SLACK + more {
                eprintln!("figure: {}: {before:?}, and after the load {now:?}", self.name);
                return;
            }
            std::thread::sleep(Duration::from_secs(1));
            now = self.now();
        }
        panic!("something stays behind: {before:?}, and after the load {now:?}")
    }
}
