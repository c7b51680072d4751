//! Walking a path (path_resolution(7)).

use alloc::{borrow::Cow, sync::Arc};

use crate::{Confinement, FileError, Kind, NAME_LENGTH, Name, Node, Powers, Rights, View, known, slash};

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
    Name(Name),
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

/// A walk on its way.
struct Walk<'a> {
    view: &'a View<'a>,
    follow: Follow,
    /// What is walked: the path, and what a symbolic link put in its place.
    path: Cow<'a, [u8]>,
    /// Where in it the next part begins, and where that ends.
    start: usize,
    end: usize,
    /// The directory reached.
    at: Arc<dyn Node>,
    /// Symbolic links followed.
    links: u32,
    /// It has gone down settled directories, and no other way.
    is_plain: bool,
}

/// The directory that the last part of a path is looked up in, and where that part begins.
type Way = (Arc<dyn Node>, usize);

/// A walk that has ended, the node it led to, and whether a slash stood behind the last part.
type Reached<'a> = (Walk<'a>, Option<Arc<dyn Node>>, bool);

impl View<'_> {
    /// Walks `path`. A last part that is not there is no error here.
    pub fn walk(&self, path: &[u8], follow: Follow) -> Result<Found, FileError> {
        // Who changes entries asks for those that come and go: of them at most the way is known.
        if follow != Follow::Never
            && let Some((parent, node, last)) = self.from().and_then(|from| self.mounts.known.all(from, path))
        {
            return Ok(found(path, (parent, last), Some(node)));
        }
        self.walk_anew(path, follow)
    }

    /// The node at `path`, of which nothing else is asked.
    #[inline]
    pub(super) fn find(&self, path: &[u8], follow: Follow) -> Result<Arc<dyn Node>, FileError> {
        if let Some(node) = self.from().and_then(|from| self.mounts.known.node(from, path)) {
            return Ok(node);
        }
        self.walk_anew(path, follow)?.node.ok_or(FileError::NotFound)
    }

    /// What the answers to its paths follow from besides the tree; `None` where also something else does.
    #[inline]
    fn from(&self) -> Option<known::From> {
        let free = known::is_kept() && self.confined == Confinement::NONE && self.who.may(Powers::OVERRIDE);
        let address = |node: &Arc<dyn Node>| Arc::as_ptr(node).addr();
        free.then(|| (address(self.root), address(self.start)))
    }

    /// Walks a path that is not known as a whole.
    #[inline(never)]
    fn walk_anew(&self, path: &[u8], follow: Follow) -> Result<Found, FileError> {
        let before = known::Before::now();
        let mut way = None;
        if let Some(from) = self.from()
            && let Some((at, last)) = self.way(from, path)
        {
            if let Some(node) = self.last_step(from, before, path, (&at, last), follow)? {
                return Ok(found(path, (at, last), node));
            }
            way = Some((at, last));
        }
        let (walk, node, slash) = self.go(path, follow, before, way)?;
        let last = walk.last();
        let slash = slash || last == Last::Root;
        Ok(Found { parent: walk.at, last, node, slash })
    }

    /// Where the last part of `path` is looked up, and where it begins, if that takes no walk. Not for `.`, `..` and
    /// what ends in a slash.
    fn way(&self, from: known::From, path: &[u8]) -> Option<Way> {
        let last = slash::last(path).map_or(0, |slash| slash + 1);
        let name = path.get(last..)?;
        if matches!(name, b"" | b"." | b"..") || name.len() > NAME_LENGTH {
            return None;
        }
        let at = match last {
            0 => self.start.clone(),
            1 => self.root.clone(),
            _ => self.mounts.known.beginning(from, path.get(..last - 1)?)?,
        };
        Some((at, last))
    }

    /// What the last part is that a [`View::way`] leads to. `None` if it is a link, from which the walk goes on.
    fn last_step(
        &self,
        from: known::From,
        before: known::Before,
        path: &[u8],
        (at, last): (&Arc<dyn Node>, usize),
        follow: Follow,
    ) -> Result<Option<Option<Arc<dyn Node>>>, FileError> {
        self.check_passage(&**at)?;
        let name = path.get(last..).unwrap_or_default();
        let node = match at.lookup(name) {
            Err(FileError::NotFound) => return Ok(Some(None)),
            node => self.mounts.enter(at, name, node?),
        };
        if follow != Follow::Never {
            if node.kind() == Kind::Link {
                return Ok(if follow == Follow::Yes { None } else { Some(Some(node)) });
            }
            if at.is_settled() {
                self.mounts.known.keep(from, path, before, (Some(at), &node), last);
            }
        }
        Ok(Some(Some(node)))
    }

    /// Walks, and says whether a slash stands behind the last part.
    #[inline(never)]
    fn go<'a>(
        &'a self,
        path: &'a [u8],
        follow: Follow,
        before: known::Before,
        way: Option<Way>,
    ) -> Result<Reached<'a>, FileError> {
        let Some(first) = path.first() else { return Err(FileError::NotFound) };
        let from = self.from();
        let is_known = way.is_some();
        let (at, start) = match way {
            Some(way) => way,
            None if *first == b'/' => (self.top(self.start)?.clone(), 0),
            None => (self.start.clone(), 0),
        };
        let walked = Cow::Borrowed(path);
        let mut walk = Walk { view: self, follow, path: walked, start, end: 0, at, links: 0, is_plain: true };
        let node = walk.go()?;
        // Calls that change entries have their own answers to a slash behind a file.
        let slash = walk.end < walk.path.len();
        if slash && follow != Follow::Never && node.as_ref().is_some_and(|node| node.kind() != Kind::Directory) {
            return Err(FileError::NotDirectory);
        }
        if walk.is_plain
            && let Some(from) = from
        {
            // The way to its directory first, which more paths than this one have.
            let parent = if is_known { None } else { parent_of(path) };
            let beginning = parent.map(|parent| (parent, &walk.at, None));
            let whole =
                || node.as_ref().filter(|node| !slash && walk.leads(node)).map(|node| (path, node, Some(&walk.at)));
            if let Some((path, node, parent)) = beginning.or_else(whole) {
                self.mounts.known.keep(from, path, before, (parent, node), walk.start);
            }
        }
        Ok((walk, node, slash))
    }

    /// The root, for a path that begins with it and is met in `at`.
    fn top(&self, at: &Arc<dyn Node>) -> Result<&Arc<dyn Node>, FileError> {
        if self.confined.contains(Confinement::BENEATH) {
            return Err(FileError::CrossDevice);
        }
        self.check_crossing(at, self.root)?;
        Ok(self.root)
    }

    /// Refuses a step between file systems, if there is to be none.
    fn check_crossing(&self, from: &Arc<dyn Node>, to: &Arc<dyn Node>) -> Result<(), FileError> {
        let crosses = self.confined.contains(Confinement::ONE_SYSTEM) && from.system() != to.system();
        if crosses { Err(FileError::CrossDevice) } else { Ok(()) }
    }

    /// Names are looked up only in directories that one may pass through.
    fn check_passage(&self, at: &dyn Node) -> Result<(), FileError> {
        if at.kind() != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        if self.who.may(Powers::OVERRIDE) {
            return Ok(());
        }
        self.who.check(&at.metadata(), Rights::EXECUTE)
    }
}

impl Walk<'_> {
    /// Whether a walk that has ended at this node leads there whatever it is walked for.
    fn leads(&self, node: &Arc<dyn Node>) -> bool {
        node.kind() != Kind::Link && !matches!(self.part(), b"" | b".")
    }

    /// Walks up to the last part, and answers what that is.
    fn go(&mut self) -> Result<Option<Arc<dyn Node>>, FileError> {
        loop {
            self.find_part();
            if self.part().is_empty() {
                return Ok(Some(self.at.clone()));
            }
            let is_last = self.is_last();
            let node = match self.step() {
                Err(FileError::NotFound) if is_last && !self.is_dots() => return Ok(None),
                node => node?,
            };
            let has_slash = self.end < self.path.len();
            let stop = is_last && (self.follow == Follow::Never || self.follow == Follow::No && !has_slash);
            let node = if node.kind() == Kind::Link && !stop { self.follow(&*node)? } else { Some(node) };
            match node {
                Some(node) if is_last => return Ok(Some(node)),
                Some(node) => {
                    self.at = node;
                    self.start = self.end;
                }
                None => {}
            }
        }
    }

    /// Finds where the next part begins and ends; it is empty if there is none.
    fn find_part(&mut self) {
        let path = &*self.path;
        let mut start = self.start;
        while path.get(start) == Some(&b'/') {
            start += 1;
        }
        let mut end = start;
        while path.get(end).is_some_and(|&byte| byte != b'/') {
            end += 1;
        }
        (self.start, self.end) = (start, end);
    }

    fn part(&self) -> &[u8] {
        self.path.get(self.start..self.end).unwrap_or_default()
    }

    /// Nothing but slashes follows.
    fn is_last(&self) -> bool {
        self.path.get(self.end..).unwrap_or_default().iter().all(|&byte| byte == b'/')
    }

    fn is_dots(&self) -> bool {
        matches!(self.part(), b"." | b"..")
    }

    fn last(&self) -> Last {
        match self.part() {
            b"" => Last::Root,
            b"." => Last::Dot,
            b".." => Last::DotDot,
            name => Last::Name(name.into()),
        }
    }

    /// The node that the next part names.
    fn step(&mut self) -> Result<Arc<dyn Node>, FileError> {
        let at = &*self.at;
        self.view.check_passage(at)?;
        self.is_plain &= at.is_settled() && self.part() != b"..";
        let node = match self.part() {
            b"." => return Ok(self.at.clone()),
            b".." if crate::same(&self.at, self.view.root) => {
                // Above the root is the root.
                let is_refused = self.view.confined.contains(Confinement::BENEATH);
                return if is_refused { Err(FileError::CrossDevice) } else { Ok(self.at.clone()) };
            }
            b".." => self.view.mounts.place(&self.at).map(|place| place.parent).ok_or(FileError::NotFound)?,
            name if name.len() > NAME_LENGTH => return Err(FileError::NameTooLong),
            name => self.view.mounts.enter(&self.at, name, at.lookup(name)?),
        };
        self.view.check_crossing(&self.at, &node)?;
        Ok(node)
    }

    /// Where a symbolic link leads without a path, or `None` once its path is what is walked.
    fn follow(&mut self, link: &dyn Node) -> Result<Option<Arc<dyn Node>>, FileError> {
        self.links += 1;
        self.is_plain = false;
        let [scoped, no_links, no_jumps] = [Confinement::SCOPED, Confinement::NO_LINKS, Confinement::NO_JUMPS]
            .map(|limit| self.view.confined.contains(limit));
        if self.links > MOST_LINKS || no_links {
            return Err(FileError::TooManyLinks);
        }
        if let Some(target) = link.jump() {
            return match (no_jumps, scoped) {
                (true, _) => Err(FileError::TooManyLinks),
                (false, true) => Err(FileError::CrossDevice),
                (false, false) => self.view.check_crossing(&self.at, &target).map(|()| Some(target)),
            };
        }
        let mut path = link.read_link()?.into_owned();
        if (no_jumps || scoped) && stands_for_a_file(link, &path) {
            return Err(if no_jumps { FileError::TooManyLinks } else { FileError::CrossDevice });
        }
        match path.first() {
            None => return Err(FileError::NotFound),
            Some(b'/') => self.at = self.view.top(&self.at)?.clone(),
            Some(_) => {}
        }
        path.extend_from_slice(self.path.get(self.end..).unwrap_or_default());
        self.path = Cow::Owned(path);
        self.start = 0;
        Ok(None)
    }
}

fn found(path: &[u8], (parent, last): Way, node: Option<Arc<dyn Node>>) -> Found {
    Found { parent, last: Last::Name(path.get(last..).unwrap_or_default().into()), node, slash: false }
}

/// The path of the directory that the last part of `path` is in, where that is not the beginning and no slash ends it.
fn parent_of(path: &[u8]) -> Option<&[u8]> {
    let slash = slash::last(path)?;
    let parent = path.get(..slash)?;
    if parent.is_empty() || slash + 1 == path.len() { None } else { Some(parent) }
}

/// Whether a link stands for an open file though it is followed by its path, as `/proc/self/exe` is: all links of
/// `/proc` do that name a place from the root (proc(5)).
fn stands_for_a_file(link: &dyn Node, path: &[u8]) -> bool {
    path.first() == Some(&b'/') && link.file_system().magic == crate::pseudo::PROC
}
