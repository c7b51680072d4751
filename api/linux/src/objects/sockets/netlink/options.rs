//! Options: netlink(7), and what all sockets have.

use alloc::vec::Vec;
use core::sync::atomic::Ordering;

use linux_abi::{Errno, constants as c, structures::TimeValue};
use zerocopy::IntoBytes;

use super::{
    super::socket::{self, Answer, Value},
    LONGEST, Netlink, ROOM,
};

/// Options of netlink(7) that are on or off: a bit each.
const SWITCHES: u32 = 1 << c::NETLINK_PKTINFO
    | 1 << c::NETLINK_BROADCAST_ERROR
    | 1 << c::NETLINK_NO_ENOBUFS
    | 1 << c::NETLINK_CAP_ACK
    | 1 << c::NETLINK_EXT_ACK
    | 1 << c::NETLINK_GET_STRICT_CHK;

const fn is_switch(option: u32) -> bool {
    option < u32::BITS && SWITCHES >> option & 1 != 0
}

/// The value of an option.
pub fn get(socket: &Netlink, level: u32, option: u32) -> Answer<Vec<u8>> {
    let word = match (level, option) {
        (c::SOL_SOCKET, c::SO_TYPE) => socket.form.kind,
        (c::SOL_SOCKET, c::SO_DOMAIN) => c::AF_NETLINK,
        (c::SOL_SOCKET, c::SO_PROTOCOL) => socket.form.protocol,
        (c::SOL_SOCKET, c::SO_SNDBUF) => LONGEST as u32,
        (c::SOL_SOCKET, c::SO_RCVBUF) => ROOM as u32,
        (c::SOL_SOCKET, c::SO_RCVLOWAT | c::SO_SNDLOWAT) => 1,
        (c::SOL_SOCKET, c::SO_ERROR | c::SO_ACCEPTCONN | c::SO_PASSCRED | c::SO_REUSEADDR) => 0,
        (c::SOL_SOCKET, c::SO_RCVTIMEO | c::SO_SNDTIMEO) => {
            let nanoseconds = socket.patience[usize::from(option == c::SO_SNDTIMEO)].load(Ordering::Relaxed);
            return Ok(TimeValue::from_nanoseconds(nanoseconds).as_bytes().into());
        }
        (c::SOL_NETLINK, c::NETLINK_LIST_MEMBERSHIPS) => socket.groups.load(Ordering::Relaxed),
        (c::SOL_NETLINK, option) if is_switch(option) => socket.has_option(option).into(),
        _ => return Err(Errno::ENOPROTOOPT),
    };
    Ok(word.to_ne_bytes().into())
}

/// Sets an option.
pub fn set(socket: &Netlink, level: u32, option: u32, value: &Value) -> Answer<()> {
    let number = value.number()?;
    match (level, option) {
        (c::SOL_SOCKET, c::SO_RCVTIMEO | c::SO_SNDTIMEO) => {
            let nanoseconds = socket::patience(value)?;
            socket.patience[usize::from(option == c::SO_SNDTIMEO)].store(nanoseconds, Ordering::Relaxed);
        }
        // What waits is bounded as it is.
        (c::SOL_SOCKET, c::SO_SNDBUF | c::SO_RCVBUF | c::SO_SNDBUFFORCE | c::SO_RCVBUFFORCE) => {}
        (c::SOL_SOCKET, c::SO_PASSCRED | c::SO_REUSEADDR | c::SO_TIMESTAMP | c::SO_ATTACH_FILTER) => {}
        (c::SOL_NETLINK, c::NETLINK_ADD_MEMBERSHIP) => {
            socket.groups.fetch_or(group(number)?, Ordering::Relaxed);
        }
        (c::SOL_NETLINK, c::NETLINK_DROP_MEMBERSHIP) => {
            socket.groups.fetch_and(!group(number)?, Ordering::Relaxed);
        }
        (c::SOL_NETLINK, option) if is_switch(option) => {
            if number == 0 {
                socket.options.fetch_and(!(1 << option), Ordering::Relaxed);
            } else {
                socket.options.fetch_or(1 << option, Ordering::Relaxed);
            }
        }
        _ => return Err(Errno::ENOPROTOOPT),
    }
    Ok(())
}

/// The bit of a group; those above the first 32 nobody tells anything either, and no address shows them.
fn group(number: u32) -> Answer<u32> {
    /// Linux' highest of the family of routes: RTNLGRP_MAX.
    const LAST: u32 = 36;
    match number {
        1..=32 => Ok(1 << (number - 1)),
        33..=LAST => Ok(0),
        _ => Err(Errno::EINVAL),
    }
}
