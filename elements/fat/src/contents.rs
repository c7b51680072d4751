//! What is in a file, as the backing of its page cache.

use alloc::{sync::Arc, vec};

use hadris_fs::NodeId;
use page_cache::Backing;
use vfs::FileError;

use crate::{convert::file_error, volume::Volume};

/// The bytes of a file.
pub struct Bytes {
    pub volume: Arc<Volume>,
    pub id: NodeId,
}

impl Backing for Bytes {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        let wanted = parts.iter().map(|part| part.len()).sum();
        // In one piece, so that clusters that follow one another are one request.
        let mut bytes = vec![0; wanted];
        let count = self.volume.fat().read(self.id, offset, &mut bytes).map_err(|error| file_error(&error))?;
        let mut rest = &bytes[..count];
        for part in parts {
            let (first, behind) = rest.split_at(part.len().min(rest.len()));
            part[..first.len()].copy_from_slice(first);
            rest = behind;
        }
        Ok(count)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Result<usize, FileError> {
        self.volume.fat().write(self.id, offset, bytes).map_err(|error| file_error(&error))
    }

    fn length(&self) -> Result<u64, FileError> {
        Ok(self.volume.fat().stat(self.id).map_err(|error| file_error(&error))?.len())
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.volume.fat().truncate(self.id, length).map_err(|error| file_error(&error))
    }

    fn sync(&self, _metadata: bool) -> Result<(), FileError> {
        self.volume.fat().fsync(self.id).map_err(|error| file_error(&error))
    }
}
