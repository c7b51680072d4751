//! Listing a directory, in the server's order.

use alloc::{sync::Arc, vec};

use vfs::{Cursor, FileError, Kind, Listed, NAME_LENGTH};

use crate::{fid::Fid, item::Item, reply::Reader, requests::Mode};

/// Bytes of entries that are asked for at once.
const PIECE: usize = 32 << 10;

/// What readdir(3) calls the kinds.
const fn kind(number: u8) -> Kind {
    match number {
        1 => Kind::Pipe,
        2 => Kind::Character,
        4 => Kind::Directory,
        6 => Kind::Block,
        10 => Kind::Link,
        12 => Kind::Socket,
        _ => Kind::Regular,
    }
}

/// An entry, and what the server calls the place behind it.
fn next<'a>(reader: &mut Reader<'a>) -> Result<(Listed<'a>, u64), FileError> {
    let inode = reader.qid()?.path;
    let (behind, kind) = (reader.number64()?, kind(reader.number8()?));
    Ok((Listed { name: reader.string()?, inode, kind }, behind))
}

fn is_usable(name: &[u8]) -> bool {
    let is_name = !matches!(name, b"" | b"." | b"..") && name.len() <= NAME_LENGTH;
    is_name && !name.iter().any(|byte| matches!(byte, 0 | b'/'))
}

impl Item {
    /// The directory, open: as it was opened when the listing began.
    fn opened(&self, begins: bool) -> Result<Arc<Fid>, FileError> {
        let directory = self.directory()?;
        let known = if begins { None } else { directory.opened.lock().clone() };
        if let Some(known) = known {
            return Ok(known);
        }
        let fid = self.share.client.walk(&self.fid(), None)?;
        self.share.client.open(&fid, Mode::Read)?;
        let old = directory.opened.lock().replace(fid.clone());
        // Behind the lock: its end asks the server.
        drop(old);
        Ok(fid)
    }

    /// As [`vfs::Node::list`].
    pub fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        let directory = self.directory()?;
        if self.is_removed() {
            return Ok(());
        }
        let fid = self.opened(cursor.cookie == 0)?;
        let mut buffer = vec![0; PIECE];
        loop {
            let mut reader = self.share.client.read_directory(&fid, cursor.cookie, &mut buffer)?;
            if reader.is_empty() {
                let over = directory.opened.lock().take();
                drop(over);
                return Ok(());
            }
            while !reader.is_empty() {
                let (mut listed, behind) = next(&mut reader)?;
                if listed.kind == Kind::Regular
                    && let Some(kind) = self.share.stand_ins.listed(listed.inode)
                {
                    listed.kind = kind;
                }
                if behind == cursor.cookie {
                    // It would be shown for ever.
                    return Err(FileError::Failed);
                }
                if is_usable(listed.name) && !visit(listed) {
                    return Ok(());
                }
                cursor.cookie = behind;
            }
        }
    }
}
