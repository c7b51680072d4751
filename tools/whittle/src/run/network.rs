//! The network of a run: which way it goes, and what the machine and its kernel are told of it.

use launch::{Builder, Key};

use super::{Setting, names};
use crate::arguments::{Network, Platform, Run};
use crate::compose::{Place, Plan};
use crate::failure::Failure;
use crate::machine::{OpenNic, Outside, PCAP, open_nics, passt};
use crate::words::{Mac, Net, Nic, Published};

/// The network of a run, after all defaults.
#[derive(Debug)]
pub struct Link {
    /// Which way it goes.
    pub net: Net,
    /// The interfaces of the machine.
    pub nics: Vec<OpenNic>,
    /// Sockets of this machine with the published ports, for a kernel that has the host's.
    pub outside: Vec<Outside>,
    /// passt, if it was started for this.
    _passt: Option<passt::Running>,
}

/// Which way a run's network goes, if its image has sockets. Nothing is opened yet.
pub fn way(run: &Run, platform: Platform, place: &Place) -> Result<Option<Net>, Failure> {
    let options = &run.network;
    if !run.nics.is_empty() {
        return Err(Failure::ours(
            "--nic is for native programs that take frames themselves; for Linux programs say --net",
        ));
    }
    if !has_network(place, platform) {
        let wants = options.given().filter(|&option| option != "--hostname" && options.net != Some(Net::None));
        return wants.map_or(Ok(None), |option| Err(Failure::ours(format!("{option}: this image has no network"))));
    }
    let net = options.net.clone().unwrap_or(Net::User);
    check(options, &net, platform)?;
    Ok(Some(net))
}

/// Whether an image has sockets. One that was never built is asked again once it is.
fn has_network(place: &Place, platform: Platform) -> bool {
    let plan = Plan::read(&place.plan(platform.name()));
    plan.map_or(true, |plan| plan.provider("sockets").is_some_and(|provider| provider.name != "no-network"))
}

/// Refuses options that do not go together.
fn check(options: &Network, net: &Net, platform: Platform) -> Result<(), Failure> {
    let refuse = |sentence: &str| Err(Failure::ours(sentence));
    if platform == Platform::Pc && *net == Net::Host {
        return refuse("--net host needs --platform process: a virtual machine has none of this machine's sockets");
    }
    if !options.published.is_empty() {
        match net {
            Net::Host => return refuse("with --net host the program's ports are this machine's already: leave -p out"),
            Net::Tap(_) => return refuse("behind a TAP device the program has an address of its own: leave -p out"),
            Net::None => return refuse("-p needs a network, and --net none has none"),
            Net::Passt(Some(_)) => {
                return refuse("whoever has started passt has said which ports it leads on: leave -p out");
            }
            Net::User | Net::Passt(None) => {}
        }
    }
    let of_devices = [
        ("--ip", !options.ip.is_empty()),
        ("--gateway", !options.gateway.is_empty()),
        ("--mac", options.mac.is_some()),
        ("--mtu", options.mtu.is_some()),
    ];
    let has_device = matches!(net, Net::Tap(_) | Net::Passt(_));
    match of_devices.into_iter().find(|(_, given)| *given && !has_device) {
        Some((option, _)) => Err(Failure::ours(format!("{option} is for --net tap:NAME and --net passt"))),
        None if *net == Net::None && !options.dns.is_empty() => {
            refuse("--dns needs a network, and --net none has none")
        }
        None => Ok(()),
    }
}

/// Opens what the network needs.
pub fn open(run: &Run, setting: Setting, net: Net) -> Result<Link, Failure> {
    let (platform, options) = (setting.platform, &run.network);
    let mut link = Link { net, nics: Vec::new(), outside: Vec::new(), _passt: None };
    let queues = usize::from(run.cpus.unwrap_or(1));
    let open = |nic: Nic| open_nics(&[nic], platform, queues, run.icount);
    match (&link.net, platform) {
        (Net::None | Net::Host, _) => {}
        (Net::User, Platform::Pc) => {
            options.published.iter().try_for_each(Published::check_for_qemu)?;
            link.nics = open(Nic::User)?;
            link.nics.iter_mut().for_each(|nic| nic.published.clone_from(&options.published));
        }
        (Net::User, Platform::Process) => link.outside = Outside::all(&options.published)?,
        (Net::Tap(name), _) => link.nics = open(Nic::Tap(name.clone()))?,
        (Net::Passt(Some(path)), _) => link.nics = open(Nic::Passt(path.clone()))?,
        (Net::Passt(None), _) => {
            let (running, socket) = passt::start(options)?;
            link.nics = vec![OpenNic::of_passt(socket, run.icount)?];
            link._passt = Some(running);
        }
    }
    for nic in &mut link.nics {
        nic.address = options.mac.map_or(nic.address, |Mac(address)| address);
        nic.mtu = options.mtu.map_or(nic.mtu, usize::from);
    }
    if run.pcap.is_some() && link.nics.is_empty() {
        let sentence = "--pcap: there are no packets to write down: no network interface belongs to this machine";
        return Err(Failure::ours(sentence));
    }
    Ok(link)
}

impl Link {
    /// Adds what the kernel is told.
    pub fn tell(&self, record: &mut Builder, run: &Run, platform: Platform) {
        if platform == Platform::Process {
            for nic in &self.nics {
                record.add(Key::Nic, nic.record());
            }
            if run.pcap.is_some() {
                record.add(Key::Pcap, PCAP.to_string());
            }
            match self.net {
                Net::Host => _ = record.add(Key::Outside, "all"),
                Net::User => {
                    record.add(Key::Outside, "published");
                    names::resolver().map(|resolver| record.add(Key::Resolver, resolver.to_string()));
                }
                _ => {}
            }
            for socket in &self.outside {
                record.add(Key::Published, socket.record());
            }
        }
        match self.net {
            // A network of others tells its own, as far as nobody says otherwise.
            Net::Tap(_) if run.network.ip.is_empty() => {
                ["dhcp", "auto"].iter().for_each(|word| _ = record.add(Key::Address, word))
            }
            // Nobody is there to tell.
            Net::User if platform == Platform::Process => _ = record.add(Key::Address, "10.0.2.15/24"),
            _ => {}
        }
        for prefix in &run.network.ip {
            record.add(Key::Address, format!("{}/{}", prefix.address, prefix.bits));
        }
        for gateway in &run.network.gateway {
            record.add(Key::Gateway, gateway.to_string());
        }
        for server in &run.network.dns {
            record.add(Key::NameServer, server.to_string());
        }
    }

    /// What people are told.
    pub fn sentences(&self, run: &Run, platform: Platform) -> Vec<String> {
        let way = match (&self.net, platform) {
            (Net::None, _) => "the program has no network but its own loopback".into(),
            (Net::Host, _) => "the program has this machine's network, with its loopback and its ports".into(),
            (Net::User, Platform::Process) => "the program reaches the outside by this machine's sockets".into(),
            (Net::User | Net::Tap(_) | Net::Passt(_), _) => String::new(),
        };
        let interfaces = self.nics.iter().enumerate().map(|(number, nic)| nic.nic.sentence(number, nic.address));
        let ports = run.network.published.iter().map(Published::sentence);
        [way].into_iter().filter(|way| !way.is_empty()).chain(interfaces).chain(ports).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_do_not_go_together_are_refused_in_a_sentence() {
        let published = || vec!["8080:80".parse().unwrap()];
        let with = |options: Network, net: Net| check(&options, &net, Platform::Process);
        for net in [Net::Host, Net::Tap("t".into()), Net::None, Net::Passt(Some("/s".into()))] {
            assert!(with(Network { published: published(), ..Network::default() }, net).is_err());
        }
        for net in [Net::User, Net::Passt(None)] {
            with(Network { published: published(), ..Network::default() }, net).unwrap();
        }
        let ip = || Network { ip: vec!["10.0.0.2/24".parse().unwrap()], ..Network::default() };
        assert_eq!(with(ip(), Net::User).unwrap_err().sentence, "--ip is for --net tap:NAME and --net passt");
        with(ip(), Net::Tap("t".into())).unwrap();
        assert!(check(&Network::default(), &Net::Host, Platform::Pc).is_err());
    }
}
