//! Options of sockets: socket(7), ip(7), tcp(7).

use std::ffi::c_int;
use std::time::Duration;

use libc::{SOL_IP, SOL_IPV6, SOL_SOCKET, SOL_TCP};
use network_tests::bare::Machine;
use tcp::{Settings, State};

use crate::errno::Errno;
use crate::info;
use crate::machine::{library, stamps};

/// What a socket of Linux holds at the least: `SOCK_MIN_SNDBUF`, `SOCK_MIN_RCVBUF`.
const LEAST_BUFFERS: (u32, u32) = (4_608, 2_304);

/// `TCP_INQ`: tcp(7).
const TCP_INQ: c_int = 36;

/// Sets an option.
pub fn set(
    state: &mut library::State,
    descriptor: c_int,
    level: c_int,
    name: c_int,
    bytes: &[u8],
) -> Result<(), Errno> {
    let value = match bytes {
        [] => return Err(Errno(libc::EINVAL)),
        // Options of IP may be a byte: ip(7).
        [byte, ..] if bytes.len() < 4 => (*byte).into(),
        [a, b, c, d, ..] => c_int::from_ne_bytes([*a, *b, *c, *d]),
        _ => return Err(Errno(libc::EINVAL)),
    };
    let second = bytes.get(4..8).and_then(<[u8]>::first_chunk).map_or(0, |bytes| c_int::from_ne_bytes(*bytes));
    let socket = state.object(descriptor)?.socket()?;
    if (level, name) == (SOL_TCP, TCP_INQ) {
        socket.tells_left = value != 0;
        return Ok(());
    }
    if (level, name) == (SOL_SOCKET, libc::SO_ZEROCOPY) {
        socket.lent.is_wanted = value != 0;
        return Ok(());
    }
    if (level, name) == (SOL_TCP, libc::TCP_NOTSENT_LOWAT) {
        socket.low_water = value;
    }
    if (level, name) == (SOL_SOCKET, libc::SO_TIMESTAMPING) {
        socket.stamps = value;
    }
    let handle = socket.handle;
    let Some(change) = change(level, name, value, second) else {
        return keep(state, descriptor, level, name, value);
    };
    let Machine { tcp, ip } = &mut state.machine;
    Ok(tcp.change_settings(state.now, ip, handle, change)?)
}

/// Options that change nothing here, and are told as they were set.
fn keep(state: &mut library::State, descriptor: c_int, level: c_int, name: c_int, value: c_int) -> Result<(), Errno> {
    let known = [
        (SOL_SOCKET, libc::SO_PRIORITY),
        (SOL_SOCKET, libc::SO_MARK),
        (SOL_IP, libc::IP_FREEBIND),
        (SOL_IP, libc::IP_MTU_DISCOVER),
    ];
    if !known.contains(&(level, name)) {
        return Err(Errno(libc::ENOPROTOOPT));
    }
    let kept = &mut state.object(descriptor)?.socket()?.kept;
    kept.retain(|entry| (entry.0, entry.1) != (level, name));
    kept.push((level, name, value));
    Ok(())
}

fn change(level: c_int, name: c_int, value: c_int, second: c_int) -> Option<impl FnOnce(&mut Settings)> {
    let known = matches!(
        (level, name),
        (
            SOL_SOCKET,
            libc::SO_REUSEADDR
                | libc::SO_REUSEPORT
                | libc::SO_KEEPALIVE
                | libc::SO_SNDBUF
                | libc::SO_RCVBUF
                | libc::SO_RCVLOWAT
                | libc::SO_LINGER
                | libc::SO_OOBINLINE
                | libc::SO_TIMESTAMPING
        ) | (SOL_IP, libc::IP_TOS | libc::IP_TTL)
            | (SOL_IPV6, libc::IPV6_TCLASS | libc::IPV6_UNICAST_HOPS | libc::IPV6_V6ONLY)
            | (
                SOL_TCP,
                libc::TCP_NODELAY
                    | libc::TCP_CORK
                    | libc::TCP_MAXSEG
                    | libc::TCP_KEEPIDLE
                    | libc::TCP_KEEPINTVL
                    | libc::TCP_KEEPCNT
                    | libc::TCP_SYNCNT
                    | libc::TCP_LINGER2
                    | libc::TCP_WINDOW_CLAMP
                    | libc::TCP_QUICKACK
                    | libc::TCP_DEFER_ACCEPT
                    | libc::TCP_USER_TIMEOUT
                    | libc::TCP_NOTSENT_LOWAT
                    | libc::TCP_FASTOPEN_CONNECT
            )
    );
    known.then_some(move |settings: &mut Settings| change_one(settings, level, name, value, second))
}

fn change_one(settings: &mut Settings, level: c_int, name: c_int, value: c_int, second: c_int) {
    let (on, seconds) = (value != 0, Duration::from_secs(value.max(0) as u64));
    match (level, name) {
        (SOL_SOCKET, libc::SO_REUSEADDR) => settings.reuse_address = on,
        (SOL_SOCKET, libc::SO_REUSEPORT) => settings.reuse_port = on,
        (SOL_SOCKET, libc::SO_KEEPALIVE) => settings.keep_alive = on,
        // Linux doubles what it is told: socket(7).
        (SOL_SOCKET, libc::SO_SNDBUF) => settings.send_limit = Some((value as u32 * 2).max(LEAST_BUFFERS.0)),
        (SOL_SOCKET, libc::SO_RCVBUF) => settings.receive_limit = Some((value as u32 * 2).max(LEAST_BUFFERS.1)),
        (SOL_SOCKET, libc::SO_RCVLOWAT) => settings.receive_low_water = value as u32,
        (SOL_SOCKET, libc::SO_LINGER) => settings.linger = on.then(|| Duration::from_secs(second as u64)),
        (SOL_SOCKET, libc::SO_TIMESTAMPING) => settings.moments = stamps::moments(value),
        (SOL_SOCKET, libc::SO_OOBINLINE) => settings.urgent_inline = on,
        (SOL_IP, libc::IP_TOS) | (SOL_IPV6, libc::IPV6_TCLASS) => settings.traffic_class = value as u8,
        (SOL_IP, _) | (SOL_IPV6, libc::IPV6_UNICAST_HOPS) => settings.hop_limit = value as u8,
        (SOL_IPV6, _) => settings.only_v6 = on,
        (_, libc::TCP_FASTOPEN_CONNECT) => settings.fast_open = on,
        (_, libc::TCP_NODELAY) => settings.no_delay = on,
        (_, libc::TCP_CORK) => settings.cork = on,
        (_, libc::TCP_MAXSEG) => settings.segment_size = Some(value as u16),
        (_, libc::TCP_KEEPIDLE) => settings.keep_idle = seconds,
        (_, libc::TCP_KEEPINTVL) => settings.keep_interval = seconds,
        (_, libc::TCP_KEEPCNT) => settings.keep_count = value as u8,
        (_, libc::TCP_SYNCNT) => settings.syn_retries = value as u8,
        (_, libc::TCP_LINGER2) => settings.fin_timeout = seconds,
        (_, libc::TCP_WINDOW_CLAMP) => settings.window_clamp = Some(value as u32),
        (_, libc::TCP_QUICKACK) => settings.quick_acknowledge = on,
        (_, libc::TCP_DEFER_ACCEPT) => settings.defer_accept = on,
        (_, libc::TCP_USER_TIMEOUT) => settings.user_timeout = on.then(|| Duration::from_millis(value as u64)),
        (_, _) => settings.unsent_low_water = on.then_some(value as u32),
    }
}

/// The bytes of an option.
pub fn get(state: &mut library::State, descriptor: c_int, level: c_int, name: c_int) -> Result<Vec<u8>, Errno> {
    let socket = state.object(descriptor)?.socket()?.clone();
    let now = state.now;
    let tcp = &mut state.machine.tcp;
    let told = tcp.info(socket.handle)?;
    let settings = tcp.settings(socket.handle)?;
    let number: c_int = match (level, name) {
        (SOL_TCP, libc::TCP_INFO) => {
            return Ok(info::bytes(
                &told,
                settings.segment_size.map_or(told.path_payload.saturating_sub(20), u32::from),
                now,
            ));
        }
        (SOL_TCP, info::TCP_CC_INFO) => return Ok(vec![0; info::CONGESTION]),
        (SOL_SOCKET, info::SO_MEMINFO) => return Ok(info::memory(&told)),
        (SOL_SOCKET, libc::SO_ERROR) => tcp.take_error(socket.handle)?.map_or(0, |error| Errno::from(error).0),
        (SOL_SOCKET, libc::SO_SNDBUF) => told.send_limit as c_int,
        (SOL_SOCKET, libc::SO_RCVBUF) => told.receive_limit as c_int,
        (SOL_SOCKET, libc::SO_REUSEADDR) => settings.reuse_address.into(),
        (SOL_SOCKET, libc::SO_KEEPALIVE) => settings.keep_alive.into(),
        (SOL_TCP, libc::TCP_MAXSEG) => match (told.state, settings.segment_size) {
            (State::Closed | State::Listen, Some(size)) => size.into(),
            _ => told.send_segment as c_int,
        },
        (SOL_TCP, libc::TCP_NODELAY) => settings.no_delay.into(),
        (SOL_TCP, libc::TCP_CORK) => settings.cork.into(),
        (SOL_TCP, libc::TCP_USER_TIMEOUT) => settings.user_timeout.map_or(0, |span| span.as_millis() as c_int),
        (SOL_TCP, libc::TCP_NOTSENT_LOWAT) => socket.low_water,
        (SOL_TCP, TCP_INQ) => socket.tells_left.into(),
        _ => {
            let kept = socket.kept.iter().find(|entry| (entry.0, entry.1) == (level, name));
            kept.map(|entry| entry.2).ok_or(Errno(libc::ENOPROTOOPT))?
        }
    };
    Ok(number.to_ne_bytes().to_vec())
}
