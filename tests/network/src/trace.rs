//! Lines about frames, in the words of tcpdump, with virtual time. `WHITTLE_TRACE=1` prints them.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use packets::tcp::{self, Flags, Options, SequenceNumber};
use packets::{Instant, ethernet, ipv4, ipv6};

use crate::link::Fate;

/// Writes a line for each frame that is sent.
#[derive(Debug, Default)]
pub struct Tracer {
    wanted: bool,
    /// Where the streams begin, so that numbers are small.
    first: HashMap<(SocketAddr, SocketAddr), SequenceNumber>,
}

impl Tracer {
    /// One that prints, or not.
    #[must_use]
    pub fn new(wanted: bool) -> Self {
        Self { wanted, first: HashMap::new() }
    }

    /// A line that is no frame.
    pub fn note(&self, now: Instant, text: impl FnOnce() -> String) {
        if self.wanted {
            println!("{} {}", moment(now), text());
        }
    }

    /// A side has sent a frame, and this becomes of it.
    pub fn sent(&mut self, now: Instant, side: usize, frame: &[u8], fate: &Fate) {
        if self.wanted {
            let direction = if side == 0 { "A > B" } else { "B > A" };
            println!("{} {direction} {} [{}]", moment(now), self.describe(frame), told(now, frame, fate));
        }
    }

    fn describe(&mut self, frame: &[u8]) -> String {
        let Some((header, packet)) = ethernet::parse(frame) else { return "no frame".into() };
        let (from, to, protocol, payload): (IpAddr, IpAddr, _, _) = match header.kind.get() {
            ethernet::IPV4 => match ipv4::parse(packet, packet.len()) {
                Ok(ip) => {
                    let payload = &packet[ip.length()..ip.total_length.get().into()];
                    (ip.source().into(), ip.destination().into(), ip.protocol, payload)
                }
                Err(why) => return format!("IPv4 {why:?}"),
            },
            ethernet::IPV6 => match ipv6::parse(packet, packet.len()) {
                Ok(ip) => (ip.source().into(), ip.destination().into(), ip.next_header, &packet[ipv6::HEADER..]),
                Err(why) => return format!("IPv6 {why:?}"),
            },
            ethernet::ARP => return format!("ARP, length {}", packet.len()),
            kind => return format!("kind {kind:#06x}"),
        };
        match protocol {
            ipv4::protocol::TCP => self.tcp(from, to, payload),
            other => format!("{from} > {to}: protocol {other}, length {}", payload.len()),
        }
    }

    fn tcp(&mut self, from: IpAddr, to: IpAddr, segment: &[u8]) -> String {
        let Ok((header, options)) = tcp::parse(segment, segment.len()) else { return "TCP, malformed".into() };
        let from = SocketAddr::new(from, header.source.get());
        let to = SocketAddr::new(to, header.destination.get());
        if header.flags().contains(Flags::SYN) {
            self.first.insert((from, to), header.sequence());
        }
        let first = |a, b| self.first.get(&(a, b)).copied().unwrap_or_default();
        let sequence = header.sequence() - first(from, to);
        let length = segment.len() - header.length();
        let acknowledgment = match header.flags().contains(Flags::ACK) {
            true => format!(", ack {}", header.acknowledgment() - first(to, from)),
            false => String::new(),
        };
        let options = told_options(&Options::parse(options), first(to, from));
        format!(
            "{from} > {to}: Flags [{}], seq {sequence}:{}{acknowledgment}, win {}{options}, length {length}",
            letters(header.flags()),
            sequence.wrapping_add(length as u32),
            header.window.get()
        )
    }
}

fn letters(flags: Flags) -> String {
    let all = [
        (Flags::SYN, 'S'),
        (Flags::FIN, 'F'),
        (Flags::RST, 'R'),
        (Flags::PSH, 'P'),
        (Flags::URG, 'U'),
        (Flags::ECE, 'E'),
        (Flags::CWR, 'W'),
        (Flags::ACK, '.'),
    ];
    all.into_iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, letter)| letter).collect()
}

fn told_options(options: &Options, first: SequenceNumber) -> String {
    let mut told = String::new();
    let mut add = |text: String| told.push_str(&text);
    options.segment_size.into_iter().for_each(|size| add(format!(", mss {size}")));
    options.window_scale.into_iter().for_each(|shift| add(format!(", wscale {shift}")));
    options.sack_permitted.then(|| add(", sackOK".into()));
    options.timestamps.into_iter().for_each(|clock| add(format!(", TS val {} ecr {}", clock.value, clock.echo)));
    for &(from, end) in options.sack.as_slice() {
        add(format!(", sack {}:{}", from - first, end - first));
    }
    told
}

fn told(now: Instant, frame: &[u8], fate: &Fate) -> String {
    match fate {
        Fate::Lost => "lost".into(),
        Fate::TooLong(mtu) => format!("too long for {mtu}"),
        Fate::Delivered(copies) => {
            let copy = |(at, bytes): &(Instant, Vec<u8>)| {
                let changed = if bytes == frame { "" } else { " changed" };
                format!("+{} us{changed}", at.since(now).as_micros())
            };
            copies.iter().map(copy).collect::<Vec<_>>().join(", ")
        }
    }
}

fn moment(now: Instant) -> String {
    format!("{:4}.{:06}", now.as_micros() / 1_000_000, now.as_micros() % 1_000_000)
}
