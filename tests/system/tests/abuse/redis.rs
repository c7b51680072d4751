//! Redis, as a client that may do all asks it.

use std::io;

use fastrand::Rng;
use system_tests::resp::{self, Answer, command};

use crate::kind::{Kind, Stream, damaged, much, noise, word};

pub const REDIS: Kind = Kind {
    name: "redis",
    needs: &["redis-server"],
    words: &[
        "redis-server",
        "--port",
        "{P}",
        "--protected-mode",
        "no",
        "--save",
        "",
        "--maxclients",
        "12000",
        "--timeout",
        "{T}",
        "--tcp-backlog",
        "4096",
        "--latency-tracking",
        "no",
    ],
    file: ("unused", ""),
    prepare: |served| {
        let mut stream = served.connect();
        served.send(&stream, &command(&[b"SET", b"much", &much(MUCH)]));
        assert_eq!(read(&mut stream).unwrap(), b"OK");
        served.send(&stream, &command(&[b"LPUSH", b"list", b"a"]));
        assert_eq!(read(&mut stream).unwrap(), b"1");
    },
    request: |number| command(&[b"ECHO", number.to_string().as_bytes()]),
    answer: |number| number.to_string().into_bytes(),
    read,
    much: ("*2\r\n$3\r\nGET\r\n$4\r\nmuch\r\n", MUCH),
    wrong,
    broken,
};

const MUCH: usize = 20_000_000;

fn read(stream: &mut Stream) -> io::Result<Vec<u8>> {
    Ok(match resp::read(stream)? {
        Answer::Line(text) | Answer::Error(text) => text.into_bytes(),
        Answer::Text(bytes) => bytes,
        Answer::Nothing => b"nothing".to_vec(),
        Answer::List(list) => format!("{list:?}").into_bytes(),
    })
}

/// Commands that there are not, with words too many or too few, or for values of another type.
fn wrong(random: &mut Rng) -> Vec<u8> {
    match random.u8(..6) {
        // No command has a digit before letters.
        0 => command(&[&[b"9", &word(random, 2000)[..]].concat(), &noise(random, 100)]),
        1 => command(&[b"GET"]),
        2 => command(&[b"GET", b"list"]),
        3 => command(&[b"SET", b"key", b"value", &[b"9", &noise(random, 20)[..]].concat()]),
        4 => command(&[b"EVAL", &[b"(", &noise(random, 200)[..]].concat(), b"0"]),
        _ => command(&[b"LSET", b"list", b"99999999999", b"x"]),
    }
}

fn broken(random: &mut Rng) -> Vec<u8> {
    let number = [-2, -1, 0, 1_048_577, i64::from(i32::MAX), i64::MAX][random.usize(..6)];
    match random.u8(..6) {
        0 => noise(random, 2000),
        1 => {
            let request = command(&[b"ECHO", &word(random, 60)]);
            damaged(random, request)
        }
        2 => format!("*{number}\r\n").into_bytes(),
        3 => format!("*2\r\n$4\r\nECHO\r\n${number}\r\n").into_bytes(),
        // An inline command longer than is taken.
        4 => vec![b'x'; 70_000],
        _ => b"ECHO \"no end\r\n".to_vec(),
    }
}
