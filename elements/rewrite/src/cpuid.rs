//! Where a program asks the processor what it is: `cpuid`, which under a hypervisor takes some microseconds each time.
//!
//! It never traps, so a program proves nothing by executing it. But a compiler's functions are instructions from their
//! first byte to their last, and where these are is known ([`functions_around`]). So the two bytes are believed to be a
//! `cpuid` where instructions lead to them from a function's beginning on.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use architecture::x86_64::length::length;

use crate::{
    Plan, Site,
    functions::functions_around,
    site::{BEFORE, CPUID, SYSCALL},
};

/// Bytes that are read at once.
const CHUNK: usize = 16 << 10;

/// Most of a function's bytes between two sites, or before the first one.
const MOST: u64 = 32 << 10;

/// Most sites of an object.
const MOST_SITES: usize = 256;

/// Reads bytes of a program at an address; `false` if there are none.
pub type Read<'a> = dyn FnMut(u64, &mut [u8]) -> bool + 'a;

/// The address of `.eh_frame`, and its bytes.
pub type ReadFrames<'a> = dyn FnMut() -> Option<(u64, Vec<u8>)> + 'a;

/// The plans for each `cpuid` in `text`, ascending. `frames` is asked only where something looks like a `cpuid`.
#[must_use]
#[inline(never)]
pub fn cpuid_plans(text: &Range<u64>, read: &mut Read<'_>, frames: &mut ReadFrames<'_>) -> Vec<Plan> {
    let sites = candidates(text, read);
    let frames = if sites.is_empty() { None } else { frames() };
    let Some((address, frames)) = frames else { return Vec::new() };
    let mut plans: Vec<Plan> = Vec::new();
    let mut reading = Reading { function: 0..0, at: 0 };
    for (site, function) in sites.iter().zip(functions_around(&sites, address, &frames)) {
        let plan = function.and_then(|function| reading.plan(*site, function, text, read));
        let end = plans.last().map_or(0, |last| last.start() + last.bytes().len() as u64);
        plans.extend(plan.filter(|plan| end <= plan.start()));
    }
    plans
}

/// Where the two bytes are.
fn candidates(text: &Range<u64>, read: &mut Read<'_>) -> Vec<u64> {
    let mut found = Vec::new();
    let mut buffer = vec![0; CHUNK];
    let mut at = text.start;
    while at < text.end && found.len() < MOST_SITES {
        let length = usize::try_from(text.end - at).map_or(CHUNK, |rest| rest.min(CHUNK));
        let bytes = &mut buffer[..length];
        if !read(at, bytes) {
            break;
        }
        let second = memchr::memchr_iter(CPUID[1], bytes);
        let first = second.filter_map(|second| second.checked_sub(1)).filter(|&first| bytes[first] == CPUID[0]);
        found.extend(first.map(|first| at + first as u64));
        // The last byte may be the first of two.
        at += if length == CHUNK { length - 1 } else { length } as u64;
    }
    found
}

/// How far a function has been read.
struct Reading {
    function: Range<u64>,
    /// Where an instruction begins.
    at: u64,
}

impl Reading {
    /// The plan for the `cpuid` at `site`, if it is one.
    fn plan(&mut self, site: u64, function: Range<u64>, text: &Range<u64>, read: &mut Read<'_>) -> Option<Plan> {
        if self.function != function {
            self.at = function.start;
            self.function = function;
        }
        let distance = site.checked_sub(self.at).filter(|&distance| distance <= MOST && text.contains(&self.at))?;
        let mut code = vec![0; distance as usize + SYSCALL];
        if !read(self.at, &mut code) {
            return None;
        }
        let known = self.read_to(site, &code)?;
        // What was read before may have begun within reach: so few bytes are enough.
        let plan = Plan::of_cpuid(&Site { code: &code, address: self.at, at: distance as usize, number: None, known });
        self.at = site;
        plan.ok().filter(|plan| text.start <= plan.start())
    }

    /// Reads instructions as far as `site`, of which `code` begins where the last one ended. Answers where one begins
    /// that is near enough; `None` if none begins at the site.
    fn read_to(&self, site: u64, code: &[u8]) -> Option<Option<usize>> {
        let (mut at, end) = (0, (site - self.at) as usize);
        let mut known = None;
        while at < end {
            if known.is_none() && end - at <= BEFORE {
                known = Some(at);
            }
            at += length(code.get(at..)?)?;
        }
        (at == end).then_some(known)
    }
}
