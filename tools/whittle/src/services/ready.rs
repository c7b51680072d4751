//! When a service can be used: systemd starts what comes behind it then.
//!
//! With `--health`, when the program has answered well. Else when it takes connections to a published port: on process
//! that is a socket of the host's, of which the host tells whether it listens (`/proc/net/tcp`, proc_pid_net(5));
//! QEMU's own network takes connections for the machine before it has asked it, and is asked what has become of one.
//! Where neither tells, as behind passt, when the machine has started.

use std::fs;
use std::io::{ErrorKind, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::arguments::Platform;
use crate::machine::Monitor;
use crate::run::About;
use crate::words::{Net, Published};

/// What a service has to have reached.
#[derive(Clone, Debug, Default)]
pub enum Readiness {
    /// Nothing but its start.
    #[default]
    Started,
    /// The program has answered well.
    Well,
    /// A socket of the host's listens on one of these ports.
    Listens(Vec<Published>),
    /// QEMU's network has a connection to one of these ports that the machine has taken.
    Connects(Vec<Published>),
}

/// How long a connection through QEMU may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two looks at it.
const PAUSE: Duration = Duration::from_millis(10);

impl Readiness {
    /// What this machine has to have reached.
    #[must_use]
    pub fn of(about: &About<'_>, has_health: bool) -> Self {
        let published = about.run.network.published.iter().filter(|published| !published.udp).copied();
        let published: Vec<Published> = published.collect();
        match about.setting.platform {
            _ if has_health => Self::Well,
            _ if published.is_empty() || *about.net != Net::User => Self::Started,
            Platform::Process => Self::Listens(published),
            Platform::Pc => Self::Connects(published),
        }
    }

    /// Whether QEMU is asked, because somebody wants to know.
    #[must_use]
    pub fn wants_monitor(&self) -> bool {
        matches!(self, Self::Connects(_)) && super::notify::is_wanted()
    }

    /// Whether it has been reached.
    pub fn is_reached(&self, is_well: bool, monitor: &mut Option<Monitor>) -> bool {
        match (self, monitor) {
            (Self::Started, _) => true,
            (Self::Well, _) => is_well,
            (Self::Listens(published), _) => published.iter().any(listens),
            (Self::Connects(published), Some(monitor)) => published.iter().any(|port| connects(port, monitor)),
            // A machine under a debugger has no monitor to spare.
            (Self::Connects(_), None) => true,
        }
    }
}

/// Whether a socket of this machine's listens on the port.
fn listens(published: &Published) -> bool {
    let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].map(|path| fs::read_to_string(path).unwrap_or_default());
    let wanted = |address: SocketAddr| {
        let is_asked_for = match published.address {
            Some(own) => address.ip() == own,
            None => address.ip().is_unspecified(),
        };
        is_asked_for && address.port() == published.host
    };
    tables.iter().flat_map(|table| table.lines()).filter_map(listener).any(wanted)
}

/// Whose line of `/proc/net/tcp` it is, if it is one who listens: `0: 0100007F:1F90 00000000:0000 0A ...`.
fn listener(line: &str) -> Option<SocketAddr> {
    const LISTEN: &str = "0A";
    let mut words = line.split_ascii_whitespace().skip(1);
    let (address, _, state) = (words.next()?, words.next()?, words.next()?);
    let (address, port) = address.split_once(':').filter(|_| state == LISTEN)?;
    Some(SocketAddr::new(printed(address)?, u16::from_str_radix(port, 16).ok()?))
}

/// An address as Linux prints it: words of 32 bits in the processor's order.
fn printed(text: &str) -> Option<IpAddr> {
    let word = |part: &[u8]| {
        let digits = std::str::from_utf8(part).ok().filter(|digits| digits.len() == 8)?;
        u32::from_str_radix(digits, 16).ok()
    };
    let words: Option<Vec<u32>> = text.as_bytes().chunks(8).map(word).collect();
    let bytes: Vec<u8> = words?.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let v4 = || <[u8; 4]>::try_from(&*bytes).ok().map(|bytes| Ipv4Addr::from(bytes).into());
    v4().or_else(|| <[u8; 16]>::try_from(&*bytes).ok().map(|bytes| Ipv6Addr::from(bytes).into()))
}

/// Whether the machine takes a connection to the port through QEMU.
fn connects(published: &Published, monitor: &mut Monitor) -> bool {
    let address = published.address.filter(|address| !address.is_unspecified()).unwrap_or(Ipv4Addr::LOCALHOST.into());
    let place = SocketAddr::new(address, published.host);
    let Ok(mut stream) = TcpStream::connect_timeout(&place, PATIENCE) else { return false };
    if stream.set_nonblocking(true).is_err() {
        return false;
    }
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        // A machine that does not answer is not ready.
        let Some(connections) = monitor.connections() else { return false };
        if has_taken(&connections, published) {
            return true;
        }
        match stream.read(&mut [0]) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(PAUSE),
            // It was refused; a greeting would have shown before.
            _ => return false,
        }
    }
    false
}

/// Whether there is a connection to the port that the machine has answered, in QEMU's table:
/// `TCP[ESTABLISHED] 12 127.0.0.1 8080 10.0.2.15 80 0 0` (`slirp_connection_info` in libslirp's misc.c).
fn has_taken(connections: &str, published: &Published) -> bool {
    connections.lines().any(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let port = |word: usize| words.get(word).and_then(|word| word.parse::<u16>().ok());
        words.first() == Some(&"TCP[ESTABLISHED]")
            && (port(3), port(5)) == (Some(published.host), Some(published.guest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn the_host_tells_who_listens() {
        for own in ["127.0.0.1", "[::1]", "[::]"] {
            // Not every machine has IPv6.
            let Ok(listener) = TcpListener::bind(format!("{own}:0")) else { continue };
            let port = listener.local_addr().unwrap().port();
            let published = |own: &str| format!("{own}{port}:80").parse::<Published>().unwrap();
            assert!(listens(&published(&if own == "[::]" { String::new() } else { format!("{own}:") })), "{own}");
            assert!(!listens(&published("192.0.2.1:")), "{own}");
            drop(listener);
            assert!(!listens(&published(&if own == "[::]" { String::new() } else { format!("{own}:") })), "{own}");
        }
    }

    #[test]
    fn lines_of_the_host_are_understood() {
        let line = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1";
        assert_eq!(listener(line), "127.0.0.1:8080".parse().ok());
        let line = "   1: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 0";
        assert_eq!(listener(line), "[::1]:80".parse().ok());
        for other in [
            "",
            "  sl  local_address rem_address   st",
            "0: 0100007F:1F90 0100007F:0001 01",
            "0: X:1 Y:1 0A",
            "0: 01:1 0:0 0A",
        ] {
            assert_eq!(listener(other), None, "{other:?}");
        }
    }

    #[test]
    fn qemu_tells_what_the_machine_has_taken() {
        let published: Published = "127.0.0.1:8080:80".parse().unwrap();
        let table = |state: &str, ports: [u16; 2]| {
            format!(
                "Hub -1 (whittle0):\r\n  Protocol[State]    FD  Source Address  Port   Dest. Address  Port RecvQ SendQ\r\n\
                 \x20 TCP[{state}] 14 127.0.0.1 {} 10.0.2.15 {} 0 0\r\n",
                ports[0], ports[1]
            )
        };
        assert!(has_taken(&table("ESTABLISHED", [8080, 80]), &published));
        for (state, ports) in [("SYN_SENT", [8080, 80]), ("HOST_FORWARD", [8080, 80]), ("ESTABLISHED", [8081, 80])] {
            assert!(!has_taken(&table(state, ports), &published), "{state}");
        }
        assert!(!has_taken("", &published));
    }
}
