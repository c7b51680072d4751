//! Contract `entropy`: see [`machine::Entropy`].

slot! { provide_entropy: ::contracts::machine::Entropy {
    /// See [`machine::Entropy::fill`].
    fn fill(buffer: &mut [u8]);
} }
