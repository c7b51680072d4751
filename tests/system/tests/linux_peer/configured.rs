//! A machine that is told nothing: dnsmasq gives it an address by DHCP, and says as a router what its network of IPv6
//! is. Behind that router is another network, whose way becomes narrow while bytes flow.
//!
//! ```text
//! the machine - tap0 [dnsmasq, router] veth0 - veth1, the far client
//! ```

use std::fs;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use forwarder::pattern::{self, Digest};
use system_tests::{Machine, in_namespace, ip, need, scratch};

use crate::link::Namespace;
use crate::ping::ping;
use crate::server::{Server, variant};
use system_tests::client;

/// Bytes of the stream whose way becomes narrow, and of those the first ones.
const LENGTH: u64 = 32 << 20;
const FIRST: usize = 1 << 20;
/// Bytes of a packet on the narrow way.
const NARROW: u32 = 1300;
/// Those that the echo server is in, and one that it is not.
const GROUPS: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(239, 7, 7, 7)), IpAddr::V6(Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 7, 7))];
const STRANGE: IpAddr = IpAddr::V4(Ipv4Addr::new(239, 7, 7, 8));

/// dnsmasq, as a server of DHCP and a router that says so.
struct Dnsmasq(Child);

impl Dnsmasq {
    fn start(folder: &Path) -> Self {
        let leases = format!("--dhcp-leasefile={}", folder.join("leases").display());
        let mut command = Command::new("dnsmasq");
        command.args(["--conf-file=/dev/null", "--keep-in-foreground", "--pid-file=", "--user=root", "--no-resolv"]);
        command.args(["--no-hosts", "--interface=tap0", "--bind-dynamic", "--log-facility=-", "--no-ping"]);
        command.args(["--dhcp-authoritative", "--dhcp-range=10.0.2.100,10.0.2.120,255.255.255.0,1h"]);
        command.args(["--enable-ra", "--dhcp-range=fd00::,ra-stateless,64", &leases]);
        Self(command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("dnsmasq starts"))
    }
}

impl Drop for Dnsmasq {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has told then.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What comes, within a time that is enough for an emulated machine.
fn soon<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let pause = || std::thread::sleep(Duration::from_millis(100));
    (0..1200)
        .find_map(|_| {
            look().or_else(|| {
                pause();
                None
            })
        })
        .unwrap_or_else(|| panic!("no {what}"))
}

/// The address that was leased.
fn leased(folder: &Path) -> Option<IpAddr> {
    let text = fs::read_to_string(folder.join("leases")).ok()?;
    let address = text.lines().find_map(|line| line.split(' ').nth(2)?.parse::<Ipv4Addr>().ok())?;
    Some(address.into())
}

/// The address in the router's network that the machine asks whether somebody has (RFC 4862, 5.4.2): read in the record
/// of its packets.
fn generated(record: &Path) -> Option<IpAddr> {
    let bytes = fs::read(record).ok()?;
    let network = [0xfd, 0, 0, 0, 0, 0, 0, 0];
    let is_question = |at: &&[u8]| at[..2] == [135, 0] && at[4..8] == [0; 4] && at[8..16] == network;
    let question = bytes.windows(24).find(is_question)?;
    Some(<[u8; 16]>::try_from(&question[8..]).ok()?.into())
}

/// The near end's addresses, and the way to the far one.
fn networks() -> Result<Namespace, String> {
    ip("tuntap add tap0 mode tap vnet_hdr").map_err(|error| format!("no TAP device: {error}"))?;
    ip("address add 10.0.2.2/24 dev tap0")?;
    ip("address add fd00::2/64 dev tap0 nodad")?;
    ip("link set tap0 up")?;
    ip("route add 239.0.0.0/8 dev tap0")?;
    let far = Namespace::new();
    ip(&format!("link add veth0 type veth peer name veth1 netns {}", far.path))?;
    let ends = |device: &str, end: u8| {
        ip(&format!("address add 10.0.3.{end}/24 dev {device} noprefixroute"))?;
        ip(&format!("address add fd03::{end}/64 dev {device} nodad noprefixroute"))?;
        ip(&format!("link set {device} up"))?;
        ip(&format!("route add 10.0.3.0/24 dev {device}"))?;
        ip(&format!("-6 route add fd03::/64 dev {device}"))
    };
    ends("veth0", 1)?;
    far.act(move || {
        ends("veth1", 2)?;
        ip("route add default via 10.0.3.1")?;
        ip("-6 route add default via fd03::1")
    })?;
    let forward =
        |name: &str| fs::write(format!("/proc/sys/net/{name}"), "1").map_err(|error| format!("{name}: {error}"));
    forward("ipv4/ip_forward")?;
    forward("ipv6/conf/all/forwarding")?;
    Ok(far)
}

/// From now on longer packets do not pass from the machine to the far end.
fn narrow() {
    ip(&format!("route replace 10.0.3.0/24 dev veth0 mtu lock {NARROW}")).unwrap();
    ip(&format!("-6 route replace fd03::/64 dev veth0 mtu {NARROW}")).unwrap();
}

fn widen() {
    ip("route replace 10.0.3.0/24 dev veth0").unwrap();
    ip("-6 route replace fd03::/64 dev veth0").unwrap();
}

/// How often Linux has said that a packet is too long to go on: RFC 1191, RFC 8201.
fn too_long() -> [u64; 2] {
    let v4 = fs::read_to_string("/proc/thread-self/net/snmp").unwrap();
    let mut lines = v4.lines().filter(|line| line.starts_with("Icmp:"));
    let at = lines.next().unwrap().split(' ').position(|name| name == "OutDestUnreachs").unwrap();
    let v4 = lines.next().unwrap().split(' ').nth(at).unwrap().parse().unwrap();
    let v6 = fs::read_to_string("/proc/thread-self/net/snmp6").unwrap();
    let line = v6.lines().find(|line| line.starts_with("Icmp6OutPktTooBigs")).unwrap();
    [v4, line.split_whitespace().nth(1).unwrap().parse().unwrap()]
}

/// A stream whose way becomes narrow in its middle, and then datagrams that find it so.
fn shrinks(far: &Namespace, address: IpAddr) {
    let mut stream = far.act(move || {
        let mut stream = client::connect(address, 19);
        stream.write_all(&LENGTH.to_be_bytes()).unwrap();
        stream
    });
    let mut expected = Digest::default();
    let mut bytes = vec![0; LENGTH as usize];
    pattern::fill(&mut bytes, 0);
    expected.add(&bytes);
    let mut came = Digest::default();
    client::read_exactly(&mut stream, FIRST, &mut came);
    narrow();
    client::read_exactly(&mut stream, LENGTH as usize - FIRST, &mut came);
    assert_eq!((came.length, came.finish()), (LENGTH, expected.finish()), "{address}");
    far.act(move || client::datagrams(address, &[1000, 1250, 1400, 1452, 8000]));
    widen();
}

/// A datagram to a group comes back from the machine; `false` if nothing does.
fn comes_back(to: SocketAddr, from: &[IpAddr]) -> bool {
    let any: IpAddr = if to.is_ipv4() { [0; 4].into() } else { [0; 16].into() };
    let socket = UdpSocket::bind((any, 0)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let mut answer = [0; 100];
    (0..3).any(|_| {
        socket.send_to(b"to all of you", to).unwrap();
        matches!(socket.recv_from(&mut answer), Ok((13, who)) if from.is_empty() || from.contains(&who.ip()))
    })
}

/// What a machine with such addresses does for all that are on its link, and beyond.
fn serves(far: &Namespace, addresses: [IpAddr; 2]) {
    for address in addresses {
        ping(address, 56);
        client::echo(address, 100_000);
        client::datagrams(address, &[100, 3000]);
        far.act(move || client::echo(address, 100_000));
    }
    let tap = nix::net::if_::if_nametoindex("tap0").unwrap();
    let [v4, IpAddr::V6(v6)] = GROUPS else { unreachable!("the second one") };
    assert!(comes_back((v4, 7).into(), &addresses), "nobody is in {v4}");
    // The answer comes from the link's address, or the network's.
    assert!(comes_back(SocketAddrV6::new(v6, 7, 0, tap).into(), &[]), "nobody is in {v6}");
    assert!(!comes_back((STRANGE, 7).into(), &[]), "somebody answers for {STRANGE}");
    let before = too_long();
    addresses.into_iter().for_each(|address| shrinks(far, address));
    let after = too_long();
    assert!(before[0] < after[0] && before[1] < after[1], "nothing was too long: {before:?}, {after:?}");
}

/// A machine whose option is `dhcp auto`.
pub fn configured(machine: Machine) {
    need(&["dnsmasq"]);
    let folder = scratch();
    variant(folder.path(), |wishes| wishes.replace("10.0.2.15/24 fd00::15/64", "dhcp auto"));
    machine.build(folder.path());
    let path = folder.path().to_path_buf();
    in_namespace(move || {
        let far = networks()?;
        let record = path.join("record");
        let server = Server::start_with(machine, &["--nic", "tap:tap0", "--pcap", record.to_str().unwrap()], &path);
        let dnsmasq = Dnsmasq::start(&path);
        let addresses = [soon("lease", || leased(&path)), soon("address of IPv6", || generated(&record))];
        serves(&far, addresses);
        drop(dnsmasq);
        server.end();
        Ok(())
    });
}
