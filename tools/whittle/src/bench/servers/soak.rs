//! Servers with two processors under full load for a long time: no error, and nothing grows.

use std::fs;
use std::net::Ipv4Addr;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::net::{Ours, enter_namespace};
use super::chosen;
use super::drive::drive;
use super::family::family;
use super::files::Files;
use super::load::{CONNECTIONS, LOADS, Load};
use super::server::Server;
use super::sides::{self, Link};
use super::start::EMULATED;
use crate::arguments::{Platform, Servers};
use crate::compose::rebuild_image;
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::services::resident;

/// The servers.
const SERVERS: [Server; 2] = [Server::Redis, Server::Nginx];
/// How long one kind of load goes on; connections are new for the next.
const TURN: Duration = Duration::from_secs(5);
/// The share of the time after which memory must not grow any more: until then, tables get their places, and QEMU's
/// code is translated.
const SETTLED: u32 = 4;
/// Bytes that memory may grow by after that, for what is under way when it is looked at.
const SLACK: u64 = 4 << 20;

/// Between two looks at a machine that has come to rest, how many must see the same, and after how many one gives up.
const LOOK: Duration = Duration::from_secs(2);
const SAME: usize = 10;
const MOST_LOOKS: usize = 60;

/// What came of one machine.
struct Soaked {
    platform: Platform,
    server: Server,
    requests: u64,
    /// Megabytes of the host's when it had settled, and at the end.
    memory: [u64; 2],
    descriptors: [usize; 2],
}

/// Loads the servers on one platform after the other.
pub fn soak(house: &House, wanted: &Servers, minutes: u16) -> Result<(), Failure> {
    let servers = chosen(&SERVERS, &wanted.only)?;
    let files = Files::make(house, &servers)?;
    let platforms = wanted.platform.map_or_else(|| vec![Platform::Process, Platform::Pc], |platform| vec![platform]);
    for platform in &platforms {
        rebuild_image(house, platform.name())?;
    }
    enter_namespace()?;
    let long = Duration::from_secs(60 * u64::from(minutes));
    let mut all = Vec::new();
    for platform in platforms {
        eprintln!("whittle: {minutes} minutes on {}", platform.name());
        for soaked in together(house, &files, platform, &servers, long) {
            let soaked = soaked?;
            if !wanted.json {
                println!("{}", soaked.text());
            }
            all.push(soaked);
        }
    }
    if wanted.json {
        println!("{:#}", json!(all.iter().map(Soaked::json).collect::<Vec<_>>()));
    }
    Ok(())
}

/// A machine for each server, all at once, each with a client of its own.
fn together(
    house: &House,
    files: &Files,
    platform: Platform,
    servers: &[Server],
    long: Duration,
) -> Vec<Result<Soaked, Failure>> {
    thread::scope(|scope| {
        let start = |server: &Server| {
            let server = *server;
            scope.spawn(move || one(house, files, platform, server, long))
        };
        let threads: Vec<_> = servers.iter().map(start).collect();
        let end = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        threads.into_iter().map(end).collect()
    })
}

fn one(house: &House, files: &Files, platform: Platform, server: Server, long: Duration) -> Result<Soaked, Failure> {
    let mut options = if platform == Platform::Pc { EMULATED.to_vec() } else { vec!["--platform", "process"] };
    options.extend(["--memory", "256M", "--cpus", "2"]);
    let command = sides::command(house, files, (server, 2), Link::Published, &options)?;
    let machine = Ours::of(command)?;
    let at = Link::Published.address();
    let kinds: Vec<Load> = LOADS.into_iter().filter(|load| load.server == server).collect();
    kinds[0].prepare(at).doing(format!("ask {}", server.name()))?;
    let since = Instant::now();
    let mut requests = load(&kinds, at, since + long / SETTLED)?;
    let before = look(machine.id());
    requests += load(&kinds, at, since + long)?;
    let after = look(machine.id());
    let status = machine.end(Duration::from_secs(60))?;
    if !status.success() {
        return Err(Failure::ours(format!("{} ended with {status} on SIGTERM", server.name())));
    }
    let soaked = Soaked { platform, server, requests, memory: [before.0, after.0], descriptors: [before.1, after.1] };
    if after.0 > before.0 + SLACK || after.1 > before.1 {
        return Err(Failure::ours(format!("something grows under load: {}", soaked.text())));
    }
    Ok(soaked)
}

/// All kinds of load in turn; how many requests were answered, each of them rightly.
fn load(kinds: &[Load], at: Ipv4Addr, end: Instant) -> Result<u64, Failure> {
    let mut requests = 0;
    for kind in kinds.iter().cycle() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        requests += drive(*kind, at, CONNECTIONS, left.min(TURN)).doing(format!("ask for {}", kind.name()))?.requests;
    }
    Ok(requests)
}

/// Bytes of the host's memory that a process and those below it have, and their descriptors, once these stay the same:
/// on a busy host a server closes connections a while after its client has.
fn look(process: u32) -> (u64, usize) {
    let (mut before, mut same) = (now(process), 0);
    for _ in 0..MOST_LOOKS {
        thread::sleep(LOOK);
        let later = now(process);
        same = if later.1 == before.1 { same + 1 } else { 0 };
        before = later;
        if same == SAME {
            break;
        }
    }
    before
}

fn now(process: u32) -> (u64, usize) {
    let all = family(process);
    let descriptors = all.iter().filter_map(|process| fs::read_dir(format!("/proc/{process}/fd")).ok());
    (all.iter().filter_map(|process| resident(*process)).sum(), descriptors.map(Iterator::count).sum())
}

impl Soaked {
    fn text(&self) -> String {
        let [memory, later] = self.memory.map(|bytes| bytes >> 10);
        let [descriptors, more] = self.descriptors;
        format!(
            "{}, {}: {} requests, no error; {memory} KB and {descriptors} descriptors of the host's, at the end {later} and \
             {more}",
            self.server.name(),
            self.platform.name(),
            self.requests
        )
    }

    fn json(&self) -> Value {
        json!({
            "server": self.server.name(),
            "platform": self.platform.name(),
            "requests": self.requests,
            "bytes": self.memory,
            "descriptors": self.descriptors,
        })
    }
}
