//! What became of messages that failed: MSG_ERRQUEUE, ip(7) and ipv6(7) under IP_RECVERR.

use core::net::{IpAddr, SocketAddr};

use contracts::sockets_element::{Failed, Family};
use linux_abi::constants as c;
use zerocopy::IntoBytes;

use super::{super::control::Writer, address, errors};

/// Writes the `struct sock_extended_err`, and behind it who has said so.
pub fn write(out: &mut Writer, failed: &Failed, to: SocketAddr) {
    let v4 = to.is_ipv4();
    let origin = match failed.by {
        None => c::SO_EE_ORIGIN_LOCAL,
        Some(_) if v4 => c::SO_EE_ORIGIN_ICMP,
        Some(_) => c::SO_EE_ORIGIN_ICMP6,
    };
    let [kind, code] = failed.message;
    let number: u32 = errors::errno(failed.error).number().into();
    let second = u32::from_ne_bytes([origin as u8, kind, code, 0]);
    let error = [number, second, failed.mtu, 0];
    let (level, option, family) =
        if v4 { (c::SOL_IP, c::IP_RECVERR, Family::V4) } else { (c::SOL_IPV6, c::IPV6_RECVERR, Family::V6) };
    // Who said so, or nobody (AF_UNSPEC) in a structure of the same length.
    let by = failed.by.map(|by: IpAddr| address::told((by, 0).into(), family));
    let nobody = [0; 28];
    let length = if v4 { 16 } else { 28 };
    let by = by.as_ref().map_or(&nobody[..length], |by| by.bytes());
    out.add_at(level, option, &[error.as_bytes(), by].concat());
}
