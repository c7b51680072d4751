//! A network interface: `tap:NAME`, `passt:SOCKET`, `dgram:LOCAL,REMOTE` or `user`.

use std::path::PathBuf;
use std::str::FromStr;

/// What a network interface of a machine leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nic {
    /// A TAP device of the host's.
    Tap(String),
    /// passt, or another that speaks as it does, behind a stream socket: the length of a frame in four bytes, the large
    /// one first, then the frame.
    Passt(PathBuf),
    /// Whoever is behind a datagram socket: a frame in each datagram. Ours first, then theirs.
    Datagram(PathBuf, PathBuf),
    /// The network of one machine that QEMU makes up.
    User,
}

/// Bytes of an interface's name with its NUL (IFNAMSIZ of netdevice(7)).
const LONGEST_NAME: usize = 16;

impl FromStr for Nic {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "tap:NAME, passt:SOCKET, dgram:LOCAL,REMOTE or user is expected";
        match text.split_once(':') {
            None if text == "user" => Ok(Self::User),
            Some(("tap", name)) if name.is_empty() || name.len() >= LONGEST_NAME || name.contains('/') => {
                Err("the name of a TAP device has 1 to 15 letters")
            }
            Some(("tap", name)) => Ok(Self::Tap(name.into())),
            Some(("passt", path)) if !path.is_empty() => Ok(Self::Passt(path.into())),
            Some(("dgram", paths)) => match paths.split_once(',') {
                Some((local, remote)) if !local.is_empty() && !remote.is_empty() => {
                    Ok(Self::Datagram(local.into(), remote.into()))
                }
                _ => Err("two sockets are expected, ours and theirs, as in dgram:/tmp/ours,/tmp/theirs"),
            },
            _ => Err(SHAPE),
        }
    }
}

impl Nic {
    /// What people are told of interface `number`, which has this address.
    pub fn sentence(&self, number: usize, address: [u8; 6]) -> String {
        let address = address.map(|byte| format!("{byte:02x}")).join(":");
        let leads = match self {
            Self::Tap(name) => format!("the TAP device {name}"),
            Self::Passt(path) if path.as_os_str().is_empty() => "passt, which was started for it".to_string(),
            Self::Passt(path) => format!("passt at {}", path.display()),
            Self::Datagram(_, remote) => format!("whoever is at {}", remote.display()),
            Self::User => "QEMU's own network, where it is 10.0.2.15".to_string(),
        };
        format!("network interface {number} ({address}) leads to {leads}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_lead_somewhere() {
        assert_eq!("user".parse(), Ok(Nic::User));
        assert_eq!("tap:tap0".parse(), Ok(Nic::Tap("tap0".into())));
        assert_eq!("passt:/run/a:b".parse(), Ok(Nic::Passt("/run/a:b".into())));
        assert_eq!("dgram:/a,/b".parse(), Ok(Nic::Datagram("/a".into(), "/b".into())));
        for wrong in ["", "tap", "tap:", "tap:a/b", "tap:0123456789abcdef", "passt:", "dgram:/a", "dgram:,/b", "veth:x"]
        {
            assert!(wrong.parse::<Nic>().is_err(), "{wrong}");
        }
        let told = Nic::Tap("tap0".into()).sentence(1, [2, 0, 0, 0, 0xab, 1]);
        assert_eq!(told, "network interface 1 (02:00:00:00:ab:01) leads to the TAP device tap0");
    }
}
