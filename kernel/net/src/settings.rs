//! Settings of sockets, by what the stack calls them.

use netstack::{raw, udp};
use sockets::{Cutting, Error, Moments, Setting};

// Both have the same bits.
const _: () = {
    assert!(Moments::SCHEDULED.bits() == tcp::Moments::SCHEDULED.bits());
    assert!(Moments::SENT.bits() == tcp::Moments::SENT.bits());
    assert!(Moments::ACKNOWLEDGED.bits() == tcp::Moments::ACKNOWLEDGED.bits());
};

/// Changes a setting of TCP.
pub fn set_stream(settings: &mut tcp::Settings, setting: Setting) -> Result<(), Error> {
    match setting {
        Setting::ReuseAddress(value) => settings.reuse_address = value,
        Setting::ReusePort(value) => settings.reuse_port = value,
        Setting::KeepAlive(value) => settings.keep_alive = value,
        Setting::Linger(value) => settings.linger = value,
        Setting::UrgentInline(value) => settings.urgent_inline = value,
        Setting::SendBuffer(value) => settings.send_limit = Some(value),
        Setting::ReceiveBuffer(value) => settings.receive_limit = Some(value),
        Setting::ReceiveLowWater(value) => settings.receive_low_water = value.max(1),
        Setting::Interface(value) => settings.interface = value,
        Setting::OnlyV6(value) => settings.only_v6 = value,
        Setting::TrafficClass(value) => settings.traffic_class = value & !3,
        Setting::HopLimit(value) => settings.hop_limit = value,
        Setting::NoDelay(value) => settings.no_delay = value,
        Setting::Cork(value) => settings.cork = value,
        Setting::QuickAcknowledge(value) => settings.quick_acknowledge = value,
        Setting::KeepIdle(value) => settings.keep_idle = value,
        Setting::KeepInterval(value) => settings.keep_interval = value,
        Setting::KeepCount(value) => settings.keep_count = value,
        Setting::SynRetries(value) => settings.syn_retries = value,
        Setting::UserTimeout(value) => settings.user_timeout = value,
        Setting::FinTimeout(value) => settings.fin_timeout = value,
        Setting::SegmentSize(value) => settings.segment_size = Some(value),
        Setting::WindowClamp(value) => settings.window_clamp = Some(value),
        Setting::UnsentLowWater(value) => settings.unsent_low_water = Some(value),
        Setting::DeferAccept(value) => settings.defer_accept = value,
        Setting::Moments(value) => settings.moments = tcp::Moments::from_bits_truncate(value.bits()),
        _ => return Err(Error::NoSetting),
    }
    Ok(())
}

/// The value of a setting of TCP; those that follow from a connection are not here.
pub fn of_stream(settings: &tcp::Settings, setting: Setting) -> Result<Setting, Error> {
    Ok(match setting {
        Setting::ReuseAddress(_) => Setting::ReuseAddress(settings.reuse_address),
        Setting::ReusePort(_) => Setting::ReusePort(settings.reuse_port),
        Setting::KeepAlive(_) => Setting::KeepAlive(settings.keep_alive),
        Setting::Linger(_) => Setting::Linger(settings.linger),
        Setting::UrgentInline(_) => Setting::UrgentInline(settings.urgent_inline),
        Setting::ReceiveLowWater(_) => Setting::ReceiveLowWater(settings.receive_low_water),
        Setting::Interface(_) => Setting::Interface(settings.interface),
        Setting::OnlyV6(_) => Setting::OnlyV6(settings.only_v6),
        Setting::TrafficClass(_) => Setting::TrafficClass(settings.traffic_class),
        Setting::HopLimit(_) => Setting::HopLimit(usual(settings.hop_limit)),
        Setting::NoDelay(_) => Setting::NoDelay(settings.no_delay),
        Setting::Cork(_) => Setting::Cork(settings.cork),
        Setting::QuickAcknowledge(_) => Setting::QuickAcknowledge(settings.quick_acknowledge),
        Setting::KeepIdle(_) => Setting::KeepIdle(settings.keep_idle),
        Setting::KeepInterval(_) => Setting::KeepInterval(settings.keep_interval),
        Setting::KeepCount(_) => Setting::KeepCount(settings.keep_count),
        Setting::SynRetries(_) => Setting::SynRetries(settings.syn_retries),
        Setting::UserTimeout(_) => Setting::UserTimeout(settings.user_timeout),
        Setting::FinTimeout(_) => Setting::FinTimeout(settings.fin_timeout),
        Setting::WindowClamp(_) => Setting::WindowClamp(settings.window_clamp.unwrap_or(0)),
        Setting::UnsentLowWater(_) => Setting::UnsentLowWater(settings.unsent_low_water.unwrap_or(0)),
        Setting::DeferAccept(_) => Setting::DeferAccept(settings.defer_accept),
        Setting::Moments(_) => Setting::Moments(Moments::from_bits_truncate(settings.moments.bits())),
        _ => return Err(Error::NoSetting),
    })
}

/// How much the queues of a stream may hold: what it has by now, or else what it will begin with (Linux' `tcp_wmem` and
/// `tcp_rmem`, of which half is for what goes with the bytes).
pub fn of_queues(wanted: &tcp::Settings, info: &tcp::Info, which: Setting) -> Setting {
    const FIRST: [u32; 2] = [8192, 65_536];
    let there = |now: u32, wanted: Option<u32>, first| if now > 0 { now } else { wanted.unwrap_or(first) };
    match which {
        Setting::SendBuffer(_) => Setting::SendBuffer(there(info.send_limit, wanted.send_limit, FIRST[0])),
        _ => Setting::ReceiveBuffer(there(info.receive_limit, wanted.receive_limit, FIRST[1])),
    }
}

/// What 0 stands for: RFC 1700.
const fn usual(hop_limit: u8) -> u8 {
    if hop_limit == 0 { 64 } else { hop_limit }
}

/// Changes a setting of UDP.
pub fn set_datagrams(settings: &mut udp::Settings, setting: Setting) -> Result<(), Error> {
    match setting {
        Setting::ReuseAddress(value) => settings.reuse_address = value,
        Setting::ReusePort(value) => settings.reuse_port = value,
        Setting::OnlyV6(value) => settings.only_v6 = value,
        Setting::Broadcast(value) => settings.broadcast = value,
        Setting::Interface(value) => settings.interface = value,
        Setting::HopLimit(value) => settings.hop_limit = value,
        Setting::TrafficClass(value) => settings.traffic_class = value,
        Setting::GroupHopLimit(value) => settings.group_hop_limit = value,
        Setting::GroupLoop(value) => settings.group_loop = value,
        Setting::GroupInterface(value) => settings.group_interface = value,
        Setting::KeepErrors(value) => settings.errors = value,
        Setting::NoChecksum(value) => settings.no_checksum = value,
        Setting::Coalesced(value) => settings.coalesced = value,
        Setting::Coverage(value) => settings.coverage = value,
        Setting::LeastCoverage(value) => settings.least_coverage = Some(value),
        Setting::ReceiveBuffer(value) => settings.receive_limit = value as usize,
        Setting::Cutting(value) => {
            settings.cutting = match value {
                Cutting::Here => netstack::Cutting::Here,
                Cutting::Anywhere => netstack::Cutting::Anywhere,
                Cutting::Nowhere => netstack::Cutting::Nowhere,
                Cutting::Probe => netstack::Cutting::Probe,
            }
        }
        // They are told anyway.
        Setting::Companions(_) => {}
        _ => return Err(Error::NoSetting),
    }
    Ok(())
}

/// The value of a setting of UDP.
pub fn of_datagrams(settings: &udp::Settings, setting: Setting) -> Result<Setting, Error> {
    Ok(match setting {
        Setting::ReuseAddress(_) => Setting::ReuseAddress(settings.reuse_address),
        Setting::ReusePort(_) => Setting::ReusePort(settings.reuse_port),
        Setting::OnlyV6(_) => Setting::OnlyV6(settings.only_v6),
        Setting::Broadcast(_) => Setting::Broadcast(settings.broadcast),
        Setting::Interface(_) => Setting::Interface(settings.interface),
        Setting::HopLimit(_) => Setting::HopLimit(usual(settings.hop_limit)),
        Setting::TrafficClass(_) => Setting::TrafficClass(settings.traffic_class),
        Setting::GroupHopLimit(_) => Setting::GroupHopLimit(settings.group_hop_limit),
        Setting::GroupLoop(_) => Setting::GroupLoop(settings.group_loop),
        Setting::GroupInterface(_) => Setting::GroupInterface(settings.group_interface),
        Setting::KeepErrors(_) => Setting::KeepErrors(settings.errors),
        Setting::NoChecksum(_) => Setting::NoChecksum(settings.no_checksum),
        Setting::Coalesced(_) => Setting::Coalesced(settings.coalesced),
        Setting::Coverage(_) => Setting::Coverage(settings.coverage),
        Setting::LeastCoverage(_) => Setting::LeastCoverage(settings.least_coverage.unwrap_or(0)),
        Setting::ReceiveBuffer(_) => Setting::ReceiveBuffer(settings.receive_limit as u32),
        Setting::Listening(_) => Setting::Listening(false),
        Setting::Cutting(_) => Setting::Cutting(match settings.cutting {
            netstack::Cutting::Here => Cutting::Here,
            netstack::Cutting::Anywhere => Cutting::Anywhere,
            netstack::Cutting::Nowhere => Cutting::Nowhere,
            netstack::Cutting::Probe => Cutting::Probe,
        }),
        _ => return Err(Error::NoSetting),
    })
}

/// Changes a setting of a raw socket.
pub fn set_raw(settings: &mut raw::Settings, setting: Setting) -> Result<(), Error> {
    match setting {
        Setting::Broadcast(value) => settings.broadcast = value,
        Setting::Interface(value) => settings.interface = value,
        Setting::HopLimit(value) => settings.hop_limit = value,
        Setting::TrafficClass(value) => settings.traffic_class = value,
        Setting::GroupHopLimit(value) => settings.group_hop_limit = value,
        Setting::KeepErrors(value) => settings.errors = value,
        Setting::Refused(kinds) => settings.refused = kinds,
        Setting::ReceiveBuffer(value) => settings.receive_limit = value as usize,
        _ => return Err(Error::NoSetting),
    }
    Ok(())
}

/// The value of a setting of a raw socket.
pub fn of_raw(settings: &raw::Settings, setting: Setting) -> Result<Setting, Error> {
    Ok(match setting {
        Setting::Broadcast(_) => Setting::Broadcast(settings.broadcast),
        Setting::Interface(_) => Setting::Interface(settings.interface),
        Setting::HopLimit(_) => Setting::HopLimit(usual(settings.hop_limit)),
        Setting::TrafficClass(_) => Setting::TrafficClass(settings.traffic_class),
        Setting::GroupHopLimit(_) => Setting::GroupHopLimit(settings.group_hop_limit),
        Setting::KeepErrors(_) => Setting::KeepErrors(settings.errors),
        Setting::Refused(_) => Setting::Refused(settings.refused),
        Setting::ReceiveBuffer(_) => Setting::ReceiveBuffer(settings.receive_limit as u32),
        Setting::Listening(_) => Setting::Listening(false),
        _ => return Err(Error::NoSetting),
    })
}
