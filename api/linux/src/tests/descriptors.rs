//! Descriptors: open(2), close(2), dup(2), fcntl(2), pipe(2), close_range(2), and what failed calls leave behind.

use super::{machine::on_linux, names::*, program::*};

#[test]
fn the_lowest_free_descriptor_is_taken() {
    on_linux(|| {
        expect! {
            open("/etc/motd", O_RDONLY, 0) => 3;
            dup(3) => 4;
            dup(0) => 5;
            close(4) => 0;
            open("/etc/motd", O_RDONLY, 0) => 4;
            close(3) => 0;
            close(4) => 0;
            close(5) => 0;
            close(5) => EBADF;
        }
    });
}

/// open(2), ERRORS.
#[test]
fn what_cannot_be_opened_says_why() {
    on_linux(|| {
        let long = std::string::String::from_utf8(std::vec![b'n'; NAME_MAX + 1]).expect("letters");
        expect! {
            open("/etc/none", O_RDONLY, 0) => ENOENT;
            open("", O_RDONLY, 0) => ENOENT;
            open("/none/motd", O_RDONLY, 0) => ENOENT;
            open("/etc/none/motd", O_RDWR | O_CREAT, 0o600) => ENOENT;
            open("/etc/motd/below", O_RDONLY, 0) => ENOTDIR;
            open("/etc/motd", O_RDONLY | O_DIRECTORY, 0) => ENOTDIR;
            open("/etc/motd/", O_RDONLY, 0) => ENOTDIR;
            open("/etc", O_WRONLY, 0) => EISDIR;
            open("/etc", O_RDWR, 0) => EISDIR;
            open("/etc/new/", O_RDWR | O_CREAT, 0o600) => EISDIR;
            open("/etc/motd", O_RDWR | O_CREAT | O_EXCL, 0o600) => EEXIST;
            open("/etc/link", O_RDWR | O_CREAT | O_EXCL, 0o600) => EEXIST;
            open("/etc/link", O_RDONLY | O_NOFOLLOW, 0) => ELOOP;
            open("/etc/loop", O_RDONLY, 0) => ELOOP;
            open(long.as_str(), O_RDONLY, 0) => ENAMETOOLONG;
            open(BAD, O_RDONLY, 0) => EFAULT;
            openat(77, "etc", O_RDONLY, 0) => EBADF;
            openat(0, "etc", O_RDONLY, 0) => ENOTDIR;
            openat(77, "/etc/motd", O_RDONLY, 0) => 3;
            open("/etc/link", O_RDONLY, 0) => 4;
            close(4) => 0;
            close(3) => 0;
        }
    });
}

/// dup(2).
#[test]
fn duplicates_are_one_open_file() {
    on_linux(|| {
        let buffer = room(16);
        expect! {
            open("/etc/motd", O_RDONLY, 0) => 3;
            dup2(3, 9) => 9;
            read(3, buffer, 5) => 5;
            lseek(9, 0, SEEK_CUR) => 5;
            dup2(3, 3) => 3;
            dup2(33, 33) => EBADF;
            dup2(33, 4) => EBADF;
            dup2(3, -1) => EBADF;
            dup3(3, 3, 0) => EINVAL;
            dup3(3, 10, O_APPEND) => EINVAL;
            dup3(3, 10, O_CLOEXEC) => 10;
            fcntl(10, F_GETFD, 0) => FD_CLOEXEC;
            fcntl(9, F_GETFD, 0) => 0;
            dup2(0, 10) => 10;
            fcntl(10, F_GETFD, 0) => 0;
            dup(77) => EBADF;
            close(3) => 0;
            lseek(9, 0, SEEK_CUR) => 5;
            close(9) => 0;
            close(10) => 0;
        }
    });
}

/// fcntl(2).
#[test]
fn what_fcntl_tells_and_changes() {
    on_linux(|| {
        expect! {
            open("/etc/motd", O_RDWR | O_CLOEXEC, 0) => 3;
            fcntl(3, F_GETFD, 0) => FD_CLOEXEC;
            fcntl(3, F_SETFD, 0) => 0;
            fcntl(3, F_GETFD, 0) => 0;
            fcntl(3, F_SETFL, O_APPEND | O_NONBLOCK | O_WRONLY) => 0;
            fcntl(3, F_DUPFD, 20) => 20;
            fcntl(3, F_DUPFD, 20) => 21;
            fcntl(3, F_DUPFD_CLOEXEC, 4) => 4;
            fcntl(4, F_GETFD, 0) => FD_CLOEXEC;
            fcntl(3, F_DUPFD, 1_000_000) => EINVAL;
            fcntl(3, 9999, 0) => EINVAL;
            fcntl(99, F_GETFD, 0) => EBADF;
            fcntl(3, F_GETPIPE_SZ, 0) => EBADF;
            fcntl(3, F_ADD_SEALS, F_SEAL_WRITE) => EINVAL;
            close(4) => 0;
            close(20) => 0;
            close(21) => 0;
        }
        let flags = must!(fcntl(3, F_GETFL, 0));
        assert_eq!(flags & (O_RDWR | O_WRONLY | O_APPEND | O_NONBLOCK), O_RDWR | O_APPEND | O_NONBLOCK);
        expect! { close(3) => 0; }
    });
}

#[test]
fn no_more_than_the_limit_are_open() {
    on_linux(|| {
        let old = room(16);
        let pair = room(8);
        expect! {
            prlimit64(0, RLIMIT_NOFILE, &[5_u64, 4096], old) => 0;
            open("/etc/motd", O_RDONLY, 0) => 3;
            pipe(pair) => EMFILE;
            socketpair(AF_UNIX, SOCK_STREAM, 0, pair) => EMFILE;
            eventfd2(0, 0) => 4;
            open("/etc/motd", O_RDONLY, 0) => EMFILE;
            dup(0) => EMFILE;
            dup2(0, 5) => EBADF;
            fcntl(0, F_DUPFD, 5) => EINVAL;
            fcntl(0, F_DUPFD, 3) => EMFILE;
            epoll_create1(0) => EMFILE;
            memfd_create("file", 0) => EMFILE;
            timerfd_create(CLOCK_MONOTONIC, 0) => EMFILE;
            inotify_init1(0) => EMFILE;
            socket(AF_UNIX, SOCK_STREAM, 0) => EMFILE;
            close(3) => 0;
            pipe(pair) => EMFILE;
            open("/etc/motd", O_RDONLY, 0) => 3;
            close(3) => 0;
            close(4) => 0;
            prlimit64(0, RLIMIT_NOFILE, old, 0) => 0;
        }
    });
}

#[test]
fn calls_that_cannot_tell_leave_no_descriptor() {
    on_linux(|| {
        expect! {
            pipe(BAD) => EFAULT;
            pipe2(BAD, O_CLOEXEC) => EFAULT;
            socketpair(AF_UNIX, SOCK_STREAM, 0, BAD) => EFAULT;
            pipe2(BAD, 1 << 5) => EINVAL;
            memfd_create(BAD, 0) => EFAULT;
            epoll_create1(1) => EINVAL;
            eventfd2(0, 4) => EINVAL;
            open("/etc/motd", O_RDONLY, 0) => 3;
            close(3) => 0;
        }
    });
}

/// close_range(2).
#[test]
fn a_range_is_closed_at_once() {
    on_linux(|| {
        expect! {
            dup2(0, 5) => 5;
            dup2(0, 6) => 6;
            dup2(0, 8) => 8;
            close_range(7, 6, 0) => EINVAL;
            close_range(5, 6, 99) => EINVAL;
            close_range(8, 8, CLOSE_RANGE_CLOEXEC) => 0;
            fcntl(8, F_GETFD, 0) => FD_CLOEXEC;
            close_range(5, u32::MAX, 0) => 0;
            fcntl(5, F_GETFD, 0) => EBADF;
            fcntl(8, F_GETFD, 0) => EBADF;
        }
    });
}

/// pipe(7).
#[test]
fn a_pipe_ends_with_its_writers_and_breaks_with_its_readers() {
    on_linux(|| {
        let buffer = room(64);
        let [reader, writer] = pipe();
        handle(SIGPIPE, 0);
        expect! {
            write(writer, b"abc", 3) => 3;
            read(reader, buffer, 64) => 3;
            read(writer, buffer, 1) => EBADF;
            write(reader, b"x", 1) => EBADF;
            lseek(reader, 0, SEEK_SET) => ESPIPE;
            lseek(reader, 0, 9) => EINVAL;
            pread64(reader, buffer, 1, 0) => ESPIPE;
            fcntl(reader, F_SETFL, O_NONBLOCK) => 0;
            read(reader, buffer, 64) => EAGAIN;
            write(writer, b"de", 2) => 2;
            close(writer) => 0;
            read(reader, buffer, 64) => 2;
            read(reader, buffer, 64) => 0;
            close(reader) => 0;
        }
        let [reader, writer] = pipe();
        expect! {
            close(reader) => 0;
            write(writer, b"x", 1) => EPIPE;
            close(writer) => 0;
        }
        assert_eq!(taken(), usize::from(SIGPIPE));
    });
}

#[test]
fn a_full_pipe_lets_its_writer_wait_or_says_so() {
    on_linux(|| {
        let [reader, writer] = pipe();
        let size = must!(fcntl(writer, F_GETPIPE_SZ, 0));
        let buffer = room(size + 1);
        expect! {
            fcntl(writer, F_SETFL, O_NONBLOCK) => 0;
            write(writer, buffer, size + 1) => size;
            write(writer, buffer, 1) => EAGAIN;
            fcntl(writer, F_SETFL, 0) => 0;
        }
        let waits = Thread::waiting(move || {
            expect! { write(writer, buffer, 100) => 100; }
        });
        assert!(!waits.has_ended(), "there is no room");
        expect! { read(reader, buffer, size) => size; }
        waits.join();
        expect! {
            read(reader, buffer, size) => 100;
            close(reader) => 0;
            close(writer) => 0;
        }
    });
}

/// A thread that waits for a pipe wakes when bytes come, and when the last writer goes.
#[test]
fn readers_of_an_empty_pipe_are_woken() {
    on_linux(|| {
        let buffer = room(64);
        let [reader, writer] = pipe();
        let waits = Thread::waiting(move || {
            expect! {
                read(reader, buffer, 8) => 2;
                read(reader, buffer, 8) => 0;
            }
        });
        assert!(!waits.has_ended());
        expect! { write(writer, b"hi", 2) => 2; }
        give_way();
        assert!(!waits.has_ended() && load(buffer, 2) == b"hi");
        expect! { close(writer) => 0; }
        waits.join();
        expect! { close(reader) => 0; }
    });
}

/// tee(2), splice(2), sendfile(2).
#[test]
fn bytes_go_from_descriptor_to_descriptor() {
    on_linux(|| {
        let buffer = room(64);
        let from = file(b"0123456789");
        let to = file(b"");
        let [reader, writer] = pipe();
        expect! {
            sendfile(to, from, 0, 4) => 4;
            lseek(from, 0, SEEK_CUR) => 4;
            splice(from, 0, writer, 0, 3, 0) => 3;
            splice(from, 0, to, 0, 3, 0) => EINVAL;
            splice(from, BAD, writer, 0, 3, 0) => EFAULT;
            splice(reader, &[0_u64], to, 0, 3, 0) => ESPIPE;
            tee(from, writer, 3, 0) => EINVAL;
            read(reader, buffer, 8) => 3;
            copy_file_range(from, 0, to, 0, 8, 0) => 3;
            copy_file_range(from, 0, to, 0, 8, 1) => EINVAL;
            sendfile(to, 77, 0, 4) => EBADF;
            sendfile(77, from, 0, 4) => EBADF;
            pread64(to, buffer, 10, 0) => 7;
        }
        assert_eq!(load(buffer, 7), b"0123789");
        expect! {
            close(from) => 0;
            close(to) => 0;
            close(reader) => 0;
            close(writer) => 0;
        }
    });
}
