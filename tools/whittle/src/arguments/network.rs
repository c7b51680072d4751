//! The options of `whittle run` about the program's network.

use std::net::IpAddr;

use clap::Args;

use crate::words::{Mac, Named, Net, Prefix, Published, host_name};

/// What a program's network is, and who reaches it.
#[derive(Debug, Clone, Default, Args)]
pub struct Network {
    /// Let others reach a port of the program's by one of this machine's; may be repeated
    #[arg(long = "publish", short = 'p', value_name = "[ADDRESS:]HOST:GUEST[/udp]")]
    pub published: Vec<Published>,
    /// The program's network: what is outside, through this machine and without rights (user); this machine's own, its
    /// loopback too (host, on process); a TAP device; passt; or nothing but its own loopback [default: user]
    #[arg(long, value_name = "host|user|tap:NAME|passt|none")]
    pub net: Option<Net>,
    /// An address of the program's machine behind a TAP device or passt; may be repeated
    #[arg(long, value_name = "ADDRESS/BITS")]
    pub ip: Vec<Prefix>,
    /// The router there that leads to everyone else; one of each family
    #[arg(long, value_name = "ADDRESS")]
    pub gateway: Vec<IpAddr>,
    /// Ask this server for the addresses of names [default: those of this machine]; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    pub dns: Vec<IpAddr>,
    /// The machine's address on its Ethernet [default: a random one]
    #[arg(long, value_name = "ADDRESS")]
    pub mac: Option<Mac>,
    /// Bytes of the longest packet there [default: as the device has it]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u16).range(576..=65521))]
    pub mtu: Option<u16>,
    /// The machine's name [default: this one's]
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    pub hostname: Option<String>,
    /// A name with its address, in the program's /etc/hosts; may be repeated
    #[arg(long = "add-host", value_name = "NAME:ADDRESS")]
    pub hosts: Vec<Named>,
}

impl Network {
    /// The first of its options that is given.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            ("-p", !self.published.is_empty()),
            ("--net", self.net.is_some()),
            ("--ip", !self.ip.is_empty()),
            ("--gateway", !self.gateway.is_empty()),
            ("--dns", !self.dns.is_empty()),
            ("--mac", self.mac.is_some()),
            ("--mtu", self.mtu.is_some()),
            ("--hostname", self.hostname.is_some()),
            ("--add-host", !self.hosts.is_empty()),
        ];
        all.into_iter().find_map(|(option, given)| given.then_some(option))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        network: Network,
    }

    fn network(words: &[&str]) -> Result<Network, clap::Error> {
        Words::try_parse_from(["run"].iter().chain(words)).map(|words| words.network)
    }

    #[test]
    fn every_option_is_understood() {
        let words = ["-p", "8080:80", "-p", "[::1]:53:53/udp", "--net", "tap:tap0", "--ip", "10.0.0.2/24"];
        let more = ["--gateway", "10.0.0.1", "--dns", "::1", "--mac", "02:00:00:00:00:01", "--mtu", "1400"];
        let names = ["--hostname", "box", "--add-host", "db:10.0.0.7"];
        let network = network(&[&words[..], &more, &names].concat()).unwrap();
        assert_eq!((network.published.len(), network.published[1].udp), (2, true));
        assert_eq!((network.net, network.ip[0].bits), (Some(Net::Tap("tap0".into())), 24));
        assert_eq!(
            (network.mtu, network.hostname.as_deref(), &network.hosts[0].name[..]),
            (Some(1400), Some("box"), "db")
        );
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(network(&[]).unwrap().given(), None);
        assert_eq!(network(&["--mtu", "1400"]).unwrap().given(), Some("--mtu"));
        for words in [["-p", "80"], ["--net", "x"], ["--mtu", "1"], ["--dns", "x"], ["--hostname", "-x"], ["--ip", "1"]]
        {
            assert!(network(&words).is_err(), "{words:?}");
        }
    }
}
