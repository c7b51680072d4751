//! The ways that lead to a machine and out of it.

use std::io::Write;
use std::net::{IpAddr, SocketAddr, TcpStream};

use system_tests::{Guest, Platform, in_namespace, ip, need};

use crate::LIMIT;

/// How a machine is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// What `-p` makes by itself: the host's sockets on process, QEMU's own network on pc.
    Published,
    /// A TAP device.
    Tap,
    /// passt(1).
    Passt,
}

/// What is outside: an address that is none of the machine's networks.
pub const OUTSIDE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 1));

/// The same of IPv6.
pub const OUTSIDE_V6: IpAddr = IpAddr::V6(std::net::Ipv6Addr::new(0x2001, 0xdb8, 2, 0, 0, 0, 0, 1));

impl Way {
    pub const ALL: [Self; 3] = [Self::Published, Self::Tap, Self::Passt];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Tap => "over_tap",
            Self::Passt => "over_passt",
        }
    }

    /// Where a client outside finds what listens on port 80 inside.
    pub fn server(self) -> SocketAddr {
        match self {
            Self::Published | Self::Passt => ([192, 0, 2, 1], 8080).into(),
            Self::Tap => ([10, 7, 0, 2], 80).into(),
        }
    }

    /// The same with IPv6, where there is a way in.
    pub fn servers(self, platform: Platform) -> Vec<SocketAddr> {
        let over_v6 = match self {
            // QEMU's own network leads ports of IPv4 on.
            Self::Published if platform.is_pc() => None,
            Self::Published | Self::Passt => Some(([0x2001, 0xdb8, 1, 0, 0, 0, 0, 1], 8080).into()),
            Self::Tap => Some(([0xfd07, 0, 0, 0, 0, 0, 0, 2], 80).into()),
        };
        [Some(self.server()), over_v6].into_iter().flatten().collect()
    }

    /// A client outside, who speaks first, with one byte: the passt of Debian 12 says nothing inside of one who waits.
    pub fn connect(self) -> TcpStream {
        let mut stream = TcpStream::connect_timeout(&self.server(), LIMIT).expect("it listens");
        stream.write_all(b"x").expect("it takes a byte");
        stream
    }

    /// A machine that is connected so. Names are asked of what is outside.
    pub fn guest(self, platform: Platform) -> Guest {
        let words: &[&str] = match self {
            Self::Published => &["-p", "8080:80", "-p", "8080:80/udp"],
            Self::Tap => &[
                "--net",
                "tap:tap7",
                "--ip",
                "10.7.0.2/24",
                "--gateway",
                "10.7.0.1",
                "--ip",
                "fd07::2/64",
                "--gateway",
                "fd07::1",
            ],
            Self::Passt => &["--net", "passt", "-p", "8080:80", "-p", "8080:80/udp"],
        };
        let guest = words.iter().fold(Guest::new(platform), |guest, word| guest.option(*word));
        guest.option("--dns").option(OUTSIDE.to_string())
    }

    /// Runs `body` in a namespace where the way leads somewhere. Skips where that cannot be.
    pub fn prepared(self, body: impl FnOnce() + Send + 'static) {
        if self == Self::Passt {
            need(&["passt"]);
        }
        in_namespace(move || {
            self.prepare()?;
            body();
            Ok(())
        });
    }

    fn prepare(self) -> Result<(), String> {
        ip("link set lo up")?;
        ip("link add away type veth peer name other")?;
        ip("link set other up")?;
        ip(&format!("address add {OUTSIDE}/32 dev other"))?;
        ip(&format!("address add {OUTSIDE_V6}/128 dev other nodad"))?;
        ip("address add 192.0.2.1/24 dev away")?;
        ip("address add 2001:db8:1::1/64 dev away nodad")?;
        ip("link set away up")?;
        // passt asks which interface leads to everyone.
        ip("route add default via 192.0.2.254")?;
        ip("-6 route add default via 2001:db8:1::fe dev away")?;
        if self == Self::Tap {
            ip("tuntap add tap7 mode tap")?;
            ip("address add 10.7.0.1/24 dev tap7")?;
            ip("address add fd07::1/64 dev tap7 nodad")?;
            ip("link set tap7 up")?;
        }
        Ok(())
    }
}
