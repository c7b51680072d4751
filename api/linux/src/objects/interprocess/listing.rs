//! `/proc/sysvipc`: what there is of each kind (proc_sysvipc(5)).

use alloc::vec::Vec;

use ipc::Object;
use vfs::pseudo::append_number;

use super::{QUEUES, SEGMENTS, SETS};

const SEGMENT_HEAD: &[u8] = b"       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  \
    cgid      atime      dtime      ctime                   rss                  swap\n";
const SET_HEAD: &[u8] = b"       key      semid perms      nsems   uid   gid  cuid  cgid      otime      ctime\n";
const QUEUE_HEAD: &[u8] =
    b"       key      msqid perms      cbytes       qnum lspid lrpid   uid   gid  cuid  cgid      \
    stime      rtime      ctime\n";

/// Adds numbers in columns of these widths, a space before each but the first.
fn columns(out: &mut Vec<u8>, numbers: &[(u64, usize)]) {
    for &(number, width) in numbers {
        out.push(b' ');
        append_number(out, number, width);
    }
}

/// Key, number and mode.
fn begin<T>(out: &mut Vec<u8>, number: i32, object: &Object<T>) {
    let key = object.permission.key;
    let mut digits = Vec::new();
    if key < 0 {
        digits.push(b'-');
    }
    append_number(&mut digits, key.unsigned_abs().into(), 0);
    out.resize(out.len() + 10_usize.saturating_sub(digits.len()), b' ');
    out.extend_from_slice(&digits);
    let octal = (0..4).rev().map(|digit| object.permission.mode >> (3 * digit) & 7);
    let mode = octal.fold(0, |number, digit| number * 10 + u64::from(digit));
    columns(out, &[(number as u64, 10), (mode, 5)]);
}

/// The four ids of its owners.
fn owners<T>(object: &Object<T>) -> [(u64, usize); 4] {
    let owner = object.permission;
    [owner.user, owner.group, owner.creator, owner.creator_group].map(|id| (id.into(), 5))
}

/// `shm`.
pub fn segments(out: &mut Vec<u8>) {
    out.extend_from_slice(SEGMENT_HEAD);
    for (number, object) in SEGMENTS.lock().table.iter() {
        let segment = &object.content;
        begin(out, number, object);
        let [size, creator, last] = [segment.size, segment.creator.into(), segment.last.into()];
        columns(out, &[(size, 21), (creator, 5), (last, 5), (segment.attached, 6)]);
        columns(out, &owners(object));
        columns(out, &[segment.attached_at, segment.detached_at, segment.changed_at].map(|time| (time as u64, 10)));
        columns(out, &[(segment.contents.metadata().occupied, 21), (0, 21)]);
        out.push(b'\n');
    }
}

/// `sem`.
pub fn sets(out: &mut Vec<u8>) {
    out.extend_from_slice(SET_HEAD);
    for (number, object) in SETS.lock().table.iter() {
        begin(out, number, object);
        columns(out, &[(object.content.count() as u64, 10)]);
        columns(out, &owners(object));
        columns(out, &[object.content.operated_at, object.content.changed_at].map(|time| (time as u64, 10)));
        out.push(b'\n');
    }
}

/// `msg`.
pub fn queues(out: &mut Vec<u8>) {
    out.extend_from_slice(QUEUE_HEAD);
    for (number, object) in QUEUES.lock().table.iter() {
        let queue = &object.content;
        begin(out, number, object);
        // The first of these columns has one more space before it.
        out.push(b' ');
        columns(out, &[(queue.contents.bytes(), 10), (queue.contents.count() as u64, 10)]);
        columns(out, &[queue.sender, queue.receiver].map(|process| (process.into(), 5)));
        columns(out, &owners(object));
        columns(out, &[queue.sent_at, queue.received_at, queue.changed_at].map(|time| (time as u64, 10)));
        out.push(b'\n');
    }
}
