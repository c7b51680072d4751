//! A server that answers with any bytes: whatever they say, the client ends each call.
#![no_main]

use std::sync::{
    Mutex, OnceLock,
    atomic::{AtomicI64, Ordering::Relaxed},
};

use libfuzzer_sys::fuzz_target;
use ninep::{Lost, Transport, World, mount};
use page_cache::{Pool, Room};
use vfs::{Change, Credentials, Cursor, Follow, MakeKind, Mounts, OpenRequest, RenameMode, SliceSource, VecSink, View};

/// Replies, one behind the other: a byte of flags, two of length, and what the reply holds.
struct Replies(Mutex<(Vec<u8>, usize)>);

impl Replies {
    fn take(&self, count: usize) -> Option<Vec<u8>> {
        let (bytes, at) = &mut *self.0.lock().unwrap();
        let taken = bytes.get(*at..*at + count)?.to_vec();
        *at += count;
        Some(taken)
    }
}

impl Transport for Replies {
    fn message_size(&self) -> u32 {
        16 << 10
    }

    fn reply_parts(&self) -> usize {
        5
    }

    fn exchange(&self, request: &[&[u8]], reply: &mut [&mut [u8]]) -> Result<usize, Lost> {
        let request = request.concat();
        assert_eq!(request.len(), u32::from_le_bytes(request[..4].try_into().unwrap()) as usize);
        let head = self.take(3).ok_or(Lost)?;
        let (flags, length) = (head[0], u16::from_le_bytes([head[1], head[2]]));
        let body = self.take(usize::from(length).min(8000)).ok_or(Lost)?;
        // Mostly well-formed, so that what is inside is looked at.
        let kind = if flags & 7 == 7 { 7 } else { request[4] + 1 };
        let mut bytes = ((body.len() + 7) as u32).to_le_bytes().to_vec();
        bytes.push(kind);
        bytes.extend(&request[5..7]);
        bytes.extend(if flags & 8 != 0 { Vec::new() } else { body });
        let mut rest = &bytes[..];
        for part in reply {
            let count = part.len().min(rest.len());
            part[..count].copy_from_slice(&rest[..count]);
            rest = &rest[count..];
        }
        Ok(bytes.len() - rest.len())
    }
}

struct Here(AtomicI64);

static HERE: Here = Here(AtomicI64::new(0));
static MOUNTS: Mounts = Mounts::new();

impl Room for Here {
    fn has_room(&self, _: usize) -> bool {
        true
    }
}

fuzz_target!(|bytes: &[u8]| {
    static POOL: OnceLock<Pool> = OnceLock::new();
    let pool = POOL.get_or_init(|| Pool::new(&pages::Allocator, &HERE));
    // To be greeted and let in.
    let version = [&[0, 14, 0][..], &(16_u32 << 10).to_le_bytes(), b"\x08\x009P2000.L"].concat();
    let attach = [&[0, 13, 0][..], &[0; 13]].concat();
    let replies = Replies(Mutex::new(([&version, &attach, bytes].concat(), 0)));
    let world = World { device: 1, now: || HERE.0.fetch_add(ninep::FRESH / 3, Relaxed), pool };
    let Ok(root) = mount(Box::new(replies), world) else { return };
    let who = Credentials::default();
    let view = View { root: &root, start: &root, who: &who, mounts: &MOUNTS, confined: vfs::Confinement::NONE };
    let both = OpenRequest { read: true, write: true, create: Some(0o600), ..OpenRequest::default() };
    for path in [&b"/a"[..], b"/a/b/../b", b"/a/b/c"] {
        let Ok(opened) = view.open(path, &both) else { continue };
        let node = opened.stream.unwrap_or(opened.node);
        let _ = node.read_at(0, &mut VecSink::new(9000));
        let _ = node.append(&mut SliceSource::new(&[1; 5000]));
        let _ = node.pages().map(|pages| pages.page(0, true));
        let _ = (node.set_length(4000), node.sync(true), node.metadata());
    }
    let _ = root.list(&mut Cursor::default(), &mut |_| true);
    let _ = view.make(b"/a/d", MakeKind::Directory, 0o755);
    let _ = view.rename(b"/a", &view, b"/a/d/e", RenameMode::Replace);
    let _ = view.lookup(b"/a/link", Follow::Yes).map(|node| (MOUNTS.path_of(&node, &root), node.read_link()));
    let _ = view.lookup(b"/a", Follow::No).map(|node| node.change(&Change { mode: Some(0o644), ..Change::default() }));
    let _ = (view.remove_file(b"/a/b/c"), view.remove_directory(b"/a/d"), root.file_system());
});
