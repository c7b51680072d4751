//! Which processors and which memory a thread may use, as its `status` says it.

use alloc::vec::Vec;

use kernel::task::{Thread, affinity, processors};

use crate::objects::text::fill;

/// The last lines of `status`. Of a thread that has ended, all processors.
pub fn lines(thread: Option<&Thread>, out: &mut Vec<u8>) {
    let set = thread.map_or_else(|| u64::MAX >> (64 - processors()), affinity);
    out.extend_from_slice(b"Cpus_allowed:\t");
    mask(set, processors(), out);
    out.extend_from_slice(b"\nCpus_allowed_list:\t");
    list(set, out);
    out.extend_from_slice(b"\nMems_allowed:\t1\nMems_allowed_list:\t0\n");
}

/// A digit for four of them, in groups of eight.
fn mask(set: u64, count: usize, out: &mut Vec<u8>) {
    for digit in (0..count.div_ceil(4)).rev() {
        fill(out, "^", &[set >> (4 * digit) & 0xf]);
        if digit == 8 {
            out.push(b',');
        }
    }
}

/// Runs of them, as `0-2,5`.
fn list(set: u64, out: &mut Vec<u8>) {
    let has = |number: u32| number < u64::BITS && set >> number & 1 != 0;
    let mut between = "";
    for first in (0..u64::BITS).filter(|&number| has(number) && (number == 0 || !has(number - 1))) {
        let last = (first..).find(|&number| !has(number + 1)).unwrap_or(first);
        out.extend_from_slice(between.as_bytes());
        fill(out, if first == last { "#" } else { "#-#" }, &[first.into(), last.into()]);
        between = ",";
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    fn said(set: u64, count: usize) -> (String, String) {
        let (mut digits, mut runs) = (Vec::new(), Vec::new());
        mask(set, count, &mut digits);
        list(set, &mut runs);
        (String::from_utf8(digits).unwrap(), String::from_utf8(runs).unwrap())
    }

    /// proc_pid_status(5), and the "mask format" and "list format" of cpuset(7).
    #[test]
    fn sets_are_written_as_linux_writes_them() {
        let pair = |digits: &str, runs: &str| (digits.into(), runs.into());
        assert_eq!(said(1, 1), pair("1", "0"));
        assert_eq!(said(0b11, 2), pair("3", "0-1"));
        assert_eq!(said(0b1_0011, 6), pair("13", "0-1,4"));
        assert_eq!(said(0b10, 8), pair("02", "1"));
        assert_eq!(said(u64::MAX, 64), pair("ffffffff,ffffffff", "0-63"));
        assert_eq!(said(1 << 35 | 1, 36), pair("8,00000001", "0,35"));
    }
}
