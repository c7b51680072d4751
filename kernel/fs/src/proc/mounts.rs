//! `/proc/self/mounts` and `mountinfo` (proc(5)), written from the table of mounts.

use alloc::vec::Vec;

use vfs::{Mount, pseudo::append_number};

/// What [`text`] is asked for by `mounts`.
pub const MOUNTS: u32 = 0;
/// And by `mountinfo`.
pub const INFORMATION: u32 = 1;

/// A line of each: `#` is a number, `@` the path, `$` the source, `!` the kind and `%` what may be done.
const LINES: [&[u8]; 2] = [b"$ @ ! %,relatime 0 0\n", b"# # 0:# / @ %,relatime - ! $ %\n"];

/// A line for each mount that a path leads to.
pub fn text(which: u32, out: &mut Vec<u8>) {
    let mounts = crate::mounts().all();
    let Some(first) = mounts.first() else { return };
    for (index, mount) in mounts.iter().enumerate() {
        let Some(path) = mount.path(crate::mounts(), &first.mounted.root) else { continue };
        let device = mount.mounted.root.metadata().device as usize;
        let mut numbers = [index + 1, above(&mounts, mount) + 1, device].into_iter();
        for symbol in LINES[(which == INFORMATION) as usize] {
            match symbol {
                b'#' => append_number(out, numbers.next().unwrap_or(0) as u64, 0),
                b'@' => escape(&path, out),
                b'$' => escape(&mount.mounted.source, out),
                b'!' => escape(mount.mounted.kind.as_bytes(), out),
                b'%' => escape(if mount.mounted.read_only { b"ro" } else { b"rw" }, out),
                plain => out.push(*plain),
            }
        }
    }
}

/// The place in `mounts` of the one that `mount` stands in; its own for the first.
fn above(mounts: &[Mount], mount: &Mount) -> usize {
    let system = mount.parent().map_or(0, |parent| parent.system());
    mounts.iter().position(|other| other.mounted.root.system() == system).unwrap_or(0)
}

/// What separates the words of a line is written as three octal digits (getmntent(3)).
#[inline(never)]
fn escape(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            b' ' | b'\t' | b'\n' | b'\\' => {
                out.extend_from_slice(&[b'\\', b'0' + (byte >> 6), b'0' + (byte >> 3 & 7), b'0' + (byte & 7)]);
            }
            _ => out.push(byte),
        }
    }
}
