//! What the command says of the host's sockets, and addresses that stand for what is not to be reached by its own.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use launch::{Key, Launch};
use sockets::{Error, Reach, Unreachable};
use sync::Once;

/// Who stands for the host: peers of its loopback are seen as this. As QEMU's own network has it.
const HOST: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(10, 0, 2, 2)), IpAddr::V6(Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 2))];
/// And for the machine, where the host's own address is its loopback.
const MACHINE: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(10, 0, 2, 15)), IpAddr::V6(Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 15))];
/// And for a resolver that listens on the host's loopback.
const RESOLVER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, 2, 3)), 53);

static RECORD: Once<&'static Launch<'static>> = Once::new();

/// Keeps what the command says of sockets; what there is of them.
pub fn remember(launch: &'static Launch<'static>) -> Reach {
    RECORD.call_once(|| launch);
    reach()
}

/// What there is.
pub fn reach() -> Reach {
    match RECORD.get().and_then(|launch| launch.first(Key::Outside)) {
        Some(b"published") => Reach::Published,
        Some(b"all") => Reach::All,
        _ => Reach::Nothing,
    }
}

/// A socket that has a published port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    pub datagrams: bool,
    pub port: u16,
    pub descriptor: i32,
}

/// All that the command has handed over.
pub fn ports() -> impl Iterator<Item = Port> {
    RECORD.get().into_iter().flat_map(|launch| launch.all(Key::Published)).filter_map(port)
}

fn port(record: &[u8]) -> Option<Port> {
    let mut fields = str::from_utf8(record).ok()?.split(',');
    let datagrams = match fields.next()? {
        "tcp" => false,
        "udp" => true,
        _ => return None,
    };
    Some(Port { datagrams, port: fields.next()?.parse().ok()?, descriptor: fields.next()?.parse().ok()? })
}

/// The host's resolver, if it has to be stood for.
fn resolver() -> Option<SocketAddr> {
    let text = RECORD.get()?.text(Key::Resolver)?;
    Some(SocketAddr::new(text.parse().ok()?, RESOLVER.port()))
}

/// Whom the machine means by an address outside.
pub fn meant(to: SocketAddr) -> Result<SocketAddr, Error> {
    if reach() == Reach::All {
        return Ok(to);
    }
    if to == RESOLVER
        && let Some(resolver) = resolver()
    {
        return Ok(resolver);
    }
    let ip = to.ip().to_canonical();
    // The host's loopback is nobody's here, by whatever name.
    let is_host = HOST.contains(&ip) || ip.is_loopback() || ip.is_unspecified();
    if is_host { Err(Error::Unreachable(Unreachable::Host)) } else { Ok(SocketAddr::new(ip, to.port())) }
}

/// Another as a machine sees it whose socket is of IPv4, or of both families.
pub fn seen(from: SocketAddr, only_v4: bool) -> SocketAddr {
    if reach() == Reach::All {
        return from;
    }
    if resolver() == Some(from) {
        return RESOLVER;
    }
    stand_in(from, only_v4, HOST)
}

/// One's own address.
pub fn own(own: SocketAddr, only_v4: bool) -> SocketAddr {
    if reach() == Reach::All { own } else { stand_in(own, only_v4, MACHINE) }
}

/// Whether the machine has the host's own addresses.
pub fn is_hosts() -> bool {
    reach() == Reach::All
}

/// Whether an address stands for the machine, whatever the host's is.
pub fn is_machine(own: IpAddr) -> bool {
    reach() != Reach::All && MACHINE.contains(&own)
}

/// Which of one's own addresses a datagram is seen to be for: outside the machine it has others.
pub fn for_whom(own: IpAddr, only_v4: bool) -> IpAddr {
    let [v4, v6] = MACHINE;
    match own.to_canonical() {
        own if reach() == Reach::All => own,
        IpAddr::V6(_) if !only_v4 => v6,
        _ => v4,
    }
}

fn stand_in(address: SocketAddr, only_v4: bool, [v4, v6]: [IpAddr; 2]) -> SocketAddr {
    match address.ip().to_canonical() {
        IpAddr::V4(ip) if ip.is_loopback() => SocketAddr::new(v4, address.port()),
        IpAddr::V6(_) if only_v4 => SocketAddr::new(v4, address.port()),
        IpAddr::V6(ip) if ip.is_loopback() => SocketAddr::new(v6, address.port()),
        _ => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn ports_are_read_and_nothing_else() {
        assert_eq!(port(b"tcp,80,64"), Some(Port { datagrams: false, port: 80, descriptor: 64 }));
        assert_eq!(port(b"udp,53,65"), Some(Port { datagrams: true, port: 53, descriptor: 65 }));
        let wrong: [&[u8]; 5] = [b"", b"tcp", b"tcp,80", b"sctp,80,64", b"tcp,66000,64"];
        wrong.into_iter().for_each(|record| assert_eq!(port(record), None));
    }

    #[test]
    fn the_hosts_loopback_is_nobody() {
        for nobody in ["127.0.0.1:80", "127.8.8.8:1", "[::1]:80", "[::ffff:127.0.0.1]:80", "0.0.0.0:80", "[::]:80"] {
            assert!(meant(address(nobody)).is_err(), "{nobody}");
        }
        assert!(meant(address("10.0.2.2:80")).is_err() && meant(address("[fec0::2]:80")).is_err());
        assert!(meant(address("10.0.2.3:53")).is_ok_and(|to| to == address("10.0.2.3:53")));
        assert_eq!(meant(address("[::ffff:192.0.2.1]:80")), Ok(address("192.0.2.1:80")));
    }

    #[test]
    fn loopback_is_seen_as_who_stands_for_it() {
        assert_eq!(seen(address("127.0.0.1:9"), false), address("10.0.2.2:9"));
        assert_eq!(seen(address("[::1]:9"), false), address("[fec0::2]:9"));
        assert_eq!(seen(address("[2001:db8::1]:9"), true), address("10.0.2.2:9"));
        assert_eq!(seen(address("192.0.2.1:9"), true), address("192.0.2.1:9"));
        assert_eq!(own(address("127.0.0.1:9"), true), address("10.0.2.15:9"));
    }
}
