//! What the stack tells about itself, in the words of sockets.

use alloc::vec::Vec;
use core::net::SocketAddr;

use netstack::{Parts, UdpStatistics, interface, routes};
use nic::Nics;
use packets::Instant;
use sockets::{
    Assigned, Counts, Error, Family, Form, Interface, IpCounts, Listed, Medium, NAME, Neighbour, Origin, Route,
    Standing, State, TcpCounts, Traffic, UdpCounts,
};

use crate::{network::Network, state, stream, table::Kind};

impl<P: Parts<Congestion: Send> + 'static, N: Nics> Network<P, N> {
    /// Asks the stack for a list, which it begins for: programs ask what there is before they have a socket.
    pub(crate) fn told<T: Default>(&self, tell: impl FnOnce(&state::State<P>) -> T) -> T {
        self.begin();
        self.ask(|state| Ok::<_, Error>(tell(state))).unwrap_or_default()
    }
}

/// The interfaces.
pub fn interfaces<P: Parts>(state: &state::State<P>) -> Vec<Interface> {
    let ip = &state.stack.ip;
    let numbered = ip.numbers().filter_map(|number| Some((number, ip.interface(number)?)));
    numbered.map(|(number, interface)| of(number, interface)).collect()
}

fn of(number: u32, interface: &interface::Interface) -> Interface {
    let counted = &interface.statistics;
    let traffic = Traffic {
        received_bytes: counted.received_bytes,
        received_packets: counted.received_packets,
        receive_errors: counted.receive_errors,
        receive_dropped: counted.receive_dropped,
        received_multicast: counted.received_multicast,
        sent_bytes: counted.sent_bytes,
        sent_packets: counted.sent_packets,
        send_dropped: counted.send_dropped,
    };
    let medium = match interface.medium {
        netstack::Medium::Loopback => Medium::Loopback,
        netstack::Medium::Ethernet(address) => Medium::Ethernet(address.0),
        netstack::Medium::Ip => Medium::PointToPoint,
    };
    let (name, mtu) = (name(number, medium), interface.attributes.mtu as u32);
    Interface { number, name, medium, mtu, up: interface.is_up(), traffic }
}

/// `lo` is the first one, and the others count from 0 on.
fn name(number: u32, medium: Medium) -> [u8; NAME] {
    let mut name = [0; NAME];
    let prefix: &[u8] = match medium {
        Medium::Loopback => b"lo",
        Medium::Ethernet(_) => b"eth",
        Medium::PointToPoint => b"tun",
    };
    name[..prefix.len()].copy_from_slice(prefix);
    if medium != Medium::Loopback {
        let mut rest = number.saturating_sub(2);
        let mut digits = Vec::new();
        loop {
            digits.push(b'0' + (rest % 10) as u8);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        for (place, digit) in name[prefix.len()..].iter_mut().zip(digits.into_iter().rev()) {
            *place = digit;
        }
    }
    name
}

/// The addresses of all interfaces.
pub fn addresses<P: Parts>(state: &state::State<P>) -> Vec<Assigned> {
    let ip = &state.stack.ip;
    let numbered = ip.numbers().filter_map(|number| Some((number, ip.interface(number)?)));
    let all = numbered.flat_map(|(number, interface)| interface.addresses().iter().map(move |own| (number, own)));
    let told = |(interface, own): (u32, &interface::Assigned)| Assigned {
        interface,
        address: own.prefix.address,
        length: own.prefix.length,
        standing: match own.standing {
            interface::Standing::Tentative => Standing::Tentative,
            interface::Standing::Ours => Standing::Ours,
            interface::Standing::Duplicate => Standing::Duplicate,
        },
        lasting: own.valid_until.is_none(),
    };
    all.map(told).collect()
}

/// The routes.
pub fn routes<P: Parts>(state: &state::State<P>) -> Vec<Route> {
    let told = |route: &routes::Route| Route {
        destination: route.destination.address,
        length: route.destination.length,
        gateway: route.gateway,
        interface: route.interface,
        metric: route.metric,
        source: route.source,
        origin: match route.origin {
            routes::Origin::Connected => Origin::Connected,
            routes::Origin::Static => Origin::Static,
            routes::Origin::Dhcp => Origin::Dhcp,
            routes::Origin::Advertised => Origin::Advertised,
        },
    };
    state.stack.ip.routes().list().iter().map(told).collect()
}

/// The neighbours.
pub fn neighbours<P: Parts>(state: &state::State<P>, now: Instant) -> Vec<Neighbour> {
    let all = state.stack.ip.neighbours().list(now);
    let told = all.map(|((interface, address), standing, hardware, router)| Neighbour {
        interface,
        address,
        hardware: hardware.map(|address| address.0),
        reachable: standing == netstack::neighbours::State::Reachable,
        router,
    });
    told.collect()
}

/// All sockets.
pub fn all<P: Parts>(state: &state::State<P>) -> Vec<Listed> {
    let mut all = Vec::new();
    if P::TCP {
        all.extend(state.stack.tcp.handles().filter_map(|handle| {
            let info = state.stack.tcp.info(handle).ok()?;
            let connected = !matches!(info.state, tcp::State::Closed | tcp::State::Listen);
            Some(Listed {
                socket: state.table.number(Kind::Stream(handle)),
                form: Form::Stream(family_of(info.local)),
                state: stream::state(info.state),
                local: info.local,
                remote: connected.then_some(info.remote),
                unsent: if info.state == tcp::State::Listen { 0 } else { info.queued },
                unread: info.readable,
                lost: 0,
            })
        }));
    }
    let listed = |handle, form, local, remote: Option<SocketAddr>, unread: usize, lost| Listed {
        socket: state.table.number(handle),
        form,
        state: if remote.is_some() { State::Established } else { State::Closed },
        local,
        remote,
        unsent: 0,
        unread: unread as u32,
        lost,
    };
    if P::UDP {
        let forms: [fn(Family) -> Form; 2] = [Form::Datagrams, Form::LiteDatagrams];
        for (form, lite) in forms.into_iter().zip([false, true]) {
            all.extend(state.stack.udp.list(lite).map(|(handle, local, remote, unread, lost)| {
                listed(Kind::Datagrams(handle), form(family_of(local)), local, remote, unread, lost)
            }));
        }
    }
    if P::RAW {
        all.extend(state.stack.raw.list().map(|(handle, v4, protocol, local, remote, unread, lost)| {
            let family = if v4 { Family::V4 } else { Family::V6 };
            let form = protocol.map_or(Form::Echoes(family), |protocol| Form::Raw(family, protocol));
            listed(Kind::Raw(handle), form, local, remote, unread, lost)
        }));
    }
    all
}

const fn family_of(address: SocketAddr) -> Family {
    if address.is_ipv4() { Family::V4 } else { Family::V6 }
}

/// Counts since the start.
pub fn counts<P: Parts>(state: &state::State<P>) -> Counts {
    let stack = &state.stack;
    let mut counts = Counts { ip: [of_ip(state, true), of_ip(state, false)], ..Counts::default() };
    if P::UDP {
        counts.udp = of_udp(stack.udp.statistics());
        counts.udp_lite = of_udp(stack.udp.lite_statistics());
        counts.sockets[1] = stack.udp.list(false).count() as u32;
        counts.sockets[3] = stack.udp.list(true).count() as u32;
    }
    if P::RAW {
        counts.sockets[2] = stack.raw.list().count() as u32;
    }
    if P::TCP {
        let (tcp, there) = (stack.tcp.statistics(), stack.tcp.counts());
        let states = stack.tcp.handles().filter_map(|handle| stack.tcp.info(handle).ok()).map(|info| info.state);
        let established = states.filter(|state| matches!(state, tcp::State::Established | tcp::State::CloseWait));
        counts.tcp = TcpCounts {
            active_opens: tcp.active_opens,
            passive_opens: tcp.passive_opens,
            failed_opens: tcp.failed_opens,
            resets_received: tcp.resets_received,
            established: established.count() as u64,
            received: tcp.segments_received,
            sent: tcp.segments_sent,
            retransmitted: tcp.segments_retransmitted,
            receive_errors: tcp.malformed + tcp.bad_checksums,
            resets_sent: tcp.resets_sent,
            bad_checksums: tcp.bad_checksums,
            accept_overflows: tcp.accept_overflows,
            timeouts: tcp.timeouts,
        };
        counts.sockets[0] = there.sockets;
        counts.lingering = [there.time_waits, there.orphans];
    }
    counts
}

const fn of_udp(udp: &UdpStatistics) -> UdpCounts {
    UdpCounts {
        received: udp.received,
        no_ports: udp.no_ports,
        receive_errors: udp.receive_errors,
        sent: udp.sent,
        overflows: udp.queue_overflows,
        bad_checksums: udp.bad_checksums,
    }
}

fn of_ip<P: Parts>(state: &state::State<P>, ipv4: bool) -> IpCounts {
    let (ip, icmp) = (state.stack.ip.statistics(ipv4), state.stack.ip.icmp_statistics(ipv4));
    IpCounts {
        received: ip.received,
        header_errors: ip.header_errors,
        address_errors: ip.address_errors,
        unknown_protocols: ip.unknown_protocols,
        discarded: ip.discarded,
        delivered: ip.delivered,
        sent: ip.sent,
        send_discarded: ip.send_discarded,
        no_routes: ip.no_routes,
        reassembly_timeouts: ip.reassembly_timeouts,
        reassembly_wanted: ip.reassembly_wanted,
        reassembled: ip.reassembled,
        reassembly_failed: ip.reassembly_failed,
        fragmented: ip.fragmented,
        fragments_refused: ip.fragments_refused,
        fragments_made: ip.fragments_made,
        messages_received: icmp.received,
        message_errors: icmp.receive_errors,
        bad_checksums: icmp.bad_checksums,
        echoes_received: icmp.echoes_received,
        echo_replies_sent: icmp.echo_replies_sent,
        unreachable_received: icmp.unreachable_received,
        messages_sent: icmp.sent,
    }
}
