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

use page_cache::{Pool, Room};
use vfs::{Credentials, FileError, Follow, Kind, Mounts, Node, OpenRequest, SliceSource, VecSink, View};

use crate::{World, mount};
use server::{Direct, Server};

/// The client's world: a clock that stands still until a test moves it.
pub struct Here(AtomicI64);

impl Here {
    /// A moment later, in which all that was heard has become old.
    pub fn later(&self) {
        self.0.fetch_add(2 * crate::TRUSTED, Relaxed);
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

static WHO: Credentials = Credentials::SUPERUSER;

std::thread_local! {
    /// Each test has a thread, and its own time.
    static HERE: &'static Here = Box::leak(Box::new(Here(AtomicI64::new(1 << 50))));
}

pub fn world() -> (&'static Here, World) {
    let here = HERE.with(|here| *here);
    let pool = Box::leak(Box::new(Pool::new(&pages::Allocator, here)));
    (here, World { device: 77, now: || HERE.with(|here| here.0.load(Relaxed)), pool })
}

static MOUNTS: Mounts = Mounts::new();

pub fn client(server: &Arc<Server>) -> Client {
    let (here, world) = world();
    Client { root: mount(Box::new(Direct(server.clone())), world).unwrap(), here }
}

impl Client {
    pub fn view(&self) -> View<'_> {
        View { root: &self.root, start: &self.root, who: &WHO, mounts: &MOUNTS, confined: vfs::Confinement::NONE }
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

/// All entries of a directory.
pub fn list(node: &dyn Node, visit: &mut dyn FnMut(vfs::Listed<'_>)) -> Result<(), FileError> {
    node.list(&mut vfs::Cursor::default(), &mut |listed| {
        visit(listed);
        true
    })
}
