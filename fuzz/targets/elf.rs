//! Any bytes as an executable: an error or a plan whose every promise holds, whatever the file says; a build id that is
//! in the file, or none; and what is to be written for its questions to the processor, which is right before each.
#![no_main]

use elf::{Plan, build_id, frames};
use libfuzzer_sys::fuzz_target;
use rewrite::cpuid_plans;

const PAGE: u64 = 4096;
/// Addresses end below the upper half; how much of the lower half a program may have is the loader's to say.
const END: u64 = 1 << 63;

fuzz_target!(|file: &[u8]| {
    let mut read = |offset: u64, buffer: &mut [u8]| {
        let start = usize::try_from(offset).ok().filter(|&start| start <= file.len());
        let part = start.and_then(|start| file[start..].get(..buffer.len()));
        part.map(|part| buffer.copy_from_slice(part)).is_some()
    };
    if let Some(id) = build_id(&mut read) {
        assert!(!id.is_empty() && file.windows(id.len()).any(|bytes| bytes == id));
    }
    if let Some(frames) = frames(&mut read) {
        // Addresses are offsets here, as in a file that has its code at its beginning.
        let mut frames = || Some((frames.address, frames.bytes.clone()));
        let mut end = 0;
        for plan in cpuid_plans(&(0..file.len() as u64), &mut read, &mut frames) {
            let (start, site) = (plan.start() as usize, plan.syscall() as usize);
            assert!(end <= start && file[start..].starts_with(plan.bytes()) && file[site..].starts_with(&[0x0f, 0xa2]));
            end = site;
        }
    }
    let Ok(plan) = Plan::read(file.len() as u64, &mut read) else { return };
    assert!(!plan.segments.is_empty());
    let mut last = 0;
    for segment in &plan.segments {
        assert!(segment.page_start() % PAGE == 0 && segment.page_end() % PAGE == 0);
        assert!(last <= segment.page_start() && segment.page_start() < segment.page_end());
        assert!(segment.page_end() <= END);
        assert!(segment.file_page_end() <= segment.page_end());
        last = segment.page_end();
    }
    assert_eq!((plan.start(), plan.end()), (plan.segments[0].page_start(), last));
});
