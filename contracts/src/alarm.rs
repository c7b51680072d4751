//! Contract `alarm`: see [`machine::Alarm`].

slot! { provide_alarm: ::contracts::machine::Alarm {
    /// See [`machine::Alarm::set`].
    fn set(deadline: ::core::option::Option<u64>);
} }
