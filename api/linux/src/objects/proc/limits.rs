//! `/proc/PID/limits`.

use alloc::vec::Vec;

use linux_abi::constants::RLIM_INFINITY;

use crate::objects::{
    process::Process,
    text::{fill, pad},
};

/// What Linux calls the limits, and what they count, by number.
const LIMITS: &str = "Max cpu time,seconds,Max file size,bytes,Max data size,bytes,Max stack size,bytes,\
                      Max core file size,bytes,Max resident set,bytes,Max processes,processes,Max open files,files,\
                      Max locked memory,bytes,Max address space,bytes,Max file locks,locks,\
                      Max pending signals,signals,Max msgqueue size,bytes,Max nice priority,,\
                      Max realtime priority,,Max realtime timeout,us,";

/// `limits`: the resource limits as a table.
pub fn limits(process: &Process, out: &mut Vec<u8>) {
    let limits = *process.limits.lock();
    let mut words = LIMITS.as_bytes();
    line(out, [b"Limit", b"Soft Limit", b"Hard Limit", b"Units"]);
    for limit in &limits {
        let (name, unit) = (word(&mut words), word(&mut words));
        let (mut soft, mut hard) = (Vec::new(), Vec::new());
        figure(&mut soft, limit.rlim_cur);
        figure(&mut hard, limit.rlim_max);
        line(out, [name, &soft, &hard, unit]);
    }
}

/// The next word of a list.
fn word<'a>(words: &mut &'a [u8]) -> &'a [u8] {
    let end = words.iter().position(|&byte| byte == b',').unwrap_or(words.len());
    let word = &words[..end];
    *words = &words[(end + 1).min(words.len())..];
    word
}

/// A limit in figures, or the word for none.
fn figure(out: &mut Vec<u8>, limit: u64) {
    fill(out, if limit == RLIM_INFINITY { "unlimited" } else { "#" }, &[limit]);
}

/// Where the columns of the limits end.
const COLUMNS: [usize; 4] = [26, 47, 68, 78];

fn line(out: &mut Vec<u8>, words: [&[u8]; 4]) {
    let start = out.len();
    for (word, column) in words.into_iter().zip(COLUMNS) {
        out.extend_from_slice(word);
        pad(out, start + column);
    }
    out.push(b'\n');
}
