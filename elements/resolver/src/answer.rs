//! What a server's message says about a question.

use alloc::vec::Vec;
use core::net::IpAddr;

use smoltcp::wire::{
    DnsFlags, DnsOpcode, DnsPacket, DnsQueryType as Type, DnsQuestion, DnsRcode, DnsRecord, DnsRecordData,
};

use crate::Name;

/// Records that are looked at: so much work a server can make, and no more.
const RECORDS: usize = 256;
/// Names that stand for another: a chain has an end.
const ALIASES: usize = 16;
/// Addresses that are taken.
const ADDRESSES: usize = 16;

/// What it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These addresses, or none.
    Addresses(Vec<IpAddr>),
    /// There is no such name.
    NoSuchName,
    /// It did not fit: ask over a stream.
    Truncated,
    /// The server cannot, or will not.
    Failed,
}

/// The number and the kind of the question that a message answers about a name; `None`: it answers none.
pub fn question(bytes: &[u8], name: &Name) -> Option<(u16, Type)> {
    let message = DnsPacket::new_checked(bytes).ok()?;
    let answers = message.flags().contains(DnsFlags::RESPONSE) && message.opcode() == DnsOpcode::Query;
    if !answers || message.question_count() != 1 {
        return None;
    }
    let (_, question) = DnsQuestion::parse(message.payload()).ok()?;
    let asked = Name::read(&message, question.name)?;
    (asked == *name).then_some((message.transaction_id(), question.type_))
}

/// What a message says, of which [`question`] was looked at.
pub fn answer(bytes: &[u8], name: &Name) -> Answer {
    let message = DnsPacket::new_unchecked(bytes);
    match message.rcode() {
        _ if message.flags().contains(DnsFlags::TRUNCATED) => Answer::Truncated,
        DnsRcode::NXDomain => Answer::NoSuchName,
        DnsRcode::NoError => addresses(&message, name).map_or(Answer::Failed, Answer::Addresses),
        _ => Answer::Failed,
    }
}

enum Fact {
    Is(IpAddr),
    StandsFor(Name),
}

/// The addresses of a name, or of the name that it stands for in the end; `None`: the message is malformed.
fn addresses(message: &DnsPacket<&[u8]>, name: &Name) -> Option<Vec<IpAddr>> {
    let (mut rest, _) = DnsQuestion::parse(message.payload()).ok()?;
    let mut facts = Vec::new();
    for _ in 0..usize::from(message.answer_record_count()).min(RECORDS) {
        let (after, record) = DnsRecord::parse(rest).ok()?;
        rest = after;
        let fact = match record.data {
            DnsRecordData::A(address) => Fact::Is(address.into()),
            DnsRecordData::Aaaa(address) => Fact::Is(address.into()),
            DnsRecordData::Cname(name) => Fact::StandsFor(Name::read(message, name)?),
            DnsRecordData::Other(..) => continue,
        };
        facts.push((Name::read(message, record.name)?, fact));
    }
    Some(follow(&facts, name))
}

fn follow(facts: &[(Name, Fact)], name: &Name) -> Vec<IpAddr> {
    let mut current = name;
    for _ in 0..ALIASES {
        let next = facts.iter().find_map(|(owner, fact)| match fact {
            Fact::StandsFor(other) if owner == current => Some(other),
            _ => None,
        });
        let Some(next) = next else { break };
        current = next;
    }
    let own = facts.iter().filter(|(owner, _)| owner == current);
    let address = |(_, fact): &(Name, Fact)| if let Fact::Is(address) = fact { Some(*address) } else { None };
    own.filter_map(address).take(ADDRESSES).collect()
}
