//! Contract `console`: see [`machine::Console`].

slot! { provide_console: ::machine::Console {
    /// See [`machine::Console::read`].
    fn read(buffer: &mut [u8]) -> ::core::result::Result<usize, ::machine::ConsoleError>;
    /// See [`machine::Console::cancel_read`].
    fn cancel_read();
    /// See [`machine::Console::write`].
    fn write(stream: ::machine::Stream, bytes: &[u8]) -> ::core::result::Result<usize, ::machine::ConsoleError>;
    /// See [`machine::Console::readiness`].
    fn readiness(stream: ::machine::Stream) -> ::machine::Readiness;
    /// See [`machine::Console::is_terminal`].
    fn is_terminal(stream: ::machine::Stream) -> bool;
    /// See [`machine::Console::attributes`].
    fn attributes(stream: ::machine::Stream) -> ::core::result::Result<::machine::TerminalAttributes, ::machine::ConsoleError>;
    /// See [`machine::Console::set_attributes`].
    fn set_attributes(stream: ::machine::Stream, when: ::machine::SetWhen, attributes: &::machine::TerminalAttributes) -> ::core::result::Result<(), ::machine::ConsoleError>;
    /// See [`machine::Console::window_size`].
    fn window_size(stream: ::machine::Stream) -> ::core::result::Result<::machine::WindowSize, ::machine::ConsoleError>;
    /// See [`machine::Console::take_signal`].
    fn take_signal() -> ::core::option::Option<u8>;
    /// See [`machine::Console::record`].
    fn record(record: ::machine::Record, line: &str);
} }
