//! The loads, and a measurement of one.

use std::sync::Barrier;
use std::time::Duration;

use crate::pages::ThreadNumber;
use crate::subjects::Subject;

/// How many blocks there are, how large, and how many pairs are measured.
pub struct Load {
    pub name: &'static str,
    pub slots: usize,
    /// The largest block, bytes; a power of two.
    pub largest: usize,
    pub pairs: usize,
}

pub const LOADS: [Load; 3] = [
    Load { name: "1K-slots-1KB", slots: 1_000, largest: 1 << 10, pairs: 2_000_000 },
    Load { name: "100K-slots-1KB", slots: 100_000, largest: 1 << 10, pairs: 400_000 },
    Load { name: "1K-slots-64KB", slots: 1_000, largest: 64 << 10, pairs: 400_000 },
];

/// Nanoseconds per pair, the mean of the threads; each is bound to a processor of its own.
pub fn measure(subject: &Subject, load: &Load, threads: usize) -> f64 {
    let barrier = Barrier::new(threads);
    let times: Vec<f64> = std::thread::scope(|scope| {
        let start = |number| {
            let barrier = &barrier;
            scope.spawn(move || {
                ThreadNumber::set(number);
                bind(number);
                thread(subject, load, barrier, number)
            })
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("the thread measures")).collect()
    });
    times.iter().sum::<f64>() / threads as f64
}

/// What this thread has used of its processor, time in which others had it not counted.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours to fill.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn bind(number: usize) {
    // SAFETY: the set is a plain array of bits, and is filled before it is read.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(number % std::thread::available_parallelism().map_or(1, usize::from), &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &set);
    }
}

/// A block and its size.
type Slot = (*mut u8, usize);

fn thread(subject: &Subject, load: &Load, barrier: &Barrier, number: usize) -> f64 {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ number as u64);
    let size = |random: &mut Random| (random.next() >> 20) as usize % load.largest + 1;
    let mut slots: Vec<Slot> = Vec::with_capacity(load.slots);
    for _ in 0..load.slots {
        let size = size(&mut random);
        slots.push(((subject.allocate)(size), size));
    }
    let pairs = load.pairs / subject.slowness;
    (subject.pairs)(&mut slots, load.largest, &mut random, load.slots.min(pairs));
    barrier.wait();
    let begin = processor_time();
    (subject.pairs)(&mut slots, load.largest, &mut random, pairs);
    let time = processor_time() - begin;
    // Both end before either gives its slots back.
    barrier.wait();
    slots.iter().for_each(|&(block, size)| (subject.free)(block, size));
    time.as_secs_f64() * 1e9 / pairs as f64
}

/// The measured loop, for one heap.
#[inline(always)]
pub fn pairs(
    slots: &mut [Slot],
    largest: usize,
    random: &mut Random,
    pairs: usize,
    allocate: impl Fn(usize) -> *mut u8,
    free: impl Fn(*mut u8, usize),
) {
    for _ in 0..pairs {
        let number = random.next();
        // The upper half picks the slot without a division.
        let slot = &mut slots[((number >> 32) * slots.len() as u64 >> 32) as usize];
        free(slot.0, slot.1);
        let size = number as usize % largest + 1;
        let block = allocate(size);
        // SAFETY: the block has at least one byte.
        unsafe { block.write(number as u8) };
        *slot = (block, size);
    }
}

/// Xorshift (G. Marsaglia, 2003).
pub struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
