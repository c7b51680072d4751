//! Reading what was written, and what nobody should have written.

extern crate std;

use std::{vec, vec::Vec};

use crate::*;

/// An archive of these names, modes and contents.
fn pack(entries: &[(&[u8], u32, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, &(name, mode, contents)) in entries.iter().enumerate() {
        let size = contents.len() as u64;
        let head = Head { name, mode, size, inode: index as u32 + 1, modified: 1_700_000_000, ..Head::default() };
        let offset = head.write(bytes.len() as u64, &mut |part| bytes.extend_from_slice(part)).unwrap();
        assert_eq!(offset, bytes.len() as u64);
        bytes.extend_from_slice(contents);
        bytes.resize(bytes.len() + head.padding(), 0);
    }
    let length = trailer(bytes.len() as u64, &mut |part| bytes.extend_from_slice(part));
    assert_eq!(length, bytes.len() as u64);
    bytes
}

fn sample() -> Vec<u8> {
    let large: Vec<u8> = (0..10_000_u32).map(|number| number as u8).collect();
    pack(&[
        (b".whittle/launch", REGULAR | 0o400, b"program=/bin/x\0"),
        (b"bin", DIRECTORY | 0o755, b""),
        (b"bin/x", REGULAR | 0o755, &large),
        (b"bin/y", LINK | 0o777, b"x"),
        (b"empty", REGULAR | 0o644, b""),
        (b"full", REGULAR | 0o644, &[7; 8192]),
    ])
}

fn read(bytes: &[u8]) -> Result<Vec<Entry<'_>>, ArchiveError> {
    Archive::new(bytes).entries().collect()
}

#[test]
fn what_was_written_is_read() {
    let bytes = sample();
    let entries = read(&bytes).unwrap();
    let names: Vec<&[u8]> = entries.iter().map(|entry| entry.name).collect();
    assert_eq!(names, [&b".whittle/launch"[..], b"bin", b"bin/x", b"bin/y", b"empty", b"full"]);
    assert_eq!(entries[2].contents.len(), 10_000);
    assert_eq!((entries[2].mode, entries[2].links, entries[2].modified), (REGULAR | 0o755, 1, 1_700_000_000));
    assert_eq!((entries[1].links, entries[1].inode), (2, 2));
    assert_eq!(entries[3].contents, b"x");
    assert_eq!(entries[5].contents, [7; 8192]);
}

#[test]
fn files_have_pages_of_their_own() {
    let bytes = sample();
    for entry in read(&bytes).unwrap().iter().filter(|entry| entry.mode & KIND_MASK == REGULAR) {
        if entry.contents.is_empty() {
            continue;
        }
        assert_eq!(entry.offset % PAGE, 0);
        let end = entry.offset + entry.contents.len();
        assert!(bytes[end..end.next_multiple_of(PAGE)].iter().all(|&byte| byte == 0));
    }
}

#[test]
fn archives_without_padding_are_read() {
    let bytes = sample();
    let mut dense = Vec::new();
    for entry in read(&bytes).unwrap() {
        // A link's kind keeps the writer from putting contents on pages.
        let size = entry.contents.len() as u64;
        let head = Head { name: entry.name, mode: LINK, size, ..Head::default() };
        head.write(dense.len() as u64, &mut |part| dense.extend_from_slice(part)).unwrap();
        dense.extend_from_slice(entry.contents);
        dense.resize(dense.len().next_multiple_of(4), 0);
    }
    trailer(dense.len() as u64, &mut |part| dense.extend_from_slice(part));
    assert_eq!(read(&dense).unwrap().len(), 6);
}

#[test]
fn nothing_is_an_empty_archive_and_rubbish_is_none() {
    assert_eq!(read(b""), Ok(Vec::new()));
    assert_eq!(read(&pack(&[])), Ok(Vec::new()));
    assert_eq!(read(b"x"), Err(ArchiveError::Truncated));
    assert_eq!(read(&[b'x'; 200]), Err(ArchiveError::NotAnEntry));
    assert_eq!(read(&[0; 5000]), Err(ArchiveError::NotAnEntry));
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = sample();
    let end = bytes.windows(TRAILER.len()).rposition(|window| window == TRAILER).unwrap() + TRAILER.len();
    for length in (1..=end).step_by(if cfg!(miri) { 997 } else { 1 }) {
        let result = read(&bytes[..length]);
        assert!(matches!(result, Err(ArchiveError::Truncated)), "{length} of {}: {result:?}", bytes.len());
    }
    assert!(read(&bytes[..=end]).is_ok());
}

#[test]
fn contents_of_nothing_lie_inside_the_archive() {
    let bytes = pack(&[(b"abc", LINK | 0o777, b"")]);
    // Cut off inside the padding behind the name of the one entry.
    let end = header::LENGTH + b"abc\0".len();
    for length in [end, end + 1] {
        let entry = Archive::new(&bytes[..length]).entries().next().unwrap().unwrap();
        assert_eq!(bytes[..length].get(entry.offset..), Some(entry.contents), "{length}");
    }
}

#[test]
fn hostile_fields_are_errors() {
    let bytes = sample();
    let broken = |field: usize, text: &[u8; 8]| {
        let mut bytes = bytes.clone();
        bytes[6 + 8 * field..14 + 8 * field].copy_from_slice(text);
        read(&bytes).err()
    };
    assert_eq!(broken(11, b"00000000"), Some(ArchiveError::BadName));
    assert_eq!(broken(11, b"00000003"), Some(ArchiveError::BadName));
    assert_eq!(broken(11, b"ffffffff"), Some(ArchiveError::Truncated));
    assert_eq!(broken(6, b"ffffffff"), Some(ArchiveError::Truncated));
    assert_eq!(broken(1, b"0000g000"), Some(ArchiveError::NotANumber));
}

#[test]
fn changed_bytes_never_panic_or_loop() {
    let bytes = sample();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..if cfg!(miri) { 20 } else { 20_000 } {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut changed = bytes.clone();
        // Headers are where it hurts.
        let place = (state >> 33) as usize % 400;
        changed[place] = (state >> 20) as u8;
        assert!(Archive::new(&changed).entries().count() <= bytes.len() / 110);
    }
}

#[test]
fn what_the_format_cannot_say_is_refused() {
    let write = |head: Head<'_>| head.write(0, &mut |_| ());
    let head = Head { name: b"x", mode: REGULAR, ..Head::default() };
    assert_eq!(write(Head { size: 1 << 32, ..head }), Err(HeadError::TooLarge));
    assert_eq!(write(Head { name: b"", ..head }), Err(HeadError::BadName));
    assert_eq!(write(Head { name: b"a\0b", ..head }), Err(HeadError::BadName));
    let long = vec![b'n'; 5000];
    assert_eq!(write(Head { name: &long, size: 1, ..head }), Ok(8192));
}

#[test]
#[cfg_attr(miri, ignore = "it starts another program")]
fn cpio_lists_it_where_there_is_one() {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };
    let mut command = Command::new("cpio");
    command.arg("-t").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut cpio) = command.spawn() else {
        // Past the harness, which shows nothing of a test that ends well.
        let line =
            "\nskipped: test archive::cpio_lists_it_where_there_is_one: no cpio; type: sudo apt-get install cpio\n";
        let _ = std::io::stderr().write_all(line.as_bytes());
        return;
    };
    cpio.stdin.take().unwrap().write_all(&sample()).unwrap();
    let output = cpio.wait_with_output().unwrap();
    assert_eq!(std::str::from_utf8(&output.stdout).unwrap(), ".whittle/launch\nbin\nbin/x\nbin/y\nempty\nfull\n");
}
