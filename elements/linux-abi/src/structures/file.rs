//! Files: stat(2), statx(2), statfs(2), getdents64(2), readv(2), poll(2), select(2).

use super::TimeSpec;

structure! {
    /// `struct stat`, stat(2).
    Stat 144 {
        st_dev: u64,
        st_ino: u64,
        st_nlink: u64,
        st_mode: u32,
        st_uid: u32,
        st_gid: u32,
        padding: u32,
        st_rdev: u64,
        st_size: i64,
        st_blksize: i64,
        st_blocks: i64,
        st_atim: TimeSpec,
        st_mtim: TimeSpec,
        st_ctim: TimeSpec,
        unused: [i64; 3],
    }
}

structure! {
    /// `struct statx_timestamp`, statx(2).
    StatxTimestamp 16 {
        tv_sec: i64,
        tv_nsec: u32,
        padding: i32,
    }
}

structure! {
    /// `struct statx`, statx(2).
    Statx 256 {
        stx_mask: u32,
        stx_blksize: u32,
        stx_attributes: u64,
        stx_nlink: u32,
        stx_uid: u32,
        stx_gid: u32,
        stx_mode: u16,
        padding: u16,
        stx_ino: u64,
        stx_size: u64,
        stx_blocks: u64,
        stx_attributes_mask: u64,
        stx_atime: StatxTimestamp,
        stx_btime: StatxTimestamp,
        stx_ctime: StatxTimestamp,
        stx_mtime: StatxTimestamp,
        stx_rdev_major: u32,
        stx_rdev_minor: u32,
        stx_dev_major: u32,
        stx_dev_minor: u32,
        stx_mnt_id: u64,
        stx_dio_mem_align: u32,
        stx_dio_offset_align: u32,
        spare: [u64; 12],
    }
}

structure! {
    /// `struct statfs`, statfs(2).
    Statfs 120 {
        f_type: i64,
        f_bsize: i64,
        f_blocks: u64,
        f_bfree: u64,
        f_bavail: u64,
        f_files: u64,
        f_ffree: u64,
        f_fsid: [i32; 2],
        f_namelen: i64,
        f_frsize: i64,
        f_flags: i64,
        f_spare: [i64; 4],
    }
}

structure! {
    /// `struct iocb`, io_submit(2).
    IoControl 64 {
        aio_data: u64,
        aio_key: u32,
        aio_rw_flags: u32,
        aio_lio_opcode: u16,
        aio_reqprio: i16,
        aio_fildes: u32,
        aio_buf: u64,
        aio_nbytes: u64,
        aio_offset: i64,
        aio_reserved2: u64,
        aio_flags: u32,
        aio_resfd: u32,
    }
}

structure! {
    /// `struct io_event`, io_getevents(2).
    IoEvent 32 {
        data: u64,
        obj: u64,
        res: i64,
        res2: i64,
    }
}

structure! {
    /// The fixed part of `struct linux_dirent64`, getdents64(2): the type byte and the name follow at byte 18, so
    /// the last 6 bytes here are theirs.
    DirectoryEntry64 24 {
        d_ino: u64,
        d_off: i64,
        d_reclen: u16,
        d_type: u8,
        name_start: [u8; 5],
    }
}

/// Where the name stands in a `struct linux_dirent64`.
pub const DIRENT64_NAME: usize = 19;
/// Where the name stands in a `struct linux_dirent` of getdents(2); its type is the entry's last byte.
pub const DIRENT_NAME: usize = 18;

structure! {
    /// `struct iovec`, readv(2).
    IoVector 16 {
        iov_base: u64,
        iov_len: u64,
    }
}

structure! {
    /// `struct pollfd`, poll(2).
    PollDescriptor 8 {
        fd: i32,
        events: u16,
        revents: u16,
    }
}

structure! {
    /// The sixth argument of pselect6(2).
    SelectMask 16 {
        set: u64,
        size: u64,
    }
}

structure! {
    /// `struct winsize`, ioctl_tty(2).
    WindowSize 8 {
        ws_row: u16,
        ws_col: u16,
        ws_xpixel: u16,
        ws_ypixel: u16,
    }
}

structure! {
    /// `struct termios` as the kernel has it (TCGETS), ioctl_tty(2).
    Termios 36 {
        c_iflag: u32,
        c_oflag: u32,
        c_cflag: u32,
        c_lflag: u32,
        c_line: u8,
        c_cc: [u8; 19],
    }
}

structure! {
    /// `struct flock`, fcntl(2).
    FileLock 32 {
        l_type: i16,
        l_whence: i16,
        padding: u32,
        l_start: i64,
        l_len: i64,
        l_pid: i32,
        tail: u32,
    }
}

structure! {
    /// `struct utimbuf`, utime(2).
    UtimeBuffer 16 {
        actime: i64,
        modtime: i64,
    }
}

structure! {
    /// `struct epoll_event`, epoll_ctl(2): packed on x86-64, so its data are two halves.
    EpollEvent 12 {
        events: u32,
        data: [u32; 2],
    }
}

structure! {
    /// `struct f_owner_ex`, fcntl(2): who is sent the signals of an open file.
    FileOwner 8 {
        kind: i32,
        id: i32,
    }
}
