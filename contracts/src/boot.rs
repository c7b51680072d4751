//! Contract `boot`: see [`machine::Boot`]. A platform's entry code calls it.

slot! { provide_boot: ::contracts::machine::Boot {
    /// See [`machine::Boot::start`].
    fn start(handover: usize, cycles: u64) -> !;
} }
