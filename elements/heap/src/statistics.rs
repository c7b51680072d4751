//! What a heap says about itself.

/// A heap's figures. Bytes are as the heap rounds blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Blocks in use.
    pub blocks: usize,
    /// Their bytes.
    pub bytes: usize,
    /// The most bytes that were in use when the heap asked for pages, or now. Between two growths there may have been
    /// more, but never more than was held then: to know exactly would cost every allocation three instructions.
    pub peak: usize,
    /// Bytes of the pages that the heap holds, in use or not.
    pub held: usize,
}

impl Statistics {
    /// Of a heap that holds nothing.
    pub(crate) const NONE: Self = Self { blocks: 0, bytes: 0, peak: 0, held: 0 };

    /// `blocks` blocks of `bytes` bytes together have come into use.
    #[inline]
    pub(crate) fn add(&mut self, blocks: usize, bytes: usize) {
        self.blocks += blocks;
        self.bytes += bytes;
    }

    /// The heap has got pages.
    pub(crate) fn grow(&mut self, bytes: usize) {
        self.held += bytes;
        self.peak = self.peak.max(self.bytes);
    }

    /// As they are to be shown.
    pub(crate) fn shown(&self) -> Self {
        Self { peak: self.peak.max(self.bytes), ..*self }
    }

    /// They are free again.
    #[inline]
    pub(crate) fn remove(&mut self, blocks: usize, bytes: usize) {
        self.blocks -= blocks;
        self.bytes -= bytes;
    }
}
