//! `/proc/self/mounts` and `mountinfo` (proc(5)), written from the table of mounts.

use alloc::vec::Vec;

use vfs::{Mount, pseudo::append_number};

/// What [`text`] is asked for by `mounts`.
pub const MOUNTS: u32 = 0;
/// And by `mountinfo`.
pub const INFORMATION: u32 = 1;

/// A line for each mount that a path leads to.
pub fn text(which: u32, out: &mut Vec<u8>) {
    let mounts = crate::mounts().all();
    for (index, mount) in mounts.iter().enumerate() {
        let root = mounts.first().map(|first| &first.mounted.root);
        let Some(path) = root.and_then(|root| mount.path(crate::mounts(), root)) else { continue };
        let words: [&[u8]; 2] = [&mount.mounted.source, mount.mounted.kind.as_bytes()];
        let [source, kind] = words;
        let access: &[u8] = if mount.mounted.read_only { b"ro" } else { b"rw" };
        if which == INFORMATION {
            for number in [index, above(&mounts, mount)] {
                append_number(out, number as u64 + 1, 0);
                out.push(b' ');
            }
            out.extend_from_slice(b"0:");
            append_number(out, mount.mounted.root.metadata().device, 0);
            out.extend_from_slice(b" /");
        } else {
            escape(source, out);
        }
        out.push(b' ');
        escape(&path, out);
        out.push(b' ');
        if which == INFORMATION {
            write(&[access, b",relatime - ", kind, b" "], out);
            escape(source, out);
            write(&[b" ", access, b"\n"], out);
        } else {
            write(&[kind, b" ", access, b",relatime 0 0\n"], out);
        }
    }
}

fn write(parts: &[&[u8]], out: &mut Vec<u8>) {
    for part in parts {
        out.extend_from_slice(part);
    }
}

/// The place in `mounts` of the one that `mount` stands in; its own for the first.
fn above(mounts: &[Mount], mount: &Mount) -> usize {
    let system = mount.parent().map_or(0, |parent| parent.system());
    mounts.iter().position(|other| other.mounted.root.system() == system).unwrap_or(0)
}

/// What separates the words of a line is written as three octal digits (getmntent(3)).
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
