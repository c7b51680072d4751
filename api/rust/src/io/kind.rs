//! What kind of thing went wrong.

use core::fmt;

/// Declares [`ErrorKind`] and its words from one list.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The kinds of errors of input and output, as the standard library's.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[$doc])* $name,)*
        }

        impl ErrorKind {
            pub(super) const fn description(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

kinds! {
    /// There is no such thing.
    NotFound = "entity not found",
    /// It is not allowed.
    PermissionDenied = "permission denied",
    /// The other side wants no connection.
    ConnectionRefused = "connection refused",
    /// The other side has ended the connection at once.
    ConnectionReset = "connection reset",
    /// No way leads to the machine.
    HostUnreachable = "host unreachable",
    /// No way leads to the network.
    NetworkUnreachable = "network unreachable",
    /// The connection was given up.
    ConnectionAborted = "connection aborted",
    /// There is no connection.
    NotConnected = "not connected",
    /// Somebody else has the address.
    AddrInUse = "address in use",
    /// The address is not this machine's.
    AddrNotAvailable = "address not available",
    /// The network is down.
    NetworkDown = "network down",
    /// Nobody reads any more.
    BrokenPipe = "broken pipe",
    /// It is there already.
    AlreadyExists = "entity already exists",
    /// It would have to wait.
    WouldBlock = "operation would block",
    /// A directory was expected.
    NotADirectory = "not a directory",
    /// A directory was not expected.
    IsADirectory = "is a directory",
    /// The directory holds something.
    DirectoryNotEmpty = "directory not empty",
    /// The file system or the medium cannot be written.
    ReadOnlyFilesystem = "read-only filesystem or storage medium",
    #[doc(hidden)]
    FilesystemLoop = "filesystem loop or indirection limit (e.g. symlink loop)",
    /// The server knows the file no more.
    StaleNetworkFileHandle = "stale network file handle",
    /// A parameter is wrong.
    InvalidInput = "invalid input parameter",
    /// The data is not what it must be.
    InvalidData = "invalid data",
    /// It took too long.
    TimedOut = "timed out",
    /// A write took nothing.
    WriteZero = "write zero",
    /// The storage is full.
    StorageFull = "no storage space",
    /// There are no positions in it.
    NotSeekable = "seek on unseekable file",
    /// More than this user may have.
    QuotaExceeded = "quota exceeded",
    /// Larger than a file may be.
    FileTooLarge = "file too large",
    /// Somebody else uses it.
    ResourceBusy = "resource busy",
    /// The file is being executed.
    ExecutableFileBusy = "executable file busy",
    /// It would wait for ever.
    Deadlock = "deadlock",
    /// Not within one device.
    CrossesDevices = "cross-device link or rename",
    /// The file has as many names as it may.
    TooManyLinks = "too many links",
    /// No file can have this name.
    InvalidFilename = "invalid filename",
    /// Too many words for a program.
    ArgumentListTooLong = "argument list too long",
    /// A signal came; the call can be repeated.
    Interrupted = "operation interrupted",
    /// Not possible here.
    Unsupported = "unsupported",
    /// The data ended too early.
    UnexpectedEof = "unexpected end of file",
    /// No memory is left.
    OutOfMemory = "out of memory",
    #[doc(hidden)]
    InProgress = "in progress",
    /// Something that is not of this list, by the application's own judgement.
    Other = "other error",
    #[doc(hidden)]
    Uncategorized = "uncategorized error",
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.description())
    }
}

/// Linux's error numbers that have a kind (errno(3)).
const NUMBERS: [(i32, ErrorKind); 39] = [
    (1, ErrorKind::PermissionDenied),
    (2, ErrorKind::NotFound),
    (4, ErrorKind::Interrupted),
    (7, ErrorKind::ArgumentListTooLong),
    (11, ErrorKind::WouldBlock),
    (12, ErrorKind::OutOfMemory),
    (13, ErrorKind::PermissionDenied),
    (16, ErrorKind::ResourceBusy),
    (17, ErrorKind::AlreadyExists),
    (18, ErrorKind::CrossesDevices),
    (20, ErrorKind::NotADirectory),
    (21, ErrorKind::IsADirectory),
    (22, ErrorKind::InvalidInput),
    (26, ErrorKind::ExecutableFileBusy),
    (27, ErrorKind::FileTooLarge),
    (28, ErrorKind::StorageFull),
    (29, ErrorKind::NotSeekable),
    (30, ErrorKind::ReadOnlyFilesystem),
    (31, ErrorKind::TooManyLinks),
    (32, ErrorKind::BrokenPipe),
    (35, ErrorKind::Deadlock),
    (36, ErrorKind::InvalidFilename),
    (38, ErrorKind::Unsupported),
    (39, ErrorKind::DirectoryNotEmpty),
    (40, ErrorKind::FilesystemLoop),
    (95, ErrorKind::Unsupported),
    (98, ErrorKind::AddrInUse),
    (99, ErrorKind::AddrNotAvailable),
    (100, ErrorKind::NetworkDown),
    (101, ErrorKind::NetworkUnreachable),
    (103, ErrorKind::ConnectionAborted),
    (104, ErrorKind::ConnectionReset),
    (107, ErrorKind::NotConnected),
    (110, ErrorKind::TimedOut),
    (111, ErrorKind::ConnectionRefused),
    (113, ErrorKind::HostUnreachable),
    (115, ErrorKind::InProgress),
    (116, ErrorKind::StaleNetworkFileHandle),
    (122, ErrorKind::QuotaExceeded),
];

/// The kind of a Linux error number.
pub(super) fn of_number(number: i32) -> ErrorKind {
    NUMBERS.iter().find(|(known, _)| *known == number).map_or(ErrorKind::Uncategorized, |&(_, kind)| kind)
}
