//! A lookup among servers that say anything: whole messages, and answers to what was asked whose records are anything.
//! It ends, asks so often and no more, and believes only what answers a question of its own.
#![no_main]

use std::net::IpAddr;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use packets::Instant;
use resolver::{Error, Families, Lookup, Name, Step};

/// The records of an answer: mostly an owner that is the question's name, and now and then anything.
fn answer(question: &[u8], said: &[u8]) -> Vec<u8> {
    let mut message = question.to_vec();
    let Some((&[flags, count], mut rest)) = said.split_first_chunk::<2>() else { return message };
    (message[2], message[3], message[7]) = (0x80 | flags & 2, 0x80 | flags >> 4, count);
    while let [kind, length, after @ ..] = rest {
        let (data, after) = after.split_at(after.len().min(usize::from(*length)));
        rest = after;
        match kind % 5 {
            0 => message.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, *length]),
            1 => message.extend([&[0xc0, 12, 0, 28, 0, 1, 0, 0, 0, 60, 0, 16, 0xfe][..], &[*length; 15]].concat()),
            2 => message.extend([&[0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, data.len() as u8][..], data].concat()),
            3 => message.extend([data, &[0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 1, 1, *length]].concat()),
            _ => message.extend(data),
        }
    }
    message
}

fn look(result: &Result<Vec<IpAddr>, Error>, families: Families) {
    if let Ok(addresses) = result {
        assert!((1..=32).contains(&addresses.len()));
        let fits = |address: &IpAddr| match families {
            Families::Both => true,
            Families::V4 => address.is_ipv4(),
            Families::V6 => address.is_ipv6(),
        };
        assert!(addresses.iter().all(fits));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, mut rest)) = bytes.split_first() else { return };
    let families = [Families::Both, Families::V4, Families::V6][usize::from(first) % 3];
    let servers: Vec<IpAddr> = (0..first / 3 % 4).map(|last| IpAddr::from([10, 0, 0, last])).collect();
    let mut lookup = Lookup::new(Name::new("www.example.org").unwrap(), families, &servers);
    let (mut now, mut number, mut asks) = (Instant::from_nanos(0), 0_u16, 0);
    let mut questions: Vec<Vec<u8>> = Vec::new();
    for _ in 0..10_000 {
        let mut random = || {
            number = number.wrapping_mul(25_173).wrapping_add(13_849);
            number
        };
        match lookup.poll(now, &mut random) {
            Step::Ask(server, messages) => {
                assert!(servers.contains(&server) && (1..=2).contains(&messages.len()));
                (questions, asks) = (messages, asks + 1);
            }
            Step::AskByStream(server, message) => {
                assert!(servers.contains(&server) && questions.iter().any(|asked| *asked == message[2..]));
                asks += 1;
            }
            Step::Wait(until) => {
                assert!(until > now);
                let [step, length, after @ ..] = rest else {
                    now = until;
                    continue;
                };
                let (said, after) = after.split_at(after.len().min(usize::from(*length)));
                rest = after;
                now += Duration::from_millis(1 << (step >> 4));
                match (step & 7, questions.get(usize::from(step >> 3 & 1)).or(questions.first())) {
                    (0, _) => lookup.receive(said),
                    (1, _) => lookup.failed(),
                    (_, Some(question)) => lookup.receive(&answer(question, said)),
                    _ => {}
                }
            }
            Step::Over(result) => return look(&result, families),
        }
        assert!(asks <= 4 * servers.len() * 3, "it asks too often");
    }
    panic!("it does not end");
});
