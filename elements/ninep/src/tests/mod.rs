//! The client against a server in memory.

mod changes;
mod hostile;
mod server;
mod tree;

use std::{
    boxed::Box,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    vec::Vec,
};

use vfs::{
    Credentials, FileError, Follow, Kind, Node, OpenRequest, SliceSource, Time, VecSink, View,
    cache::{Pool, Room},
    ramfs::Surroundings,
};

use crate::{Mount, mount};
use server::{Direct, Server};

/// The client's world: a clock that stands still until a test moves it.
pub struct Here(AtomicI64);

impl Here {
    /// A moment later, in which all that was heard has become old.
    pub fn later(&self) {
        self.0.fetch_add(2 * crate::TRUSTED, Relaxed);
    }
}

impl Surroundings for Here {
    fn now(&self) -> Time {
        self.0.load(Relaxed)
    }

    fn has_room(&self, _: usize) -> bool {
        true
    }

    fn memory(&self) -> (u64, u64) {
        (0, 0)
    }

    fn device(&self, _: Kind, _: (u32, u32)) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::NoDevice)
    }
}

impl Room for Here {
    fn has_room(&self, _: usize) -> bool {
        true
    }
}

pub struct Client {
    pub root: Arc<dyn Node>,
    pub here: &'static Here,
}

static WHO: Credentials = Credentials { user: 0, group: 0, groups: Vec::new() };

pub fn world() -> (&'static Here, Mount) {
    let here: &'static Here = Box::leak(Box::new(Here(AtomicI64::new(1 << 50))));
    let pool = Box::leak(Box::new(Pool::new(&pages::Heap, here)));
    (here, Mount { device: 77, surroundings: here, pool, place: None })
}

pub fn client(server: &Arc<Server>) -> Client {
    let (here, world) = world();
    Client { root: mount(Box::new(Direct(server.clone())), world).unwrap(), here }
}

impl Client {
    pub fn view(&self) -> View<'_> {
        View { root: &self.root, start: &self.root, who: &WHO }
    }

    pub fn look(&self, path: &str) -> Result<Arc<dyn Node>, FileError> {
        self.view().lookup(path.as_bytes(), Follow::No)
    }

    pub fn open(&self, path: &str, request: &OpenRequest) -> Result<Arc<dyn Node>, FileError> {
        let opened = self.view().open(path.as_bytes(), request)?;
        Ok(opened.stream.unwrap_or(opened.node))
    }

    pub fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let node = self.open(path, &OpenRequest { read: true, ..OpenRequest::default() })?;
        Ok(contents(&*node))
    }

    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), FileError> {
        let request = OpenRequest { write: true, create: Some(0o644), truncate: true, ..OpenRequest::default() };
        let node = self.open(path, &request)?;
        let count = node.write_at(0, &mut SliceSource::new(bytes))?;
        assert_eq!(count, bytes.len());
        Ok(())
    }
}

pub fn contents(node: &dyn Node) -> Vec<u8> {
    let mut sink = VecSink::new(usize::MAX);
    assert_eq!(node.read_at(0, &mut sink), Ok(sink.bytes.len()));
    sink.bytes
}
