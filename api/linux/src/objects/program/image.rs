//! The program's file, as its loader needs it.

use alloc::{boxed::Box, sync::Arc};

use elf::ReadAt;
use identity::SetIds;
use kernel::memory::{FileReference, MapRequest};
use machine::Source;
use vfs::{Kind, Node, Rights, Time};

use crate::{
    Errno,
    objects::{
        ability, errors,
        files::{self, ProgramFile},
        sites,
    },
};

/// A regular file that this process may execute.
pub struct Image {
    node: Arc<dyn Node>,
    /// It, as its segments' regions show it: by its absolute path, links resolved.
    pub reference: FileReference,
    /// Bytes.
    pub length: u64,
    /// When it was last changed.
    pub changed: Time,
    /// Whose rights it gives to those who execute it.
    pub ids: SetIds,
}

/// What stands at a path that cannot be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRunnable {
    /// Looking for it failed.
    Lookup(Errno),
    /// It is a directory.
    Directory,
    /// It is a device, a pipe or the like.
    NotRegular,
    /// This process may not execute it.
    NoPermission,
}

impl Image {
    /// The program at `path`, from the working directory on.
    #[inline(never)]
    pub fn open(path: &[u8]) -> Result<Box<Self>, NotRunnable> {
        Self::of(files::lookup_program(path).map_err(NotRunnable::Lookup)?)
    }

    /// The program that this file is.
    pub fn of((node, path): ProgramFile) -> Result<Box<Self>, NotRunnable> {
        let metadata = node.metadata();
        match metadata.kind {
            Kind::Regular => {}
            Kind::Directory => return Err(NotRunnable::Directory),
            _ => return Err(NotRunnable::NotRegular),
        }
        if files::credentials().check(&metadata, Rights::EXECUTE).is_err() {
            return Err(NotRunnable::NoPermission);
        }
        let node = match node.open(true, false).map_err(|error| NotRunnable::Lookup(errors::errno(error)))? {
            Some(opened) => opened,
            None => node,
        };
        let reference = files::Mapped::reference(&node, &path, false);
        let ids = if ability::programs() {
            SetIds::of(metadata.mode, metadata.owner.user, metadata.owner.group)
        } else {
            SetIds::default()
        };
        Ok(Box::new(Self { node, reference, length: metadata.size, changed: metadata.changed, ids }))
    }

    /// What a mapping that begins at this offset has for its pages.
    pub fn source(&self, offset: u64) -> Result<Source, Errno> {
        files::source(&*self.node, offset, false)
    }

    /// Its bytes from this offset on; `false` if it has no such.
    pub fn bytes_at(&self, offset: u64, buffer: &mut [u8]) -> bool {
        files::read_exact(&*self.node, offset, buffer)
    }

    /// A part of it is about to be mapped.
    #[inline(always)]
    pub fn mapped(&self, request: &MapRequest) {
        sites::mapped(&*self.node, request);
    }
}

impl ReadAt for Image {
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> bool {
        self.bytes_at(offset, buffer)
    }
}
