//! Names: mkdir(2), rmdir(2), unlink(2), rename(2), link(2), symlink(2), readlink(2), getdents(2), chdir(2), getcwd(2).

use super::{machine::on_linux, names::*, program::*};

#[test]
fn directories_are_made_and_removed() {
    on_linux(|| {
        expect! {
            mkdir("/tmp/d", 0o755) => 0;
            mkdir("/tmp/d", 0o755) => EEXIST;
            mkdir("/etc/motd", 0o755) => EEXIST;
            mkdir("/etc/motd/d", 0o755) => ENOTDIR;
            mkdir("/tmp/none/d", 0o755) => ENOENT;
            mkdir("/", 0o755) => EEXIST;
            mkdir("", 0o755) => ENOENT;
            mkdir(BAD, 0o755) => EFAULT;
            mkdir("/tmp/d/e", 0o755) => 0;
            rmdir("/tmp/d") => ENOTEMPTY;
            rmdir("/tmp/d/e/.") => EINVAL;
            rmdir("/tmp/d/e/..") => ENOTEMPTY;
            rmdir("/tmp/d/e") => 0;
            rmdir("/tmp/d/e") => ENOENT;
            rmdir("/etc/motd") => ENOTDIR;
            rmdir("/") => EBUSY;
            unlink("/tmp/d") => EISDIR;
            unlinkat(AT_FDCWD, "/tmp/d", 77) => EINVAL;
            unlinkat(AT_FDCWD, "/tmp/d", AT_REMOVEDIR) => 0;
            unlink("/tmp/none") => ENOENT;
            unlink("/etc/motd/x") => ENOTDIR;
        }
    });
}

/// rename(2).
#[test]
fn renaming_replaces_what_it_may() {
    on_linux(|| {
        let make = |path: &str| {
            let file = must!(open(path, O_WRONLY | O_CREAT, 0o600));
            must!(close(file));
        };
        make("/tmp/a");
        make("/tmp/b");
        expect! {
            mkdir("/tmp/d", 0o755) => 0;
            mkdir("/tmp/full", 0o755) => 0;
            mkdir("/tmp/full/in", 0o755) => 0;
            rename("/tmp/none", "/tmp/c") => ENOENT;
            rename("/tmp/a", "/tmp/none/c") => ENOENT;
            rename("/tmp/a", "/tmp/d") => EISDIR;
            rename("/tmp/d", "/tmp/a") => ENOTDIR;
            rename("/tmp/d", "/tmp/full") => ENOTEMPTY;
            rename("/tmp/full", "/tmp/full/in/x") => EINVAL;
            rename("/tmp/a", "/proc/c") => EXDEV;
            rename("/tmp/.", "/tmp/c") => EBUSY;
            renameat2(AT_FDCWD, "/tmp/a", AT_FDCWD, "/tmp/b", RENAME_NOREPLACE) => EEXIST;
            renameat2(AT_FDCWD, "/tmp/a", AT_FDCWD, "/tmp/x", RENAME_EXCHANGE) => ENOENT;
            renameat2(AT_FDCWD, "/tmp/a", AT_FDCWD, "/tmp/b", RENAME_EXCHANGE | RENAME_NOREPLACE) => EINVAL;
            renameat2(AT_FDCWD, "/tmp/a", AT_FDCWD, "/tmp/d", RENAME_EXCHANGE) => 0;
            rmdir("/tmp/a") => 0;
            rename("/tmp/d", "/tmp/b") => 0;
            rename("/tmp/b", "/tmp/b") => 0;
            access("/tmp/d", F_OK) => ENOENT;
            unlink("/tmp/b") => 0;
            rmdir("/tmp/full/in") => 0;
            rmdir("/tmp/full") => 0;
        }
    });
}

/// link(2), symlink(2), readlink(2).
#[test]
fn links_of_both_kinds() {
    on_linux(|| {
        let buffer = room(64);
        let status = room(144);
        expect! {
            open("/tmp/a", O_WRONLY | O_CREAT, 0o600) => 3;
            close(3) => 0;
            link("/tmp/a", "/tmp/b") => 0;
            link("/tmp/a", "/tmp/b") => EEXIST;
            link("/tmp/none", "/tmp/c") => ENOENT;
            link("/tmp", "/tmp/c") => EPERM;
            link("/tmp/a", "/proc/c") => EXDEV;
            stat("/tmp/a", status) => 0;
        }
        assert_eq!(word(status + 16), 2, "two names");
        expect! {
            unlink("/tmp/b") => 0;
            symlink("a", "/tmp/s") => 0;
            symlink("a", "/tmp/s") => EEXIST;
            symlink("", "/tmp/t") => ENOENT;
            readlink("/tmp/s", buffer, 64) => 1;
            readlink("/tmp/s", buffer, 0) => EINVAL;
            readlink("/tmp/s", buffer, -1) => EINVAL;
            readlink("/tmp/a", buffer, 64) => EINVAL;
            readlink("/tmp/none", buffer, 64) => ENOENT;
            readlink("/tmp/s", BAD, 64) => EFAULT;
            lstat("/tmp/s", status) => 0;
        }
        assert_eq!(half(status + 24) as usize & 0o170_000, S_IFLNK);
        expect! {
            stat("/tmp/s", status) => 0;
        }
        assert_eq!(half(status + 24) as usize & 0o170_000, S_IFREG);
        expect! {
            unlink("/tmp/a") => 0;
            stat("/tmp/s", status) => ENOENT;
            unlink("/tmp/s") => 0;
        }
    });
}

/// A file that has lost its name lives as long as it is open.
#[test]
fn open_files_outlive_their_names() {
    on_linux(|| {
        let buffer = room(8);
        expect! {
            open("/tmp/a", O_RDWR | O_CREAT | O_EXCL, 0o600) => 3;
            unlink("/tmp/a") => 0;
            write(3, b"here", 4) => 4;
            pread64(3, buffer, 8, 0) => 4;
            open("/tmp/a", O_RDONLY, 0) => ENOENT;
            close(3) => 0;
        }
    });
}

/// chdir(2), getcwd(2).
#[test]
fn the_working_directory_is_where_paths_begin() {
    on_linux(|| {
        let buffer = room(64);
        expect! {
            chdir("/none") => ENOENT;
            chdir("/etc/motd") => ENOTDIR;
            chdir(BAD) => EFAULT;
            chdir("/etc") => 0;
            open("motd", O_RDONLY, 0) => 3;
            fchdir(3) => ENOTDIR;
            fchdir(99) => EBADF;
            getcwd(buffer, 64) => 5;
            getcwd(buffer, 4) => ERANGE;
            getcwd(BAD, 64) => EFAULT;
            close(3) => 0;
            open("/", O_RDONLY, 0) => 3;
            fchdir(3) => 0;
            getcwd(buffer, 64) => 2;
            openat(3, "etc/motd", O_RDONLY, 0) => 4;
            close(4) => 0;
            close(3) => 0;
            mkdir("/tmp/gone", 0o755) => 0;
            chdir("/tmp/gone") => 0;
            rmdir("/tmp/gone") => 0;
            getcwd(buffer, 64) => ENOENT;
            open("new", O_RDWR | O_CREAT, 0o600) => ENOENT;
            chdir("/") => 0;
        }
    });
}

/// getdents64(2).
#[test]
fn directories_are_listed() {
    on_linux(|| {
        let buffer = room(1024);
        expect! {
            open("/etc", O_RDONLY, 0) => 3;
            getdents64(3, buffer, 8) => EINVAL;
            getdents64(3, BAD, 1024) => EFAULT;
        }
        let count = must!(getdents64(3, buffer, 1024));
        let bytes = load(buffer, count);
        let mut names = std::vec::Vec::new();
        let mut at = 0;
        while at < count {
            let length = usize::from(u16::from_le_bytes([bytes[at + 16], bytes[at + 17]]));
            let name = bytes[at + 19..at + length].split(|&byte| byte == 0).next().expect("a name");
            names.push(std::string::String::from_utf8_lossy(name).into_owned());
            at += length;
        }
        names.sort();
        assert_eq!(names, [".", "..", "link", "loop", "motd", "secret"]);
        expect! {
            getdents64(3, buffer, 1024) => 0;
            lseek(3, 0, SEEK_SET) => 0;
            getdents64(3, buffer, 1024) => count;
            close(3) => 0;
            open("/etc/motd", O_RDONLY, 0) => 3;
            getdents64(3, buffer, 1024) => ENOTDIR;
            getdents64(99, buffer, 1024) => EBADF;
            close(3) => 0;
        }
    });
}

/// mknod(2), fifo(7).
#[test]
fn named_pipes_wait_for_the_other_end() {
    on_linux(|| {
        expect! {
            mknod("/tmp/fifo", S_IFIFO | 0o600, 0) => 0;
            mknod("/tmp/fifo", S_IFIFO | 0o600, 0) => EEXIST;
            mknod("/tmp/x", S_IFDIR | 0o600, 0) => EPERM;
            mknod("/tmp/x", 0o160_600, 0) => EINVAL;
            open("/tmp/fifo", O_WRONLY | O_NONBLOCK, 0) => ENXIO;
            open("/tmp/fifo", O_RDONLY | O_NONBLOCK, 0) => 3;
            open("/tmp/fifo", O_WRONLY | O_NONBLOCK, 0) => 4;
            close(3) => 0;
            close(4) => 0;
        }
        // Descriptors are taken when the other end has come, in whatever order.
        let reads = Thread::waiting(|| {
            must!(open("/tmp/fifo", O_RDONLY, 0));
        });
        assert!(!reads.has_ended(), "nobody writes yet");
        must!(open("/tmp/fifo", O_WRONLY, 0));
        reads.join();
        expect! { close(3) => 0; close(4) => 0; unlink("/tmp/fifo") => 0; }
    });
}
