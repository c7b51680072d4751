//! How to open.

use contracts::vfs::{FileError, OpenRequest};

use super::{File, error::of, object::Object, tree};
use crate::{io::Result, path::Path};

/// How to open a file.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    read: bool,
    write: bool,
    append: bool,
    truncate: bool,
    create: bool,
    create_new: bool,
    pub(crate) mode: u32,
}

/// Declares the switches.
macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $($(#[$doc])*
        pub const fn $name(&mut self, on: bool) -> &mut Self {
            self.$name = on;
            self
        })*
    };
}

impl OpenOptions {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            read: false,
            write: false,
            append: false,
            truncate: false,
            create: false,
            create_new: false,
            mode: 0o666,
        }
    }

    switches! {
        /// For reading.
        read
        /// For writing.
        write
        /// For writing, each time behind the end.
        append
        /// Cut to nothing.
        truncate
        /// Made if there is none.
        create
        /// Made; it must not be there.
        create_new
    }

    /// Opens the file at `path`.
    ///
    /// # Errors
    /// [`crate::io::ErrorKind::InvalidInput`] for switches that do not go together, and what keeps it from being
    /// opened.
    #[inline]
    pub fn open<P: AsRef<Path>>(&self, path: P) -> Result<File> {
        let path = path.as_ref();
        let writes = self.write || self.append;
        // Switches that go together, and leave a file that is there as it is.
        let plain = !(self.truncate || self.create_new) && (writes || self.read && !self.create);
        match if plain { tree::file(path) } else { None } {
            Some(file) => Ok(File::new(Object::Memory(file), self.read, writes, self.append)),
            None => self.open_by_request(path),
        }
    }

    #[inline(never)]
    fn open_by_request(&self, path: &Path) -> Result<File> {
        let writes = self.write || self.append;
        let makes = self.create || self.create_new;
        let sensible =
            if self.append { !self.truncate || self.create_new } else { self.write || !self.truncate && !makes };
        if !sensible || !self.read && !writes {
            return Err(of(FileError::Invalid));
        }
        let request = OpenRequest {
            read: self.read,
            write: writes,
            create: makes.then_some(self.mode & !UMASK),
            exclusive: self.create_new,
            truncate: self.truncate && !self.create_new,
            ..OpenRequest::default()
        };
        let object = Object::new(tree::open(path, &request)?);
        Ok(File::new(object, self.read, writes, self.append))
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Permissions that new files do not get, as a shell has it (umask(2)).
pub(super) const UMASK: u32 = 0o022;
