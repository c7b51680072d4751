//! The application's vector state: saving it to and loading it from the application's own memory.
//!
//! The kernel itself never touches vector registers, so they hold the application's values at all times, and only
//! signal frames and pre-emptive switches need them in memory. Formats: Intel SDM volume 1, 10.5 (FXSAVE) and 13.4
//! (XSAVE, standard form).

use core::{
    arch::asm,
    cell::UnsafeCell,
    ops::Range,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
};

use machine::{ExtendedState, Fault};
use sync::Mutex;

use crate::{
    features,
    fix_up::{
        whittle_user_copy, whittle_vector_fxrstor, whittle_vector_fxsave, whittle_vector_xrstor, whittle_vector_xsave,
    },
    instructions::{cpuid, extended_control},
};

/// Components whose saving we offer: x87, SSE, AVX, AVX-512 (three). Protection keys and AMX stay off until asked for.
pub const OFFERED: u64 = 0b1110_0111;

/// Bytes of the FXSAVE area, which XSAVE's begins with.
const LEGACY_AREA: usize = 512;
/// Bytes of XSAVE's header, behind the legacy area.
const HEADER: usize = 64;

/// The x87 unit's control word and MXCSR as a new program finds them: every exception masked.
const X87_CONTROL: u16 = 0x37f;
const SIMD_CONTROL: u32 = 0x1f80;

/// Most bytes that [`OFFERED`] takes, in the layout of Intel's processors; AMD's have a shorter one.
const LARGEST: usize = 2688;

/// Alignment that makes an image fit for XRSTOR, and all of the bytes: the processor may fault on those of components
/// that it does not load (Intel SDM volume 1, 13.13), and behind an image's last variable there may be no page.
#[repr(C, align(64))]
struct InitialImage([u8; LARGEST]);

/// State as a new program finds it: all components in their initial configuration (XSTATE_BV 0) but for the control
/// words that [`reset`] puts in the first time, so that the image need not hold its zeros.
static INITIAL: Initial = Initial { image: UnsafeCell::new(InitialImage([0; LARGEST])), making: Mutex::new(()) };

struct Initial {
    image: UnsafeCell<InitialImage>,
    /// Held by whoever puts the words in.
    making: Mutex<()>,
}

// SAFETY: the image changes under the lock alone, always to the same bytes, and before `IS_INITIAL` says that it is
// there nobody else looks.
unsafe impl Sync for Initial {}

/// Whether [`INITIAL`] has its control words.
static IS_INITIAL: AtomicBool = AtomicBool::new(false);

#[cold]
#[inline(never)]
fn make_initial() {
    let _making = INITIAL.making.lock();
    if IS_INITIAL.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: the lock keeps others from making it, and none looks yet.
    let image = unsafe { &mut *INITIAL.image.get() };
    image.0[..2].copy_from_slice(&X87_CONTROL.to_le_bytes());
    image.0[24..28].copy_from_slice(&SIMD_CONTROL.to_le_bytes());
    IS_INITIAL.store(true, Ordering::Release);
}

/// The six exception bits, the same in all four registers' low ends (masks at bit 7 in MXCSR).
const EXCEPTIONS: u32 = 0x3f;

/// The exceptions that are raised and not masked in the x87 unit (vector 16) or the SIMD unit (19).
pub fn raised_exceptions(vector: u8) -> u8 {
    let mut control = 0_u16;
    let mut status = 0_u16;
    let mut simd = 0_u32;
    // SAFETY: stores of control and status words; no register of the application changes.
    unsafe {
        asm!("fnstcw [{}]", in(reg) &raw mut control, options(nostack, preserves_flags));
        asm!("fnstsw [{}]", in(reg) &raw mut status, options(nostack, preserves_flags));
        asm!("stmxcsr [{}]", in(reg) &raw mut simd, options(nostack, preserves_flags));
    }
    let raised = match vector {
        16 => u32::from(status & !control),
        _ => simd & !(simd >> 7),
    };
    (raised & EXCEPTIONS) as u8
}

/// The components that are saved, and what else every switch asks; 0 as long as nobody has looked. Whoever looks finds
/// the same.
static FORM: AtomicU64 = AtomicU64::new(0);
/// Of [`FORM`]: it has been looked. No component has this bit.
const KNOWN: u64 = 1 << 63;
/// Of [`FORM`]: XSAVEC exists. It leaves out what is as a new program finds it, and XRSTOR knows its form by the
/// header.
const COMPACT: u64 = 1 << 62;
/// Bytes of an area; written before [`FORM`] is.
static SIZE: AtomicUsize = AtomicUsize::new(0);

/// [`FORM`], looked for at the first time.
#[inline(always)]
fn form() -> u64 {
    match FORM.load(Ordering::Acquire) {
        0 => look(),
        form => form,
    }
}

#[cold]
#[inline(never)]
fn look() -> u64 {
    let (mut form, mut size) = (KNOWN, LEGACY_AREA);
    if features::basic().xsave_enabled() {
        let features = extended_control() & OFFERED;
        size = standard_size(features);
        // Intel SDM volume 1, 13.2: leaf 0xD, subleaf 1, EAX.
        form |= features | if cpuid(0xd, 1).eax >> 1 & 1 != 0 { COMPACT } else { 0 };
    }
    SIZE.store(size, Ordering::Relaxed);
    FORM.store(form, Ordering::Release);
    form
}

const fn alignment(features: u64) -> usize {
    if features == 0 { 16 } else { 64 }
}

/// How vector state is saved on this processor as the operating system (or pc's boot) has enabled it.
pub fn extended_state() -> ExtendedState {
    let features = form() & OFFERED;
    ExtendedState { size: SIZE.load(Ordering::Relaxed), alignment: alignment(features), features }
}

/// Bytes of the standard form with these components (CPUID leaf 0xD: a component's size and offset).
fn standard_size(features: u64) -> usize {
    let component = |index| {
        let answer = cpuid(0xd, index);
        (answer.eax + answer.ebx) as usize
    };
    // The first two are the legacy area's. Bit by bit, as few are set.
    let mut left = features & !3;
    let mut size = LEGACY_AREA + HEADER;
    while left != 0 {
        size = size.max(component(left.trailing_zeros()));
        left &= left - 1;
    }
    size
}

/// See [`machine::Processor::save_extended`]; `range` holds the application's addresses.
pub fn save(range: &Range<usize>, address: usize) -> Result<(), Fault> {
    let state = extended_state();
    check(range, &state, address)?;
    let failed = if state.features == 0 {
        // SAFETY: aligned and in the application's memory; a fault is survived.
        unsafe { whittle_vector_fxsave(address as *mut u8) }
    } else {
        // SAFETY: as above.
        unsafe { whittle_vector_xsave(address as *mut u8, state.features) }
    };
    if failed == 0 { Ok(()) } else { Err(Fault { address }) }
}

/// See [`machine::Processor::restore_extended`]; `range` holds the application's addresses.
///
/// What the header may not say is refused here; what is left (MXCSR's reserved bits) faults in the instruction, before
/// it has loaded anything, and is survived as a page fault is.
pub fn restore(range: &Range<usize>, address: usize) -> Result<(), Fault> {
    let state = extended_state();
    check(range, &state, address)?;
    let failed = if state.features == 0 {
        // SAFETY: loads vector registers, which no kernel code uses; a fault is survived.
        unsafe { whittle_vector_fxrstor(address as *const u8) }
    } else {
        // What cannot be read is refused below.
        let mut header = [u64::MAX; HEADER / 8];
        let from = (address + LEGACY_AREA) as *const u8;
        // SAFETY: the destination is as long, the source is the application's, and a fault there ends the copy.
        let left = unsafe { whittle_user_copy(header.as_mut_ptr().cast(), from, HEADER) };
        let [present, reserved @ ..] = header;
        let reserved = reserved.iter().fold(left as u64, |all, word| all | word);
        if present & !state.features | reserved != 0 {
            return Err(Fault { address });
        }
        // SAFETY: as above.
        unsafe { whittle_vector_xrstor(address as *const u8, state.features) }
    };
    if failed == 0 { Ok(()) } else { Err(Fault { address }) }
}

/// See [`machine::Processor::store_vectors`].
#[inline]
pub fn store(area: &mut [u8]) {
    let form = FORM.load(Ordering::Acquire);
    if !fits(area, form) {
        return store_after_look(area);
    }
    let area = area.as_mut_ptr();
    // SAFETY: the area is long enough and aligned. Its header was zeros at first, and only XSAVE has written there.
    unsafe {
        const { assert!(OFFERED >> 32 == 0) };
        if form & COMPACT != 0 {
            asm!("xsavec64 [{}]", in(reg) area, in("eax") form as u32, in("edx") 0, options(nostack, preserves_flags));
        } else if form & OFFERED != 0 {
            asm!("xsave64 [{}]", in(reg) area, in("eax") form as u32, in("edx") 0, options(nostack, preserves_flags));
        } else {
            whittle_vector_fxsave(area);
        }
    }
}

/// See [`machine::Processor::load_vectors`].
#[inline]
pub fn load(area: &[u8]) {
    let form = FORM.load(Ordering::Acquire);
    if !fits(area, form) {
        return load_after_look(area);
    }
    // SAFETY: `store` wrote the area; kernel code does not use the registers.
    unsafe { load_from(area.as_ptr(), form & OFFERED) };
}

/// Whether an area is surely long and aligned enough: no form wants more than a cache line's.
#[inline(always)]
fn fits(area: &[u8], form: u64) -> bool {
    form != 0 && (area.as_ptr() as usize).is_multiple_of(64) && area.len() >= SIZE.load(Ordering::Relaxed)
}

// Apart, so that switches between threads save no registers for what happens once.
#[cold]
#[inline(never)]
fn store_after_look(area: &mut [u8]) {
    check_area(area);
    store(area);
}

#[cold]
#[inline(never)]
fn load_after_look(area: &[u8]) {
    check_area(area);
    load(area);
}

fn check_area(area: &[u8]) {
    if !fits(area, form()) {
        too_small();
    }
}

#[cold]
#[inline(never)]
fn too_small() -> ! {
    panic!("an area for vector registers is too small")
}

/// # Safety
/// `area` is aligned and holds a state that this processor saved.
#[inline(always)]
unsafe fn load_from(area: *const u8, features: u64) {
    // SAFETY: the caller's promise.
    unsafe {
        if features == 0 {
            whittle_vector_fxrstor(area);
        } else {
            asm!("xrstor64 [{}]", in(reg) area, in("eax") features as u32, in("edx") 0, options(nostack));
        }
    }
}

/// See [`machine::Processor::reset_extended`].
pub fn reset() {
    debug_assert!(extended_state().size <= LARGEST, "what is offered has a known layout");
    if !IS_INITIAL.load(Ordering::Acquire) {
        make_initial();
    }
    // SAFETY: the image is aligned and valid, and changes no more. The registers that it loads are not used by kernel
    // code.
    unsafe { load_from(INITIAL.image.get().cast(), form() & OFFERED) };
}

#[inline(always)]
fn check(range: &Range<usize>, state: &ExtendedState, address: usize) -> Result<(), Fault> {
    // No area is empty, nor longer than what is the application's.
    let last = range.end.wrapping_sub(state.size);
    let is_inside = address >= range.start && address <= last && last <= range.end;
    if is_inside && address.is_multiple_of(state.alignment) { Ok(()) } else { Err(Fault { address }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Range<usize> = 0x1000..0x7fff_ffff_f000;

    #[repr(align(64))]
    struct Area([u8; 16384]);

    #[test]
    fn state_saves_and_loads() {
        let mut area = Area([0; 16384]);
        let address = area.0.as_mut_ptr() as usize;
        assert!(extended_state().size <= area.0.len());
        save(&ALL, address).unwrap();
        restore(&ALL, address).unwrap();
        assert!(save(&ALL, address + 8).is_err());
        assert!(save(&ALL, 0).is_err());
    }

    #[test]
    fn headers_that_would_fault_are_refused() {
        let mut area = Area([0; 16384]);
        let address = area.0.as_mut_ptr() as usize;
        save(&ALL, address).unwrap();
        if extended_state().features == 0 {
            return;
        }
        for at in [LEGACY_AREA + 7, LEGACY_AREA + 15, LEGACY_AREA + 63] {
            let before = core::mem::replace(&mut area.0[at], 0x80);
            assert!(restore(&ALL, address).is_err());
            area.0[at] = before;
        }
        restore(&ALL, address).unwrap();
    }
}
