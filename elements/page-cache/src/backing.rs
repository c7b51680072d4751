//! Where contents really are.

use vfs::FileError;

/// Contents of one file, elsewhere. Positions and lengths are bytes. All may take long, and the caller
/// may sleep meanwhile.
pub trait Backing: Send + Sync {
    /// Reads from `offset` on into `parts`, one behind the other. May bring fewer bytes than there is room for; none
    /// only at the end of the file.
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError>;

    /// Writes at `offset`: at least one byte, and says how many.
    fn write(&self, offset: u64, bytes: &[u8]) -> Result<usize, FileError>;

    /// The length as it is now.
    fn length(&self) -> Result<u64, FileError>;

    /// Cuts, or fills up with zeros.
    fn set_length(&self, length: u64) -> Result<(), FileError>;

    /// Makes what has been written last; without `metadata`, only what is needed to read it.
    fn sync(&self, metadata: bool) -> Result<(), FileError>;
}
