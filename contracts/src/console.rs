//! Contract `console`: see [`machine::Console`].

slot! { provide_console: ::contracts::machine::Console {
    /// See [`machine::Console::read`].
    fn read(buffer: &mut [u8]) -> ::core::result::Result<usize, ::contracts::machine::ConsoleError>;
    /// See [`machine::Console::cancel_read`].
    fn cancel_read();
    /// See [`machine::Console::write`].
    fn write(stream: ::contracts::machine::Stream, bytes: &[u8]) -> ::core::result::Result<usize, ::contracts::machine::ConsoleError>;
    /// See [`machine::Console::readiness`].
    fn readiness(stream: ::contracts::machine::Stream) -> ::contracts::machine::Readiness;
    /// See [`machine::Console::is_terminal`].
    fn is_terminal(stream: ::contracts::machine::Stream) -> bool;
    /// See [`machine::Console::attributes`].
    fn attributes(stream: ::contracts::machine::Stream) -> ::core::result::Result<::contracts::machine::TerminalAttributes, ::contracts::machine::ConsoleError>;
    /// See [`machine::Console::set_attributes`].
    fn set_attributes(stream: ::contracts::machine::Stream, when: ::contracts::machine::SetWhen, attributes: &::contracts::machine::TerminalAttributes) -> ::core::result::Result<(), ::contracts::machine::ConsoleError>;
    /// See [`machine::Console::window_size`].
    fn window_size(stream: ::contracts::machine::Stream) -> ::core::result::Result<::contracts::machine::WindowSize, ::contracts::machine::ConsoleError>;
    /// See [`machine::Console::take_signal`].
    fn take_signal() -> ::core::option::Option<u8>;
    /// See [`machine::Console::record`].
    fn record(record: ::contracts::machine::Record, payload: &[u8]);
} }
