//! How much memory a machine gets.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::failure::Failure;
use crate::fresh::loaded_end;
use crate::host::Host;
use crate::words::Size;

/// What the process kernel and a program of a few pages need at the least besides the boot archive.
const KERNEL_ROOM: u64 = 512 << 10;
/// The machine's page.
const PAGE: u64 = 4096;
/// Given unless told otherwise, beside what the program's files take: the host fills it only as it is touched.
const USUAL: u64 = 1 << 30;
/// Given to an image with its program in it unless told otherwise, beside what the image takes.
const USUAL_NATIVE: u64 = 64 << 20;
/// Rounded up to this: the kernel maps memory by large pages, and a rest costs it hundreds of small ones.
const LARGE_PAGE: u64 = 2 << 20;
/// What the host keeps for others.
const HOST_ROOM: u64 = 64 << 20;

/// Who has the memory.
#[derive(Clone, Copy, Debug)]
pub enum Kernel<'a> {
    /// A process, as far as it touches it.
    Process,
    /// A machine that loads this image.
    Pc(&'a Path),
}

/// Where a machine's memory is free behind its kernel. QEMU puts the archive at the end of memory, whatever lies there.
fn end_of(image: &Path) -> u64 {
    let mut headers = Vec::new();
    let read = File::open(image).and_then(|file| file.take(PAGE).read_to_end(&mut headers));
    // An image that is not there yet is built, and then asked again.
    read.ok().and_then(|_| loaded_end(&headers)).unwrap_or_default().next_multiple_of(PAGE)
}

/// Decides on the bytes of memory for a machine whose boot archive has `archive` bytes; refuses what cannot work.
pub fn decide(given: Option<Size>, archive: u64, host: &Host<'_>, kernel: Kernel<'_>) -> Result<u64, Failure> {
    let room = match kernel {
        Kernel::Process => KERNEL_ROOM,
        Kernel::Pc(image) => end_of(image),
    };
    let least = Size(archive.saturating_add(room));
    let free = Size(host.available_memory());
    // On pc the archive lies in the machine and, until the end, in this process.
    let copies = if matches!(kernel, Kernel::Pc(_)) { 2 } else { 1 };
    if archive.saturating_mul(copies).saturating_add(HOST_ROOM) > free.0 {
        return Err(Failure::ours(format!("the files need {} of memory, this host has {free} free", Size(archive))));
    }
    let Some(given) = given else {
        let wanted = archive.saturating_mul(2).saturating_add(USUAL);
        let wanted = wanted.checked_next_multiple_of(LARGE_PAGE).unwrap_or(wanted);
        return Ok(wanted.min(free.0 - free.0 / 4).max(least.0));
    };
    let files = if archive > 4 << 20 { format!(" ({} of it files)", Size(archive)) } else { String::new() };
    check(given, least, free, &files)
}

/// Decides on the bytes of memory for an image with its program in it, whose heap may be a part of the image.
pub fn decide_native(given: Option<Size>, host: &Host<'_>, kernel: Kernel<'_>) -> Result<u64, Failure> {
    let least = match kernel {
        Kernel::Process => Size(0),
        Kernel::Pc(image) => Size(end_of(image)),
    };
    let free = Size(host.available_memory());
    if let Some(given) = given {
        return check(given, least, free, "");
    }
    let wanted = least.0.saturating_add(USUAL_NATIVE).min(free.0);
    if wanted < least.0 {
        return Err(Failure::ours(format!("the image needs {least} of memory, this host has {free} free")));
    }
    Ok(wanted - wanted % PAGE)
}

/// What the user wants, if it can be: `files` says how much of the least is files.
fn check(given: Size, least: Size, free: Size, files: &str) -> Result<u64, Failure> {
    if given < least {
        let advice = least.0.div_ceil(1 << 20).next_power_of_two();
        return Err(Failure::ours(format!(
            "--memory {given} is too little: this program needs {least} of memory just to start{files}; give --memory {advice}M or more"
        )));
    }
    if given > free {
        return Err(Failure::ours(format!("--memory {given} is more than this host has free ({free})")));
    }
    Ok(given.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(host: u64, given: Option<u64>, archive: u64) -> Result<u64, String> {
        let host = Host::with_memory(host);
        let decided = decide(given.map(Size), archive, &host, Kernel::Process);
        decided.map_err(|failure| failure.sentence)
    }

    #[test]
    fn memory_is_sized_by_the_files_and_the_host() {
        assert_eq!(on(8 << 30, None, 4096), Ok((1 << 30) + (2 << 20)));
        assert_eq!(on(1 << 30, None, 4096), Ok(768 << 20));
        assert_eq!(on(8 << 30, Some(64 << 20), 4096), Ok(64 << 20));
    }

    #[test]
    fn what_cannot_work_is_refused_in_words() {
        let little = on(8 << 30, Some(1024), 2 << 20).unwrap_err();
        assert_eq!(
            little,
            "--memory 1K is too little: this program needs 2.5M of memory just to start; give --memory 4M or more"
        );
        let little = on(8 << 30, Some(64 << 20), 66 << 20).unwrap_err();
        assert!(little.contains("(66M of it files); give --memory 128M or more"), "{little}");
        assert_eq!(on(1 << 30, Some(2 << 30), 0).unwrap_err(), "--memory 2G is more than this host has free (1G)");
        assert_eq!(on(1 << 30, None, 1 << 30).unwrap_err(), "the files need 1G of memory, this host has 1G free");
        assert!(on(1 << 30, None, u64::MAX).is_err());
    }

    #[test]
    fn an_image_with_its_program_in_it_gets_memory_beside_itself() {
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join("image");
        let mut headers = vec![0; 64 + 56];
        headers[..6].copy_from_slice(b"\x7fELF\x02\x01");
        headers[32] = 64;
        headers[54] = 56;
        headers[56] = 1;
        headers[64] = 1;
        // One segment, loaded at 1 MB, with 96 MB in memory.
        headers[64 + 24..][..8].copy_from_slice(&(1_u64 << 20).to_le_bytes());
        headers[64 + 40..][..8].copy_from_slice(&(96_u64 << 20).to_le_bytes());
        std::fs::write(&image, headers).unwrap();
        let on = |host: u64, given: Option<u64>| {
            let decided = decide_native(given.map(Size), &Host::with_memory(host), Kernel::Pc(&image));
            decided.map_err(|failure| failure.sentence)
        };
        assert_eq!(on(8 << 30, None), Ok(161 << 20));
        assert_eq!(on(100 << 20, None), Ok(100 << 20));
        assert_eq!(on(8 << 30, Some(97 << 20)), Ok(97 << 20));
        assert_eq!(on(64 << 20, None).unwrap_err(), "the image needs 97M of memory, this host has 64M free");
        let little = on(8 << 30, Some(64 << 20)).unwrap_err();
        assert!(little.ends_with("needs 97M of memory just to start; give --memory 128M or more"), "{little}");
    }
}
