//! `/proc/net/{dev,if_inet6}`: interfaces and what went through them, and their addresses of IPv6.

use alloc::vec::Vec;
use core::net::IpAddr;

use contracts::{sockets, sockets_element::Standing};
use vfs::pseudo::append_number;

use crate::objects::text::fill;

/// Columns of an interface's name.
const NAME: usize = 6;

/// `dev`.
pub fn traffic(_: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(
        b"Inter-|   Receive                                                |  Transmit\n \
          face |bytes    packets errs drop fifo frame compressed multicast|\
          bytes    packets errs drop fifo colls carrier compressed\n",
    );
    for interface in sockets::interfaces() {
        let (name, traffic) = (interface.name(), &interface.traffic);
        out.resize(out.len() + NAME.saturating_sub(name.len()), b' ');
        out.extend_from_slice(name);
        out.push(b':');
        let columns = [
            (traffic.received_bytes, 8),
            (traffic.received_packets, 8),
            (traffic.receive_errors, 5),
            (traffic.receive_dropped, 5),
            (0, 5),
            (0, 6),
            (0, 11),
            (traffic.received_multicast, 10),
            (traffic.sent_bytes, 9),
            (traffic.sent_packets, 8),
            (0, 5),
            (traffic.send_dropped, 5),
            (0, 5),
            (0, 6),
            (0, 8),
            (0, 11),
        ];
        for (number, width) in columns {
            append_number(out, number, width);
        }
        out.push(b'\n');
    }
}

/// `if_inet6`: address, number of the interface, bits of the network, scope and flags, all in hexadecimal.
pub fn addresses(_: u32, out: &mut Vec<u8>) {
    let interfaces = sockets::interfaces();
    for own in sockets::addresses() {
        let IpAddr::V6(address) = own.address else { continue };
        let Some(interface) = interfaces.iter().find(|interface| interface.number == own.interface) else { continue };
        // IPV6_ADDR_LOOPBACK, IPV6_ADDR_LINKLOCAL.
        let scope = match () {
            () if address.is_loopback() => 0x10,
            () if address.is_unicast_link_local() => 0x20,
            () => 0,
        };
        // IFA_F_PERMANENT, IFA_F_TENTATIVE, IFA_F_DADFAILED.
        let flags = match own.standing {
            Standing::Ours => 0,
            Standing::Tentative => 0x40,
            Standing::Duplicate => 0x8,
        } | if own.lasting { 0x80 } else { 0 };
        let [high, low] = halves(address.octets());
        fill(out, "&& % % % % ", &[high, low, own.interface.into(), own.length.into(), scope, flags]);
        out.resize(out.len() + 8_usize.saturating_sub(interface.name().len()), b' ');
        out.extend_from_slice(interface.name());
        out.push(b'\n');
    }
}

/// An address as two numbers.
pub fn halves(octets: [u8; 16]) -> [u64; 2] {
    let all = u128::from_be_bytes(octets);
    [(all >> 64) as u64, all as u64]
}
