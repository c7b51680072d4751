//! Where instructions begin before a site.

use architecture::x86_64::length::length;

use crate::site::{BEFORE, Site};

/// If nothing else is known, readings begin from [`BEFORE`] bytes before a site on to this many.
const NEAR: usize = 24;
/// So many of these readings must come as far as the site.
const ENOUGH: usize = 8;

/// Whether an instruction begins `before` bytes before the site, and the `syscall` is one.
pub fn begins(site: &Site<'_>, before: usize) -> bool {
    let Some(start) = site.at.checked_sub(before) else { return false };
    if let Some(known) = site.known {
        return known <= start && meets(site.code, known, start) && meets(site.code, start, site.at);
    }
    // One that runs into bytes that are no instruction says nothing; each of the others has to agree.
    let starts = site.at.saturating_sub(BEFORE)..site.at.saturating_sub(NEAR);
    let mut agreed = 0;
    for from in starts {
        match reading(site.code, from, [start, site.at]) {
            Some(true) => agreed += 1,
            Some(false) => return false,
            None => {}
        }
    }
    agreed >= ENOUGH
}

/// Whether instructions from `from` on come to `to`.
fn meets(code: &[u8], from: usize, to: usize) -> bool {
    reading(code, from, [to, to]) == Some(true)
}

/// Whether instructions from `from` on come to both of these; `None` if they end before the last one.
fn reading(code: &[u8], from: usize, [first, last]: [usize; 2]) -> Option<bool> {
    let (mut at, mut met) = (from, false);
    while at < last {
        met |= at == first;
        at += length(code.get(at..)?)?;
    }
    Some(at == last && (met || first == last))
}
