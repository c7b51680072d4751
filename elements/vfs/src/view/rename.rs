//! Renaming (rename(2)).

use alloc::sync::Arc;

use crate::{FileError, Follow, Found, Kind, Last, Node, Powers, RenameMode, Rights, View, same};

impl View<'_> {
    /// Renames what is at `old` to `new`, which is walked from another view of the same process (renameat(2)).
    pub fn rename(&self, old: &[u8], to: &Self, new: &[u8], mode: RenameMode) -> Result<(), FileError> {
        self.renamed(old, to, new, mode).map(drop)
    }

    /// As [`View::rename`]; answers both places as they were before.
    pub fn renamed(&self, old: &[u8], to: &Self, new: &[u8], mode: RenameMode) -> Result<[Found; 2], FileError> {
        let source = self.walk(old, Follow::Never)?;
        let target = to.walk(new, Follow::Never)?;
        if source.parent.system() != target.parent.system() {
            return Err(FileError::CrossDevice);
        }
        let Last::Name(name) = &source.last else { return Err(FileError::Busy) };
        let Last::Name(new_name) = &target.last else {
            return Err(if mode == RenameMode::Keep { FileError::Exists } else { FileError::Busy });
        };
        self.mounts.check_change(&*source.parent)?;
        let node = source.node.as_ref().ok_or(FileError::NotFound)?;
        match (&target.node, mode) {
            (Some(_), RenameMode::Keep) => return Err(FileError::Exists),
            (None, RenameMode::Exchange) => return Err(FileError::NotFound),
            _ => {}
        }
        let slash = source.slash || target.slash && mode != RenameMode::Exchange;
        if slash && node.kind() != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        self.check_rename(&source.parent, node, &target.parent, target.node.as_ref())?;
        self.check_parents(&source.parent, node, &target.parent)?;
        if let (RenameMode::Exchange, Some(other)) = (mode, &target.node) {
            self.check_parents(&target.parent, other, &source.parent)?;
        }
        if self.mounts.is_root(node) || target.node.as_ref().is_some_and(|node| self.mounts.is_root(node)) {
            return Err(FileError::Busy);
        }
        source.parent.rename(name, &target.parent, new_name, mode)?;
        Ok([source, target])
    }

    /// A directory that goes into another one gets another `..`, and so is written.
    fn check_parents(&self, from: &Arc<dyn Node>, node: &Arc<dyn Node>, to: &Arc<dyn Node>) -> Result<(), FileError> {
        if self.who.may(Powers::OVERRIDE) || node.kind() != Kind::Directory || same(from, to) {
            return Ok(());
        }
        self.who.check(&node.metadata(), Rights::WRITE)
    }

    fn check_rename(
        &self,
        from: &Arc<dyn Node>,
        node: &Arc<dyn Node>,
        to: &Arc<dyn Node>,
        replaced: Option<&Arc<dyn Node>>,
    ) -> Result<(), FileError> {
        if self.who.may(Powers::OVERRIDE.and(Powers::OWN)) {
            return Ok(());
        }
        self.check_removal(from, node)?;
        match replaced {
            Some(replaced) => self.check_removal(to, replaced),
            None => self.check_entries(to),
        }
    }
}
