//! `/proc/PID/{cwd,exe,root,fd/*}`: where a process' links lead.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::Ordering;

use fs::proc::ProcessLink;
use identity::{Capability, Ids};
use kernel::task::Thread;
use sync::MutexGuard;
use vfs::{
    Node,
    pseudo::{Target, Wanted},
};
use watches::Watcher;

use super::program;
use crate::objects::{
    descriptors::{Description, table::Table},
    process::{Process, apart, descriptors, identity, linux, location, may},
    text::fill,
};

/// A link of the process. A directory that has been removed has no path, and leads where it was.
pub fn link(process: &Process, which: ProcessLink, wanted: Wanted) -> Option<Target> {
    let location =
        if is_own(process) { location().clone() } else { linux(&*first_thread(process)?).location.lock().clone() };
    match which {
        ProcessLink::Directory => Some(leads(wanted, &location.directory, || {
            let path = fs::mounts().path_of(&location.directory, &location.root);
            path.unwrap_or_else(|| b"(deleted)".to_vec())
        })),
        ProcessLink::Root => Some(leads(wanted, &location.root, || b"/".to_vec())),
        ProcessLink::Executable => executable(process),
    }
}

fn leads(wanted: Wanted, node: &Arc<dyn Node>, path: impl FnOnce() -> Vec<u8>) -> Target {
    match wanted {
        Wanted::Node => Target::Node(Arc::clone(node)),
        Wanted::Path => Target::Path(path()),
    }
}

/// Found by its path: it is a file of the tree.
fn executable(process: &Process) -> Option<Target> {
    let program = program(process);
    (!program.executable.is_empty()).then(|| Target::Path(program.executable.as_bytes().to_vec()))
}

/// Whether the running process may look into this one: what it runs and where it stands (ptrace(2), "Ptrace access mode
/// checking").
pub fn may_look_into(process: &Process) -> bool {
    if is_own(process) || may(Capability::SysPtrace) {
        return true;
    }
    let (user, group, effective) = {
        let own = identity();
        (own.user.file, own.group.file, own.capabilities.effective)
    };
    let other = process.identity.lock();
    let are_all = |id: u32, ids: Ids| [ids.real, ids.effective, ids.saved] == [id; 3];
    are_all(user, other.user)
        && are_all(group, other.group)
        && effective.holds(other.capabilities.permitted)
        && process.is_dumpable.load(Ordering::Relaxed)
}

/// Whether it is the running process, of which the running thread may have descriptors and a place of its own.
fn is_own(process: &Process) -> bool {
    core::ptr::eq(process, crate::process())
}

/// The descriptors of a process, locked.
pub fn files(process: &Process) -> MutexGuard<'static, Table> {
    if is_own(process) {
        return descriptors();
    }
    first_thread(process).map_or_else(apart::no_files, |thread| linux(&thread).files.lock())
}

/// The first of a process' threads that have not ended, whose descriptors and place stand for the process'.
fn first_thread(process: &Process) -> Option<Arc<Thread>> {
    process.threads.lock().iter().next().cloned()
}

fn open(process: &Process, number: u32) -> Option<Arc<Description>> {
    files(process).get(i32::try_from(number).ok()?).ok().cloned()
}

/// What is open under a descriptor.
pub fn descriptor(process: &Process, number: u32, wanted: Wanted) -> Option<Target> {
    let description = open(process, number)?;
    Some(leads(wanted, description.entry.counted(), || description.path()))
}

/// What `fdinfo` says: position, flags (in octal), and the mount.
pub fn information(process: &Process, number: u32, out: &mut Vec<u8>) {
    let Some(description) = open(process, number) else { return };
    let position = description.position.lock().offset;
    fill(out, "pos:\t#\nflags:\t0", &[position]);
    let flags = description.flags().bits();
    let digits = (0..8).rev().map(|digit| flags >> (3 * digit) & 7);
    for digit in digits.skip_while(|&digit| digit == 0) {
        out.push(b'0' + digit as u8);
    }
    fill(out, "\nmnt_id:\t1\nino:\t#\n", &[description.node.metadata().inode]);
    if let Ok(watcher) = description.node_as::<Watcher>() {
        watcher.each(&mut |number, (device, inode), mask| {
            // The kernel's own form of a device's number, and no handle of the file, for there are none.
            let numbers = [number as u64, inode, device >> 8 << 20 | device & 0xff, mask.into()];
            fill(out, "inotify wd:^ ino:^ sdev:^ mask:^ ignored_mask:0 \n", &numbers);
        });
    }
}
