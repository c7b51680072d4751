//! What a program finds on its stack: arguments, environment, auxiliary vector (System V ABI, AMD64 supplement, 3.4).

use alloc::{boxed::Box, vec::Vec};

use kernel::memory::{AddressSpace, MapRequest, Placement, RegionKind};
use linux_abi::{UserAddress, constants as c, structures::SignalFrame};
use machine::{PAGE_SIZE, Protection, Source};
use zerocopy::IntoBytes;

use super::{execute::Wish, layout, load, prepare::Prepared, refusal::Refusal, vdso};
use crate::objects::{
    ability,
    process::{
        Strings,
        limits::{self, STACK_SIZE},
    },
    user,
};

/// AT_PLATFORM.
const PLATFORM: &[u8] = b"x86_64\0";
/// Bytes of AT_RANDOM.
const RANDOM: usize = 16;

/// Bytes of stack that are mapped at first: Linux' `stack_expand` of 128 KB, and the page with the program's arguments.
const INITIAL: usize = (128 << 10) + PAGE_SIZE;

/// Zeros behind the path: its NUL, and Linux' last word.
const BEHIND: usize = 9;

/// The stack at the program's first instruction.
pub struct Stack {
    /// The stack pointer.
    pub pointer: usize,
    /// Where the first argument stands; behind the last one stands the environment.
    pub arguments: usize,
    /// The auxiliary vector's bytes.
    pub auxiliary: Vec<u8>,
}

/// Where the parts of a program were loaded.
pub struct Places {
    /// What was added to the addresses of the program's plan.
    pub load_address: usize,
    /// The same for its dynamic linker; 0 if there is none.
    pub linker: usize,
}

/// Maps the stack and writes what belongs there.
#[inline(never)]
pub fn build(
    prepared: &Prepared<'_>,
    places: &Places,
    space: &AddressSpace,
    randomize: bool,
) -> Result<Stack, Box<Refusal>> {
    let limit = limits::stack();
    space.set_stack_limit(limit);
    let range = layout::stack(INITIAL, limit, space, randomize).ok_or_else(layout::impossible)?;
    let request = MapRequest {
        address: range.start,
        length: range.len(),
        placement: Placement::FixedNoReplace,
        protection: Protection { read: true, write: true, execute: prepared.program.plan.executable_stack },
        source: Source::Zero,
        kind: RegionKind::Stack,
        file: None,
        offset: 0,
        reserve: false,
        // It grows as it is touched, up to RLIMIT_STACK.
        grows_down: true,
    };
    space.map(&request).map_err(|error| load::refused(error, INITIAL as u64))?;
    let vdso = vdso::map(range.end, space, randomize)?;
    write(prepared, places, vdso, shifted(range.end, randomize))
}

/// The stack's top within its last page.
fn shifted(end: usize, randomize: bool) -> usize {
    let mut bytes = [0; 2];
    if randomize {
        contracts::entropy::fill(&mut bytes);
    }
    end - usize::from(u16::from_le_bytes(bytes)) % PAGE_SIZE / 16 * 16
}

/// Writes all strings, one behind the other up to the stack's top, arguments before environment as on Linux: some
/// programs write a title over both. Below them stand the words: count, arguments, NULL, environment, NULL, auxiliary
/// vector.
fn write(prepared: &Prepared<'_>, places: &Places, vdso: usize, top: usize) -> Result<Stack, Box<Refusal>> {
    let Wish { path, arguments, environment, .. } = &*prepared.wish;
    let (arguments_length, environment_length) = (arguments.bytes().len(), environment.bytes().len());
    let length = RANDOM + PLATFORM.len() + arguments_length + environment_length + path.len() + BEHIND;
    if length > STACK_SIZE / 4 {
        return Err(Refusal::TooManyArguments.boxed());
    }
    let start = (top - length) & !15;
    let arguments_start = start + RANDOM + PLATFORM.len();
    let environment_start = arguments_start + arguments_length;
    let words = arguments.count() + environment.count() + 3 + 2 * (2 + KEYS.len());
    let pointer = (start - words * user::POINTER) & !15;

    let mut list = Vec::with_capacity(words);
    list.push(arguments.count());
    add_pointers(&mut list, arguments, arguments_start);
    add_pointers(&mut list, environment, environment_start);
    let pairs = list.len();
    // As on 32-bit x86, where a C library asks for a way that is shorter than a trap; on Linux x86-64 has none.
    if let Some(entry) = kernel::memory::call_entry() {
        list.extend([c::AT_SYSINFO, entry]);
    }
    if vdso != 0 {
        list.extend([c::AT_SYSINFO_EHDR, vdso]);
    }
    let values = values(prepared, places, start, environment_start + environment_length);
    list.extend(KEYS.iter().zip(&values).flat_map(|(&key, &value)| [key, value]));
    let mut random = [0; RANDOM];
    contracts::entropy::fill(&mut random);
    let mut bytes = Vec::with_capacity(length);
    for part in [&random, PLATFORM, arguments.bytes(), environment.bytes(), path, &[0; BEHIND]] {
        bytes.extend_from_slice(part);
    }
    user::copy_out(UserAddress(pointer), list.as_bytes())
        .and_then(|()| user::copy_out(UserAddress(start), &bytes))
        .map_err(|_| Refusal::TooManyArguments.boxed())?;
    Ok(Stack { pointer, arguments: arguments_start, auxiliary: list[pairs..].as_bytes().to_vec() })
}

/// Adds the addresses of strings that stand at `address`, and a NULL.
fn add_pointers(list: &mut Vec<usize>, strings: &Strings, address: usize) {
    list.extend(strings.starts().iter().map(|start| address + *start as usize));
    list.push(0);
}

/// What the auxiliary vector tells behind the vDSO, in the order of Linux.
const KEYS: [usize; 20] = [
    c::AT_HWCAP,
    c::AT_PAGESZ,
    c::AT_CLKTCK,
    c::AT_PHDR,
    c::AT_PHENT,
    c::AT_PHNUM,
    c::AT_BASE,
    c::AT_FLAGS,
    c::AT_ENTRY,
    c::AT_UID,
    c::AT_EUID,
    c::AT_GID,
    c::AT_EGID,
    c::AT_SECURE,
    c::AT_RANDOM,
    c::AT_HWCAP2,
    c::AT_EXECFN,
    c::AT_PLATFORM,
    c::AT_MINSIGSTKSZ,
    c::AT_NULL,
];

/// The values for [`KEYS`], for random bytes at `start`, the platform behind them, and the path at `path`.
fn values(prepared: &Prepared<'_>, places: &Places, start: usize, path: usize) -> [usize; KEYS.len()] {
    let plan = &prepared.program.plan;
    let at = |address: u64| places.load_address.wrapping_add(address as usize);
    let [capabilities, more_capabilities] = contracts::processor::hardware_capabilities();
    let (user, group) = {
        let identity = crate::objects::process::identity();
        (identity.user, identity.group)
    };
    [
        capabilities,
        PAGE_SIZE,
        c::CLOCK_TICKS as usize,
        plan.headers.map_or(0, at),
        elf::Plan::HEADER_SIZE,
        plan.header_count.into(),
        places.linker,
        0,
        at(plan.entry),
        user.real as usize,
        user.effective as usize,
        group.real as usize,
        group.effective as usize,
        (ability::programs() && prepared.secure).into(),
        start,
        more_capabilities,
        path,
        start + RANDOM,
        smallest_signal_stack(),
        0,
    ]
}

/// Bytes of a signal frame at its largest: vector state with its mark, frame, red zone and both alignments.
fn smallest_signal_stack() -> usize {
    let state = instruction_set::vector::extended_state();
    state.size + 4 + state.alignment + size_of::<SignalFrame>() + 128 + 16
}
