//! The four ids of one kind.

use crate::NotPermitted;

/// Real, effective and saved id, and that for file access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    /// Who started the process.
    pub real: u32,
    /// Whose rights count.
    pub effective: u32,
    /// Which rights it may take back.
    pub saved: u32,
    /// Whose rights count for files.
    pub file: u32,
}

impl Ids {
    /// All four the same.
    #[must_use]
    pub const fn new(id: u32) -> Self {
        Self { real: id, effective: id, saved: id, file: id }
    }

    const fn is_one_of_mine(self, id: u32) -> bool {
        id == self.real || id == self.effective || id == self.saved
    }

    /// Whether one of those that programs ask for is root's.
    pub(crate) const fn has_root(self) -> bool {
        self.is_one_of_mine(0)
    }

    /// setuid(2).
    pub const fn set(&mut self, id: u32, privileged: bool) -> Result<(), NotPermitted> {
        if privileged {
            *self = Self::new(id);
        } else if id == self.real || id == self.saved {
            self.effective = id;
            self.file = id;
        } else {
            return Err(NotPermitted);
        }
        Ok(())
    }

    /// setresuid(2); `None` leaves an id alone.
    pub fn set_all(&mut self, wanted: [Option<u32>; 3], privileged: bool) -> Result<(), NotPermitted> {
        if !privileged && !wanted.iter().flatten().all(|&id| self.is_one_of_mine(id)) {
            return Err(NotPermitted);
        }
        self.real = wanted[0].unwrap_or(self.real);
        self.effective = wanted[1].unwrap_or(self.effective);
        self.saved = wanted[2].unwrap_or(self.saved);
        self.file = self.effective;
        Ok(())
    }

    /// setreuid(2): the saved id follows when the real one is set or the effective one becomes another than it.
    pub fn set_two(&mut self, wanted: [Option<u32>; 2], privileged: bool) -> Result<(), NotPermitted> {
        let old = *self;
        let real_allowed = wanted[0].is_none_or(|id| id == old.real || id == old.effective);
        let effective_allowed = wanted[1].is_none_or(|id| old.is_one_of_mine(id));
        if !(privileged || real_allowed && effective_allowed) {
            return Err(NotPermitted);
        }
        self.real = wanted[0].unwrap_or(old.real);
        self.effective = wanted[1].unwrap_or(old.effective);
        if wanted[0].is_some() || wanted[1].is_some_and(|id| id != old.real) {
            self.saved = self.effective;
        }
        self.file = self.effective;
        Ok(())
    }

    /// setfsuid(2): answers the id before; a wish that is not allowed, or no id, is passed over.
    pub const fn set_file(&mut self, id: u32, privileged: bool) -> u32 {
        let old = self.file;
        if id != u32::MAX && (privileged || self.is_one_of_mine(id)) {
            self.file = id;
        }
        old
    }

    /// The program's is the effective one from now on (execve(2)).
    pub const fn execute(&mut self) {
        (self.saved, self.file) = (self.effective, self.effective);
    }
}
