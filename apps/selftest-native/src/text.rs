//! Strings of every kind, numbers, and what the prelude brings.

use std::{
    borrow::Cow,
    ffi::{CStr, CString, OsStr, OsString},
    prelude::v1::*,
};

use crate::tally::Tally;

pub fn check(tally: &mut Tally) {
    let text = CString::new("text").unwrap();
    same!(tally, text.as_bytes_with_nul(), b"text\0");
    same!(tally, text.as_c_str(), c"text");
    same!(tally, CStr::from_bytes_until_nul(b"ab\0cd").ok().and_then(|text| text.to_str().ok()), Some("ab"));
    holds!(tally, CStr::from_bytes_with_nul(b"ab").is_err());
    same!(tally, CString::new("a\0b").unwrap_err().nul_position(), 1);
    outside(tally);
    same!(tally, "Grüße".to_uppercase(), "GRÜSSE");
    same!(tally, "1.5e3".parse::<f64>().ok(), Some(1500.0));
    same!(tally, format!("{:.3} {:e} {:?}", 2.0_f64 / 3.0, 1234.5, 1e21), "0.667 1.2345e3 1e21");
    same!(tally, "x".parse::<u8>().unwrap_err().to_string(), "invalid digit found in string");
    same!(tally, u32::MAX.checked_add(1), None);
    same!(tally, std::f64::consts::PI as u32, 3);
    same!(tally, Cow::from("borrowed").into_owned(), "borrowed");
    same!(tally, ["a", "b"].concat() + &["c", "d"].join("-"), "abc-d");
    same!(tally, std::mem::size_of::<Option<Box<u8>>>(), 8);
    same!(tally, std::any::type_name::<u8>(), "u8");
    same!(tally, "127.0.0.1".parse::<std::net::Ipv4Addr>().map(|address| address.is_loopback()), Ok(true));
    same!(tally, dbg!(2 + 3), 5);
}

fn outside(tally: &mut Tally) {
    let mut word = OsString::from("word");
    word.push("s");
    holds!(tally, word == "words" && word == *OsStr::new("words") && word.as_os_str() == "words");
    same!(tally, word.to_str(), Some("words"));
    same!(tally, format!("{word:?} {}", word.display()), "\"words\" words");
    same!(tally, format!("{:?}", OsStr::new("it's\t\"ä\"")), "\"it's\\t\\\"ä\\\"\"");
    same!(tally, (word.len(), word.is_empty()), (5, false));
    same!(tally, word.to_string_lossy(), "words");
    holds!(tally, word.eq_ignore_ascii_case("WORDS"));
    same!(tally, word.clone().into_string().ok(), Some("words".to_string()));
    same!(tally, word.into_encoded_bytes(), b"words");
}
