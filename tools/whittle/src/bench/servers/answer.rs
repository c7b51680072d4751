//! Waiting for a server's first answer.

use std::net::{Ipv4Addr, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::load::Load;

/// How long a connection may take: what is sent to a machine that is not there yet is lost.
const CONNECT: Duration = Duration::from_millis(50);

/// How often somebody asks, and for how long at the most.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Between two questions: each of them is work for the machine, too.
    pub pause: Duration,
    /// In all.
    pub most: Duration,
}

impl Patience {
    /// For a moment that counts.
    pub const SHORT: Self = Self { pause: Duration::from_millis(1), most: Duration::from_secs(600) };
    /// For instructions that count.
    pub const LONG: Self = Self { pause: Duration::from_millis(100), most: Duration::from_secs(600) };
}

/// Asks a server until it answers, or `is_there` says that its machine has ended; the moment of the answer.
pub fn first(load: Load, at: Ipv4Addr, patience: Patience, mut is_there: impl FnMut() -> bool) -> Option<Instant> {
    let since = Instant::now();
    loop {
        let left = patience.most.saturating_sub(since.elapsed());
        if answers(load, at, left) {
            return Some(Instant::now());
        }
        if left <= patience.pause || !is_there() {
            return None;
        }
        sleep(patience.pause);
    }
}

fn answers(load: Load, at: Ipv4Addr, left: Duration) -> bool {
    let connected = TcpStream::connect_timeout(&(at, load.server.port()).into(), CONNECT);
    let ask = |mut stream: TcpStream| {
        stream.set_read_timeout(Some(left.max(CONNECT)))?;
        load.first(&mut stream)
    };
    connected.and_then(ask).is_ok()
}
