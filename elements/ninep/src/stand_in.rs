//! Empty files that stand for named pipes and sockets, at a server that makes none.
//!
//! Some QEMUs (7.2.22 is one) refuse to open what is neither a file nor a directory, and open what they have made, to
//! set its mode: they make neither pipes nor sockets, but answer ENXIO. Those of this machine are its own anyway; what
//! is at the server is their name. So an empty file has it, which only we know to be something else, as long as we run.

use alloc::{collections::BTreeMap, sync::Arc};

use sync::Mutex;
use vfs::{Creation, FileError, Kind, MakeKind, Time};

use crate::{attributes::Attributes, client::Client, fid::Fid};

/// What a file stands for, by its number, and when it was last changed: another file of that number is another file.
#[derive(Default)]
pub struct StandIns(Mutex<BTreeMap<u64, (Kind, Time)>>);

impl StandIns {
    fn add(&self, file: &Attributes, kind: Kind) {
        self.0.lock().insert(file.qid.path, (kind, file.metadata.modified));
    }

    /// The file has lost its last name.
    pub fn remove(&self, number: u64) {
        self.0.lock().remove(&number);
    }

    /// Another time was set for a file.
    fn renew(&self, file: &Attributes) {
        if let Some((_, modified)) = self.0.lock().get_mut(&file.qid.path) {
            *modified = file.metadata.modified;
        }
    }

    /// What the empty file of that number is that a listing shows.
    pub fn listed(&self, number: u64) -> Option<Kind> {
        self.0.lock().get(&number).map(|&(kind, _)| kind)
    }

    /// Shows what the file stands for.
    fn disguise(&self, mut file: Attributes) -> Attributes {
        if file.metadata.kind == Kind::Regular
            && file.metadata.size == 0
            && let Some(&(kind, modified)) = self.0.lock().get(&file.qid.path)
            && modified == file.metadata.modified
        {
            file.metadata.kind = kind;
        }
        file
    }

    /// What is known about what `fid` was walked to.
    pub fn attributes(&self, client: &Arc<Client>, fid: &Fid) -> Result<Attributes, FileError> {
        Ok(self.disguise(client.attributes(fid)?))
    }

    /// The time of a file's last change was set.
    pub fn set_modified(&self, client: &Arc<Client>, fid: &Fid) -> Result<(), FileError> {
        self.renew(&client.attributes(fid)?);
        Ok(())
    }

    /// Makes what is no file, in the directory that `fid` stands for.
    pub fn make_entry(
        &self,
        client: &Arc<Client>,
        fid: &Fid,
        name: &[u8],
        creation: &Creation<'_>,
    ) -> Result<(), FileError> {
        match (client.make_entry(fid, name, creation), creation.kind) {
            (Err(FileError::NoDevice), MakeKind::Special(kind @ (Kind::Pipe | Kind::Socket), _)) => {
                client.make_entry(fid, name, &Creation { kind: MakeKind::File, ..*creation })?;
                let made = client.walk(fid, Some(name))?;
                self.add(&client.attributes(&made)?, kind);
                Ok(())
            }
            (result, _) => result,
        }
    }
}
