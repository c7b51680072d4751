//! Walking a path (path_resolution(7)).

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use crate::{FileError, Kind, NAME_LENGTH, Node, Rights, View};

/// Symbolic links that a walk follows.
pub const MOST_LINKS: u32 = 40;

/// What to do with a symbolic link that a path ends in. Those on the way are always followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Follow it.
    Yes,
    /// Stop at it, except that a path that ends in `/` means a directory.
    No,
    /// Stop at it whatever follows: for calls that make, remove and rename entries.
    Never,
}

/// The last part of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// A name.
    Name(Vec<u8>),
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// There is none: the path is `/`.
    Root,
}

/// Where a path leads.
pub struct Found {
    /// The directory that the last part is in; for [`Last::Root`] the root itself.
    pub parent: Arc<dyn Node>,
    /// The last part.
    pub last: Last,
    /// The node, if there is one.
    pub node: Option<Arc<dyn Node>>,
    /// The path ends in `/`, so a directory is meant.
    pub slash: bool,
}

/// The path before a walk, and what a symbolic link puts in its place.
struct Ahead<'a> {
    path: Cow<'a, [u8]>,
    at: usize,
}

/// One part of a path.
struct Part {
    start: usize,
    end: usize,
    /// Nothing but slashes follows.
    is_last: bool,
    /// At least one slash follows.
    slash: bool,
}

impl Ahead<'_> {
    fn next(&self) -> Option<Part> {
        let start = self.at + self.path.get(self.at..)?.iter().position(|&byte| byte != b'/')?;
        let end = self.path[start..].iter().position(|&byte| byte == b'/').map_or(self.path.len(), |at| start + at);
        let is_last = self.path[end..].iter().all(|&byte| byte == b'/');
        Some(Part { start, end, is_last, slash: end < self.path.len() })
    }

    /// Puts a link's target in place of the part that ends at `end`.
    fn replace(&mut self, target: &[u8], end: usize) {
        let mut path = Vec::with_capacity(target.len() + self.path.len() - end);
        path.extend_from_slice(target);
        path.extend_from_slice(&self.path[end..]);
        self.path = Cow::Owned(path);
        self.at = 0;
    }
}

impl View<'_> {
    /// Walks `path`. A last part that is not there is no error here.
    pub fn walk(&self, path: &[u8], follow: Follow) -> Result<Found, FileError> {
        if path.is_empty() {
            return Err(FileError::NotFound);
        }
        let mut ahead = Ahead { path: Cow::Borrowed(path), at: 0 };
        let mut at = self.beginning(path);
        let mut links = 0;
        loop {
            let Some(part) = ahead.next() else {
                return Ok(Found { parent: at.clone(), last: Last::Root, node: Some(at), slash: true });
            };
            self.check_passage(&at)?;
            let name = &ahead.path[part.start..part.end];
            let step = self.step(&at, name, part.is_last)?;
            let Step { node: Some(node), last } = step else {
                return Ok(Found { parent: at, last: step.last.owned(name), node: None, slash: part.slash });
            };
            let stop = part.is_last && (follow == Follow::Never || follow == Follow::No && !part.slash);
            if node.kind() == Kind::Link && !stop {
                links += 1;
                if links > MOST_LINKS {
                    return Err(FileError::TooManyLinks);
                }
                if let Some(target) = node.jump() {
                    if part.is_last {
                        return arrived(at, last.owned(name), target, part.slash, follow);
                    }
                    at = target;
                    ahead.at = part.end;
                    continue;
                }
                let target = node.read_link()?;
                if target.is_empty() {
                    return Err(FileError::NotFound);
                }
                if target[0] == b'/' {
                    at = self.root.clone();
                }
                ahead.replace(&target, part.end);
                continue;
            }
            if part.is_last {
                return arrived(at, last.owned(name), node, part.slash, follow);
            }
            at = node;
            ahead.at = part.end;
        }
    }

    fn beginning(&self, path: &[u8]) -> Arc<dyn Node> {
        if path.first() == Some(&b'/') { self.root.clone() } else { self.start.clone() }
    }

    /// Names are looked up only in directories that one may pass through.
    fn check_passage(&self, at: &Arc<dyn Node>) -> Result<(), FileError> {
        if at.kind() != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        if self.who.is_root() {
            return Ok(());
        }
        self.who.check(&at.metadata(), Rights::EXECUTE)
    }

    fn step(&self, at: &Arc<dyn Node>, name: &[u8], is_last: bool) -> Result<Step, FileError> {
        match name {
            b"." => Ok(Step { node: Some(at.clone()), last: LastKind::Dot }),
            b".." => Ok(Step { node: Some(self.above(at)?), last: LastKind::DotDot }),
            _ if name.len() > NAME_LENGTH => Err(FileError::NameTooLong),
            _ => match at.lookup(name) {
                Ok(node) => Ok(Step { node: Some(node), last: LastKind::Name }),
                Err(FileError::NotFound) if is_last => Ok(Step { node: None, last: LastKind::Name }),
                Err(error) => Err(error),
            },
        }
    }

    /// `..`: the directory above, and at the root the root.
    fn above(&self, at: &Arc<dyn Node>) -> Result<Arc<dyn Node>, FileError> {
        if crate::same(at, self.root) {
            return Ok(at.clone());
        }
        at.place().map(|place| place.parent).ok_or(FileError::NotFound)
    }
}

struct Step {
    node: Option<Arc<dyn Node>>,
    last: LastKind,
}

#[derive(Clone, Copy)]
enum LastKind {
    Name,
    Dot,
    DotDot,
}

impl LastKind {
    fn owned(self, name: &[u8]) -> Last {
        match self {
            Self::Name => Last::Name(name.to_vec()),
            Self::Dot => Last::Dot,
            Self::DotDot => Last::DotDot,
        }
    }
}

fn arrived(
    parent: Arc<dyn Node>,
    last: Last,
    node: Arc<dyn Node>,
    slash: bool,
    follow: Follow,
) -> Result<Found, FileError> {
    // Calls that change entries have their own answers to a slash behind a file.
    if slash && follow != Follow::Never && node.kind() != Kind::Directory {
        return Err(FileError::NotDirectory);
    }
    Ok(Found { parent, last, node: Some(node), slash })
}
