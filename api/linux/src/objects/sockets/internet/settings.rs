//! Options that are a number, and the settings that they are: socket(7), ip(7), ipv6(7), tcp(7).

use core::time::Duration;

use contracts::sockets_element::{Cutting, Setting};
use linux_abi::constants as c;

/// The setting that an option is, with this value; `None` if it is none.
pub fn of(level: u32, option: u32, value: u32) -> Option<Setting> {
    match level {
        c::SOL_SOCKET => of_all(option, value),
        c::SOL_IP => of_ip(option, value),
        c::SOL_IPV6 => of_ipv6(option, value),
        c::SOL_TCP => of_tcp(option, value),
        c::SOL_UDP if option == c::UDP_GRO => Some(Setting::Coalesced(value != 0)),
        c::SOL_UDPLITE => of_udp_lite(option, value),
        _ => None,
    }
}

const fn of_udp_lite(option: u32, value: u32) -> Option<Setting> {
    match option {
        c::UDPLITE_SEND_CSCOV => Some(Setting::Coverage(value as u16)),
        c::UDPLITE_RECV_CSCOV => Some(Setting::LeastCoverage(value as u16)),
        _ => None,
    }
}

const fn of_all(option: u32, value: u32) -> Option<Setting> {
    let is = value != 0;
    Some(match option {
        c::SO_REUSEADDR => Setting::ReuseAddress(is),
        c::SO_NO_CHECK => Setting::NoChecksum(is),
        c::SO_REUSEPORT => Setting::ReusePort(is),
        c::SO_BROADCAST => Setting::Broadcast(is),
        c::SO_KEEPALIVE => Setting::KeepAlive(is),
        c::SO_OOBINLINE => Setting::UrgentInline(is),
        c::SO_SNDBUF | c::SO_SNDBUFFORCE => Setting::SendBuffer(value),
        c::SO_RCVBUF | c::SO_RCVBUFFORCE => Setting::ReceiveBuffer(value),
        c::SO_RCVLOWAT => Setting::ReceiveLowWater(if value == 0 { 1 } else { value }),
        c::SO_BINDTOIFINDEX => Setting::Interface(value),
        c::SO_ACCEPTCONN => Setting::Listening(is),
        _ => return None,
    })
}

const fn of_ip(option: u32, value: u32) -> Option<Setting> {
    let is = value != 0;
    Some(match option {
        c::IP_TOS => Setting::TrafficClass(value as u8),
        c::IP_TTL => Setting::HopLimit(value as u8),
        c::IP_MTU_DISCOVER => match cutting(value) {
            Some(cutting) => Setting::Cutting(cutting),
            None => return None,
        },
        c::IP_MTU => Setting::PathMtu(value),
        c::IP_RECVERR => Setting::KeepErrors(is),
        c::IP_MULTICAST_TTL => Setting::GroupHopLimit(value as u8),
        c::IP_MULTICAST_LOOP => Setting::GroupLoop(is),
        c::IP_MULTICAST_ALL => Setting::GroupAll(is),
        _ => return None,
    })
}

const fn of_ipv6(option: u32, value: u32) -> Option<Setting> {
    let is = value != 0;
    // -1 is as usual: ipv6(7).
    let usual = value == u32::MAX;
    Some(match option {
        c::IPV6_UNICAST_HOPS => Setting::HopLimit(if usual { 0 } else { value as u8 }),
        c::IPV6_MULTICAST_HOPS => Setting::GroupHopLimit(if usual { 1 } else { value as u8 }),
        c::IPV6_MULTICAST_LOOP => Setting::GroupLoop(is),
        c::IPV6_MULTICAST_IF => Setting::GroupInterface(value),
        c::IPV6_MULTICAST_ALL => Setting::GroupAll(is),
        c::IPV6_MTU_DISCOVER => match cutting(value) {
            Some(cutting) => Setting::Cutting(cutting),
            None => return None,
        },
        c::IPV6_MTU => Setting::PathMtu(value),
        c::IPV6_RECVERR => Setting::KeepErrors(is),
        c::IPV6_DONTFRAG => Setting::Cutting(if is { Cutting::Nowhere } else { Cutting::Here }),
        c::IPV6_V6ONLY => Setting::OnlyV6(is),
        c::IPV6_TCLASS => Setting::TrafficClass(if usual { 0 } else { value as u8 }),
        _ => return None,
    })
}

fn of_tcp(option: u32, value: u32) -> Option<Setting> {
    let is = value != 0;
    let seconds = Duration::from_secs(value.into());
    Some(match option {
        c::TCP_NODELAY => Setting::NoDelay(is),
        c::TCP_MAXSEG => Setting::SegmentSize(value as u16),
        c::TCP_CORK => Setting::Cork(is),
        c::TCP_KEEPIDLE => Setting::KeepIdle(seconds),
        c::TCP_KEEPINTVL => Setting::KeepInterval(seconds),
        c::TCP_KEEPCNT => Setting::KeepCount(value as u8),
        c::TCP_SYNCNT => Setting::SynRetries(value as u8),
        c::TCP_LINGER2 => Setting::FinTimeout(seconds),
        c::TCP_DEFER_ACCEPT => Setting::DeferAccept(is),
        c::TCP_WINDOW_CLAMP => Setting::WindowClamp(value),
        c::TCP_QUICKACK => Setting::QuickAcknowledge(is),
        c::TCP_USER_TIMEOUT => Setting::UserTimeout(is.then(|| Duration::from_millis(value.into()))),
        c::TCP_NOTSENT_LOWAT => Setting::UnsentLowWater(value),
        _ => return None,
    })
}

/// Values that an option may have beyond which it is EINVAL, as tcp(7) and ip(7) have them.
pub const fn bounds(level: u32, option: u32) -> (u32, u32) {
    /// Of signed numbers that must not be negative.
    const MOST: u32 = i32::MAX as u32;
    match (level, option) {
        (c::SOL_TCP, c::TCP_KEEPIDLE | c::TCP_KEEPINTVL) => (1, 32_767),
        (c::SOL_TCP, c::TCP_KEEPCNT | c::TCP_SYNCNT) => (1, 127),
        (c::SOL_TCP, c::TCP_MAXSEG) => (88, 32_767),
        (c::SOL_TCP, c::TCP_USER_TIMEOUT) => (0, MOST),
        (c::SOL_IP, c::IP_TTL) => (1, 255),
        (c::SOL_IP, c::IP_MULTICAST_TTL) => (0, 255),
        // -1 is as usual: it is the last number.
        (c::SOL_UDP, c::UDP_SEGMENT) => (0, 65_535),
        (c::SOL_SOCKET, c::SO_BUSY_POLL) => (0, MOST),
        (c::SOL_IP, c::IP_MTU_DISCOVER) | (c::SOL_IPV6, c::IPV6_MTU_DISCOVER) => (0, 3),
        _ => (0, u32::MAX),
    }
}

/// Bytes that a program may ask for in a queue: `/proc/sys/net/core/{rmem,wmem}_max`.
const MOST_QUEUED: u32 = 212_992;
/// Linux' least, of which half is for what goes with the bytes: `SOCK_MIN_SNDBUF`, `SOCK_MIN_RCVBUF`.
const LEAST_QUEUED: [u32; 2] = [2304, 1152];

/// A number within what there is, where an option takes any: socket(7).
pub fn limited(level: u32, option: u32, number: u32) -> u32 {
    let [send, receive] = LEAST_QUEUED;
    match (level, option) {
        (c::SOL_SOCKET, c::SO_SNDBUF) => number.clamp(send, MOST_QUEUED),
        (c::SOL_SOCKET, c::SO_RCVBUF) => number.clamp(receive, MOST_QUEUED),
        // Half of a signed number, so that twice as many are one too.
        (c::SOL_SOCKET, c::SO_SNDBUFFORCE) => number.clamp(send, i32::MAX as u32 / 2),
        (c::SOL_SOCKET, c::SO_RCVBUFFORCE) => number.clamp(receive, i32::MAX as u32 / 2),
        (c::SOL_SOCKET, c::SO_RCVLOWAT) => number.min(i32::MAX as u32),
        // The header is covered at least: RFC 3828, 3.1.
        (c::SOL_UDPLITE, _) if number != 0 => number.clamp(8, u16::MAX.into()),
        _ => number,
    }
}

/// Whether an option is one that nobody can set.
pub const fn is_to_be_asked_for(level: u32, option: u32) -> bool {
    matches!((level, option), (c::SOL_SOCKET, c::SO_ACCEPTCONN) | (c::SOL_IP, c::IP_MTU) | (c::SOL_IPV6, c::IPV6_MTU))
}

const fn cutting(value: u32) -> Option<Cutting> {
    match value {
        0 => Some(Cutting::Anywhere),
        1 => Some(Cutting::Here),
        2 => Some(Cutting::Nowhere),
        3 => Some(Cutting::Probe),
        _ => None,
    }
}

/// A setting's value as the number that its option is.
pub fn value(setting: Setting) -> u32 {
    match setting {
        Setting::ReuseAddress(is)
        | Setting::ReusePort(is)
        | Setting::Broadcast(is)
        | Setting::KeepAlive(is)
        | Setting::UrgentInline(is)
        | Setting::Listening(is)
        | Setting::OnlyV6(is)
        | Setting::KeepErrors(is)
        | Setting::Companions(is)
        | Setting::GroupLoop(is)
        | Setting::GroupAll(is)
        | Setting::NoDelay(is)
        | Setting::Cork(is)
        | Setting::QuickAcknowledge(is)
        | Setting::NoChecksum(is)
        | Setting::Coalesced(is)
        | Setting::DeferAccept(is) => is.into(),
        Setting::Refused([word, ..]) => word,
        // Room for what goes with bytes is counted too: socket(7).
        Setting::SendBuffer(bytes) | Setting::ReceiveBuffer(bytes) => bytes.saturating_mul(2),
        Setting::ReceiveLowWater(number)
        | Setting::Interface(number)
        | Setting::PathMtu(number)
        | Setting::GroupInterface(number)
        | Setting::WindowClamp(number)
        | Setting::UnsentLowWater(number) => number,
        Setting::TrafficClass(number)
        | Setting::HopLimit(number)
        | Setting::GroupHopLimit(number)
        | Setting::KeepCount(number)
        | Setting::SynRetries(number) => number.into(),
        Setting::SegmentSize(number) | Setting::Coverage(number) | Setting::LeastCoverage(number) => number.into(),
        Setting::Moments(moments) => moments.bits().into(),
        Setting::Cutting(cutting) => match cutting {
            Cutting::Anywhere => 0,
            Cutting::Here => 1,
            Cutting::Nowhere => 2,
            Cutting::Probe => 3,
        },
        Setting::KeepIdle(length) | Setting::KeepInterval(length) | Setting::FinTimeout(length) => {
            length.as_secs() as u32
        }
        Setting::Linger(length) => length.map_or(0, |length| length.as_secs() as u32),
        Setting::UserTimeout(length) => length.map_or(0, |length| length.as_millis() as u32),
    }
}
