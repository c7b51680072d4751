//! A tree as a server shows it: each look-up is another node, listings are unsorted and go on behind a number, and
//! others do things while it is asked.

use std::{
    collections::BTreeSet,
    sync::{Mutex, atomic::AtomicBool},
};

use super::*;

/// What others do meanwhile.
type Meanwhile = Box<dyn FnMut() + Send>;

#[derive(Default)]
pub(super) struct Shared {
    meanwhile: Mutex<Option<Meanwhile>>,
    /// Times that something was asked.
    pub(super) asked: AtomicUsize,
    /// Whether files have pages, which come when they are asked for.
    pub(super) lends: AtomicBool,
}

/// A node of a tree that shows another one.
pub(super) struct Below {
    node: Arc<dyn Node>,
    pub(super) shared: Arc<Shared>,
    /// Pages that need no wait.
    here: Mutex<BTreeSet<u64>>,
}

impl Below {
    pub(super) fn root(node: Arc<dyn Node>) -> Arc<Self> {
        Self::of(node, Arc::default())
    }

    fn of(node: Arc<dyn Node>, shared: Arc<Shared>) -> Arc<Self> {
        Arc::new(Self { node, shared, here: Mutex::default() })
    }

    /// Has `act` happen when something is asked next.
    pub(super) fn meanwhile(&self, act: impl FnOnce() + Send + 'static) {
        let mut act = Some(act);
        *self.shared.meanwhile.lock().unwrap() = Some(Box::new(move || act.take().unwrap()()));
    }

    fn ask(&self) {
        sync::might_sleep();
        self.shared.asked.fetch_add(1, Ordering::Relaxed);
        let act = self.shared.meanwhile.lock().unwrap().take();
        if let Some(mut act) = act {
            act();
        }
    }
}

impl Node for Below {
    fn kind(&self) -> Kind {
        self.node.kind()
    }

    fn metadata(&self) -> Metadata {
        self.ask();
        self.node.metadata()
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        self.ask();
        // Servers give what fits into a message.
        let mut part = VecSink::new(sink.room().min(3000));
        self.node.read_at(offset, &mut part)?;
        Ok(sink.put(&part.bytes))
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        if self.shared.lends.load(Ordering::Relaxed) && self.kind() == Kind::Regular { Some(self) } else { None }
    }

    fn read_link(&self) -> Result<std::borrow::Cow<'static, [u8]>, FileError> {
        self.node.read_link()
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        let found = self.node.lookup(name);
        // What is told is as it was before.
        self.ask();
        found.map(|node| Self::of(node, self.shared.clone()) as Arc<dyn Node>)
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        let mut entries = Vec::new();
        self.node.list(&mut Cursor::default(), &mut |entry| {
            entries.push((entry.name.to_vec(), entry.inode, entry.kind));
            true
        })?;
        self.ask();
        // In no order that names have.
        entries.sort_by_key(|(name, ..)| name.iter().fold(7_u64, |sum, &byte| sum * 31 + u64::from(byte)) % 97);
        for (name, inode, kind) in entries.iter().skip(cursor.cookie as usize) {
            if !visit(Listed { name, inode: *inode, kind: *kind }) {
                break;
            }
            cursor.cookie += 1;
        }
        Ok(())
    }
}

impl FilePages for Below {
    fn page(&self, number: u64, write: bool) -> Result<Arc<pages::Page>, FileError> {
        self.ask();
        let page = self.node.pages().unwrap().page(number, write)?;
        self.here.lock().unwrap().insert(number);
        Ok(page)
    }

    fn page_here(&self, number: u64, write: bool) -> Result<Option<Arc<pages::Page>>, FileError> {
        if !self.here.lock().unwrap().contains(&number) {
            return Ok(None);
        }
        self.node.pages().unwrap().page_here(number, write)
    }

    fn run(&self, number: u64, address: usize, most: usize) -> usize {
        self.node.pages().unwrap().run(number, address, most)
    }

    fn mappings(&self) -> &Mappings {
        self.node.pages().unwrap().mappings()
    }
}
