//! Contents of files: read(2), write(2), lseek(2), truncate(2), fallocate(2), memfd_create(2), locks.

use super::{machine::on_linux, names::*, program::*};

#[test]
fn reading_and_writing_go_by_what_a_file_is_open_for() {
    on_linux(|| {
        let buffer = room(64);
        expect! {
            open("/etc/motd", O_RDONLY, 0) => 3;
            write(3, b"x", 1) => EBADF;
            pwrite64(3, b"x", 1, 0) => EBADF;
            read(3, buffer, 5) => 5;
            read(3, buffer, 0) => 0;
            read(3, BAD, 5) => EFAULT;
            read(3, buffer, 64) => 9;
            read(3, buffer, 64) => 0;
            pread64(3, buffer, 5, -1) => EINVAL;
            pread64(3, buffer, 5, 100) => 0;
            close(3) => 0;
            open("/tmp/only-written", O_WRONLY | O_CREAT, 0o600) => 3;
            read(3, buffer, 5) => EBADF;
            write(3, BAD, 5) => EFAULT;
            write(3, b"abc", 3) => 3;
            close(3) => 0;
            unlink("/tmp/only-written") => 0;
            open("/etc", O_RDONLY | O_DIRECTORY, 0) => 3;
            read(3, buffer, 5) => EISDIR;
            write(3, buffer, 5) => EBADF;
            close(3) => 0;
            open("/etc/motd", O_PATH, 0) => 3;
            read(3, buffer, 5) => EBADF;
            fcntl(3, F_SETFL, 0) => EBADF;
            ioctl(3, 0x5401, buffer) => EBADF;
            close(3) => 0;
            read(3, buffer, 5) => EBADF;
            read(-1, buffer, 5) => EBADF;
        }
    });
}

/// lseek(2).
#[test]
fn positions_are_checked() {
    on_linux(|| {
        let file = file(b"0123456789");
        expect! {
            lseek(file, 4, SEEK_SET) => 4;
            lseek(file, 2, SEEK_CUR) => 6;
            lseek(file, -7, SEEK_CUR) => EINVAL;
            lseek(file, -1, SEEK_SET) => EINVAL;
            lseek(file, -3, SEEK_END) => 7;
            lseek(file, 5, SEEK_END) => 15;
            lseek(file, 0, SEEK_CUR) => 15;
            // Linux wraps round, whatever the manual says.
            lseek(file, i64::MAX, SEEK_END) => EINVAL;
            lseek(file, 0, 9) => EINVAL;
            lseek(file, 3, SEEK_DATA) => 3;
            lseek(file, 3, SEEK_HOLE) => 10;
            lseek(file, 10, SEEK_DATA) => ENXIO;
            lseek(file, 99, SEEK_HOLE) => ENXIO;
            lseek(99, 0, SEEK_SET) => EBADF;
            close(file) => 0;
        }
    });
}

#[test]
fn writes_at_the_end_append_and_holes_are_zeros() {
    on_linux(|| {
        let buffer = room(64);
        let file = file(b"ab");
        expect! {
            fcntl(file, F_SETFL, O_APPEND) => 0;
            lseek(file, 0, SEEK_SET) => 0;
            write(file, b"cd", 2) => 2;
            lseek(file, 0, SEEK_CUR) => 4;
            fcntl(file, F_SETFL, 0) => 0;
            pwrite64(file, b"z", 1, 6) => 1;
            pread64(file, buffer, 64, 0) => 7;
            close(file) => 0;
        }
        assert_eq!(load(buffer, 7), b"abcd\0\0z");
    });
}

/// truncate(2), fallocate(2).
#[test]
fn lengths_are_changed_and_refused() {
    on_linux(|| {
        let status = room(144);
        let file = file(b"0123456789");
        expect! {
            ftruncate(file, 4) => 0;
            fstat(file, status) => 0;
        }
        assert_eq!(word(status + 48), 4);
        expect! {
            ftruncate(file, -1) => EINVAL;
            ftruncate(99, 0) => EBADF;
            ftruncate(0, 0) => EINVAL;
            fallocate(file, 0, 0, 0) => EINVAL;
            fallocate(file, 0, -1, 1) => EINVAL;
            fallocate(file, FALLOC_FL_PUNCH_HOLE, 0, 1) => EOPNOTSUPP;
            fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1) => 0;
            fallocate(file, 0, 0, 100) => 0;
            fstat(file, status) => 0;
            fallocate(99, 0, 0, 1) => EBADF;
            truncate("/etc/none", 1) => ENOENT;
            truncate("/etc", 1) => EISDIR;
            truncate("/etc/motd", -1) => EINVAL;
        }
        assert_eq!(word(status + 48), 100);
        expect! {
            open("/etc/motd", O_RDONLY, 0) => file + 1;
            ftruncate(file + 1, 0) => EINVAL;
            fallocate(file + 1, 0, 0, 1) => EBADF;
            close(file + 1) => 0;
            close(file) => 0;
        }
    });
}

/// readv(2).
#[test]
fn vectors_are_checked_before_anything_moves() {
    on_linux(|| {
        let buffer = room(64);
        let file = file(b"0123456789");
        let both = put(&[buffer, 4, buffer + 32, 4].map(usize::to_le_bytes).concat());
        let huge = put(&[buffer, usize::MAX].map(usize::to_le_bytes).concat());
        let half_bad = put(&[buffer, 4, BAD, 4].map(usize::to_le_bytes).concat());
        expect! {
            readv(file, both, 2) => 8;
            readv(file, both, IOV_MAX + 1) => EINVAL;
            readv(file, both, -1) => EINVAL;
            readv(file, huge, 1) => EINVAL;
            readv(file, BAD, 1) => EFAULT;
            readv(file, both, 0) => 0;
            lseek(file, 0, SEEK_SET) => 0;
            readv(file, half_bad, 2) => 4;
            preadv(file, both, 2, -1) => EINVAL;
            preadv2(file, both, 2, 0, 0, 1 << 20) => EOPNOTSUPP;
            writev(file, half_bad, 2) => 4;
            close(file) => 0;
        }
        assert_eq!(load(buffer + 32, 4), b"4567");
    });
}

/// setrlimit(2), signal(7).
#[test]
fn a_file_may_not_outgrow_its_limit() {
    on_linux(|| {
        let old = room(16);
        let file = file(b"");
        handle(SIGXFSZ, 0);
        expect! {
            prlimit64(0, RLIMIT_FSIZE, &[8_u64, u64::MAX], old) => 0;
            write(file, b"0123456789", 10) => 8;
            write(file, b"0123456789", 10) => EFBIG;
            ftruncate(file, 9) => EFBIG;
            prlimit64(0, RLIMIT_FSIZE, old, 0) => 0;
            write(file, b"89", 2) => 2;
            close(file) => 0;
        }
        assert_eq!(taken(), 2525);
    });
}

/// memfd_create(2), fcntl(2).
#[test]
fn seals_hold() {
    on_linux(|| {
        expect! {
            memfd_create("sealed", MFD_ALLOW_SEALING) => 3;
            fcntl(3, F_GET_SEALS, 0) => 0;
            write(3, b"0123", 4) => 4;
            fcntl(3, F_ADD_SEALS, F_SEAL_SHRINK) => 0;
            ftruncate(3, 2) => EPERM;
            ftruncate(3, 8) => 0;
            fcntl(3, F_ADD_SEALS, F_SEAL_GROW) => 0;
            ftruncate(3, 9) => EPERM;
            pwrite64(3, b"x", 1, 8) => EPERM;
            fcntl(3, F_ADD_SEALS, F_SEAL_WRITE) => 0;
            pwrite64(3, b"x", 1, 0) => EPERM;
            mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0) => EPERM;
            fcntl(3, F_ADD_SEALS, F_SEAL_SEAL) => 0;
            fcntl(3, F_ADD_SEALS, F_SEAL_GROW) => EPERM;
            close(3) => 0;
            memfd_create("open", 0) => 3;
            fcntl(3, F_GET_SEALS, 0) => F_SEAL_SEAL;
            fcntl(3, F_ADD_SEALS, F_SEAL_WRITE) => EPERM;
            memfd_create("bad", 1 << 30) => EINVAL;
            close(3) => 0;
        }
        let long = std::string::String::from_utf8(std::vec![b'n'; 250]).expect("letters");
        expect! { memfd_create(long.as_str(), 0) => EINVAL; }
    });
}

/// flock(2), fcntl_locking(2).
#[test]
fn locks_keep_others_out() {
    on_linux(|| {
        expect! {
            open("/tmp/lock", O_RDWR | O_CREAT, 0o600) => 3;
            open("/tmp/lock", O_RDWR, 0) => 4;
            dup(3) => 5;
            flock(3, LOCK_EX) => 0;
            flock(4, LOCK_SH | LOCK_NB) => EAGAIN;
            flock(5, LOCK_EX | LOCK_NB) => 0;
            flock(3, LOCK_SH) => 0;
            flock(4, LOCK_SH | LOCK_NB) => 0;
            flock(4, LOCK_EX | LOCK_NB) => EAGAIN;
            flock(4, LOCK_UN) => 0;
            flock(3, 77) => EINVAL;
            flock(99, LOCK_EX) => EBADF;
            close(3) => 0;
            flock(4, LOCK_EX | LOCK_NB) => EAGAIN;
            close(5) => 0;
            flock(4, LOCK_EX | LOCK_NB) => 0;
            fcntl(4, F_SETLK, BAD) => EFAULT;
            close(4) => 0;
            unlink("/tmp/lock") => 0;
        }
    });
}

#[test]
fn who_waits_for_a_lock_gets_it() {
    on_linux(|| {
        expect! {
            open("/tmp/lock", O_RDWR | O_CREAT, 0o600) => 3;
            open("/tmp/lock", O_RDWR, 0) => 4;
            flock(3, LOCK_EX) => 0;
        }
        let waits = Thread::waiting(|| {
            expect! { flock(4, LOCK_EX) => 0; }
        });
        assert!(!waits.has_ended());
        expect! { flock(3, LOCK_UN) => 0; }
        waits.join();
        expect! {
            flock(3, LOCK_EX | LOCK_NB) => EAGAIN;
            close(3) => 0;
            close(4) => 0;
            unlink("/tmp/lock") => 0;
        }
    });
}

/// null(4), full(4), zero(4).
#[test]
fn devices_of_memory_do_as_they_are_named() {
    on_linux(|| {
        let buffer = put(b"12345678");
        expect! {
            open("/dev/null", O_RDWR, 0) => 3;
            read(3, buffer, 8) => 0;
            write(3, buffer, 8) => 8;
            close(3) => 0;
            open("/dev/full", O_RDWR, 0) => 3;
            write(3, buffer, 8) => ENOSPC;
            close(3) => 0;
            open("/dev/zero", O_RDWR, 0) => 3;
            read(3, buffer, 4) => 4;
            write(3, buffer, 8) => 8;
            close(3) => 0;
        }
        assert_eq!(load(buffer, 8), b"\0\0\0\x005678");
    });
}

/// The terminal's end of file, and a person who is gone.
#[test]
fn standard_streams_are_the_console() {
    use test_machine::console;
    on_linux(|| {
        let buffer = room(16);
        console::written();
        console::types(b"yes\n");
        expect! {
            write(1, b"sure?", 5) => 5;
            read(0, buffer, 16) => 4;
        }
        assert_eq!(console::written(), "sure?");
        let waits = Thread::waiting(move || {
            expect! { read(0, buffer, 16) => 2; }
        });
        assert!(!waits.has_ended());
        console::types(b"no");
        waits.join();
        console::ends_input(true);
        expect! { read(0, buffer, 16) => 0; }
        console::ends_input(false);
        handle(SIGPIPE, 0);
        console::breaks(true);
        expect! { write(1, b"lost", 4) => EPIPE; }
        console::breaks(false);
        assert_eq!(taken(), usize::from(SIGPIPE));
    });
}
