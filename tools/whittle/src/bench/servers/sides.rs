//! The machines that serve: of ours, each with one server, and Linux guests.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::super::guest::{Programs, Served};
use super::super::net::{ADDRESS_OF_MACHINES, Behind, Counter, Ours, SERVER, TAP, behind_tap, linux_with};
use super::super::start::{as_built, whittle};
use super::files::Files;
use super::server::Server;
use crate::arguments::Platform;
use crate::child::prepare;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// What all machines behind the TAP device have: that of repeatable runs, which a guest of Linux' has too.
const HARDWARE: &str = "02:5a:5a:5a:5a:00";

/// How clients come to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Over the TAP device: the machine has a network of its own.
    Tap,
    /// By a port of the host's loopback (`-p`), which to a server on Linux is its own.
    Published,
}

impl Link {
    /// Where a server is found.
    pub const fn address(self) -> Ipv4Addr {
        match self {
            Self::Tap => SERVER,
            Self::Published => Ipv4Addr::LOCALHOST,
        }
    }

    fn options(self, server: Server) -> Vec<String> {
        let port = server.port();
        match self {
            Self::Tap => ["--net", &format!("tap:{TAP}"), "--ip", ADDRESS_OF_MACHINES, "--mac", HARDWARE]
                .map(str::to_owned)
                .to_vec(),
            Self::Published => vec!["-p".into(), format!("127.0.0.1:{port}:{port}")],
        }
    }
}

/// Has frames for the machines behind the TAP device be sent at once, without a question for their address.
pub fn know_machines() -> Result<(), Failure> {
    let words = ["neigh", "replace", &SERVER.to_string(), "lladdr", HARDWARE, "dev", TAP, "nud", "permanent"];
    super::super::net::ip(&words)
}

/// The command that starts a machine of ours with a server that has so many threads, on the host's files.
pub fn command(
    house: &House,
    files: &Files,
    (server, threads): (Server, usize),
    link: Link,
    options: &[&str],
) -> Result<Command, Failure> {
    with_words(house, server, &files.words(server, threads)?, link, options)
}

/// The same with files in memory.
pub fn inside(house: &House, files: &Files, server: Server, link: Link, options: &[&str]) -> Result<Command, Failure> {
    let root = files.archive(server)?.display().to_string();
    with_words(house, server, &files.words_inside(server)?, link, &[options, &["--root", &root]].concat())
}

fn with_words(
    house: &House,
    server: Server,
    words: &[String],
    link: Link,
    options: &[&str],
) -> Result<Command, Failure> {
    let link = link.options(server);
    let mut all = options.to_vec();
    all.push("--no-profile");
    all.extend(link.iter().map(String::as_str));
    all.push("--");
    all.extend(words.iter().map(String::as_str));
    let mut command = as_built(whittle(house, &all)?);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    Ok(command)
}

/// Starts a machine of ours with a server, its files in memory, and the plugin that counts.
pub fn ours(house: &House, files: &Files, server: Server, counter: &Counter) -> Result<Ours, Failure> {
    let plugin = counter.words()?;
    let mut options = vec!["--platform", "pc", "--accel", "tcg", "--machine", "q35", "--memory", server.memory()];
    options.extend(["--plugin", &plugin]);
    Ours::of(inside(house, files, server, Link::Tap, &options)?)
}

/// Starts a machine of ours on process.
pub fn process(
    house: &House,
    files: &Files,
    server: (Server, usize),
    link: Link,
    options: &[&str],
) -> Result<Ours, Failure> {
    let options = [&["--platform", Platform::Process.name()], options].concat();
    let mut command = command(house, files, server, link, &options)?;
    command.stderr(Stdio::null());
    Ours::of(command)
}

/// A server on this Linux, which ends when this is dropped.
pub enum Native {
    /// By itself.
    Here(Child),
    /// Behind the TAP device.
    Behind(#[expect(dead_code, reason = "it ends when it is dropped")] Behind),
}

impl Drop for Native {
    fn drop(&mut self) {
        if let Self::Here(child) = self {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts a server on this Linux.
pub fn native(files: &Files, (server, threads): (Server, usize), link: Link) -> Result<Native, Failure> {
    let words = files.words(server, threads)?;
    if link == Link::Tap { behind_tap(&words).map(Native::Behind) } else { here(&words) }
}

/// Starts one on the first of this Linux' processors, or so many.
pub fn native_on(files: &Files, (server, threads): (Server, usize), processors: usize) -> Result<Native, Failure> {
    let pinned = ["taskset".to_owned(), "-c".into(), format!("0-{}", processors - 1)];
    here(&[&pinned[..], &files.words(server, threads)?].concat())
}

fn here(words: &[String]) -> Result<Native, Failure> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // It must not outlive this command.
    prepare(&mut command, Vec::new(), false);
    command.spawn().doing(format!("start {}", words[0])).map(Native::Here)
}

/// Lines of a shell that start these servers.
pub fn lines(files: &Files, servers: &[Server]) -> Result<String, Failure> {
    let quoted = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
    let line = |server: &Server| {
        let words = files.words_inside(*server)?;
        Ok(words.iter().map(quoted).collect::<Vec<_>>().join(" ") + " &\n")
    };
    let lines = servers.iter().map(line).collect::<Result<String, Failure>>()?;
    Ok(format!("/bin/busybox mkdir -p /tmp /var/log/nginx /run\n{lines}/bin/busybox sleep 100000"))
}

/// What a Linux guest has of these servers.
pub fn programs(files: &Files, servers: &[Server], memory: u64) -> Result<Programs<'static>, Failure> {
    let start = lines(files, servers)?;
    Ok(Programs { program: Path::new("/bin/busybox"), other: None, files: files.tree(servers)?, start, memory })
}

/// Starts a Linux guest with these servers, and the plugin that counts.
pub fn linux(house: &House, files: &Files, servers: &[Server], counter: &Counter) -> Result<Served, Failure> {
    linux_with(house, counter, programs(files, servers, 2 << 30)?).map(|(served, _)| served)
}
