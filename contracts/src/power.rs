//! Contract `power`: see [`machine::Power`].

slot! { provide_power: ::contracts::machine::Power {
    /// See [`machine::Power::exit`].
    fn exit(reason: ::contracts::machine::ExitReason) -> !;
} }
