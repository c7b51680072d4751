//! The boot archive of a machine: files, and the launch record of a program whose first instruction is a function.

use std::sync::OnceLock;

use archive::{DIRECTORY, Head, LINK, PAGE, REGULAR, trailer};
use launch::{Builder, Key, Launch};
use machine::{BootInfo, Context};

/// A file of the archive: path without a leading `/`, permissions, contents. A path that ends in `/` is a directory's;
/// `link` makes a symbolic link of it.
#[derive(Clone, Copy, Debug)]
pub struct Archived {
    /// The path.
    pub path: &'static str,
    /// Its permission bits.
    pub mode: u32,
    /// Owner and group.
    pub owner: u32,
    /// What is in it.
    pub contents: &'static [u8],
    /// Whether it is a symbolic link to its contents.
    pub link: bool,
}

/// Where the program is in the archive.
const PROGRAM: &str = "bin/program";

/// What a machine begins with whose program, as root, begins at `entry`.
#[must_use]
pub fn boot_info(entry: fn(&Context) -> !, files: &[Archived]) -> BootInfo {
    let mut record = Builder::new();
    record.add(Key::Program, format!("/{PROGRAM}")).add(Key::Argument, "program").add(Key::Randomize, "0");
    let record: &'static [u8] = Box::leak(record.finish().into_boxed_slice());
    let program = program(entry as usize as u64);
    let mut bytes = Vec::new();
    add(&mut bytes, 1, launch::ARCHIVE_NAME, REGULAR | 0o600, 0, record);
    add(&mut bytes, 2, "bin", DIRECTORY | 0o755, 0, &[]);
    add(&mut bytes, 3, PROGRAM, REGULAR | 0o755, 0, &program);
    for (inode, file) in (4..).zip(files) {
        let kind = if file.link {
            LINK
        } else if file.path.ends_with('/') {
            DIRECTORY
        } else {
            REGULAR
        };
        add(&mut bytes, inode, file.path.trim_end_matches('/'), kind | file.mode, file.owner, file.contents);
    }
    let at = bytes.len() as u64;
    trailer(at, &mut |part| bytes.extend_from_slice(part));
    let launch = Box::leak(Box::new(Launch::new(record)));
    BootInfo { archive: on_a_page(&bytes), launch, command_line: "", entry_cycles: 0 }
}

fn add(bytes: &mut Vec<u8>, inode: u32, name: &str, mode: u32, owner: u32, contents: &[u8]) {
    let size = contents.len() as u64;
    let head = Head { name: name.as_bytes(), inode, mode, user: owner, group: owner, size, ..Head::default() };
    let at = bytes.len() as u64;
    head.write(at, &mut |part| bytes.extend_from_slice(part)).expect("a name and a size that the format has");
    bytes.extend_from_slice(contents);
    bytes.resize(bytes.len() + head.padding(), 0);
}

/// The archive, once the machine has one.
static ARCHIVE: OnceLock<&[u8]> = OnceLock::new();

/// The address of its page at `offset`.
pub(crate) fn page(offset: usize) -> usize {
    ARCHIVE.get().expect("who maps the archive has one")[offset..].as_ptr() as usize
}

/// The bytes where they stay, from a page's beginning on: contents are mapped where they lie.
fn on_a_page(bytes: &[u8]) -> &'static [u8] {
    let room: &'static mut [u8] = Box::leak(vec![0; bytes.len() + PAGE].into_boxed_slice());
    let begin = room.as_ptr().align_offset(PAGE);
    let place = &mut room[begin..begin + bytes.len()];
    place.copy_from_slice(bytes);
    ARCHIVE.get_or_init(|| place)
}

/// An ELF program (elf(5)) of one page that is executable, around its entry.
fn program(entry: u64) -> Vec<u8> {
    const HEADERS: u64 = 64 + 56;
    let page = entry & !(PAGE as u64 - 1);
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(16, 0);
    // An executable for x86-64 whose program headers follow.
    bytes.extend([2_u16, 62].map(u16::to_le_bytes).concat());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend([entry, 64, 0].map(u64::to_le_bytes).concat());
    bytes.extend(0_u32.to_le_bytes());
    bytes.extend([64_u16, 56, 1, 64, 0, 0].map(u16::to_le_bytes).concat());
    // PT_LOAD, readable and executable, from the file's beginning.
    bytes.extend([1_u32, 5].map(u32::to_le_bytes).concat());
    bytes.extend([0, page, page, HEADERS, PAGE as u64, PAGE as u64].map(u64::to_le_bytes).concat());
    bytes
}
