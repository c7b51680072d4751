//! Contract `clock`: see [`machine::Clock`].

slot! { provide_clock: ::contracts::machine::Clock {
    /// See [`machine::Clock::monotonic`].
    fn monotonic() -> u64;
    /// See [`machine::Clock::wall`].
    fn wall() -> u64;
    /// See [`machine::Clock::processor_time`].
    fn processor_time(number: usize) -> u64;
    /// See [`machine::Clock::process_time`].
    fn process_time() -> ::core::option::Option<u64>;
    /// See [`machine::Clock::program_page`].
    fn program_page() -> ::core::option::Option<::contracts::machine::Source>;
} }
