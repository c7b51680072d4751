//! `/proc/self/mounts` and `mountinfo` (proc(5)), written from the table of mounts.

use alloc::vec::Vec;

use vfs::{Mount, Mounting, pseudo::append_number};

use crate::hierarchy;

/// What [`text`] is asked for by `mounts`.
pub const MOUNTS: u32 = 0;
/// And by `mountinfo`.
pub const INFORMATION: u32 = 1;

/// A line of each: `#` is a number, `@` the path, `$` the source, `!` the kind and `%` what may be done.
const LINES: [&[u8]; 2] = [b"$ @ ! %,relatime 0 0\n", b"# # 0:# / @ %,relatime - ! $ %\n"];

/// A line for each mount that a path leads to, and one for what is found in `/sys` as if it were mounted.
pub fn text(which: u32, out: &mut Vec<u8>) {
    let mounts = crate::mounts().all();
    let Some(first) = mounts.first() else { return };
    let form = LINES[(which == INFORMATION) as usize];
    for (index, mount) in mounts.iter().enumerate() {
        let Mounting { root, kind, source, read_only } = &mount.mounted;
        let Some(mut path) = mount.path(crate::mounts(), &first.mounted.root) else { continue };
        let device = root.metadata().device;
        line(
            form,
            [index + 1, above(&mounts, mount) + 1, device as usize],
            [&path, source, kind.as_bytes()],
            *read_only,
            out,
        );
        if device == crate::device::SYS {
            path.extend_from_slice(hierarchy::PLACE);
            let kind = hierarchy::KIND.as_bytes();
            let numbers = [mounts.len() + 1, index + 1, crate::device::CGROUP as usize];
            line(form, numbers, [&path, kind, kind], *read_only, out);
        }
    }
}

/// A line of this form, of the mount's number, that of the one it stands in and its device, and its path, source and
/// kind.
fn line(form: &[u8], numbers: [usize; 3], [path, source, kind]: [&[u8]; 3], read_only: bool, out: &mut Vec<u8>) {
    let mut numbers = numbers.into_iter();
    for symbol in form {
        match symbol {
            b'#' => append_number(out, numbers.next().unwrap_or(0) as u64, 0),
            b'@' => escape(path, out),
            b'$' => escape(source, out),
            b'!' => escape(kind, out),
            b'%' => escape(if read_only { b"ro" } else { b"rw" }, out),
            plain => out.push(*plain),
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
