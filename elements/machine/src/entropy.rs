//! Random bytes.

declaration::contract! {
    entropy = "random bytes";

    /// A source of random bytes fit for keys, address-space layout and stack protectors.
    pub trait Entropy: Sync {
        /// Fills `buffer`. Never blocks and never fails: a machine without a source does not start.
        fn fill(&self, buffer: &mut [u8]);
    }
}
