//! What happens on signals: pages of the arena are made anew, workers that stumbled begin again, and the state that a
//! handler returns to is tampered with.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use crate::arena;
use crate::chance::Chance;
use crate::contents::mixed;
use crate::raw::{self, call};
use crate::state::{State, WORKERS};
use crate::{begin_anew, work};

/// The signals that break off calls that wait: SIGUSR2 and three real-time ones.
pub const NUDGERS: [u64; 4] = [12, 40, 50, 60];
/// SIGTERM, which nobody handles: it ends the machine.
pub const END: u64 = 15;
/// The bits in a set of all these: a fault that is blocked ends the program.
pub const UNBLOCKED: u64 =
    1 << 14 | 1 << 11 | 1 << 39 | 1 << 49 | 1 << 59 | 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 10;

/// SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV: without their handlers the fuzzer is at its end.
pub const FAULTS: [u64; 5] = [4, 5, 7, 8, 11];

/// Threads of the workers, by number.
pub static THREADS: [AtomicI64; WORKERS] = [const { AtomicI64::new(0) }; WORKERS];
/// The round's state, for handlers.
pub static STATE: AtomicU64 = AtomicU64::new(0);

const ON_STACK: u64 = 0x0800_0000;
const FLAGS: u64 = 0x0400_0004;

/// Places in `struct ucontext`, by words (the kernel's arch/x86/include/uapi/asm/sigcontext.h).
mod context {
    pub const R12: usize = 9;
    pub const RAX: usize = 18;
    pub const RSP: usize = 20;
    pub const RIP: usize = 21;
    pub const EFLAGS: usize = 22;
    pub const SEGMENTS: usize = 23;
    pub const FLOATING: usize = 28;
    pub const MASK: usize = 37;
}

const TRAP: u64 = 1 << 8;

fn set(signal: u64, handler: u64, flags: u64, mask: u64) {
    let action = [handler, FLAGS | flags, raw::restore(), mask];
    call(13, [signal, &raw const action as u64, 0, 8]);
}

/// Handles every signal.
pub fn prepare(state: &'static State) {
    STATE.store(std::ptr::from_ref(state) as u64, Relaxed);
    (1..=64).for_each(renew);
    FAULTS.iter().for_each(|&signal| set(signal, fault as *const () as u64, ON_STACK, 0));
}

/// Lets what is pending of these signals go: musl unblocks them when a program begins, and no handler is there then.
pub fn forget_pending() {
    for signal in [33, 34] {
        set(signal, 1, 0, 0);
    }
}

/// Handles a signal again, whatever fuzzed calls made of it.
pub fn renew(signal: u64) {
    if NUDGERS.contains(&signal) {
        set(signal, nudge as *const () as u64, 0, 0);
    } else if signal != END && !FAULTS.contains(&signal) {
        set(signal, ordinary(), 0, 0);
    }
}

/// The handler that fuzzed actions name.
pub fn ordinary() -> u64 {
    tamper as *const () as u64
}

extern "C" fn nudge(_signal: i32, _information: *const u64, _context: *mut u64) {}

static TAMPERED: AtomicU64 = AtomicU64::new(0);

/// Changes what the interrupted call goes on with, if it was a fuzzed call: all that `raw` does not need.
extern "C" fn tamper(signal: i32, _information: *const u64, place: *mut u64) {
    // Without SA_SIGINFO there is no context, and the third argument is as it was.
    if place.is_null() || !(place as u64).is_multiple_of(8) || arena::contains(place as u64) {
        return;
    }
    let mut chance = Chance::new(&[TAMPERED.fetch_add(1, Relaxed), signal as u64]);
    // The frame that the kernel laid on this stack: `struct ucontext` has more words than are used here.
    let words = unsafe { std::slice::from_raw_parts_mut(place, 38) };
    if words[context::RIP] != raw::after() || chance.once_in(2) {
        return;
    }
    for _ in 0..1 + chance.below(3) {
        match chance.below(10) {
            0 => words[context::EFLAGS] ^= 1 << chance.below(22),
            1 => words[context::EFLAGS] = chance.next(),
            2 => words[context::SEGMENTS] ^= 1 << chance.below(64),
            3 => words[context::SEGMENTS] = chance.next(),
            4 => words[context::FLOATING] = mixed(&mut chance),
            5 | 6 => floating(words[context::FLOATING], &mut chance),
            7 => words[context::MASK] = chance.next() & !UNBLOCKED,
            8 if chance.once_in(100) => words[chance.below(5) as usize] = mixed(&mut chance),
            8 => words[chance.below(2) as usize] = mixed(&mut chance),
            _ => {
                let register = 5 + chance.below(15) as usize;
                if register != context::RAX {
                    words[register] = mixed(&mut chance);
                }
            }
        }
    }
}

/// Changes the vector registers' image: their control words, what says how long it is, or anything.
fn floating(image: u64, chance: &mut Chance) {
    if image == 0 || !image.is_multiple_of(64) || arena::contains(image) || image >> 47 != 0 {
        return;
    }
    // MXCSR, the kernel's own words at the end of FXSAVE's part, XSAVE's header, anything.
    let at = match chance.below(4) {
        0 => 24,
        1 => 464 + chance.below(48),
        2 => 512 + chance.below(64),
        _ => chance.below(576),
    };
    // The frame has at least an image of 576 bytes where XSAVE is, which is everywhere.
    let byte = unsafe { &mut *((image + at) as *mut u8) };
    *byte ^= 1 << chance.below(8);
}

/// A fault: of the arena it is mended; a worker begins again; anybody else ends.
extern "C" fn fault(signal: i32, information: *const u64, place: *mut u64) {
    // As in `tamper`; `siginfo_t` has three numbers, then an address.
    let (code, address) = unsafe { (*information.cast::<i32>().add(2), *information.add(2)) };
    let words = unsafe { std::slice::from_raw_parts_mut(place, 38) };
    if code <= 0 {
        return;
    }
    match signal as u64 {
        5 => {
            words[context::EFLAGS] &= !TRAP;
            return;
        }
        7 | 11 if arena::contains(address) && arena::heal(address) && !arena::contains(words[context::RIP]) => return,
        _ => {}
    }
    // An alignment check that a handler asked for.
    words[context::EFLAGS] &= !(1 << 18 | TRAP);
    let thread = call(186, []);
    let worker = THREADS.iter().position(|known| known.load(Relaxed) == thread);
    // Made by `prepare` and never unmapped.
    let state = unsafe { &*(STATE.load(Relaxed) as *const State) };
    if let Some(index) = worker {
        if state.verbose.load(Relaxed) > 0 {
            let line = crate::report::Line::new("fell: worker").number(" ", index as u64);
            let line = line.number(" signal ", signal as u64).hexadecimal(" address ", address);
            line.hexadecimal(" at ", words[context::RIP]).print();
        }
        state.fallen.fetch_add(1, Relaxed);
        // Counted as a call: the next chances are others, or it would fall at the same for ever.
        work::BEGUN[index].fetch_add(1, Relaxed);
        words[context::R12] = index as u64;
        words[context::RSP] = work::stack_of(index);
        words[context::RIP] = raw::worker();
        words[context::MASK] = 0;
    } else if thread == call(39, []) {
        begin_anew(state, "the supervisor fell");
    } else {
        words[context::RIP] = raw::leave();
    }
}
