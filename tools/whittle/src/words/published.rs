//! A port that others reach: `[ADDRESS:]HOST:GUEST[/udp]`.

use std::io::{Error, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, UdpSocket};
use std::str::FromStr;

use crate::failure::{Failure, plain};

/// A port of the host's that leads to one of the program's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The host's address that has it; `None`: each.
    pub address: Option<IpAddr>,
    /// The host's port.
    pub host: u16,
    /// The program's port.
    pub guest: u16,
    /// Datagrams, not connections.
    pub udp: bool,
}

impl FromStr for Published {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "HOST:GUEST is expected, as in 8080:80, 127.0.0.1:8080:80 or 5353:53/udp";
        let (ports, udp) = match text.split_once('/') {
            None | Some((_, "tcp")) => (text.trim_end_matches("/tcp"), false),
            Some((ports, "udp")) => (ports, true),
            Some(_) => return Err("the protocols are tcp and udp"),
        };
        let port = |text: &str| text.parse().ok().filter(|&port| port != 0).ok_or("a port is a number from 1 to 65535");
        let (rest, guest) = ports.rsplit_once(':').ok_or(SHAPE)?;
        let (address, host) = match rest.rsplit_once(':') {
            Some((address, host)) => (Some(own(address)?), host),
            None => (None, rest),
        };
        Ok(Self { address, host: port(host)?, guest: port(guest)?, udp })
    }
}

/// An address of the host's; one of IPv6 stands in brackets.
fn own(text: &str) -> Result<IpAddr, &'static str> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let address = match inner {
        Some(inner) => inner.parse().ok().filter(IpAddr::is_ipv6),
        None => text.parse().ok().filter(IpAddr::is_ipv4),
    };
    address.ok_or("the address is none: 127.0.0.1 or [::1] is expected")
}

impl Published {
    /// Its protocol's name.
    pub const fn protocol(&self) -> &'static str {
        if self.udp { "udp" } else { "tcp" }
    }

    /// Refuses a port that cannot be had, before a machine is started for it.
    pub fn check(&self) -> Result<(), Failure> {
        let address = SocketAddr::new(self.address.unwrap_or(IpAddr::from([0, 0, 0, 0])), self.host);
        let taken = if self.udp { UdpSocket::bind(address).map(drop) } else { TcpListener::bind(address).map(drop) };
        taken.map_err(|error| self.refused(&error))
    }

    /// The same for QEMU, which leads on ports of IPv4 alone.
    pub fn check_for_qemu(&self) -> Result<(), Failure> {
        if self.address.is_some_and(|address| address.is_ipv6()) {
            let sentence = "-p: QEMU's own network leads on ports of IPv4 alone; say --platform process or --net passt";
            return Err(Failure::ours(sentence));
        }
        self.check()
    }

    /// Why it cannot be had, in a sentence.
    pub fn refused(&self, error: &Error) -> Failure {
        let (port, protocol) = (self.host, self.protocol());
        Failure::ours(match (error.kind(), self.address) {
            (ErrorKind::AddrInUse, _) => {
                format!("-p: port {port}/{protocol} of this machine is used by another already")
            }
            (ErrorKind::PermissionDenied, _) if port < 1024 => format!(
                "-p: ports below 1024 are root's, and {port} is one: take another, as in -p {}:{}",
                u32::from(port) + 8000,
                self.guest
            ),
            (ErrorKind::AddrNotAvailable, Some(address)) => format!("-p: {address} is no address of this machine"),
            _ => format!("-p: port {port}/{protocol} cannot be used: {}", plain(error)),
        })
    }

    /// As it stands in a list: `127.0.0.1:8080->80`, and `/udp` behind it for datagrams.
    pub fn arrow(&self) -> String {
        let host =
            self.address.map_or_else(|| self.host.to_string(), |own| SocketAddr::new(own, self.host).to_string());
        format!("{host}->{}{}", self.guest, if self.udp { "/udp" } else { "" })
    }

    /// What people are told.
    pub fn sentence(&self) -> String {
        let address = self.address.map_or_else(|| "every address".to_string(), |address| address.to_string());
        format!("port {}/{} of {address} leads to the program's port {}", self.host, self.protocol(), self.guest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(text: &str) -> Published {
        text.parse().unwrap()
    }

    #[test]
    fn ports_lead_to_ports() {
        let plain = Published { address: None, host: 8080, guest: 80, udp: false };
        assert_eq!(published("8080:80"), plain);
        assert_eq!(published("8080:80/tcp"), plain);
        assert_eq!(published("5353:53/udp"), Published { host: 5353, guest: 53, udp: true, ..plain });
        assert_eq!(published("127.0.0.1:8080:80").address, Some([127, 0, 0, 1].into()));
        assert_eq!(published("[::1]:8080:80").address, "::1".parse().ok());
        let arrows = ["8080:80", "127.0.0.1:8080:80", "[::1]:53:53/udp"].map(|text| published(text).arrow());
        assert_eq!(arrows, ["8080->80", "127.0.0.1:8080->80", "[::1]:53->53/udp"]);
        for wrong in ["", "80", "80:", ":80", "0:80", "80:0", "80:65536", "::1:80:80", "[10.0.0.1]:80:80", "x:1:2"] {
            assert!(wrong.parse::<Published>().is_err(), "{wrong}");
        }
        assert!("80:80/sctp".parse::<Published>().is_err() && "80:80/udp/tcp".parse::<Published>().is_err());
    }

    #[test]
    fn a_port_that_another_has_is_refused_in_a_sentence() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let failure = published(&format!("127.0.0.1:{port}:80")).check().unwrap_err();
        assert_eq!(failure.sentence, format!("-p: port {port}/tcp of this machine is used by another already"));
        drop(listener);
        published(&format!("127.0.0.1:{port}:80")).check().unwrap();
        let failure = published("192.0.2.1:8080:80").check().unwrap_err();
        assert_eq!(failure.sentence, "-p: 192.0.2.1 is no address of this machine");
        let told = published("80:80").refused(&ErrorKind::PermissionDenied.into());
        assert_eq!(told.sentence, "-p: ports below 1024 are root's, and 80 is one: take another, as in -p 8080:80");
    }
}
