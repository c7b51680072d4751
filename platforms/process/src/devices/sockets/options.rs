//! Settings of sockets by the host's options: socket(7), ip(7), ipv6(7), tcp(7).

use core::time::Duration;

use sockets::{Cutting, Setting};

use super::told;

/// Levels.
const SOL_SOCKET: u32 = 1;
const SOL_IP: u32 = 0;
const SOL_TCP: u32 = 6;
const SOL_IPV6: u32 = 41;

/// An option of the host's: level, number, and the value.
pub struct Choice {
    pub level: u32,
    pub option: u32,
    pub value: [i32; 2],
    /// How many words the value has.
    pub words: usize,
}

/// The option that a setting is, of a socket of IPv4 or IPv6; `None` for one that means nothing to the host.
pub fn of(setting: Setting, is_v6: bool) -> Option<Choice> {
    let one = |level, option, value| Some(Choice { level, option, value: [value, 0], words: 1 });
    let ip = |v4: u32, v6: u32, value| if is_v6 { one(SOL_IPV6, v6, value) } else { one(SOL_IP, v4, value) };
    let word = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    let seconds = |time: Duration| i32::try_from(time.as_secs()).unwrap_or(i32::MAX);
    match setting {
        // A published port is the command's, and is bound: who else may have it is not the program's to say.
        Setting::ReuseAddress(on) if told::is_hosts() => one(SOL_SOCKET, 2, on.into()),
        Setting::ReusePort(on) if told::is_hosts() => one(SOL_SOCKET, 15, on.into()),
        Setting::Broadcast(on) => one(SOL_SOCKET, 6, on.into()),
        Setting::SendBuffer(bytes) => one(SOL_SOCKET, 7, word(bytes)),
        Setting::ReceiveBuffer(bytes) => one(SOL_SOCKET, 8, word(bytes)),
        Setting::KeepAlive(on) => one(SOL_SOCKET, 9, on.into()),
        Setting::UrgentInline(on) => one(SOL_SOCKET, 10, on.into()),
        Setting::Linger(time) => {
            let value = [time.is_some().into(), time.map_or(0, seconds)];
            Some(Choice { level: SOL_SOCKET, option: 13, value, words: 2 })
        }
        Setting::ReceiveLowWater(bytes) => one(SOL_SOCKET, 18, word(bytes)),
        Setting::TrafficClass(class) => ip(1, 67, class.into()),
        Setting::HopLimit(0) => ip(2, 16, -1),
        Setting::HopLimit(limit) => ip(2, 16, limit.into()),
        Setting::Cutting(cutting) => ip(10, 23, of_cutting(cutting)),
        Setting::GroupHopLimit(limit) => ip(33, 18, limit.into()),
        Setting::GroupLoop(on) => ip(34, 19, on.into()),
        Setting::OnlyV6(on) if is_v6 => one(SOL_IPV6, 26, on.into()),
        Setting::NoDelay(on) => one(SOL_TCP, 1, on.into()),
        Setting::SegmentSize(bytes) => one(SOL_TCP, 2, bytes.into()),
        Setting::Cork(on) => one(SOL_TCP, 3, on.into()),
        Setting::KeepIdle(time) => one(SOL_TCP, 4, seconds(time)),
        Setting::KeepInterval(time) => one(SOL_TCP, 5, seconds(time)),
        Setting::KeepCount(count) => one(SOL_TCP, 6, count.into()),
        Setting::SynRetries(count) => one(SOL_TCP, 7, count.into()),
        Setting::FinTimeout(time) => one(SOL_TCP, 8, seconds(time)),
        Setting::DeferAccept(on) => one(SOL_TCP, 9, on.into()),
        Setting::WindowClamp(bytes) => one(SOL_TCP, 10, word(bytes)),
        Setting::QuickAcknowledge(on) => one(SOL_TCP, 12, on.into()),
        Setting::UserTimeout(time) => {
            let time = time.map_or(0, |time| i32::try_from(time.as_millis()).unwrap_or(i32::MAX));
            one(SOL_TCP, 18, time)
        }
        Setting::UnsentLowWater(bytes) => one(SOL_TCP, 25, word(bytes)),
        // Which addresses and interfaces the machine has is its own affair; the others are asked for alone.
        _ => None,
    }
}

/// The setting with the value that the host says its option has.
pub fn with(setting: Setting, value: i32) -> Option<Setting> {
    let on = value != 0;
    let (word, byte) = (u32::try_from(value).unwrap_or(0), u8::try_from(value).unwrap_or(0));
    let seconds = Duration::from_secs(word.into());
    Some(match setting {
        Setting::ReuseAddress(_) => Setting::ReuseAddress(on),
        Setting::ReusePort(_) => Setting::ReusePort(on),
        Setting::Broadcast(_) => Setting::Broadcast(on),
        // The host tells twice what was asked for: socket(7).
        Setting::SendBuffer(_) => Setting::SendBuffer(word / 2),
        Setting::ReceiveBuffer(_) => Setting::ReceiveBuffer(word / 2),
        Setting::KeepAlive(_) => Setting::KeepAlive(on),
        Setting::UrgentInline(_) => Setting::UrgentInline(on),
        Setting::Linger(_) => Setting::Linger(on.then_some(Duration::ZERO)),
        Setting::ReceiveLowWater(_) => Setting::ReceiveLowWater(word),
        Setting::TrafficClass(_) => Setting::TrafficClass(byte),
        Setting::HopLimit(_) => Setting::HopLimit(byte),
        Setting::GroupHopLimit(_) => Setting::GroupHopLimit(byte),
        Setting::GroupLoop(_) => Setting::GroupLoop(on),
        Setting::OnlyV6(_) => Setting::OnlyV6(on),
        Setting::NoDelay(_) => Setting::NoDelay(on),
        Setting::SegmentSize(_) => Setting::SegmentSize(u16::try_from(value).ok()?),
        Setting::Cork(_) => Setting::Cork(on),
        Setting::KeepIdle(_) => Setting::KeepIdle(seconds),
        Setting::KeepInterval(_) => Setting::KeepInterval(seconds),
        Setting::KeepCount(_) => Setting::KeepCount(byte),
        Setting::SynRetries(_) => Setting::SynRetries(byte),
        Setting::FinTimeout(_) => Setting::FinTimeout(seconds),
        Setting::DeferAccept(_) => Setting::DeferAccept(on),
        Setting::WindowClamp(_) => Setting::WindowClamp(word),
        Setting::QuickAcknowledge(_) => Setting::QuickAcknowledge(on),
        Setting::UserTimeout(_) => Setting::UserTimeout(on.then(|| Duration::from_millis(word.into()))),
        Setting::UnsentLowWater(_) => Setting::UnsentLowWater(word),
        Setting::Cutting(_) => Setting::Cutting(match value {
            0 => Cutting::Anywhere,
            2 => Cutting::Nowhere,
            3 => Cutting::Probe,
            _ => Cutting::Here,
        }),
        _ => return None,
    })
}

const fn of_cutting(cutting: Cutting) -> i32 {
    match cutting {
        Cutting::Anywhere => 0,
        Cutting::Here => 1,
        Cutting::Nowhere => 2,
        Cutting::Probe => 3,
    }
}
