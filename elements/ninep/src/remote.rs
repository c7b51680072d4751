//! A file's contents at the server.

use alloc::{
    sync::{Arc, Weak},
    vec,
};

use page_cache::Backing;
use sync::Mutex;
use vfs::FileError;

use crate::{client::Client, fid::Fid, requests::Mode};

/// Where reads and writes of one file go.
pub struct Remote {
    client: Arc<Client>,
    /// The file's number at the server: the name may be another's by now.
    number: u64,
    /// The file by its name.
    fid: Arc<Mutex<Arc<Fid>>>,
    /// Open for reading, from the first read on.
    reader: Mutex<Option<Arc<Fid>>>,
    /// Open for writing, as long as somebody has the file open for that: a program that is still being written cannot
    /// be executed there.
    writer: Mutex<Weak<Fid>>,
    /// Of a file that was just made: open from that on.
    made: Mutex<Option<Arc<Fid>>>,
    /// The length of a file whose last name is gone: by name nothing can be asked or changed.
    loose: Mutex<Option<u64>>,
}

impl Remote {
    pub fn new(client: Arc<Client>, fid: Arc<Mutex<Arc<Fid>>>, number: u64) -> Self {
        let (reader, writer) = (Mutex::new(None), Mutex::new(Weak::new()));
        Self { client, number, fid, reader, writer, made: Mutex::new(None), loose: Mutex::new(None) }
    }

    fn open(&self, mode: Mode) -> Result<Arc<Fid>, FileError> {
        let fid = self.fid.lock().clone();
        let fid = self.client.walk(&fid, None)?;
        self.client.open(&fid, mode)?;
        Ok(fid)
    }

    /// A fid that is open for reading.
    pub fn reader(&self) -> Result<Arc<Fid>, FileError> {
        if let Some(reader) = &*self.reader.lock() {
            return Ok(reader.clone());
        }
        let opened = self.open(Mode::Read)?;
        // Another thread may have been faster. Ours goes behind the lock then: its end asks the server.
        let reader = self.reader.lock().get_or_insert_with(|| opened.clone()).clone();
        drop(opened);
        Ok(reader)
    }

    /// A fid that is open for writing, and for reading too if that is allowed. Whoever asks keeps it.
    pub fn writer(&self) -> Result<Arc<Fid>, FileError> {
        if let Some(writer) = self.writer.lock().upgrade() {
            return Ok(writer);
        }
        let writer = match self.open(Mode::Both) {
            Err(FileError::Denied) => self.open(Mode::Write)?,
            writer => writer?,
        };
        *self.writer.lock() = Arc::downgrade(&writer);
        Ok(writer)
    }

    /// The file was made by way of this fid, which is kept until somebody has opened the file.
    pub fn keep_made(&self, made: Arc<Fid>) {
        *self.writer.lock() = Arc::downgrade(&made);
        let old = self.made.lock().replace(made);
        drop(old);
    }

    /// Somebody has opened the file.
    pub fn drop_made(&self) {
        let made = self.made.lock().take();
        drop(made);
    }

    /// The file has lost its last name.
    pub fn cut_loose(&self, length: u64) {
        *self.loose.lock() = Some(length);
    }

    fn loose(&self) -> Option<u64> {
        *self.loose.lock()
    }

    /// The length of a file that somebody at the server has renamed: QEMU looks at the name whose attributes are asked
    /// for, and reads what is open. So the end is looked for by reading.
    fn measured(&self) -> Result<u64, FileError> {
        let reader = self.reader.lock().clone();
        let open = reader.or_else(|| self.writer.lock().upgrade()).ok_or(FileError::NotFound)?;
        let has = |position: u64| Ok(self.client.read(&open, position, &mut [&mut [0]])? > 0);
        let (mut least, mut most) = (0, 0);
        while has(most)? {
            (least, most) = (most + 1, (most * 2 + 1).min(i64::MAX as u64));
        }
        while least < most {
            let middle = least.midpoint(most);
            if has(middle)? {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        Ok(least)
    }

    /// Cutting and filling up without a name: what is cut is overwritten, since it may be seen again.
    fn set_loose_length(&self, old: u64, new: u64) -> Result<(), FileError> {
        let writer = self.writer()?;
        let (mut at, end) = if new < old { (new, old) } else { (new.max(1) - 1, new) };
        let zeros = vec![0; usize::try_from(end - at).unwrap_or(usize::MAX).min(64 << 10)];
        while at < end {
            let count = usize::try_from(end - at).unwrap_or(usize::MAX).min(zeros.len());
            at += self.client.write(&writer, at, &zeros[..count])?.max(1) as u64;
        }
        *self.loose.lock() = Some(new);
        Ok(())
    }
}

impl Backing for Remote {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        let reader = match self.reader() {
            // What only its writer may see, he may, if the server let him open it for both.
            Err(error) => self.writer.lock().upgrade().ok_or(error)?,
            Ok(reader) => reader,
        };
        self.client.read(&reader, offset, parts)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Result<usize, FileError> {
        let count = self.client.write(&*self.writer()?, offset, bytes)?;
        if let Some(length) = &mut *self.loose.lock() {
            *length = (*length).max(offset + count as u64);
        }
        Ok(count)
    }

    fn length(&self) -> Result<u64, FileError> {
        if let Some(length) = self.loose() {
            return Ok(length);
        }
        let fid = self.fid.lock().clone();
        match self.client.attributes(&fid) {
            Ok(attributes) if attributes.qid.path == self.number => Ok(attributes.metadata.size),
            Ok(_) | Err(FileError::NotFound) => self.measured(),
            Err(error) => Err(error),
        }
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        if let Some(old) = self.loose() {
            return self.set_loose_length(old, length);
        }
        let fid = self.fid.lock().clone();
        self.client.set_length(&fid, length)
    }

    fn sync(&self, metadata: bool) -> Result<(), FileError> {
        let writer = self.writer.lock().upgrade();
        let fid = writer.map_or_else(|| self.reader(), Ok)?;
        self.client.sync(&fid, metadata)
    }
}
