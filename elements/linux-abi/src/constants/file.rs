//! Files: open(2), fcntl(2), stat(2), poll(2), access(2), lseek(2), getdents64(2).

flags! {
    /// Flags of open(2).
    OPEN_FLAGS: OpenFlags(u32) {
        O_RDONLY = 0 & 3, O_WRONLY = 1 & 3, O_RDWR = 2 & 3, O_ACCMODE = 3 & 3,
        O_CREAT = 0o100, O_EXCL = 0o200, O_NOCTTY = 0o400, O_TRUNC = 0o1000, O_APPEND = 0o2000, O_NONBLOCK = 0o4000,
        O_SYNC = 0o4010000 & 0o4010000, O_DSYNC = 0o10000, O_ASYNC = 0o20000, O_DIRECT = 0o40000,
        O_LARGEFILE = 0o100000, O_TMPFILE = 0o20200000 & 0o20200000, O_DIRECTORY = 0o200000, O_NOFOLLOW = 0o400000,
        O_NOATIME = 0o1000000, O_CLOEXEC = 0o2000000, O_PATH = 0o10000000,
    }
}

impl OpenFlags {
    /// The field that says whether a file is read, written or both: no bits of its own.
    #[must_use]
    #[inline(always)]
    pub const fn access(self) -> Self {
        self.intersection(Self::O_ACCMODE)
    }
}

// How openat2(2) walks.
values! { u64 {
    RESOLVE_NO_XDEV = 1,
    RESOLVE_NO_MAGICLINKS = 2,
    RESOLVE_NO_SYMLINKS = 4,
    RESOLVE_BENEATH = 8,
    RESOLVE_IN_ROOT = 16,
    RESOLVE_CACHED = 32,
} }

flags! {
    /// Flags of the `*at` calls.
    AT_FLAGS_NAMES: AtFlags(u32) {
        AT_SYMLINK_NOFOLLOW = 0x100, AT_REMOVEDIR = 0x200, AT_SYMLINK_FOLLOW = 0x400, AT_NO_AUTOMOUNT = 0x800,
        AT_EMPTY_PATH = 0x1000, AT_STATX_FORCE_SYNC = 0x2000, AT_STATX_DONT_SYNC = 0x4000,
    }
}

flags! {
    /// Flags of faccessat2(2), where one bit has another meaning.
    ACCESS_AT_FLAGS: AccessAtFlags(u32) {
        AT_SYMLINK_NOFOLLOW = 0x100, AT_EACCESS = 0x200, AT_EMPTY_PATH = 0x1000,
    }
}

flags! {
    /// What access(2) asks about.
    ACCESS_MODES: AccessModes(u32) { F_OK = 0 & 7, X_OK = 1, W_OK = 2, R_OK = 4 }
}

choices! {
    /// Operations of fcntl(2).
    FCNTL_OPERATIONS: u32 {
        F_DUPFD = 0, F_GETFD = 1, F_SETFD = 2, F_GETFL = 3,
        F_SETFL = 4, F_GETLK = 5, F_SETLK = 6, F_SETLKW = 7,
        F_SETOWN = 8, F_GETOWN = 9, F_SETSIG = 10, F_GETSIG = 11, F_SETOWN_EX = 15, F_GETOWN_EX = 16,
        F_DUPFD_CLOEXEC = 1030,
        F_CREATED_QUERY = 1028, F_NOTIFY = 1026, F_SETPIPE_SZ = 1031, F_GETPIPE_SZ = 1032, F_ADD_SEALS = 1033,
        F_GET_SEALS = 1034, F_OFD_GETLK = 36, F_OFD_SETLK = 37,
        F_OFD_SETLKW = 38,
    }
}

// Whom F_SETOWN_EX names.
values! { i32 {
    F_OWNER_TID = 0,
    F_OWNER_PID = 1,
    F_OWNER_PGRP = 2,
} }

choices! {
    /// Where lseek(2) counts from.
    SEEK_ORIGINS: u32 {
        SEEK_SET = 0, SEEK_CUR = 1, SEEK_END = 2,
        SEEK_DATA = 3, SEEK_HOLE = 4,
    }
}

flags! {
    /// Events of poll(2).
    POLL_FLAGS: u16 {
        POLLIN = 1, POLLPRI = 2, POLLOUT = 4, POLLERR = 8, POLLHUP = 0x10, POLLNVAL = 0x20, POLLRDNORM = 0x40,
        POLLRDBAND = 0x80, POLLWRNORM = 0x100, POLLWRBAND = 0x200, POLLRDHUP = 0x2000,
    }
}

flags! {
    /// The file type field of `st_mode`.
    MODE_TYPES: u32 {
        S_IFIFO = 0o010000 & 0o170000, S_IFCHR = 0o020000 & 0o170000, S_IFDIR = 0o040000 & 0o170000,
        S_IFBLK = 0o060000 & 0o170000, S_IFREG = 0o100000 & 0o170000, S_IFLNK = 0o120000 & 0o170000,
        S_IFSOCK = 0o140000 & 0o170000,
    }
}

flags! {
    /// What statx(2) asks for.
    STATX_MASK: StatxMask(u32) {
        STATX_BASIC_STATS = 0x7ff & 0x7ff, STATX_TYPE = 1, STATX_MODE = 2, STATX_NLINK = 4, STATX_UID = 8,
        STATX_GID = 0x10, STATX_ATIME = 0x20, STATX_MTIME = 0x40, STATX_CTIME = 0x80, STATX_INO = 0x100,
        STATX_SIZE = 0x200, STATX_BLOCKS = 0x400, STATX_BTIME = 0x800, STATX_MNT_ID = 0x1000,
    }
}

flags! {
    /// Flags of renameat2(2).
    RENAME_FLAGS: RenameFlags(u32) { RENAME_NOREPLACE = 1, RENAME_EXCHANGE = 2, RENAME_WHITEOUT = 4 }
}

flags! {
    /// Flags of memfd_create(2).
    MEMFD_FLAGS: MemfdFlags(u32) {
        MFD_CLOEXEC = 1, MFD_ALLOW_SEALING = 2, MFD_HUGETLB = 4, MFD_NOEXEC_SEAL = 8, MFD_EXEC = 16,
    }
}

flags! {
    /// Flags of setxattr(2).
    XATTR_FLAGS: XattrFlags(u32) { XATTR_CREATE = 1, XATTR_REPLACE = 2 }
}

flags! {
    /// Seals of files in memory (fcntl(2)).
    SEALS: u32 {
        F_SEAL_SEAL = 1, F_SEAL_SHRINK = 2, F_SEAL_GROW = 4, F_SEAL_WRITE = 8, F_SEAL_FUTURE_WRITE = 16,
        F_SEAL_EXEC = 32,
    }
}

flags! {
    /// What inotify_add_watch(2) asks for.
    WATCH_MASKS: WatchMask(u32) {
        IN_ACCESS = 1, IN_MODIFY = 2, IN_ATTRIB = 4, IN_CLOSE_WRITE = 8, IN_CLOSE_NOWRITE = 0x10, IN_OPEN = 0x20,
        IN_MOVED_FROM = 0x40, IN_MOVED_TO = 0x80, IN_CREATE = 0x100, IN_DELETE = 0x200, IN_DELETE_SELF = 0x400,
        IN_MOVE_SELF = 0x800, IN_UNMOUNT = 0x2000, IN_Q_OVERFLOW = 0x4000, IN_IGNORED = 0x8000, IN_ONLYDIR = 0x100_0000,
        IN_DONT_FOLLOW = 0x200_0000, IN_EXCL_UNLINK = 0x400_0000, IN_MASK_CREATE = 0x1000_0000,
        IN_MASK_ADD = 0x2000_0000, IN_ISDIR = 0x4000_0000, IN_ONESHOT = 0x8000_0000,
    }
}

flags! {
    /// Operations of flock(2).
    LOCK_OPERATIONS: FlockOperation(u32) { LOCK_SH = 1, LOCK_EX = 2, LOCK_NB = 4, LOCK_UN = 8 }
}

flags! {
    /// Flags of close_range(2).
    CLOSE_RANGE_FLAGS: CloseRangeFlags(u32) { CLOSE_RANGE_UNSHARE = 2, CLOSE_RANGE_CLOEXEC = 4 }
}

flags! {
    /// Flags of fallocate(2).
    FALLOCATE_FLAGS: FallocateFlags(u32) {
        FALLOC_FL_KEEP_SIZE = 1, FALLOC_FL_PUNCH_HOLE = 2, FALLOC_FL_ZERO_RANGE = 0x10,
    }
}

flags! {
    /// Flags of preadv2(2) and pwritev2(2).
    READ_WRITE_FLAGS: ReadWriteFlags(u32) {
        RWF_HIPRI = 1, RWF_DSYNC = 2, RWF_SYNC = 4, RWF_NOWAIT = 8, RWF_APPEND = 16,
    }
}

flags! {
    /// Flags of sync_file_range(2).
    SYNC_RANGE_FLAGS: SyncRangeFlags(u32) {
        SYNC_FILE_RANGE_WAIT_BEFORE = 1, SYNC_FILE_RANGE_WRITE = 2, SYNC_FILE_RANGE_WAIT_AFTER = 4,
    }
}

flags! {
    /// Flags of splice(2) and tee(2).
    SPLICE_FLAGS: SpliceFlags(u32) { SPLICE_F_MOVE = 1, SPLICE_F_NONBLOCK = 2, SPLICE_F_MORE = 4, SPLICE_F_GIFT = 8 }
}

values! { u32 {
    FD_CLOEXEC = 1,
    DN_MULTISHOT = 0x8000_0000,
    PATH_MAX = 4096,
    NAME_MAX = 255,
    IOV_MAX = 1024,
} }

values! { u8 {
    DT_UNKNOWN = 0,
    DT_FIFO = 1,
    DT_CHR = 2,
    DT_DIR = 4,
    DT_BLK = 6,
    DT_REG = 8,
    DT_LNK = 10,
    DT_SOCK = 12,
} }

/// The directory descriptor that means the working directory.
pub const AT_FDCWD: i32 = -100;

/// utimensat(2): the present moment.
pub const UTIME_NOW: i64 = 0x3fff_ffff;
/// utimensat(2): leave this time alone.
pub const UTIME_OMIT: i64 = 0x3fff_fffe;

choices! {
    /// Operations of epoll_ctl(2).
    EPOLL_OPERATIONS: u32 { EPOLL_CTL_ADD = 1, EPOLL_CTL_DEL = 2, EPOLL_CTL_MOD = 3 }
}

// Modes of epoll_ctl(2), above the events of poll(2).
values! { u32 {
    EPOLLEXCLUSIVE = 1 << 28,
    EPOLLWAKEUP = 1 << 29,
    EPOLLONESHOT = 1 << 30,
    EPOLLET = 1 << 31,
} }

flags! {
    /// Flags of eventfd(2).
    EVENT_DESCRIPTOR_FLAGS: EventDescriptorFlags(u32) {
        EFD_SEMAPHORE = 1, EFD_NONBLOCK = 0x800, EFD_CLOEXEC = 0x8_0000,
    }
}

/// What a request of io_submit(2) asks for: `IOCB_CMD_PREAD`.
pub const IOCB_CMD_PREAD: u16 = 0;
/// See there.
pub const IOCB_CMD_PWRITE: u16 = 1;
/// See there.
pub const IOCB_CMD_FSYNC: u16 = 2;
/// See there.
pub const IOCB_CMD_FDSYNC: u16 = 3;
/// See there.
pub const IOCB_CMD_POLL: u16 = 5;
/// See there.
pub const IOCB_CMD_PREADV: u16 = 7;
/// See there.
pub const IOCB_CMD_PWRITEV: u16 = 8;

/// Flags of such a request: `aio_resfd` is an eventfd to tell.
pub const IOCB_FLAG_RESFD: u32 = 1;
/// And `aio_reqprio` counts.
pub const IOCB_FLAG_IOPRIO: u32 = 2;
