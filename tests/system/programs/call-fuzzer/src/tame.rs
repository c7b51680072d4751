//! What a fuzzed call may not do, because the fuzzer would end or lose its way: such arguments are changed, mostly.
//! What goes through sometimes ends the program; whoever started it starts the next.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::arena;
use crate::chance::Chance;
use crate::handlers::{END, FAULTS};
use crate::raw::call;
use crate::state::KEPT;

const RANGES: usize = 64;

/// What the program is made of: begins and ends.
static KEEP: [[AtomicU64; 2]; RANGES] = [const { [AtomicU64::new(0), AtomicU64::new(0)] }; RANGES];
/// The end of the program's heap when the round began.
static BREAK: AtomicU64 = AtomicU64::new(0);

/// Learns from `/proc/self/maps` what is to be kept: all that is mapped but for the arena.
pub fn prepare() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let ranges = maps.lines().filter_map(|line| {
        let (from, to) = line.split(' ').next()?.split_once('-')?;
        Some((u64::from_str_radix(from, 16).ok()?, u64::from_str_radix(to, 16).ok()?))
    });
    let kept = ranges.filter(|&(from, _)| !arena::contains(from));
    for (place, range) in KEEP.iter().zip(kept.chain(std::iter::repeat((0, 0)))) {
        place[0].store(range.0, Relaxed);
        place[1].store(range.1, Relaxed);
    }
    BREAK.store(crate::raw::call(12, [0]) as u64, Relaxed);
}

/// Whether something to keep lies in a range.
fn is_kept(address: u64, length: u64) -> bool {
    let end = address.saturating_add(length).saturating_add(4096);
    KEEP.iter().any(|range| address < range[1].load(Relaxed) && end > range[0].load(Relaxed))
}

const EXEC: u64 = 4;
const FIXED: u64 = 0x10;

/// Changes a call to one that the fuzzer survives.
pub fn tame(words: &mut [u64; 7], chance: &mut Chance) {
    let [number, first, second, third, ..] = *words;
    match number {
        // mmap: where it is said to be, and nothing but breakpoints is to be executed.
        9 => {
            if words[4] & FIXED != 0 && is_kept(first, second) {
                words[1] = arena::BASE;
                words[2] = second % arena::SIZE;
            }
            words[3] &= !EXEC;
        }
        // mprotect, munmap, madvise, mlock and munlock, mlock2, remap_file_pages, shmat
        10 | 11 | 28 | 149 | 150 | 216 | 325 if is_kept(first, second) => words[1] = arena::page(chance),
        30 if is_kept(second, 1 << 30) => words[2] = 0,
        12 if first < BREAK.load(Relaxed) => words[1] = 0,
        // mremap
        25 if is_kept(first, second) || is_kept(words[5], third) => words[1..=5].fill(0),
        // Persons for whom all that is read is executed
        135 => words[1] &= !0x40_0000,
        // rt_sigaction: the handlers of faults
        13 if FAULTS.contains(&first) && !chance.once_in(200) => words[2] = 0,
        13 if first == END => words[2] = 0,
        // More often than not, it is not contents of chance that say what a signal does.
        13 if second % 8 != 0 && !chance.once_in(8) => words[2] = 0,
        // rt_sigreturn, whose frame is the worker's stack; exit_group; exit
        15 => words[0] = 39,
        231 if !chance.once_in(300) => words[0] = 39,
        60 if !chance.once_in(10) => words[0] = 39,
        // kill, tkill, rt_sigqueueinfo, pidfd_send_signal; tgkill, rt_tgsigqueueinfo
        62 | 200 | 129 | 424 => words[2] = signal(second, chance),
        234 | 297 => words[3] = signal(third, chance),
        // close, dup2, dup3, close_range
        3 if is_ours(first) => words[1] = 3,
        33 | 292 if is_ours(second) => words[2] = 3,
        436 if first as u32 as u64 <= KEPT.end => words[2] = (second as u32 as u64).min(KEPT.start - 1),
        // chroot, limits, ids and capabilities stay for all rounds to come.
        161 if !chance.once_in(400) => words[1] = 0,
        160 => tame_limit(&mut words[1], chance),
        302 => tame_limit(&mut words[2], chance),
        105 | 106 | 113 | 114 | 117 | 119 | 122 | 123 | 126 if !chance.once_in(200) => words[0] = 102,
        // prctl's seccomp, capabilities dropped, privileges never to come, the memory map
        157 if matches!(first, 22 | 24 | 35 | 38) && !chance.once_in(200) => words[1] = 16,
        131 if !chance.once_in(4) => words[1] = 0,
        // The supervisor keeps its priority: sched_setparam, sched_setscheduler, sched_setattr
        142 | 144 | 314 if first == call(39, []) as u64 => words[1] = 0,
        _ => {}
    }
    if number == 10 && second != 0 && third & EXEC != 0 && !arena::is_code(words[1], second) {
        words[3] &= !EXEC;
    }
    // The file size that programs may make: what is written may be the host's.
}

fn is_ours(descriptor: u64) -> bool {
    KEPT.contains(&(descriptor & 0xffff_ffff))
}

/// SIGKILL and SIGTERM end the program; if it stops, whoever started it must continue it.
fn signal(signal: u64, chance: &mut Chance) -> u64 {
    match signal as u32 {
        9 | 15 if !chance.once_in(100) => 0,
        19..=22 if !chance.once_in(30) => 0,
        number if FAULTS.contains(&number.into()) && !chance.once_in(4) => 0,
        number => number.into(),
    }
}

/// RLIMIT_FSIZE keeps the host's disk from being filled; with little stack or few descriptors nothing works for long.
fn tame_limit(resource: &mut u64, chance: &mut Chance) {
    if *resource as u32 == 1 || matches!(*resource as u32, 3 | 7) && !chance.once_in(20) || !chance.once_in(20) {
        *resource = 4;
    }
}
