//! Contract `power`: see [`machine::Power`].

slot! { provide_power: ::machine::Power {
    /// See [`machine::Power::exit`].
    fn exit(reason: ::machine::ExitReason) -> !;
} }
