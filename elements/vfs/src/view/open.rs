//! Opening (open(2)).

use alloc::sync::Arc;

use crate::{
    Change, Creation, Credentials, FileError, Follow, Found, Kind, Last, MakeKind, Node, Owner, Powers, Rights, View,
};

/// How to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenRequest {
    /// For reading.
    pub read: bool,
    /// For writing.
    pub write: bool,
    /// Make a file with these permissions if there is none.
    pub create: Option<u32>,
    /// With `create`: there must be none yet.
    pub exclusive: bool,
    /// Cut an existing file to nothing.
    pub truncate: bool,
    /// It must be a directory.
    pub directory: bool,
    /// It must not be a symbolic link.
    pub no_follow: bool,
    /// Only its place is wanted, not its contents (O_PATH): a symbolic link is opened itself with `no_follow`.
    pub path_only: bool,
    /// The caller tells the access time not to change, which only the owner may (O_NOATIME).
    pub keep_access_time: bool,
}

/// An opened node.
pub struct Opened {
    /// The node, whose metadata the open file has.
    pub node: Arc<dyn Node>,
    /// What reads and writes, if it is another node.
    pub stream: Option<Arc<dyn Node>>,
    /// The directory it was found in, and the name there.
    pub parent: Arc<dyn Node>,
    /// See [`Opened::parent`].
    pub last: Last,
    /// It was made just now, by that name.
    pub is_new: bool,
}

/// What reads and writes, if it is another node than the one found; cut to nothing if that is asked for.
fn begin(
    node: &dyn Node,
    is_new: bool,
    request: &OpenRequest,
    who: &Credentials,
) -> Result<Option<Arc<dyn Node>>, FileError> {
    if request.truncate && !is_new && node.kind() == Kind::Regular {
        if !who.may(Powers::MARK) {
            drop_bits(node, who)?;
        }
        node.set_length(0)?;
    }
    node.open(request.read, request.write)
}

/// The file is changed by one who may not give it all the bits it has.
fn drop_bits(node: &dyn Node, who: &Credentials) -> Result<(), FileError> {
    let metadata = node.metadata();
    match who.bits_lost(&metadata) {
        0 => Ok(()),
        lost => node.change(&Change { mode: Some(metadata.mode & !lost), ..Change::default() }),
    }
}

impl View<'_> {
    /// Makes a file without a name on the file system of the directory at `path`, and opens it (O_TMPFILE).
    pub fn open_nameless(&self, path: &[u8], mode: u32, linkable: bool) -> Result<Opened, FileError> {
        let directory = self.lookup(path, Follow::Yes)?;
        if directory.kind() != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        self.mounts.check_change(&*directory)?;
        self.check_entries(&directory)?;
        let creation = Creation { kind: MakeKind::File, mode, owner: self.owner_in(&directory) };
        let node = directory.nameless(&creation, linkable)?;
        let name = alloc::format!("#{}", node.metadata().inode).as_bytes().into();
        let stream = node.open(true, true)?;
        Ok(Opened { node, stream, parent: directory, last: Last::Name(name), is_new: false })
    }

    /// Opens `path`, with Linux' order of refusals.
    pub fn open(&self, path: &[u8], request: &OpenRequest) -> Result<Opened, FileError> {
        let is_to_be_new = request.create.is_some() && request.exclusive;
        // A file to be made does not end in a slash, whatever is there.
        if request.create.is_some() && path.ends_with(b"/") && self.ends_in_name(path)? {
            return Err(FileError::IsDirectory);
        }
        let follow = match () {
            () if is_to_be_new => Follow::Never,
            () if request.no_follow => Follow::No,
            () => Follow::Yes,
        };
        let found = self.walk(path, follow)?;
        let Found { parent, last, node, slash } = found;
        let (node, is_new) = match node {
            Some(_) if is_to_be_new => return Err(FileError::Exists),
            Some(node) => (node, false),
            None => (self.create_file(&parent, &last, slash, request)?, true),
        };
        if !is_new {
            self.check_existing(&node, request)?;
        }
        if request.path_only {
            return Ok(Opened { node, stream: None, parent, last, is_new });
        }
        let stream = begin(&*node, is_new, request, self.who)?;
        Ok(Opened { node, stream, parent, last, is_new })
    }

    /// Opens `path` for one who does not ask where it was found: what reads and writes.
    pub fn open_node(&self, path: &[u8], request: &OpenRequest) -> Result<Arc<dyn Node>, FileError> {
        if request.create.is_some() || request.no_follow || request.path_only {
            let opened = self.open(path, request)?;
            return Ok(opened.stream.unwrap_or(opened.node));
        }
        let node = self.find(path, Follow::Yes)?;
        self.check_existing(&node, request)?;
        Ok(begin(&*node, false, request, self.who)?.unwrap_or(node))
    }

    fn ends_in_name(&self, path: &[u8]) -> Result<bool, FileError> {
        Ok(matches!(self.walk(path, Follow::Never)?.last, Last::Name(_)))
    }

    fn create_file(
        &self,
        parent: &Arc<dyn Node>,
        last: &Last,
        slash: bool,
        request: &OpenRequest,
    ) -> Result<Arc<dyn Node>, FileError> {
        let (Last::Name(name), Some(mode)) = (last, request.create) else { return Err(FileError::NotFound) };
        if slash {
            return Err(FileError::IsDirectory);
        }
        self.mounts.check_change(&**parent)?;
        self.check_entries(parent)?;
        let owner = self.owner_in(parent);
        parent.create(name, &Creation { kind: MakeKind::File, mode: mode & 0o7777, owner })
    }

    fn check_existing(&self, node: &Arc<dyn Node>, request: &OpenRequest) -> Result<(), FileError> {
        let kind = node.kind();
        if request.create.is_some() && kind == Kind::Directory {
            return Err(FileError::IsDirectory);
        }
        if request.directory && kind != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        if kind == Kind::Link && !request.path_only {
            return Err(FileError::TooManyLinks);
        }
        if request.path_only {
            return Ok(());
        }
        if kind == Kind::Directory && (request.write || request.truncate) {
            return Err(FileError::IsDirectory);
        }
        self.check_rights(node, request)?;
        // A device does not change by what is written to it.
        let changes = kind == Kind::Regular && (request.write || request.truncate);
        if changes { self.mounts.check_change(&**node) } else { Ok(()) }
    }

    fn check_rights(&self, node: &Arc<dyn Node>, request: &OpenRequest) -> Result<(), FileError> {
        if self.who.may(Powers::OVERRIDE.and(Powers::OWN)) {
            return Ok(());
        }
        let mut wanted = Rights(0);
        if request.read {
            wanted = wanted.and(Rights::READ);
        }
        if request.write || request.truncate {
            wanted = wanted.and(Rights::WRITE);
        }
        let metadata = node.metadata();
        self.who.check(&metadata, wanted)?;
        let mine = self.who.owns(metadata.owner.user);
        if request.keep_access_time && !mine { Err(FileError::NotPermitted) } else { Ok(()) }
    }

    /// Whose a new entry of `parent` is: the caller's, and of the directory's group if that has the set-group-ID bit.
    pub(super) fn owner_in(&self, parent: &Arc<dyn Node>) -> Owner {
        let directory = parent.metadata();
        let inherits = directory.mode & 0o2000 != 0;
        Owner { user: self.who.user, group: if inherits { directory.owner.group } else { self.who.group } }
    }
}
