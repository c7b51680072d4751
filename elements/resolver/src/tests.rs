//! Lookups in virtual time, among servers of the test.

use alloc::{vec, vec::Vec};
use core::{net::IpAddr, time::Duration};
use std::string::String;

use packets::Instant;

use crate::{Error, Families, Lookup, Name, Step};

const A: u16 = 1;
const AAAA: u16 = 28;
const CNAME: u16 = 5;

fn name(text: &str) -> Vec<u8> {
    let labels = text.split('.').flat_map(|label| [&[label.len() as u8], label.as_bytes()].concat());
    labels.chain([0]).collect()
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// A question as it was sent.
#[derive(Clone)]
struct Asked {
    number: [u8; 2],
    name: Vec<u8>,
    kind: u16,
    over_stream: bool,
    server: IpAddr,
    at: Duration,
}

impl Asked {
    fn read(bytes: &[u8], server: IpAddr, over_stream: bool, at: Duration) -> Self {
        assert_eq!(bytes[2..12], [1, 0, 0, 1, 0, 0, 0, 0, 0, 0], "one question, recursion desired");
        let (name, rest) = bytes[12..].split_at(bytes.len() - 16);
        assert_eq!(rest[2..], [0, 1]);
        let kind = u16::from_be_bytes([rest[0], rest[1]]);
        Self { number: [bytes[0], bytes[1]], name: name.to_vec(), kind, over_stream, server, at }
    }

    /// An answer with flags and records: owner, kind, data.
    fn answer(&self, flags: [u8; 2], records: &[(Vec<u8>, u16, Vec<u8>)]) -> Vec<u8> {
        let mut bytes = [&self.number[..], &flags, &[0, 1, 0, records.len() as u8, 0, 0, 0, 0], &self.name].concat();
        bytes.extend(self.kind.to_be_bytes());
        bytes.extend([0, 1]);
        for (owner, kind, data) in records {
            bytes.extend([&owner[..], &kind.to_be_bytes(), &[0, 1, 0, 0, 0, 60]].concat());
            bytes.extend([&(data.len() as u16).to_be_bytes()[..], data].concat());
        }
        bytes
    }

    fn addresses(&self, v4: &[[u8; 4]], v6: &[[u8; 16]]) -> Vec<u8> {
        // The owner is a pointer to the question's name.
        let owner = vec![0xc0, 12];
        let records: Vec<_> = match self.kind {
            A => v4.iter().map(|octets| (owner.clone(), A, octets.to_vec())).collect(),
            _ => v6.iter().map(|octets| (owner.clone(), AAAA, octets.to_vec())).collect(),
        };
        self.answer([0x81, 0x80], &records)
    }
}

/// What came of a lookup, what was asked, and when it was over.
struct Outcome {
    result: Result<Vec<IpAddr>, Error>,
    asked: Vec<Asked>,
    took: Duration,
}

/// Looks up `host.example` among servers that answer as `server` says, each at once: several messages, or silence.
fn look_up(families: Families, servers: &[&str], mut server: impl FnMut(&Asked) -> Vec<Vec<u8>>) -> Outcome {
    let servers: Vec<IpAddr> = servers.iter().map(|server| ip(server)).collect();
    let mut lookup = Lookup::new(Name::new("Host.Example").unwrap(), families, &servers);
    let (start, mut now, mut drawn) = (Instant::from_nanos(0), Instant::from_nanos(0), 0_u16);
    let mut asked = vec![];
    for _ in 0..1_000 {
        let mut random = || {
            drawn = drawn.wrapping_mul(25_173).wrapping_add(13_849);
            drawn
        };
        let questions: Vec<Asked> = match lookup.poll(now, &mut random) {
            Step::Ask(to, messages) => {
                messages.iter().map(|message| Asked::read(message, to, false, now.since(start))).collect()
            }
            Step::AskByStream(to, message) => {
                assert_eq!(usize::from(u16::from_be_bytes([message[0], message[1]])), message.len() - 2);
                vec![Asked::read(&message[2..], to, true, now.since(start))]
            }
            Step::Wait(until) => {
                assert!(until > now);
                now = until;
                continue;
            }
            Step::Over(result) => return Outcome { result, asked, took: now.since(start) },
        };
        for question in questions {
            server(&question).iter().for_each(|message| lookup.receive(message));
            asked.push(question);
        }
    }
    panic!("it asks for ever")
}

const V6: [u8; 16] = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];

#[test]
fn both_families_are_asked_at_once() {
    let outcome =
        look_up(Families::Both, &["9.9.9.9"], |asked| vec![asked.addresses(&[[1, 2, 3, 4], [5, 6, 7, 8]], &[V6])]);
    assert_eq!(outcome.result, Ok(vec![ip("2001:db8::7"), ip("1.2.3.4"), ip("5.6.7.8")]));
    assert_eq!((outcome.asked.len(), outcome.took), (2, Duration::ZERO));
    assert!(outcome.asked.iter().all(|asked| asked.name == name("host.example") && !asked.over_stream));
    assert_ne!(outcome.asked[0].number, outcome.asked[1].number);
    let v4 = look_up(Families::V4, &["9.9.9.9"], |asked| vec![asked.addresses(&[[1, 2, 3, 4]], &[V6])]);
    assert_eq!((v4.result, v4.asked.len()), (Ok(vec![ip("1.2.3.4")]), 1));
}

#[test]
fn silence_is_asked_again_of_each_server_and_ends() {
    let outcome = look_up(Families::V4, &["9.9.9.9", "8.8.8.8"], |_| vec![]);
    assert_eq!(outcome.result, Err(Error::TimedOut));
    let asked: Vec<_> = outcome.asked.iter().map(|asked| (asked.server, asked.at.as_secs())).collect();
    assert_eq!(asked, [(ip("9.9.9.9"), 0), (ip("8.8.8.8"), 2), (ip("9.9.9.9"), 4), (ip("8.8.8.8"), 8)]);
    assert_eq!(outcome.took.as_secs(), 12);
    let numbers: std::collections::BTreeSet<_> = outcome.asked.iter().map(|asked| asked.number).collect();
    assert_eq!(numbers.len(), 4, "each time another number");
    let second = look_up(Families::V4, &["9.9.9.9", "8.8.8.8"], |asked| {
        if asked.server == ip("8.8.8.8") { vec![asked.addresses(&[[1, 2, 3, 4]], &[])] } else { vec![] }
    });
    assert_eq!((second.result, second.took.as_secs()), (Ok(vec![ip("1.2.3.4")]), 2));
}

#[test]
fn a_server_that_cannot_is_passed_over_at_once() {
    let outcome = look_up(Families::Both, &["9.9.9.9", "8.8.8.8"], |asked| match asked.server {
        server if server == ip("9.9.9.9") => vec![asked.answer([0x81, 0x82], &[])],
        _ => vec![asked.addresses(&[[1, 2, 3, 4]], &[])],
    });
    assert_eq!((outcome.result, outcome.took), (Ok(vec![ip("1.2.3.4")]), Duration::ZERO));
    let refused = look_up(Families::V4, &["9.9.9.9"], |asked| vec![asked.answer([0x81, 0x85], &[])]);
    assert_eq!((refused.result, refused.asked.len()), (Err(Error::Failed), 2));
}

#[test]
fn one_family_is_enough_if_the_other_is_silent() {
    let outcome = look_up(Families::Both, &["9.9.9.9", "8.8.8.8"], |asked| match asked.kind {
        A => vec![asked.addresses(&[[1, 2, 3, 4]], &[])],
        _ => vec![],
    });
    assert_eq!((outcome.result, outcome.took.as_secs()), (Ok(vec![ip("1.2.3.4")]), 2));
}

#[test]
fn names_that_are_not_there_and_names_without_addresses_differ() {
    let missing = look_up(Families::Both, &["9.9.9.9"], |asked| vec![asked.answer([0x81, 0x83], &[])]);
    assert_eq!(missing.result, Err(Error::NoSuchName));
    let empty = look_up(Families::Both, &["9.9.9.9"], |asked| vec![asked.addresses(&[], &[])]);
    assert_eq!(empty.result, Err(Error::NoAddress));
    // RFC 4074, 4.2: a server that says of one kind that the name is not there.
    let half = look_up(Families::Both, &["9.9.9.9"], |asked| match asked.kind {
        AAAA => vec![asked.answer([0x81, 0x83], &[])],
        _ => vec![asked.addresses(&[[1, 2, 3, 4]], &[])],
    });
    assert_eq!(half.result, Ok(vec![ip("1.2.3.4")]));
    assert_eq!(look_up(Families::Both, &[], |_| vec![]).result, Err(Error::NoServers));
}

#[test]
fn too_long_an_answer_is_asked_for_over_a_stream() {
    let many: Vec<[u8; 4]> = (1..=16).map(|last| [10, 0, 0, last]).collect();
    let outcome = look_up(Families::V4, &["9.9.9.9"], |asked| match asked.over_stream {
        false => vec![asked.answer([0x83, 0x80], &[])],
        true => vec![asked.addresses(&many, &[])],
    });
    assert_eq!(outcome.result.unwrap().len(), 16);
    assert_eq!(outcome.asked.iter().map(|asked| asked.over_stream).collect::<Vec<_>>(), [false, true]);
    let silent = look_up(Families::V4, &["9.9.9.9"], |asked| match asked.over_stream {
        false => vec![asked.answer([0x83, 0x80], &[])],
        true => vec![],
    });
    assert_eq!(silent.result, Err(Error::TimedOut), "a stream that says nothing is not waited for for ever");
}

#[test]
fn a_name_may_stand_for_another() {
    let (alias, real) = (name("alias.example"), name("real.example"));
    let records = |host: Vec<u8>| {
        vec![
            (real.clone(), A, vec![1, 2, 3, 4]),
            (host, CNAME, alias.clone()),
            (alias.clone(), CNAME, real.clone()),
            (name("other.example"), A, vec![6, 6, 6, 6]),
        ]
    };
    let outcome =
        look_up(Families::V4, &["9.9.9.9"], |asked| vec![asked.answer([0x81, 0x80], &records(asked.name.clone()))]);
    assert_eq!(outcome.result, Ok(vec![ip("1.2.3.4")]), "in any order, and nobody else's");
    let circle = |asked: &Asked| {
        let own = asked.name.clone();
        vec![asked.answer([0x81, 0x80], &[(own.clone(), CNAME, alias.clone()), (alias.clone(), CNAME, own)])]
    };
    assert_eq!(look_up(Families::V4, &["9.9.9.9"], circle).result, Err(Error::NoAddress));
}

#[test]
fn answers_that_nobody_asked_for_are_not_believed() {
    let forged = |asked: &Asked| {
        let good = asked.addresses(&[[6, 6, 6, 6]], &[]);
        let change = |at: usize, to: u8| {
            let mut bytes = good.clone();
            bytes[at] ^= to;
            bytes
        };
        // Number, response, opcode, count of questions, name, kind, class.
        [(0, 1), (1, 0x40), (2, 0x80), (2, 0x10), (5, 1), (13, 1), (27, 1), (29, 1)].map(|(at, to)| change(at, to))
    };
    let outcome = look_up(Families::V4, &["9.9.9.9"], |asked| {
        [&forged(asked)[..], &[asked.addresses(&[[1, 2, 3, 4]], &[])]].concat()
    });
    assert_eq!(outcome.result, Ok(vec![ip("1.2.3.4")]));
}

#[test]
fn who_guesses_too_often_has_the_question_asked_anew() {
    let outcome = look_up(Families::V4, &["9.9.9.9", "8.8.8.8"], |asked| {
        let guess =
            |number: u16| Asked { number: number.to_be_bytes(), ..asked.clone() }.addresses(&[[6, 6, 6, 6]], &[]);
        let own = u16::from_be_bytes(asked.number);
        (1..100).map(|step| guess(own.wrapping_sub(step))).chain([asked.addresses(&[[1, 2, 3, 4]], &[])]).collect()
    });
    // The right one still counts if it comes before the next question: here it comes behind the guesses.
    assert_eq!(outcome.result, Ok(vec![ip("1.2.3.4")]));
    let drowned = look_up(Families::V4, &["9.9.9.9", "8.8.8.8"], |asked| {
        let own = u16::from_be_bytes(asked.number);
        let guess =
            |number: u16| Asked { number: number.to_be_bytes(), ..asked.clone() }.addresses(&[[6, 6, 6, 6]], &[]);
        (1..=16).map(|step| guess(own.wrapping_add(step))).collect()
    });
    assert_eq!(
        (drowned.result, drowned.took),
        (Err(Error::TimedOut), Duration::ZERO),
        "no guess has longer than its few"
    );
    assert_eq!(drowned.asked.len(), 4);
}

#[test]
fn broken_answers_are_a_servers_failure() {
    let cut = |length: usize| {
        look_up(Families::V4, &["9.9.9.9"], move |asked| {
            let mut bytes = asked.addresses(&[[1, 2, 3, 4]], &[]);
            bytes.truncate(length);
            vec![bytes]
        })
    };
    let whole = 12 + 18 + 16;
    for length in 0..whole {
        let error = cut(length).result.unwrap_err();
        assert_eq!(error, if length < 12 + 18 { Error::TimedOut } else { Error::Failed }, "{length}");
    }
    assert!(cut(whole).result.is_ok());
    // A pointer to itself, forward, and beyond the end.
    for pointer in [[0xc0, 30], [0xc0, 200], [0xff, 0xff], [0x80, 12]] {
        let outcome = look_up(Families::V4, &["9.9.9.9"], |asked| {
            vec![asked.answer([0x81, 0x80], &[(pointer.to_vec(), A, vec![1, 2, 3, 4])])]
        });
        assert!(outcome.result.is_err(), "{pointer:?}");
    }
}

#[test]
fn names_are_looked_at() {
    let long = |count: usize| core::iter::repeat_n("a", count).collect::<String>();
    for good in ["a", "a.", "_dmarc.example.org", "xn--nxasmq6b", "4.example", &long(63)] {
        assert!(Name::new(good).is_ok(), "{good}");
    }
    let longest = [&*long(63), &long(63), &long(63), &long(61)].join(".");
    assert!(Name::new(&longest).is_ok() && Name::new(&std::format!("a{longest}")).is_err());
    for bad in ["", ".", "a..b", ".a", "a b", "ä.example", "-a.example", "a/b", &long(64)] {
        assert_eq!(Name::new(bad), Err(Error::NotAName), "{bad}");
    }
}

#[test]
fn this_machine_is_not_asked_for() {
    for text in ["localhost", "LOCALHOST.", "www.localhost"] {
        let mut lookup = Lookup::new(Name::new(text).unwrap(), Families::Both, &[]);
        let step = lookup.poll(Instant::from_nanos(0), &mut || 0);
        assert_eq!(step, Step::Over(Ok(vec![ip("::1"), ip("127.0.0.1")])));
    }
    let mut other = Lookup::new(Name::new("notlocalhost").unwrap(), Families::Both, &[]);
    assert_eq!(other.poll(Instant::from_nanos(0), &mut || 0), Step::Over(Err(Error::NoServers)));
}
