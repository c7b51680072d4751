//! A machine with a network and nothing to do: what it takes of the host's processor beyond one that only waits.

use std::path::Path;
use std::time::{Duration, Instant};

use system_tests::{Machine, in_namespace, ip, processor_time};

use crate::server::{ECHO, Server};

/// How long is looked, and how much more it may take in that: a five-hundredth of a processor.
const WINDOW: Duration = Duration::from_secs(10);
const MOST: Duration = Duration::from_millis(20);
/// Windows that are tried: what disturbs one (a host that is busy with its own) is gone in the next.
const TRIES: usize = 3;

/// What each takes in a window.
fn window(servers: &[&Server]) -> Vec<Duration> {
    let before: Vec<_> = servers.iter().map(|server| processor_time(server.id())).collect();
    let since = Instant::now();
    std::thread::sleep(WINDOW.saturating_sub(since.elapsed()));
    servers.iter().zip(before).map(|(server, before)| processor_time(server.id()).saturating_sub(before)).collect()
}

/// The echo server, which nobody asks for anything, beside one without an interface: nobody can ask that one. Its
/// machine is QEMU's own rest on pc, and takes nothing at all on process.
pub fn rests(machine: Machine) {
    machine.build(Path::new(ECHO));
    in_namespace(move || {
        ip("tuntap add tap0 mode tap vnet_hdr").map_err(|error| format!("no TAP device: {error}"))?;
        ip("address add 10.0.2.2/24 dev tap0")?;
        ip("link set tap0 up")?;
        let servers = [Server::start(machine, "tap:tap0"), Server::start_with(machine, &[], Path::new(ECHO))];
        // A connection was there, so that the stack has something to remember and its timers have rung.
        system_tests::client::echo("10.0.2.15".parse().unwrap(), 1000);
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
