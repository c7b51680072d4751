//! A server over a RAM file system. Its fids are paths, as QEMU's are.

use std::{
    boxed::Box,
    collections::BTreeMap,
    format,
    string::String,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicUsize, Ordering::Relaxed},
    },
    vec::Vec,
};

use vfs::{
    Change, Credentials, FileError, Follow, Kind, MakeKind, Node, Owner, RenameMode, SliceSource, Time, VecSink, View,
    ramfs::{Ramfs, Surroundings},
};

use crate::{Lost, Transport, reply::Reader};

/// The server's world.
pub struct World {
    time: AtomicI64,
    pub full: AtomicBool,
}

impl Surroundings for World {
    fn now(&self) -> Time {
        self.time.fetch_add(1000, Relaxed)
    }

    fn has_room(&self, _: usize) -> bool {
        !self.full.load(Relaxed)
    }

    fn memory(&self) -> (u64, u64) {
        (1 << 30, 1 << 29)
    }

    fn pages(&self) -> &'static dyn pages::Memory {
        &pages::Allocator
    }

    fn device(&self, _: Kind, _: (u32, u32)) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::NoDevice)
    }
}

#[derive(Clone, Default)]
struct Held {
    path: Vec<u8>,
    open: Option<Arc<dyn Node>>,
}

/// The server, and what tests turn and look at.
pub struct Server {
    pub world: &'static World,
    pub root: Arc<dyn Node>,
    held: Mutex<BTreeMap<u32, Held>>,
    pub requests: AtomicUsize,
    /// Most bytes of a read or write; 0 for any number.
    pub most: AtomicUsize,
    /// The error that everything which changes the tree gets; 0 for none.
    pub refuses: AtomicU32,
    pub lost: AtomicBool,
    /// It makes neither devices nor pipes nor sockets.
    pub only_files: AtomicBool,
}

type Answer = Result<Vec<u8>, u32>;

const fn number(error: FileError) -> u32 {
    match error {
        FileError::NotFound => 2,
        FileError::Denied => 13,
        FileError::Exists => 17,
        FileError::NotDirectory => 20,
        FileError::IsDirectory => 21,
        FileError::Invalid => 22,
        FileError::NoSpace => 28,
        FileError::NotEmpty => 39,
        FileError::TooManyLinks => 40,
        FileError::NameTooLong => 36,
        FileError::NotPermitted => 1,
        FileError::Busy => 16,
        FileError::TooLarge => 27,
        _ => 5,
    }
}

fn check<T>(result: Result<T, FileError>) -> Result<T, u32> {
    result.map_err(number)
}

static ROOT: Credentials = Credentials::SUPERUSER;

fn joined(path: &[u8], name: &[u8]) -> Vec<u8> {
    [path, b"/", name].concat()
}

fn qid(node: &dyn Node) -> [u8; 13] {
    let metadata = node.metadata();
    let mut qid = [0; 13];
    qid[0] = match metadata.kind {
        Kind::Directory => 0x80,
        Kind::Link => 2,
        _ => 0,
    };
    qid[1..5].copy_from_slice(&((metadata.modified ^ (metadata.size as i64) << 8) as u32).to_le_bytes());
    qid[5..].copy_from_slice(&metadata.inode.to_le_bytes());
    qid
}

fn attributes(node: &dyn Node) -> Vec<u8> {
    let metadata = node.metadata();
    let mut out = 0x7ff_u64.to_le_bytes().to_vec();
    out.extend(qid(node));
    for number in [metadata.full_mode(), metadata.owner.user, metadata.owner.group] {
        out.extend(number.to_le_bytes());
    }
    let device = u64::from(metadata.special.0) << 8 | u64::from(metadata.special.1);
    let sizes = [metadata.links.into(), device, metadata.size, 4096, metadata.occupied.div_ceil(512)];
    let times = [metadata.accessed, metadata.modified, metadata.changed, 0]
        .map(|time| [time.div_euclid(1_000_000_000) as u64, time.rem_euclid(1_000_000_000) as u64]);
    for number in sizes.into_iter().chain(times.into_iter().flatten()).chain([0, 0]) {
        out.extend(number.to_le_bytes());
    }
    out
}

impl Server {
    pub fn new() -> Arc<Self> {
        let world = Box::leak(Box::new(World { time: AtomicI64::new(1 << 40), full: AtomicBool::new(false) }));
        let root = Ramfs::new(1, world, 0o755).root().clone();
        Arc::new(Self {
            world,
            root,
            held: Mutex::default(),
            requests: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            refuses: AtomicU32::new(0),
            lost: AtomicBool::new(false),
            only_files: AtomicBool::new(false),
        })
    }

    /// Fids that the client has.
    pub fn fids(&self) -> usize {
        self.held.lock().unwrap().len()
    }

    /// The tree as the server's own programs see it.
    pub fn view(&self) -> View<'_> {
        View {
            root: &self.root,
            start: &self.root,
            who: &ROOT,
            mounts: &super::MOUNTS,
            confined: vfs::Confinement::NONE,
        }
    }

    /// A file of the server's own.
    pub fn put(&self, path: &str, bytes: &[u8]) {
        let request = vfs::OpenRequest { write: true, create: Some(0o644), truncate: true, ..Default::default() };
        let node = self.view().open(path.as_bytes(), &request).unwrap().node;
        assert_eq!(node.write_at(0, &mut SliceSource::new(bytes)), Ok(bytes.len()));
    }

    pub fn get(&self, path: &str) -> Vec<u8> {
        let node = self.view().lookup(path.as_bytes(), Follow::Yes).unwrap();
        let mut sink = VecSink::new(usize::MAX);
        node.read_at(0, &mut sink).unwrap();
        sink.bytes
    }

    fn node(&self, path: &[u8]) -> Result<Arc<dyn Node>, u32> {
        check(self.view().lookup(if path.is_empty() { b"/" } else { path }, Follow::No))
    }

    fn most(&self, count: usize) -> usize {
        match self.most.load(Relaxed) {
            0 => count,
            most => count.min(most),
        }
    }

    fn held(&self, fid: u32) -> Result<Held, u32> {
        self.held.lock().unwrap().get(&fid).cloned().ok_or(9)
    }

    fn answer(&self, kind: u8, from: &mut Reader<'_>) -> Answer {
        let changes = matches!(kind, 14 | 16 | 18 | 26 | 70 | 72 | 74 | 76 | 118);
        let refuses = self.refuses.load(Relaxed);
        if changes && refuses != 0 {
            return Err(refuses);
        }
        match kind {
            100 => Ok([&from.number32().unwrap().to_le_bytes()[..], b"\x08\x009P2000.L"].concat()),
            104 => {
                let fid = from.number32().unwrap();
                self.held.lock().unwrap().insert(fid, Held::default());
                Ok(qid(&*self.root).to_vec())
            }
            110 => self.walk(from),
            120 => self.held.lock().unwrap().remove(&from.number32().unwrap()).map(|_| Vec::new()).ok_or(9),
            74 => self.rename(from),
            _ => {
                let fid = from.number32().unwrap();
                let held = self.held(fid)?;
                self.answer_for(kind, fid, held, from)
            }
        }
    }

    fn walk(&self, from: &mut Reader<'_>) -> Answer {
        let mut held = self.held(from.number32().unwrap())?;
        let (new, steps) = (from.number32().unwrap(), from.number16().unwrap());
        let mut qids = steps.to_le_bytes().to_vec();
        for _ in 0..steps {
            held.path = joined(&held.path, from.string().unwrap());
            qids.extend(qid(&*self.node(&held.path)?));
        }
        held.open = None;
        let mut all = self.held.lock().unwrap();
        if all.contains_key(&new) {
            return Err(9);
        }
        all.insert(new, held);
        Ok(qids)
    }

    /// Paths of fids follow the name, as QEMU's do.
    fn rename(&self, from: &mut Reader<'_>) -> Answer {
        let old = self.held(from.number32().unwrap())?;
        let old = joined(&old.path, from.string().unwrap());
        let new = self.held(from.number32().unwrap())?;
        let new = joined(&new.path, from.string().unwrap());
        check(self.view().rename(&old, &self.view(), &new, RenameMode::Replace))?;
        for held in self.held.lock().unwrap().values_mut() {
            let rest = held.path.strip_prefix(&old[..]).filter(|rest| matches!(rest.first(), None | Some(b'/')));
            if let Some(rest) = rest {
                held.path = [&new, rest].concat();
            }
        }
        Ok(Vec::new())
    }

    fn answer_for(&self, kind: u8, fid: u32, held: Held, from: &mut Reader<'_>) -> Answer {
        let node = self.node(&held.path);
        let set = |held: Held| self.held.lock().unwrap().insert(fid, held);
        let made = |path: &[u8], kind: MakeKind<'_>, mode: u32| {
            check(self.view().make(path, kind, mode & 0o7777)).map(|node| qid(&*node).to_vec())
        };
        match kind {
            8 => {
                let system = node?.file_system();
                let mut out = [0x0102_1994_u32, system.block_size as u32].map(u32::to_le_bytes).concat();
                out.extend([system.blocks, system.free, 0, 0, 0, 0].map(u64::to_le_bytes).concat());
                out.extend(255_u32.to_le_bytes());
                Ok(out)
            }
            12 => {
                let node = node?;
                let answer = [&qid(&*node)[..], &[0; 4]].concat();
                assert!(held.open.is_none(), "opened twice");
                set(Held { open: Some(node), ..held });
                Ok(answer)
            }
            14 => {
                let path = joined(&held.path, from.string().unwrap());
                let (_flags, mode) = (from.number32().unwrap(), from.number32().unwrap());
                if self.node(&path).is_ok() {
                    return Err(17);
                }
                let request = vfs::OpenRequest { write: true, create: Some(mode), ..Default::default() };
                let node = check(self.view().open(&path, &request))?.node;
                let answer = [&qid(&*node)[..], &[0; 4]].concat();
                set(Held { path, open: Some(node) });
                Ok(answer)
            }
            16 => {
                let path = joined(&held.path, from.string().unwrap());
                made(&path, MakeKind::Link(from.string().unwrap()), 0o777)
            }
            18 => {
                let path = joined(&held.path, from.string().unwrap());
                let (mode, major, minor) =
                    (from.number32().unwrap(), from.number32().unwrap(), from.number32().unwrap());
                let kinds = [Kind::Pipe, Kind::Character, Kind::Block, Kind::Socket];
                if mode & 0o170_000 == Kind::Regular.bits() {
                    return made(&path, MakeKind::File, mode);
                }
                let kind = kinds.into_iter().find(|kind| kind.bits() == mode & 0o170_000).ok_or(22_u32)?;
                if self.only_files.load(Relaxed) {
                    return Err(6);
                }
                made(&path, MakeKind::Special(kind, (major, minor)), mode)
            }
            72 => {
                let path = joined(&held.path, from.string().unwrap());
                made(&path, MakeKind::Directory, from.number32().unwrap())
            }
            22 => {
                let target = check(node?.read_link())?;
                Ok([&(target.len() as u16).to_le_bytes()[..], &target].concat())
            }
            24 => Ok(attributes(&*node?)),
            26 => self.set_attributes(&*node?, from),
            40 => self.read_directory(&*held.open.ok_or(9_u32)?, from),
            50 => held.open.map(|_| Vec::new()).ok_or(9),
            70 => {
                let file = self.node(&self.held(from.number32().unwrap())?.path)?;
                check(self.view().link(&file, &joined(&held.path, from.string().unwrap()))).map(|()| Vec::new())
            }
            76 => {
                let path = joined(&held.path, from.string().unwrap());
                let directory = from.number32().unwrap() & 0x200 != 0;
                let view = self.view();
                check(if directory { view.remove_directory(&path) } else { view.remove_file(&path) })?;
                Ok(Vec::new())
            }
            116 => {
                let (offset, count) = (from.number64().unwrap(), from.number32().unwrap() as usize);
                let mut sink = VecSink::new(self.most(count));
                check(held.open.ok_or(9_u32)?.read_at(offset, &mut sink))?;
                Ok([&(sink.bytes.len() as u32).to_le_bytes()[..], &sink.bytes].concat())
            }
            118 => {
                let (offset, count) = (from.number64().unwrap(), from.number32().unwrap() as usize);
                let bytes = &from.bytes(count).unwrap()[..self.most(count)];
                let count = check(held.open.ok_or(9_u32)?.write_at(offset, &mut SliceSource::new(bytes)))?;
                Ok((count as u32).to_le_bytes().to_vec())
            }
            _ => Err(95),
        }
    }

    fn set_attributes(&self, node: &dyn Node, from: &mut Reader<'_>) -> Answer {
        let valid = from.number32().unwrap();
        let numbers = [0; 3].map(|_| from.number32().unwrap());
        let length = from.number64().unwrap();
        let times = [0; 2].map(|_| (from.number64().unwrap() * 1_000_000_000 + from.number64().unwrap()) as i64);
        if valid & 8 != 0 {
            check(node.set_length(length))?;
        }
        let when = |bit, number| (valid & bit != 0).then_some(number);
        let change = Change {
            mode: when(1, numbers[0]),
            user: when(2, numbers[1]),
            group: when(4, numbers[2]),
            accessed: (valid & 0x80 != 0).then_some(times[0]),
            modified: (valid & 0x100 != 0).then_some(times[1]),
        };
        check(node.change(&change)).map(|()| Vec::new())
    }

    fn read_directory(&self, node: &dyn Node, from: &mut Reader<'_>) -> Answer {
        let (offset, room) = (from.number64().unwrap(), from.number32().unwrap() as usize);
        let mut names = std::vec![b".".to_vec(), b"..".to_vec()];
        check(super::list(node, &mut |listed| names.push(listed.name.to_vec())))?;
        // In no order.
        names.reverse();
        let mut out = Vec::new();
        for (index, name) in names.iter().enumerate().skip(offset as usize) {
            let entry = check(node.lookup(name))
                .map_or_else(|_| (qid(node), 4), |entry| (qid(&*entry), (entry.kind().bits() >> 12) as u8));
            let mut bytes = entry.0.to_vec();
            bytes.extend((index as u64 + 1).to_le_bytes());
            bytes.push(entry.1);
            bytes.extend((name.len() as u16).to_le_bytes());
            bytes.extend(name);
            if out.len() + bytes.len() > room {
                break;
            }
            out.extend(bytes);
        }
        Ok([&(out.len() as u32).to_le_bytes()[..], &out].concat())
    }

    /// Every path with what stands there.
    pub fn tree(root: &Arc<dyn Node>) -> Vec<String> {
        let mut out = Vec::new();
        describe(root, "", &mut out);
        out
    }
}

fn describe(node: &Arc<dyn Node>, path: &str, out: &mut Vec<String>) {
    let metadata = node.metadata();
    let what = format!("{path} {:o} {} {:?}", metadata.full_mode(), metadata.links, metadata.owner);
    match metadata.kind {
        Kind::Directory => {
            out.push(what);
            let mut names = Vec::new();
            super::list(&**node, &mut |listed| names.push((listed.name.to_vec(), listed.kind))).unwrap();
            names.sort_by(|one, other| one.0.cmp(&other.0));
            for (name, kind) in names {
                let entry = node.lookup(&name).unwrap();
                assert_eq!(entry.kind(), kind);
                describe(&entry, &format!("{path}/{}", String::from_utf8_lossy(&name)), out);
            }
        }
        Kind::Link => out.push(format!("{what} -> {:?}", node.read_link().unwrap())),
        Kind::Regular => {
            let mut sink = VecSink::new(usize::MAX);
            node.read_at(0, &mut sink).unwrap();
            let sum = sink.bytes.iter().fold(0_u64, |sum, &byte| sum.wrapping_mul(31) + u64::from(byte));
            out.push(format!("{what} {} {sum:x}", metadata.size));
        }
        _ => out.push(format!("{what} {:?}", metadata.special)),
    }
}

/// The way to a server in the same process.
pub struct Direct(pub Arc<Server>);

impl Transport for Direct {
    fn message_size(&self) -> u32 {
        64 << 10
    }

    fn reply_parts(&self) -> usize {
        10
    }

    fn exchange(&self, request: &[&[u8]], reply: &mut [&mut [u8]]) -> Result<usize, Lost> {
        let Self(server) = self;
        if server.lost.load(Relaxed) {
            return Err(Lost);
        }
        server.requests.fetch_add(1, Relaxed);
        let request = request.concat();
        let mut reader = Reader::new(&request);
        let (size, kind, tag) = (reader.number32().unwrap(), reader.number8().unwrap(), reader.number16().unwrap());
        assert_eq!(size as usize, request.len());
        let (kind, body) = match server.answer(kind, &mut reader) {
            Ok(body) => (kind + 1, body),
            Err(number) => (7, number.to_le_bytes().to_vec()),
        };
        let mut bytes = (body.len() as u32 + 7).to_le_bytes().to_vec();
        bytes.push(kind);
        bytes.extend(tag.to_le_bytes());
        bytes.extend(body);
        let mut rest = &bytes[..];
        for part in reply {
            let count = part.len().min(rest.len());
            part[..count].copy_from_slice(&rest[..count]);
            rest = &rest[count..];
        }
        assert!(rest.is_empty(), "the reply does not fit");
        Ok(bytes.len())
    }
}

/// The client's owner of everything.
pub const NOBODY: Owner = Owner { user: 0, group: 0 };
