//! What a program finds on its stack: arguments, environment, auxiliary vector (System V ABI, AMD64 supplement, 3.4).

use alloc::vec::Vec;

use kernel::memory::{AddressSpace, MapRequest, MemoryError, Placement, RegionKind};
use linux_abi::{constants as c, structures::SignalFrame};
use machine::{PAGE_SIZE, Protection, Source};
use zerocopy::IntoBytes;

use crate::{
    process,
    start::{layout, prepare::Prepared, refusal::Refusal},
    system::limits::STACK_SIZE,
    user,
};

/// AT_PLATFORM.
const PLATFORM: &[u8] = b"x86_64";
/// Entries of the auxiliary vector.
const AUXILIARY: usize = 20;
/// Bytes of AT_RANDOM.
const RANDOM: usize = 16;

/// Bytes of strings that every program gets, at most.
const STRINGS_MORE: usize = 64;

/// The stack at the program's first instruction.
pub struct Stack {
    /// The stack pointer.
    pub pointer: usize,
    /// The auxiliary vector's bytes.
    pub auxiliary: Vec<u8>,
}

/// Maps the stack and writes what belongs there.
pub fn build(
    prepared: &Prepared,
    load_address: usize,
    space: &AddressSpace,
    randomize: bool,
) -> Result<Stack, Refusal> {
    let range = layout::stack(STACK_SIZE, space, randomize).ok_or(Refusal::Addresses)?;
    let request = MapRequest {
        address: range.start,
        length: range.len(),
        placement: Placement::FixedNoReplace,
        protection: Protection { read: true, write: true, execute: prepared.plan.executable_stack },
        source: Source::Zero,
        kind: RegionKind::Stack,
        name: None,
        offset: 0,
        // It is there when it is touched; most programs touch little of it.
        reserve: false,
    };
    space.map(&request).map_err(|error| match error {
        MemoryError::OutOfMemory => Refusal::Memory(STACK_SIZE as u64, contracts::pager::memory_use().total as u64),
        _ => Refusal::Addresses,
    })?;
    write(prepared, load_address, shifted(range.end, randomize))
}

/// The stack's top within its last page.
fn shifted(end: usize, randomize: bool) -> usize {
    let mut bytes = [0; 2];
    if randomize {
        contracts::entropy::fill(&mut bytes);
    }
    end - usize::from(u16::from_le_bytes(bytes)) % PAGE_SIZE / 16 * 16
}

fn write(prepared: &Prepared, load_address: usize, top: usize) -> Result<Stack, Refusal> {
    let strings = Strings::new(prepared, top)?;
    let words = words(&strings, &auxiliary(prepared, load_address, &strings));
    let length = words.len() * user::POINTER;
    let pointer = (strings.start - length) & !15;
    user::copy_out(strings.start, &strings.bytes)
        .and_then(|()| user::copy_out(pointer, words.as_bytes()))
        .map_err(|_| Refusal::TooManyArguments)?;
    Ok(Stack { pointer, auxiliary: words[words.len() - 2 * AUXILIARY..].as_bytes().to_vec() })
}

/// All strings, one behind the other up to the stack's top, arguments before environment as on Linux: some programs
/// write a title over both.
struct Strings {
    bytes: Vec<u8>,
    start: usize,
    platform: usize,
    random: usize,
    arguments: Vec<usize>,
    environment: Vec<usize>,
    path: usize,
}

impl Strings {
    fn new(prepared: &Prepared, top: usize) -> Result<Self, Refusal> {
        let length = |strings: &[Vec<u8>]| strings.iter().map(|string| string.len() + 1).sum::<usize>();
        let room = length(&prepared.arguments) + length(&prepared.environment) + prepared.path.len() + STRINGS_MORE;
        let mut bytes = Vec::with_capacity(room);
        let mut add = |string: &[u8]| {
            let offset = bytes.len();
            bytes.extend_from_slice(string);
            bytes.push(0);
            offset
        };
        let mut random = [0; RANDOM];
        contracts::entropy::fill(&mut random);
        let random = add(&random);
        let platform = add(PLATFORM);
        let arguments: Vec<usize> = prepared.arguments.iter().map(|string| add(string)).collect();
        let environment: Vec<usize> = prepared.environment.iter().map(|string| add(string)).collect();
        let path = add(&prepared.path);
        bytes.extend_from_slice(&[0; 8]);
        if bytes.len() > STACK_SIZE / 4 {
            return Err(Refusal::TooManyArguments);
        }
        let start = (top - bytes.len()) & !15;
        let at = |offset: usize| start + offset;
        Ok(Self {
            start,
            platform: at(platform),
            random: at(random),
            arguments: arguments.into_iter().map(at).collect(),
            environment: environment.into_iter().map(at).collect(),
            path: at(path),
            bytes,
        })
    }
}

fn auxiliary(prepared: &Prepared, load_address: usize, strings: &Strings) -> [[usize; 2]; AUXILIARY] {
    let plan = &prepared.plan;
    let at = |address: u64| load_address.wrapping_add(address as usize);
    let [capabilities, more_capabilities] = contracts::processor::hardware_capabilities();
    let (user, group) = {
        let identity = process().identity.lock();
        (identity.user, identity.group)
    };
    [
        [c::AT_HWCAP, capabilities],
        [c::AT_PAGESZ, PAGE_SIZE],
        [c::AT_CLKTCK, c::CLOCK_TICKS as usize],
        [c::AT_PHDR, plan.headers.map_or(0, at)],
        [c::AT_PHENT, elf::Plan::HEADER_SIZE],
        [c::AT_PHNUM, plan.header_count.into()],
        [c::AT_BASE, 0],
        [c::AT_FLAGS, 0],
        [c::AT_ENTRY, at(plan.entry)],
        [c::AT_UID, user.real as usize],
        [c::AT_EUID, user.effective as usize],
        [c::AT_GID, group.real as usize],
        [c::AT_EGID, group.effective as usize],
        [c::AT_SECURE, 0],
        [c::AT_RANDOM, strings.random],
        [c::AT_HWCAP2, more_capabilities],
        [c::AT_EXECFN, strings.path],
        [c::AT_PLATFORM, strings.platform],
        [c::AT_MINSIGSTKSZ, smallest_signal_stack()],
        [c::AT_NULL, 0],
    ]
}

/// Bytes of a signal frame at its largest: vector state with its mark, frame, red zone and both alignments.
fn smallest_signal_stack() -> usize {
    let state = contracts::processor::extended_state();
    state.size + 4 + state.alignment + size_of::<SignalFrame>() + 128 + 16
}

/// The words at the stack pointer: count, arguments, NULL, environment, NULL, auxiliary vector.
fn words(strings: &Strings, auxiliary: &[[usize; 2]]) -> Vec<usize> {
    let auxiliary = auxiliary.as_flattened();
    let mut words = Vec::with_capacity(strings.arguments.len() + strings.environment.len() + auxiliary.len() + 3);
    words.push(strings.arguments.len());
    words.extend(&strings.arguments);
    words.push(0);
    words.extend(&strings.environment);
    words.push(0);
    words.extend(auxiliary);
    words
}
