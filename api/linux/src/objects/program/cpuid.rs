//! What the kernel is told of a program's file, so that it finds the instructions `cpuid` there.

use elf::Segment;
use kernel::memory::{AddressSpace, LoadedObject};

use super::prepare::Executable;

/// Has the kernel answer each `cpuid` of a program that was loaded `load_address` further on.
pub fn answer(file: &Executable, load_address: usize, space: &AddressSpace) {
    if !contracts::config().rewrite {
        return;
    }
    let Some(code) = file.plan.segments.iter().find(|segment| segment.rights.execute) else { return };
    space.answer_cpuid(&mut LoadedObject {
        text: code.address..code.address + code.file_length,
        load_address,
        version: (file.image.length, file.image.changed),
        read: &mut |at, bytes| read_at(file, at, bytes),
        frames: &mut || {
            let frames = elf::frames(&mut |offset: u64, bytes: &mut [u8]| file.image.bytes_at(offset, bytes))?;
            Some((frames.address, frames.bytes))
        },
    });
}

/// Reads what the file has for an address.
fn read_at(file: &Executable, at: u64, bytes: &mut [u8]) -> bool {
    let inside = |segment: &&Segment| {
        let end = at.checked_sub(segment.address).and_then(|first| first.checked_add(bytes.len() as u64));
        end.is_some_and(|end| end <= segment.file_length)
    };
    let segment = file.plan.segments.iter().find(inside);
    segment.is_some_and(|segment| file.image.bytes_at(segment.offset + (at - segment.address), bytes))
}
