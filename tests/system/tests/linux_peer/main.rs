//! Linux as peer of the stack: its own TCP, UDP and ICMP over a TAP device, to the echo server (`apps/echo`) on each
//! machine; and a Linux guest beside a machine on pc.

mod configured;
mod guest;
mod hostile;
mod link;
mod load;
mod ping;
mod rest;
mod server;
mod throughput;

use std::net::IpAddr;
use std::path::Path;
use std::process::ExitCode;

use server::{ECHO, Server};
use system_tests::{Check, Machine, Scope, client, in_namespace, ip};

/// The machine's addresses.
const ADDRESSES: [&str; 2] = ["10.0.2.15", "fd00::15"];

fn main() -> ExitCode {
    let mut checks = Vec::new();
    for machine in Machine::ALL {
        let mut add = |what: &str, body: fn(Machine)| {
            checks.push(Check::new(format!("{}::{what}", machine.name()), Scope::Once, move |_| body(machine)));
        };
        add("streams", streams);
        add("datagrams", datagrams);
        add("pings", pings);
    }
    for (rate, name) in [(0, "nothing"), (10_000, "one_percent"), (50_000, "five_percent")] {
        let name = format!("process::transfers_lose_{name}");
        checks.push(Check::new(name, Scope::Once, move |_| throughput::transfers(Machine::Process, rate)));
    }
    for machine in [Machine::Process, Machine::Microvm] {
        let check = |what: &str, body: fn(Machine)| {
            Check::new(format!("{}::{what}", machine.name()), Scope::Once, move |_| body(machine))
        };
        checks.push(check("it_asks_for_its_addresses", configured::configured).long());
        checks.push(check("with_nothing_to_do_it_rests", rest::rests));
    }
    checks.push(Check::new("pc-q35::a_linux_guest_is_its_peer", Scope::Once, |_| guest::streams()));
    let process = |name: &'static str, body: fn(Machine)| {
        Check::new(format!("process::{name}"), Scope::Once, move |_| body(Machine::Process))
    };
    checks.push(process("ten_thousand_connections_at_once", load::at_once).long());
    checks.push(process("a_million_connections_one_after_another", load::one_after_another).long());
    checks.push(process("a_small_heap_is_not_filled", hostile::small_heap));
    checks.push(process("all_kinds_of_load_over_a_bad_link", load::mixed));
    system_tests::run(&checks)
}

/// The server, and Linux at the other end of its TAP device, both in a namespace of their own.
fn beside(machine: Machine, body: impl Fn(IpAddr) + Send + 'static) {
    machine.build(Path::new(ECHO));
    in_namespace(move || {
        ip("tuntap add tap0 mode tap vnet_hdr").map_err(|error| format!("no TAP device: {error}"))?;
        ip("address add 10.0.2.2/24 dev tap0")?;
        ip("address add fd00::2/64 dev tap0 nodad")?;
        ip("link set tap0 up")?;
        let server = Server::start(machine, "tap:tap0");
        ADDRESSES.iter().for_each(|address| body(address.parse().unwrap()));
        server.end();
        Ok(())
    });
}

fn streams(machine: Machine) {
    // Emulation takes its time.
    let much = if machine == Machine::Process { 30_000_000 } else { 3_000_000 };
    beside(machine, move |address| {
        for length in [1, 100, 1_000_000, much] {
            client::echo(address, length);
            let _ = client::send(address, length);
            client::receive(address, length);
        }
    });
}

fn datagrams(machine: Machine) {
    beside(machine, |address| {
        // Around what a link carries in one piece, and up to the longest: 65,535 less the headers of IPv4 and UDP.
        client::datagrams(
            address,
            &[0, 1, 100, 1451, 1452, 1453, 1471, 1472, 1473, 3000, 9000, 30_000, 60_000, 65_507],
        );
    });
}

fn pings(machine: Machine) {
    beside(machine, |address| {
        [0, 56, 500, 1452, 1472, 20_000, 60_000].iter().for_each(|&length| ping::ping(address, length))
    });
}
