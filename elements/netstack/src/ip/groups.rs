//! Groups that an interface has joined, and what routers are told of them: the host's side of RFC 3376 and RFC 3810.
//!
//! All are of any source: filters by source (RFC 3376, 3) are not here. IGMPv1 is not spoken, and nobody's report
//! makes us keep ours back.

use alloc::{collections::BTreeMap, vec::Vec};
use core::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use packets::{Bytes, Instant, Packet, Parts as Stretches, checksum, ipv4, ipv4::protocol, ipv6::extension};
use zerocopy::IntoBytes;

use super::{Ip, time::Duty};
use crate::{
    address::ALL_ROUTERS,
    delivery::{Arrived, Delivery, Departure, Way},
    error::Error,
    groups::{ALL_ROUTERS_V4, Query, REPORTS_V4, REPORTS_V6, Record, igmp, is_told, query_v4, query_v6, records},
    icmp::{self, v6},
    interface::Medium,
    parts::Parts,
};

/// Groups of all interfaces: sockets and addresses together.
const GROUPS: usize = 4096;
/// Records in one report, so that it fits the least link: RFC 3376, 4.2.16.
const RECORDS: usize = 60;
/// RFC 3376, 8.11: a change is told twice within this time.
const REPEAT: Duration = Duration::from_secs(1);
/// RFC 3376, 8.12 and RFC 3810, 9.12: how long an older querier counts, with the usual interval of 125 s.
const OLDER: Duration = Duration::from_secs(260);

/// How often each was joined.
pub(super) type Groups = BTreeMap<(u32, IpAddr), u32>;

impl<P: Parts> Ip<P> {
    /// Joins a group, once more if it is joined already.
    ///
    /// # Errors
    /// [`Error::Full`]; [`Error::Invalid`] if the address is of no group; [`Error::Down`] if there is no such
    /// interface.
    pub fn join(&mut self, now: Instant, number: u32, group: IpAddr) -> Result<(), Error> {
        self.now = now;
        if !group.is_multicast() {
            return Err(Error::Invalid);
        }
        self.interface(number).ok_or(Error::Down)?;
        if self.groups.len() >= GROUPS {
            return Err(Error::Full);
        }
        let count = self.groups.entry((number, group)).or_default();
        *count += 1;
        if *count == 1 {
            self.change(number, group, true);
        }
        Ok(())
    }

    /// Leaves a group, once; `false` if it was not joined.
    pub fn leave(&mut self, now: Instant, number: u32, group: IpAddr) -> bool {
        self.now = now;
        let Some(count) = self.groups.get_mut(&(number, group)) else { return false };
        *count -= 1;
        if *count == 0 {
            self.groups.remove(&(number, group));
            self.change(number, group, false);
        }
        true
    }

    /// All groups that are joined: the interface's number, the group, and how often.
    pub fn groups(&self) -> impl Iterator<Item = (u32, IpAddr, u32)> {
        self.groups.iter().map(|(&(number, group), &count)| (number, group, count))
    }

    pub(super) fn has_joined(&self, number: u32, group: IpAddr) -> bool {
        self.groups.contains_key(&(number, group))
    }

    /// Whether routers are told of a group.
    fn tells(&self, number: u32, group: IpAddr) -> bool {
        let link = self.interface(number).is_some_and(|found| found.up && found.medium != Medium::Loopback);
        P::MULTICAST && link && is_told(group)
    }

    /// Tells a change now, and once more soon: RFC 3376, 5.1, with a robustness of 2.
    fn change(&mut self, number: u32, group: IpAddr, joined: bool) {
        if self.tells(number, group) {
            self.tell_change(number, group, joined);
            let at = self.now + self.random.up_to(REPEAT);
            self.duties.set(at, Duty::Change(number, group, joined));
        }
    }

    pub(super) fn tell_change(&mut self, number: u32, group: IpAddr, joined: bool) {
        // It may have changed again since.
        if self.tells(number, group) && self.has_joined(number, group) == joined {
            self.report(number, &[(group, if joined { Record::Joins } else { Record::Leaves })]);
        }
    }

    /// The interface came up: all of its groups are told.
    pub(super) fn tell_groups(&mut self, number: u32) {
        for v4 in [true, false] {
            if self.groups.keys().any(|(owner, group)| *owner == number && group.is_ipv4() == v4) {
                self.duties.set(self.now, Duty::AnswerAll(number, v4));
            }
        }
    }

    pub(super) fn answer(&mut self, number: u32, group: IpAddr) {
        self.answers.remove(&Duty::Answer(number, group));
        if self.has_joined(number, group) && self.tells(number, group) {
            self.report(number, &[(group, Record::Is)]);
        }
    }

    pub(super) fn answer_all(&mut self, number: u32, v4: bool) {
        self.answers.remove(&Duty::AnswerAll(number, v4));
        let own = self.groups.keys().filter(|(owner, group)| *owner == number && group.is_ipv4() == v4);
        let told: Vec<_> = own.filter(|(_, group)| self.tells(number, *group)).map(|key| (key.1, Record::Is)).collect();
        for some in told.chunks(RECORDS) {
            self.report(number, some);
        }
    }

    pub(super) fn input_igmp(&mut self, arrived: Arrived, packet: &mut Packet) -> Option<Delivery> {
        let message = packet.to_vec();
        if checksum::of(&message) == 0
            && let Some(query) = query_v4(&message)
        {
            self.queried(arrived.interface, true, &query);
        }
        P::RAW.then_some(Delivery { arrived, protocol: protocol::IGMP, told_at: 9, told: None })
    }

    /// RFC 3810, 6.2: a query comes from the link, and from no farther.
    pub(super) fn listener_message(&mut self, arrived: &Arrived, kind: u8, packet: &Packet) {
        let of_link = matches!(arrived.from(), IpAddr::V6(from) if from.is_unicast_link_local());
        if !P::MULTICAST || kind != v6::LISTENER_QUERY || !of_link || arrived.hop_limit() != 1 {
            return;
        }
        if let Some(query) = query_v6(&packet.to_vec()) {
            self.queried(arrived.interface, false, &query);
        }
    }

    /// RFC 3376, 5.2: an answer in a random time. There is one alarm for a group, and one for all of them.
    fn queried(&mut self, number: u32, v4: bool, query: &Query) {
        let at = self.now + self.random.up_to(query.within);
        let end = self.now + OLDER;
        let Some(interface) = self.interface_mut(number) else { return };
        if query.older {
            interface.older[usize::from(!v4)] = Some(end);
        }
        let duty = match query.group {
            Some(group) if self.has_joined(number, group) => Duty::Answer(number, group),
            Some(_) => return,
            None => Duty::AnswerAll(number, v4),
        };
        // A flood of queries sets one alarm, which never gets later: a liar's hour would keep others from their answer.
        match self.answers.get(&duty) {
            Some(known) if *known <= at => return,
            Some(known) => self.duties.clear(*known, duty),
            None => {}
        }
        self.answers.insert(duty, at);
        self.duties.set(at, duty);
    }

    fn report(&mut self, number: u32, told: &[(IpAddr, Record)]) {
        let Some((first, _)) = told.first() else { return };
        let v4 = first.is_ipv4();
        let older = self.interface(number).and_then(|found| found.older[usize::from(!v4)]);
        if older.is_some_and(|until| until > self.now) {
            return told.iter().for_each(|(group, record)| self.report_older(number, *group, *record));
        }
        let count = (told.len() as u16).to_be_bytes();
        match v4 {
            true => self.say_igmp(
                number,
                &[&[igmp::REPORT_V3, 0, 0, 0, 0, 0, count[0], count[1]][..], &records(told)].concat(),
                REPORTS_V4,
            ),
            false => self.say_mld(
                number,
                v6::LISTENER_REPORT_V2,
                u32::from_be_bytes([0, 0, count[0], count[1]]),
                records(told),
                REPORTS_V6,
            ),
        }
    }

    /// RFC 2236, 3 and RFC 2710, 4: a report goes to its group, what is left to the routers.
    fn report_older(&mut self, number: u32, group: IpAddr, record: Record) {
        let left = record == Record::Leaves;
        match group {
            IpAddr::V4(group) => {
                let [a, b, c, d] = group.octets();
                let kind = if left { igmp::LEAVE_V2 } else { igmp::REPORT_V2 };
                self.say_igmp(number, &[kind, 0, 0, 0, a, b, c, d], if left { ALL_ROUTERS_V4 } else { group });
            }
            IpAddr::V6(group) => {
                let kind = if left { v6::LISTENER_DONE } else { v6::LISTENER_REPORT_V1 };
                self.say_mld(number, kind, 0, group.octets().into(), if left { ALL_ROUTERS } else { group });
            }
        }
    }

    /// RFC 3376, 4: with one hop, as internetwork control, and with the option that has routers look (RFC 2113).
    fn say_igmp(&mut self, number: u32, message: &[u8], to: Ipv4Addr) {
        const ROUTER_ALERT: [u8; 4] = [0x94, 4, 0, 0];
        let from = match self.way(to.into(), None, number) {
            Ok(Way { from: IpAddr::V4(from), .. }) => from,
            _ => Ipv4Addr::UNSPECIFIED,
        };
        let mut header = ipv4::Header::new(protocol::IGMP, from, to, 1, ROUTER_ALERT.len() + message.len());
        (header.version_and_length, header.traffic_class) = (0x46, 0xc0);
        header.checksum = 0.into();
        header.checksum = checksum::of(&[header.as_bytes(), &ROUTER_ALERT].concat()).into();
        let mut bytes = [header.as_bytes(), &ROUTER_ALERT, message].concat();
        let sum = checksum::of(message).to_be_bytes();
        bytes[26..28].copy_from_slice(&sum);
        let mut packet = Packet { parts: core::iter::once(Bytes::from(bytes)).collect(), ..Packet::default() };
        self.counts(true).sent += 1;
        self.transmit(number, to.into(), &mut packet);
    }

    /// RFC 3810, 5: the same, from an address of the link, or from nobody while there is none.
    fn say_mld(&mut self, number: u32, kind: u8, word: u32, body: Vec<u8>, to: Ipv6Addr) {
        const ROUTER_ALERT: [u8; 8] = [protocol::ICMPV6, 0, 5, 2, 0, 0, 1, 0];
        let to = IpAddr::V6(to);
        let from = match self.way(to, None, number).map(|way| way.from) {
            Ok(IpAddr::V6(from)) if from.is_unicast_link_local() => from,
            _ => Ipv6Addr::UNSPECIFIED,
        };
        let parts: Stretches = core::iter::once(Bytes::from(body)).collect();
        let mut message = icmp::message(kind, 0, word, parts, Some((from.into(), to)));
        message.head.prepend(&ROUTER_ALERT);
        let way = Way { interface: number, next: to, from: from.into(), to, mtu: 1280, several: true, station: None };
        self.icmp_counts(false).sent += 1;
        let _ = self.send(self.now, Departure { hop_limit: 1, ..Departure::new(way, extension::HOP_BY_HOP, message) });
    }
}
