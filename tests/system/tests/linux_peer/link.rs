//! A link that loses frames, between a server and Linux as its client: two network namespaces, and our forwarder.
//!
//! ```text
//! the server - tap0 or veth - a bridge - forward0 = the forwarder = forward1, the client's address
//! ```
//!
//! The server is a machine at `tap0`, or the same program on Linux at the other end of a veth pair: so both pass the
//! same bridge.

use std::net::IpAddr;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use forwarder::{Link, Losses};
use nix::sched::{CloneFlags, unshare};
use system_tests::{Machine, ip, project_root};

use crate::ADDRESSES;
use crate::server::{ECHO, Server};

/// What runs in the client's namespace.
type Task = Box<dyn FnOnce() + Send>;

/// A thread with a network namespace of its own, which does what it is given.
pub struct Namespace {
    tasks: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
    /// Its file, by which ip(8) knows it.
    pub path: String,
}

impl Namespace {
    pub fn new() -> Self {
        let (tasks, taken): (Sender<Task>, Receiver<Task>) = mpsc::channel();
        let (say, said) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            unshare(CloneFlags::CLONE_NEWNET).expect("the caller has one too");
            let path = format!("/proc/{}/task/{}/ns/net", std::process::id(), nix::unistd::gettid());
            say.send(path).unwrap();
            taken.into_iter().for_each(|task| task());
        });
        Self { tasks: Some(tasks), thread: Some(thread), path: said.recv().unwrap() }
    }

    /// Does something there, and gives what comes of it.
    pub fn act<T: Send + 'static>(&self, task: impl FnOnce() -> T + Send + 'static) -> T {
        let (say, said) = mpsc::channel();
        let task = Box::new(move || _ = say.send(task()));
        self.tasks.as_ref().unwrap().send(task).expect("the namespace is there");
        said.recv().expect("the task ends")
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        self.tasks = None;
        let end = self.thread.take().map(JoinHandle::join);
        if let Some(Err(panic)) = end.filter(|_| !std::thread::panicking()) {
            std::panic::resume_unwind(panic);
        }
    }
}

/// A server that a link leads to.
enum Served {
    Machine(Server),
    /// The program, and the namespace that goes behind it.
    Linux {
        child: Child,
        _namespace: Namespace,
    },
}

/// The link, its server and the namespace of its clients.
pub struct Forwarded {
    client: Namespace,
    served: Served,
    link: Link,
}

/// A device of the forwarder's in the caller's namespace.
fn device(name: &str) -> Result<OwnedFd, String> {
    forwarder::open(name).map_err(|error| format!("no TAP device: {error}"))
}

/// The program on Linux, built.
pub fn reference() -> std::path::PathBuf {
    let folder = project_root().join(ECHO);
    let status = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--bin", "reference"])
        .current_dir(&folder)
        .env_remove("CARGO_TARGET_DIR")
        .status()
        .expect("cargo starts");
    assert!(status.success(), "the reference builds");
    folder.join("target/release/reference")
}

impl Forwarded {
    /// A server on a machine, whose folder is given too, or on Linux, behind a link that loses `rate` of a million
    /// frames in each direction. The caller has a network namespace of its own.
    pub fn start(machine: Option<(Machine, &Path)>, rate: u64) -> Result<Self, String> {
        let near = device("forward0")?;
        ip("link add bridge0 type bridge").map_err(|error| format!("no bridge: {error}"))?;
        let client = Namespace::new();
        let far = client.act(|| {
            let far = device("forward1")?;
            addresses("forward1", 2)?;
            Ok::<_, String>(far)
        })?;
        let server = match machine {
            Some(_) => {
                ip("tuntap add tap0 mode tap vnet_hdr")?;
                None
            }
            None => Some(veth()?),
        };
        for name in [if machine.is_some() { "tap0" } else { "veth0" }, "forward0"] {
            ip(&format!("link set {name} master bridge0 up"))?;
        }
        ip("link set bridge0 up")?;
        let link = Link::start([near, far], [Losses::new(rate, 1), Losses::new(rate, 2)]).unwrap();
        let served = match (machine, server) {
            (Some((machine, folder)), _) => Served::Machine(Server::start_in(machine, "tap:tap0", folder)),
            (None, Some(namespace)) => Served::Linux { child: namespace.act(serve), _namespace: namespace },
            (None, None) => unreachable!("one of both"),
        };
        Ok(Self { client, served, link })
    }

    /// Does something as the client, with one of the server's addresses.
    pub fn act<T: Send + 'static>(&self, family: usize, task: impl FnOnce(IpAddr) -> T + Send + 'static) -> T {
        let address: IpAddr = ADDRESSES[family].parse().unwrap();
        self.client.act(move || task(address))
    }

    /// Ends all of it, and says how many frames were carried and lost.
    pub fn end(self) -> (u64, u64) {
        let carried = self.link.end().expect("the devices hold");
        match self.served {
            Served::Machine(server) => server.end(),
            Served::Linux { mut child, .. } => {
                child.kill().unwrap();
                child.wait().unwrap();
            }
        }
        (carried.frames.iter().sum(), carried.lost.iter().sum())
    }
}

/// A namespace with the server's addresses, at the other end of `veth0`.
fn veth() -> Result<Namespace, String> {
    let namespace = Namespace::new();
    ip(&format!("link add veth0 type veth peer name veth1 netns {}", namespace.path))?;
    namespace.act(|| addresses("veth1", 15))?;
    Ok(namespace)
}

/// Addresses that end so for a device of Linux'. Its congestion control there is that of RFC 9438: Linux is the
/// measure.
fn addresses(device: &str, end: u8) -> Result<(), String> {
    ip(&format!("address add 10.0.2.{end}/24 dev {device} noprefixroute"))?;
    ip(&format!("address add fd00::{end}/64 dev {device} nodad noprefixroute"))?;
    ip(&format!("link set {device} up"))?;
    ip(&format!("route add 10.0.2.0/24 dev {device} src 10.0.2.{end} congctl cubic"))?;
    ip(&format!("-6 route add fd00::/64 dev {device} congctl cubic"))
}

/// The program on Linux, in the caller's namespace.
fn serve() -> Child {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(reference()).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    child
}
