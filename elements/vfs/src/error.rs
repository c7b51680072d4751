//! Why a file operation did not happen.

/// Gives a macro each reason: its meaning, its name here, Linux' name and number for it (errno(3)), and numbers that
/// mean the same where they come from a host.
#[macro_export]
macro_rules! for_each_file_error {
    ($use:ident) => {
        $use! {
            /// No such file or directory.
            NotFound ENOENT 2,
            /// It exists already.
            Exists EEXIST 17,
            /// A part of the path that must be a directory is none.
            NotDirectory ENOTDIR 20,
            /// It is a directory.
            IsDirectory EISDIR 21,
            /// The directory has entries.
            NotEmpty ENOTEMPTY 39,
            /// Too many symbolic links on the way.
            TooManyLinks ELOOP 40,
            /// A name is too long.
            NameTooLong ENAMETOOLONG 36,
            /// The mode does not allow it.
            Denied EACCES 13,
            /// Not even allowed to ask.
            NotPermitted EPERM 1,
            /// It makes no sense.
            Invalid EINVAL 22,
            /// No room for contents.
            NoSpace ENOSPC 28,
            /// The kernel has no memory for it.
            NoMemory ENOMEM 12,
            /// Beyond the longest file.
            TooLarge EFBIG 27 or 75,
            /// No room left of what the owner may use.
            NoQuota EDQUOT 122,
            /// It has as many names as it can have.
            TooManyNames EMLINK 31,
            /// The program in it runs.
            TextBusy ETXTBSY 26,
            /// The file is no longer there, although it was.
            Stale ESTALE 116,
            /// The file system does not change.
            ReadOnly EROFS 30,
            /// Two file systems are involved.
            CrossDevice EXDEV 18,
            /// In use as a root or mount point.
            Busy EBUSY 16,
            /// It would have to wait.
            WouldBlock EAGAIN 11,
            /// Nobody reads the other end.
            Broken EPIPE 32,
            /// A stream has no position.
            NotSeekable ESPIPE 29,
            /// No such device.
            NoDevice ENXIO 6 or 19,
            /// Not a terminal.
            NotTerminal ENOTTY 25,
            /// This kind of file cannot do that.
            Unsupported EOPNOTSUPP 95 or 38,
            /// The open file does not allow it.
            BadDescriptor EBADF 9,
            /// A socket is joined with no other.
            NotConnected ENOTCONN 107,
            /// It is joined with one already.
            Connected EISCONN 106,
            /// A message is longer than any can be.
            TooLong EMSGSIZE 90,
            /// The other end went without reading all.
            Reset ECONNRESET 104,
            /// Nobody takes connections or messages there.
            Refused ECONNREFUSED 111,
            /// Another socket has that name.
            AddressInUse EADDRINUSE 98,
            /// The other socket is of another form.
            WrongType EPROTOTYPE 91,
            /// The application's address does not work.
            BadAddress EFAULT 14,
            /// The device failed.
            Failed EIO 5,
            /// It has no attribute of that name.
            NoAttribute ENODATA 61,
            /// Too many files are open.
            TooManyFiles ENFILE 23 or 24,
            /// Too many are under way in sockets.
            TooManyReferences ETOOMANYREFS 109,
            /// A message names nobody that it could go to.
            NoDestination EDESTADDRREQ 89,
            /// A socket has no such option.
            NoOption ENOPROTOOPT 92,
            /// There is no such family of addresses, or an address is of another one.
            NoFamily EAFNOSUPPORT 97,
            /// The address is none of this machine's, or no port is free.
            NotAvailable EADDRNOTAVAIL 99,
            /// The network interface is down.
            NetworkDown ENETDOWN 100,
            /// No route leads there.
            NetworkUnreachable ENETUNREACH 101,
            /// This side has broken the connection.
            Aborted ECONNABORTED 103,
            /// No memory or no number is left for sockets.
            NoBuffers ENOBUFS 105,
            /// The other end did not answer for too long.
            TimedOut ETIMEDOUT 110,
            /// Nobody has that address.
            HostUnreachable EHOSTUNREACH 113,
            /// The connection is being made already.
            Already EALREADY 114,
            /// The connection is being made from now on.
            InProgress EINPROGRESS 115,
        }
    };
}

macro_rules! declare {
    ($($(#[$meaning:meta])* $name:ident $errno:ident $number:literal $(or $other:literal)?,)*) => {
        /// The reason.
        // Its values are dense: tables by them are a third as long as by Linux' numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum FileError {
            $($(#[$meaning])* #[doc = concat!(" Linux: ", stringify!($errno), ".")] $name,)*
        }

        impl FileError {
            /// Linux' number (errno(3)).
            #[must_use]
            pub const fn number(self) -> u8 {
                match self {
                    $(Self::$name => $number,)*
                }
            }

            const fn of_number(number: u32) -> Self {
                match number {
                    $($number $(| $other)? => Self::$name,)*
                    _ => Self::Failed,
                }
            }
        }
    };
}

for_each_file_error!(declare);

impl FileError {
    /// What the number means that a host or a server answers with, both being Linux'. Which of its descriptors and
    /// addresses are bad is nothing that a program could mend, nor is what no file answers: the device has failed.
    #[must_use]
    pub const fn of_host(number: u32) -> Self {
        match Self::of_number(number) {
            Self::BadDescriptor | Self::BadAddress => Self::Failed,
            error => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hosts_number_is_told_as_it_is() {
        // ENFILE, EDQUOT, ETXTBSY, EPIPE, ESPIPE.
        for number in [23, 122, 26, 32, 29] {
            assert_eq!(u32::from(FileError::of_host(number).number()), number);
        }
        // EMFILE, ENODEV, ENOSYS, EOVERFLOW are others' words for the same.
        assert_eq!([24, 19, 38, 75].map(|number| FileError::of_host(number).number()), [23, 6, 95, 27]);
        // EBADF, EFAULT, and what is none.
        assert!([9, 14, 0, 1000].iter().all(|&number| FileError::of_host(number) == FileError::Failed));
    }
}
