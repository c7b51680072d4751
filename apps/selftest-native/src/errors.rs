//! Errors and their kinds.

use std::{
    error::Error as _,
    fmt,
    io::{Error, ErrorKind},
    prelude::v1::*,
};

use crate::tally::Tally;

const KINDS: [(ErrorKind, &str, &str); 39] = [
    (ErrorKind::NotFound, "NotFound", "entity not found"),
    (ErrorKind::PermissionDenied, "PermissionDenied", "permission denied"),
    (ErrorKind::ConnectionRefused, "ConnectionRefused", "connection refused"),
    (ErrorKind::ConnectionReset, "ConnectionReset", "connection reset"),
    (ErrorKind::HostUnreachable, "HostUnreachable", "host unreachable"),
    (ErrorKind::NetworkUnreachable, "NetworkUnreachable", "network unreachable"),
    (ErrorKind::ConnectionAborted, "ConnectionAborted", "connection aborted"),
    (ErrorKind::NotConnected, "NotConnected", "not connected"),
    (ErrorKind::AddrInUse, "AddrInUse", "address in use"),
    (ErrorKind::AddrNotAvailable, "AddrNotAvailable", "address not available"),
    (ErrorKind::NetworkDown, "NetworkDown", "network down"),
    (ErrorKind::BrokenPipe, "BrokenPipe", "broken pipe"),
    (ErrorKind::AlreadyExists, "AlreadyExists", "entity already exists"),
    (ErrorKind::WouldBlock, "WouldBlock", "operation would block"),
    (ErrorKind::NotADirectory, "NotADirectory", "not a directory"),
    (ErrorKind::IsADirectory, "IsADirectory", "is a directory"),
    (ErrorKind::DirectoryNotEmpty, "DirectoryNotEmpty", "directory not empty"),
    (ErrorKind::ReadOnlyFilesystem, "ReadOnlyFilesystem", "read-only filesystem or storage medium"),
    (ErrorKind::StaleNetworkFileHandle, "StaleNetworkFileHandle", "stale network file handle"),
    (ErrorKind::InvalidInput, "InvalidInput", "invalid input parameter"),
    (ErrorKind::InvalidData, "InvalidData", "invalid data"),
    (ErrorKind::TimedOut, "TimedOut", "timed out"),
    (ErrorKind::WriteZero, "WriteZero", "write zero"),
    (ErrorKind::StorageFull, "StorageFull", "no storage space"),
    (ErrorKind::NotSeekable, "NotSeekable", "seek on unseekable file"),
    (ErrorKind::QuotaExceeded, "QuotaExceeded", "quota exceeded"),
    (ErrorKind::FileTooLarge, "FileTooLarge", "file too large"),
    (ErrorKind::ResourceBusy, "ResourceBusy", "resource busy"),
    (ErrorKind::ExecutableFileBusy, "ExecutableFileBusy", "executable file busy"),
    (ErrorKind::Deadlock, "Deadlock", "deadlock"),
    (ErrorKind::CrossesDevices, "CrossesDevices", "cross-device link or rename"),
    (ErrorKind::TooManyLinks, "TooManyLinks", "too many links"),
    (ErrorKind::InvalidFilename, "InvalidFilename", "invalid filename"),
    (ErrorKind::ArgumentListTooLong, "ArgumentListTooLong", "argument list too long"),
    (ErrorKind::Interrupted, "Interrupted", "operation interrupted"),
    (ErrorKind::Unsupported, "Unsupported", "unsupported"),
    (ErrorKind::UnexpectedEof, "UnexpectedEof", "unexpected end of file"),
    (ErrorKind::OutOfMemory, "OutOfMemory", "out of memory"),
    (ErrorKind::Other, "Other", "other error"),
];

#[derive(Debug, PartialEq)]
struct Own(u8);

impl fmt::Display for Own {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "own {}", self.0)
    }
}

impl std::error::Error for Own {}

pub fn check(tally: &mut Tally) {
    for (kind, name, text) in KINDS {
        same!(tally, format!("{kind:?}"), name);
        same!(tally, kind.to_string(), text);
        same!(tally, Error::from(kind).to_string(), text);
    }
    holds!(tally, KINDS.is_sorted_by_key(|&(kind, ..)| kind));
    same!(tally, format!("{:?}", Error::from(ErrorKind::NotFound)), "Kind(NotFound)");
    for number in 0..140 {
        let error = Error::from_raw_os_error(number);
        same!(tally, error.raw_os_error(), Some(number));
        holds!(tally, error.to_string().ends_with(&format!(" (os error {number})")));
        holds!(tally, format!("{error:?}").starts_with(&format!("Os {{ code: {number}, kind: {:?}, ", error.kind())));
    }
    let kinds: Vec<_> = (0..140).map(|number| format!("{:?}", Error::from_raw_os_error(number).kind())).collect();
    for (number, kind) in [(1, "PermissionDenied"), (2, "NotFound"), (11, "WouldBlock"), (32, "BrokenPipe")] {
        same!(tally, kinds[number], kind);
    }
    println!("kinds of numbers: {}", kinds.join(" "));
    own_values(tally);
}

fn own_values(tally: &mut Tally) {
    let error = Error::new(ErrorKind::InvalidData, Own(1));
    same!(tally, error.kind(), ErrorKind::InvalidData);
    same!(tally, error.to_string(), "own 1");
    same!(tally, format!("{error:?}"), "Custom { kind: InvalidData, error: Own(1) }");
    same!(tally, error.raw_os_error(), None);
    holds!(tally, error.source().is_none());
    same!(tally, error.get_ref().and_then(|inner| inner.downcast_ref::<Own>()), Some(&Own(1)));
    same!(tally, error.downcast::<Own>().ok(), Some(Own(1)));

    let mut error = Error::other("words");
    same!(tally, error.kind(), ErrorKind::Other);
    same!(tally, error.to_string(), "words");
    same!(tally, format!("{error:?}"), "Custom { kind: Other, error: \"words\" }");
    holds!(tally, error.get_mut().is_some());
    let error = error.downcast::<Own>().unwrap_err();
    same!(tally, error.into_inner().map(|inner| inner.to_string()), Some("words".to_string()));
    holds!(tally, Error::from(ErrorKind::Other).into_inner().is_none());

    let boxed: Box<dyn std::error::Error + Send + Sync> = Error::other(Own(2)).into();
    same!(tally, boxed.to_string(), "own 2");
    let outer = Error::other(Error::new(ErrorKind::NotFound, Own(3)));
    same!(tally, outer.to_string(), "own 3");
    holds!(tally, outer.source().is_none());
    let question = || -> Result<(), Box<dyn std::error::Error>> { Err(Error::from(ErrorKind::TimedOut))? };
    same!(tally, question().unwrap_err().to_string(), "timed out");
    let nul: Error = std::ffi::CString::new("a\0b").unwrap_err().into();
    same!(tally, format!("{nul:?}"), "Error { kind: InvalidInput, message: \"data provided contains a nul byte\" }");
}
