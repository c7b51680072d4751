//! A machine with a network and nothing to do: what it takes of the host's processor beyond one that only waits.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use system_tests::{Machine, in_namespace, ip};

use crate::server::{ECHO, Server};

/// How long is looked, and how much more it may take in that: a five-hundredth of a processor.
const WINDOW: Duration = Duration::from_secs(10);
const MOST: Duration = Duration::from_millis(20);
/// Windows that are tried: what disturbs one (a host that is busy with its own) is gone in the next.
const TRIES: usize = 3;

/// The processes below one, and it.
fn family(process: i32) -> Vec<i32> {
    let mut all = vec![process];
    let mut at = 0;
    while at < all.len() {
        let tasks = fs::read_dir(format!("/proc/{}/task", all[at])).into_iter().flatten().flatten();
        let lines: Vec<_> = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok()).collect();
        all.extend(lines.iter().flat_map(|line| line.split_whitespace()).filter_map(|word| word.parse::<i32>().ok()));
        at += 1;
    }
    all
}

/// Processor time of all threads of a family: the first word of their `schedstat`, in nanoseconds.
fn taken(process: i32) -> Duration {
    let folders = family(process).into_iter().filter_map(|process| fs::read_dir(format!("/proc/{process}/task")).ok());
    let threads = folders.flatten().flatten().map(|task| task.path());
    let time = |path: PathBuf| fs::read_to_string(path.join("schedstat")).ok()?.split(' ').next()?.parse::<u64>().ok();
    Duration::from_nanos(threads.filter_map(time).sum())
}

/// What each takes in a window.
fn window(servers: &[&Server]) -> Vec<Duration> {
    let before: Vec<_> = servers.iter().map(|server| taken(server.id())).collect();
    let since = Instant::now();
    std::thread::sleep(WINDOW.saturating_sub(since.elapsed()));
    servers.iter().zip(before).map(|(server, before)| taken(server.id()).saturating_sub(before)).collect()
}

/// The echo server, which nobody asks for anything, beside one without an interface: nobody can ask that one. Its machine
/// is QEMU's own rest on pc, and takes nothing at all on process.
pub fn rests(machine: Machine) {
    machine.build(Path::new(ECHO));
    in_namespace(move || {
        ip("tuntap add tap0 mode tap vnet_hdr").map_err(|error| format!("no TAP device: {error}"))?;
        ip("address add 10.0.2.2/24 dev tap0")?;
        ip("link set tap0 up")?;
        let servers = [Server::start(machine, "tap:tap0"), Server::start_with(machine, &[], Path::new(ECHO))];
        // A connection was there, so that the stack has something to remember and its timers have rung.
        crate::client::echo("10.0.2.15".parse().unwrap(), 1000);
        std::thread::sleep(Duration::from_secs(2));
        let mut tries = (0..TRIES).map(|_| window(&servers.each_ref()));
        let rested = tries.any(|taken| {
            eprintln!("figure: {}: {:?} in 10 s, {:?} of one without an interface", machine.name(), taken[0], taken[1]);
            taken[0] <= taken[1] + MOST && (machine != Machine::Process || taken[1] <= MOST)
        });
        assert!(rested, "a machine with nothing to do takes more than {MOST:?} in {WINDOW:?}");
        servers.into_iter().for_each(Server::end);
        Ok(())
    });
}
