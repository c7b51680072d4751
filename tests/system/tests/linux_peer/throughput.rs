//! Long transfers each way over links that lose none, one and five of a hundred frames: nothing may be missing or
//! changed. How long they take is told beside what Linux itself takes over the same link, and asserted nowhere.

use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use system_tests::{Machine, all, in_namespace, leave, scratch};

use crate::link::Forwarded;
use crate::server::{ECHO, variant};
use system_tests::client;

/// Bytes each way: what `--all` sends, and what is sent always.
const LONG: u64 = 1 << 30;
const SHORT: u64 = 16 << 20;

/// Linux and the machine take turns so often, for other work on the host slows now the one, now the other.
const ROUNDS: usize = 15;

/// One link at a time, or they slow each other.
static ALONE: Mutex<()> = Mutex::new(());

/// So many bytes to the server and from it: how long each way took.
fn each_way(whose: Option<(Machine, &Path)>, rate: u64, length: u64) -> Result<[Duration; 2], String> {
    let link = Forwarded::start(whose, rate)?;
    for family in 0..2 {
        link.act(family, |address| client::echo(address, 100_000));
    }
    let sent = link.act(0, move |address| client::send(address, length));
    let received = link.act(0, move |address| client::receive(address, length));
    let (carried, lost) = link.end();
    // The seed says which frames: with so many of them some are among them.
    assert_eq!(lost > 0, rate > 0, "{lost} of {carried} frames");
    Ok([sent, received])
}

/// The same in a namespace of its own.
fn measured(whose: Option<(Machine, &Path)>, rate: u64, length: u64) -> [Duration; 2] {
    let (say, said) = mpsc::channel();
    let whose = whose.map(|(machine, folder)| (machine, folder.to_path_buf()));
    in_namespace(move || {
        let whose = whose.as_ref().map(|(machine, folder)| (*machine, folder.as_path()));
        say.send(each_way(whose, rate, length)?).expect("somebody waits");
        Ok(())
    });
    said.recv().expect("a namespace that does not come is a skipped test")
}

/// The middle one.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

fn tell(rate: u64, length: u64, name: &str, linux: &[[Duration; 2]], machine: &[[Duration; 2]]) {
    for (index, way) in ["to it", "from it"].into_iter().enumerate() {
        let [linux, machine] = [linux, machine].map(|times| median(times.iter().map(|times| times[index]).collect()));
        let [his, its] = [linux, machine].map(|seconds| length as f64 / 1e6 / seconds);
        let (lost, ratio) = (rate / 10_000, linux / machine);
        eprintln!("figure: {name} {way}, {lost} % lost: {its:.0} MB/s, Linux {his:.0} MB/s, ratio {ratio:.2}");
    }
}

/// Of a machine, with losses of so many in a million frames. Where its speed is measured it has memory for queues as
/// long as Linux': 4 MB to send and 32 MB to receive (`tcp_wmem` and `tcp_rmem` in tcp(7)). A connection's may take a
/// 32nd part of the heap, 8 MB.
pub fn transfers(machine: Machine, rate: u64) {
    let _alone = ALONE.lock().unwrap_or_else(|broken| broken.into_inner());
    if !all() {
        machine.build(Path::new(ECHO));
        leave("a gigabyte each way, many times, and beside it what Linux takes");
        measured(Some((machine, Path::new(ECHO))), rate, SHORT);
        return;
    }
    let folder = scratch();
    variant(folder.path(), |wishes| wishes.replace("64M", "256M"));
    machine.build(folder.path());
    let rounds = if rate > 10_000 { 1 } else { ROUNDS };
    let measured = |whose| measured(whose, rate, LONG);
    let times = (0..rounds).map(|_| (measured(None), measured(Some((machine, folder.path())))));
    let (linux, its): (Vec<_>, Vec<_>) = times.unzip();
    tell(rate, LONG, machine.name(), &linux, &its);
}
