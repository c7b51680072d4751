//! The program's file, as its loader needs it.

use alloc::{boxed::Box, sync::Arc};

use elf::ReadAt;
use vfs::{Kind, Node, Rights};

use crate::{Errno, files};

/// A regular file that this process may execute.
pub struct Image {
    node: Arc<dyn Node>,
    /// Its absolute path, links resolved.
    pub path: Arc<str>,
    /// Bytes.
    pub length: u64,
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
        let (node, path) = files::lookup_program(path).map_err(NotRunnable::Lookup)?;
        let metadata = node.metadata();
        match metadata.kind {
            Kind::Regular => {}
            Kind::Directory => return Err(NotRunnable::Directory),
            _ => return Err(NotRunnable::NotRegular),
        }
        if files::credentials().check(&metadata, Rights::EXECUTE).is_err() {
            return Err(NotRunnable::NoPermission);
        }
        Ok(Box::new(Self { node, path, length: metadata.size }))
    }

    /// Where in the boot archive its bytes lie, if they do.
    pub fn in_place(&self) -> Option<usize> {
        self.node.in_place().map(|place| place.offset)
    }

    /// Copies `length` bytes from `offset` on to the application at `address`; stops at the end of the file.
    pub fn copy_out(&self, offset: u64, address: usize, length: usize) -> Result<(), Errno> {
        let mut done = 0;
        while done < length {
            let place = address.checked_add(done).ok_or(Errno::EFAULT)?;
            match files::read_to_user(&*self.node, offset + done as u64, place, length - done)? {
                0 => break,
                count => done += count,
            }
        }
        Ok(())
    }
}

impl ReadAt for Image {
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> bool {
        files::read_exact(&*self.node, offset, buffer)
    }
}
