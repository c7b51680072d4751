//! `/proc/net/{tcp,udp,udplite,raw,icmp}` and the same of IPv6: a line a socket.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};
use core::net::{IpAddr, SocketAddr};

use contracts::{
    sockets,
    sockets_element::{Form, Listed, Socket, State},
};

use crate::objects::{process, sockets::opened, text::fill};

/// What [`sockets`] is asked for; those of IPv6 are one more.
pub const TCP: u32 = 0;
pub const TCP6: u32 = 1;
pub const UDP: u32 = 2;
pub const UDP6: u32 = 3;
pub const RAW: u32 = 4;
pub const RAW6: u32 = 5;
pub const ICMP: u32 = 6;
pub const ICMP6: u32 = 7;
pub const UDPLITE: u32 = 8;
pub const UDPLITE6: u32 = 9;

/// Which file shows a socket.
fn file(listed: &Listed) -> u32 {
    let first = match listed.form {
        Form::Stream(_) => TCP,
        Form::Datagrams(_) => UDP,
        Form::LiteDatagrams(_) => UDPLITE,
        Form::Raw(..) => RAW,
        Form::Echoes(_) => ICMP,
    };
    first + u32::from(listed.local.is_ipv6())
}

const HEADS: [&[u8]; 2] = [
    b"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    b"  sl  local_address                         remote_address                        st tx_queue rx_queue tr \
      tm->when retrnsmt   uid  timeout inode",
];

/// The sockets of a file.
pub fn sockets(which: u32, out: &mut Vec<u8>) {
    let is_v6 = which & 1 == 1;
    let start = out.len();
    out.extend_from_slice(HEADS[usize::from(is_v6)]);
    if which >= UDP {
        out.extend_from_slice(b" ref pointer drops");
    } else if !is_v6 {
        out.resize(start + 149, b' ');
    }
    out.push(b'\n');
    let inodes = inodes();
    let all = sockets::all();
    // A stream that has no address yet is in no table of Linux'.
    let is_shown = |listed: &&Listed| {
        file(listed) == which && (which >= UDP && listed.local.port() != 0 || listed.state != State::Closed)
    };
    for (number, listed) in all.iter().filter(is_shown).enumerate() {
        line(number, listed, &inodes, out);
    }
}

/// The numbers of the files that the process' sockets are, by the network's.
fn inodes() -> BTreeMap<Socket, (u64, u32)> {
    let mut found = BTreeMap::new();
    let mut least = 0;
    loop {
        // Described with nothing locked: who is listed may be in use.
        let next = {
            let files = process::descriptors();
            files.next(least).and_then(|number| Some((number, Arc::clone(files.get(number as i32).ok()?))))
        };
        let Some((number, description)) = next else { return found };
        if let Some(socket) = opened(&description) {
            let metadata = description.node.metadata();
            found.insert(socket, (metadata.inode, metadata.owner.user));
        }
        least = number + 1;
    }
}

fn line(number: usize, listed: &Listed, inodes: &BTreeMap<Socket, (u64, u32)>, out: &mut Vec<u8>) {
    let (inode, user) = listed.socket.and_then(|socket| inodes.get(&socket)).copied().unwrap_or_default();
    if number < 1000 {
        out.resize(out.len() + 3 - (1 + usize::from(number >= 10) + usize::from(number >= 100)).min(3), b' ');
    }
    fill(out, " #: ", &[number as u64]);
    end(listed.local, out);
    out.push(b' ');
    let nobody = SocketAddr::new(if listed.local.is_ipv4() { IpAddr::from([0; 4]) } else { IpAddr::from([0; 16]) }, 0);
    end(listed.remote.unwrap_or(nobody), out);
    let state = crate::objects::sockets::state(listed.state).into();
    let start = out.len();
    fill(out, " % $:$ 00:00000000 00000000 ", &[state, listed.unsent.into(), listed.unread.into()]);
    out[start..].make_ascii_uppercase();
    let streams = matches!(listed.form, Form::Stream(_));
    // Users, and where Linux shows an address of the kernel's, a number that tells nothing.
    fill(out, "   #        0 # ", &[user.into(), inode]);
    if streams {
        fill(out, "1 & 100 0 0 10 0\n", &[0]);
    } else {
        fill(out, "2 & #\n", &[0, listed.lost]);
    }
}

/// An address as Linux prints it: words in the order of a little-endian machine, and the port.
fn end(address: SocketAddr, out: &mut Vec<u8>) {
    let start = out.len();
    let octets = match address.ip() {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    };
    for word in octets.as_chunks::<4>().0 {
        fill(out, "$", &[u32::from_le_bytes(*word).into()]);
    }
    let [high, low] = address.port().to_be_bytes().map(u64::from);
    fill(out, ":%%", &[high, low]);
    out[start..].make_ascii_uppercase();
}
