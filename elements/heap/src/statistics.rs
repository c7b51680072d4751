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
    /// Bytes of the pages that it may hold at most; `usize::MAX` if whoever has the pages does not say.
    pub limit: usize,
}

impl Statistics {
    /// Of a heap that holds nothing, and may hold whatever there is.
    pub const NONE: Self = Self { limit: usize::MAX, ..Self::BEGUN };

    /// What a heap keeps at its beginning: its limit is said when it is shown. All zeros, as a whole heap over a region
    /// is then: one other word, and the region would be written into the image's file.
    pub(crate) const BEGUN: Self = Self { blocks: 0, bytes: 0, peak: 0, held: 0, limit: 0 };

    /// `blocks` blocks of `bytes` bytes together have come into use.
    #[inline]
    pub const fn add(&mut self, blocks: usize, bytes: usize) {
        self.blocks += blocks;
        self.bytes += bytes;
    }

    /// The heap has got pages.
    pub const fn grow(&mut self, bytes: usize) {
        self.held += bytes;
        self.peak = self.shown().peak;
    }

    /// As they are to be shown.
    #[must_use]
    pub const fn shown(&self) -> Self {
        let peak = if self.bytes > self.peak { self.bytes } else { self.peak };
        Self { peak, ..*self }
    }

    /// The same with a limit.
    #[must_use]
    pub const fn within(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// They are free again.
    #[inline]
    pub const fn remove(&mut self, blocks: usize, bytes: usize) {
        self.blocks -= blocks;
        self.bytes -= bytes;
    }
}
