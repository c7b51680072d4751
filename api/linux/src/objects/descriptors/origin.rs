//! Where an open file came from, for those who ask for its path (`/proc/self/fd`, mappings). Few do, so the path is
//! put together when it is asked for.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use vfs::{Found, Last, Node};

use super::watching::{self, Standing};
use crate::objects::text::fill;

/// Where an open file came from.
#[derive(Clone)]
pub enum Origin {
    /// It was found in the tree.
    Entry {
        /// The directory it was in.
        parent: Arc<dyn Node>,
        /// Its name there.
        last: Last,
    },
    /// It has no place in the tree, but a name.
    Named(Cow<'static, [u8]>),
    /// It is a pipe, or a stream that looks like one.
    Pipe,
    /// It is a socket.
    Socket,
}

impl Origin {
    /// The absolute path below `root` of `node`, which was opened so, in the form of `/proc/self/fd`.
    #[must_use]
    pub fn path(&self, node: &Arc<dyn Node>, root: &dyn Fn() -> Arc<dyn Node>) -> Vec<u8> {
        match self {
            Self::Entry { parent, last } => {
                let mut path = entry_path(&root(), parent, last, node).unwrap_or_default();
                if !is_there(parent, last, node) {
                    path.extend_from_slice(b" (deleted)");
                }
                path
            }
            Self::Named(name) => name.to_vec(),
            Self::Pipe | Self::Socket => {
                let template = if matches!(self, Self::Pipe) { "pipe:[#]" } else { "socket:[#]" };
                let mut name = Vec::new();
                fill(&mut name, template, &[node.metadata().inode]);
                name
            }
        }
    }
}

impl Origin {
    /// The directory and the name that the node stands at.
    #[must_use]
    pub fn standing(&self, node: &Arc<dyn Node>) -> Option<Standing> {
        if let Self::Entry { parent, last } = self { watching::standing(node, parent, last) } else { None }
    }

    /// Whether it was found by a name that is no longer its own.
    #[must_use]
    pub fn is_gone(&self, node: &Arc<dyn Node>) -> bool {
        matches!(self, Self::Entry { parent, last } if !is_there(parent, last, node))
    }

    /// Becomes the second place if it is the first; answers whether it was.
    pub fn follow(&mut self, from: &Found, to: &Found) -> bool {
        let Self::Entry { parent, last } = self else { return false };
        let is_there = *last == from.last && vfs::same(parent, &from.parent);
        if is_there {
            (*parent, *last) = (Arc::clone(&to.parent), to.last.clone());
        }
        is_there
    }
}

/// Whether the entry is still this node's.
fn is_there(parent: &Arc<dyn Node>, last: &Last, node: &Arc<dyn Node>) -> bool {
    let Last::Name(name) = last else { return true };
    let identity = |node: &Arc<dyn Node>| {
        let metadata = node.metadata();
        (metadata.device, metadata.inode)
    };
    let is = |found: Arc<dyn Node>| found.jump().is_some() || identity(&found) == identity(node);
    parent.lookup(name).is_ok_and(is) || fs::mounts().is_root(node)
}

/// The absolute path of an entry; `None` when its directory has been removed or lies outside the root.
#[must_use]
pub fn entry_path(root: &Arc<dyn Node>, parent: &Arc<dyn Node>, last: &Last, node: &Arc<dyn Node>) -> Option<Vec<u8>> {
    let Last::Name(name) = last else { return fs::mounts().path_of(node, root) };
    let mut path = fs::mounts().path_of(parent, root)?;
    if path != b"/" {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    Some(path)
}
