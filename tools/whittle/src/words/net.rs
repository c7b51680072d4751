//! What a machine's network is, as `--net` says it, and the words of the options about it.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use super::Nic;

/// Which way the network goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Net {
    /// The host's sockets, its loopback and its ports included (process).
    Host,
    /// What is outside through the host, without rights: the host's sockets (process), or QEMU's own network (pc).
    User,
    /// A TAP device of the host's.
    Tap(String),
    /// passt: one that is started for this machine, or that of a socket.
    Passt(Option<PathBuf>),
    /// Nothing but what is in the machine.
    None,
}

impl FromStr for Net {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "host" => Ok(Self::Host),
            "user" => Ok(Self::User),
            "none" => Ok(Self::None),
            "passt" => Ok(Self::Passt(None)),
            _ => match text.parse::<Nic>() {
                Ok(Nic::Tap(name)) => Ok(Self::Tap(name)),
                Ok(Nic::Passt(path)) => Ok(Self::Passt(Some(path))),
                Err(why) if text.starts_with("tap:") => Err(why),
                _ => Err("host, user, tap:NAME, passt, passt:SOCKET or none is expected"),
            },
        }
    }
}

/// An address, and how many bits of it are its network's: `10.0.0.2/24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The address.
    pub address: IpAddr,
    /// Bits.
    pub bits: u8,
}

impl FromStr for Prefix {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "an address and the bits of its network are expected, as in 10.0.0.2/24";
        let (address, bits) = text.split_once('/').ok_or(SHAPE)?;
        let address: IpAddr = address.parse().map_err(|_| SHAPE)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.parse().ok().filter(|bits| (1..=most).contains(bits)).ok_or(SHAPE)?;
        Ok(Self { address, bits })
    }
}

/// An address of an Ethernet: `02:00:00:00:00:01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mac(pub [u8; 6]);

impl FromStr for Mac {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "six pairs of hexadecimal digits are expected, as in 02:00:00:00:00:01";
        let mut address = [0; 6];
        let mut pairs = text.split(':');
        for place in &mut address {
            let pair = pairs.next().filter(|pair| pair.len() == 2).ok_or(SHAPE)?;
            *place = u8::from_str_radix(pair, 16).map_err(|_| SHAPE)?;
        }
        match pairs.next() {
            Some(_) => Err(SHAPE),
            None if address[0] & 1 != 0 => Err("the address is a group's: its first byte must be even"),
            None => Ok(Self(address)),
        }
    }
}

/// A name and its address: `NAME:ADDRESS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Its address.
    pub address: IpAddr,
}

impl FromStr for Named {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "a name and its address are expected, as in db:10.0.0.7";
        let (name, address) = text.split_once(':').ok_or(SHAPE)?;
        let address = address.parse().map_err(|_| SHAPE)?;
        Ok(Self { name: host_name(name)?, address })
    }
}

/// The name of a machine: letters, digits, hyphens and dots (RFC 952, RFC 1123), at most as many as Linux has room for.
pub fn host_name(text: &str) -> Result<String, &'static str> {
    let may = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_');
    if text.is_empty() || text.len() > 64 || text.starts_with('-') || !text.chars().all(may) {
        return Err("a machine's name has 1 to 64 letters, digits, hyphens and dots");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_a_network() {
        assert_eq!("host".parse(), Ok(Net::Host));
        assert_eq!("tap:tap0".parse(), Ok(Net::Tap("tap0".into())));
        assert_eq!("passt".parse(), Ok(Net::Passt(None)));
        assert_eq!("passt:/run/p".parse(), Ok(Net::Passt(Some("/run/p".into()))));
        for wrong in ["", "bridge", "tap", "tap:", "tap:a/b", "dgram:/a,/b", "passt:", "HOST"] {
            assert!(wrong.parse::<Net>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_and_names() {
        assert_eq!("10.0.0.2/24".parse(), Ok(Prefix { address: [10, 0, 0, 2].into(), bits: 24 }));
        assert!("fd00::2/64".parse::<Prefix>().is_ok());
        for wrong in ["10.0.0.2", "10.0.0.2/0", "10.0.0.2/33", "fd00::2/129", "x/8", "/8"] {
            assert!(wrong.parse::<Prefix>().is_err(), "{wrong}");
        }
        assert_eq!("02:00:00:00:ab:01".parse(), Ok(Mac([2, 0, 0, 0, 0xab, 1])));
        for wrong in ["", "02:00", "02:00:00:00:00:01:02", "03:00:00:00:00:01", "2:0:0:0:0:1", "xx:00:00:00:00:01"] {
            assert!(wrong.parse::<Mac>().is_err(), "{wrong}");
        }
        assert_eq!("db:::7".parse(), Ok(Named { name: "db".into(), address: "::7".parse().unwrap() }));
        for wrong in ["db", "db:", ":10.0.0.1", "a b:10.0.0.1", "db:10.0.0"] {
            assert!(wrong.parse::<Named>().is_err(), "{wrong}");
        }
        assert!(host_name("a.b-c").is_ok() && host_name("").is_err() && host_name(&"a".repeat(65)).is_err());
    }
}
