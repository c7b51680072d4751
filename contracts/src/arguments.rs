//! Contract `arguments`: see [`machine::Arguments`].

slot! { provide_arguments: ::contracts::machine::Arguments {
    /// See [`machine::Arguments::argument`].
    fn argument(index: usize) -> ::core::option::Option<&'static [u8]>;
    /// See [`machine::Arguments::variable`].
    fn variable(index: usize) -> ::core::option::Option<&'static [u8]>;
} }
