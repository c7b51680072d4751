//! Attributes and permissions: chmod(2), chown(2), access(2), utimensat(2), xattr(7), and what users may not do.

use super::{machine::on_linux, names::*, program::*};

const OTHER: usize = 1000;

/// Runs `body` with the effective ids of another user, who has no capability.
fn as_other(body: impl FnOnce()) {
    expect! { setresgid(-1, OTHER, -1) => 0; setresuid(-1, OTHER, -1) => 0; }
    body();
    expect! { setresuid(-1, 0, -1) => 0; setresgid(-1, 0, -1) => 0; }
}

/// path_resolution(7), open(2).
#[test]
fn permissions_are_the_effective_users() {
    on_linux(|| {
        as_other(|| {
            expect! {
                open("/etc/motd", O_RDONLY, 0) => 3;
                close(3) => 0;
                open("/etc/motd", O_WRONLY, 0) => EACCES;
                open("/etc/motd", O_RDONLY | O_TRUNC, 0) => EACCES;
                open("/etc/secret", O_RDONLY, 0) => EACCES;
                open("/etc/secret", O_PATH, 0) => 3;
                close(3) => 0;
                open("/etc/new", O_RDWR | O_CREAT, 0o600) => EACCES;
                mkdir("/etc/d", 0o755) => EACCES;
                unlink("/etc/motd") => EACCES;
                rename("/etc/motd", "/tmp/motd") => EACCES;
                symlink("a", "/etc/s") => EACCES;
                link("/etc/motd", "/etc/l") => EACCES;
                truncate("/etc/motd", 0) => EACCES;
                open("/home/own", O_RDWR, 0) => 3;
                close(3) => 0;
                chmod("/etc/motd", 0o777) => EPERM;
                chown("/etc/motd", OTHER, -1) => EPERM;
                chown("/home/own", 0, -1) => EPERM;
                chmod("/home/own", 0o600) => 0;
                chmod("/home/own", 0o640) => 0;
                utimensat(AT_FDCWD, "/etc/motd", 0, 0) => EACCES;
                utimensat(AT_FDCWD, "/etc/motd", &[1_u64, 0, 1, 0], 0) => EPERM;
                mknod("/tmp/device", S_IFCHR | 0o600, 0x103) => EPERM;
                chroot("/tmp") => EPERM;
                sethostname(b"other", 5) => EPERM;
                clock_settime(CLOCK_REALTIME, &[1_u64, 0]) => EPERM;
                setpriority(0, 0, -5) => EACCES;
                setgroups(0, 0) => EPERM;
                setuid(OTHER + 1) => EPERM;
                prlimit64(0, RLIMIT_NOFILE, &[1_u64 << 30, 1 << 30], 0) => EPERM;
            }
        });
        // Who is neither owner nor of the group.
        expect! {
            chmod("/home", 0o750) => 0;
            setresgid(-1, 7, -1) => 0;
            setresuid(-1, 7, -1) => 0;
            open("/home/own", O_RDONLY, 0) => EACCES;
            chdir("/home") => EACCES;
            setresuid(-1, 0, -1) => 0;
            setresgid(-1, 0, -1) => 0;
        }
    });
}

/// unlink(2), EPERM: the sticky bit.
#[test]
fn others_files_stay_in_a_shared_directory() {
    on_linux(|| {
        expect! {
            open("/tmp/roots", O_RDWR | O_CREAT, 0o666) => 3;
            close(3) => 0;
        }
        as_other(|| {
            expect! {
                unlink("/tmp/roots") => EPERM;
                rename("/tmp/roots", "/tmp/mine") => EPERM;
                open("/tmp/mine", O_RDWR | O_CREAT, 0o600) => 3;
                close(3) => 0;
                unlink("/tmp/mine") => 0;
            }
        });
        expect! { unlink("/tmp/roots") => 0; }
    });
}

/// access(2): real ids count.
#[test]
fn access_asks_for_the_real_user() {
    on_linux(|| {
        expect! {
            access("/etc/motd", R_OK | W_OK) => 0;
            access("/etc/motd", X_OK) => EACCES;
            access("/bin/text", X_OK) => 0;
            access("/etc/none", F_OK) => ENOENT;
            access("/etc/motd", 8) => EINVAL;
            access("/etc/loop", F_OK) => ELOOP;
            access(BAD, F_OK) => EFAULT;
        }
        as_other(|| {
            // The real user is root still.
            expect! {
                access("/etc/secret", R_OK) => 0;
                faccessat2(AT_FDCWD, "/etc/secret", R_OK, 0x200) => EACCES;
            }
        });
    });
}

#[test]
fn modes_owners_and_masks() {
    on_linux(|| {
        let status = room(144);
        let mode = |path: &str| {
            must!(stat(path, status));
            half(status + 24) & 0o7777
        };
        expect! {
            umask(0o27) => 0o22;
            open("/tmp/a", O_RDWR | O_CREAT, 0o666) => 3;
            mkdir("/tmp/d", 0o777) => 0;
        }
        assert_eq!([mode("/tmp/a"), mode("/tmp/d")], [0o640, 0o750]);
        expect! {
            umask(0o22) => 0o27;
            fchmod(3, 0o4711) => 0;
        }
        assert_eq!(mode("/tmp/a"), 0o4711);
        expect! { fchown(3, OTHER, 7) => 0; }
        assert_eq!(mode("/tmp/a"), 0o711, "chown(2): the set-user-id bit goes");
        assert_eq!([half(status + 28), half(status + 32)], [OTHER as u32, 7]);
        expect! {
            fchmod(99, 0) => EBADF;
            fchown(99, 0, 0) => EBADF;
            chmod("/tmp/none", 0) => ENOENT;
            fchownat(3, "", 0, -1, AT_EMPTY_PATH) => 0;
            fchownat(3, "", 0, -1, 0) => ENOENT;
            fchownat(3, "", 0, -1, 1) => EINVAL;
            close(3) => 0;
            unlink("/tmp/a") => 0;
            rmdir("/tmp/d") => 0;
        }
    });
}

/// stat(2), utimensat(2).
#[test]
fn times_are_set_and_told() {
    on_linux(|| {
        let status = room(144);
        expect! {
            open("/tmp/a", O_RDWR | O_CREAT, 0o600) => 3;
            utimensat(3, 0, &[11_u64, 5, 22, 6], 0) => 0;
            fstat(3, status) => 0;
        }
        assert_eq!([72, 80, 88, 96].map(|at| word(status + at)), [11, 5, 22, 6]);
        expect! {
            utimensat(3, 0, &[0_u64, UTIME_OMIT as u64, 33, 0], 0) => 0;
            fstat(3, status) => 0;
            utimensat(3, 0, &[0_u64, 1_000_000_000, 33, 0], 0) => EINVAL;
            utimensat(3, 0, BAD, 0) => EFAULT;
            utimensat(AT_FDCWD, 0, &[0_u64; 4], 0) => EFAULT;
            utimensat(AT_FDCWD, "/tmp/none", &[0_u64; 4], 0) => ENOENT;
            utimensat(99, "x", &[0_u64; 4], 0) => EBADF;
            fstat(3, BAD) => EFAULT;
            fstat(99, status) => EBADF;
            stat("/tmp/none", status) => ENOENT;
            newfstatat(3, "", status, AT_EMPTY_PATH) => 0;
            newfstatat(3, "", status, 0) => ENOENT;
            newfstatat(3, "", status, 1 << 20) => EINVAL;
            statx(3, "", AT_EMPTY_PATH, 1_u32 << 31, status) => EINVAL;
            close(3) => 0;
            unlink("/tmp/a") => 0;
        }
        assert_eq!([72, 80, 88, 96].map(|at| word(status + at)), [11, 5, 33, 0]);
    });
}

/// xattr(7), setxattr(2).
#[test]
fn extended_attributes() {
    on_linux(|| {
        let buffer = room(64);
        expect! {
            open("/tmp/a", O_RDWR | O_CREAT, 0o600) => 3;
            fgetxattr(3, "user.x", buffer, 64) => ENODATA;
            fsetxattr(3, "user.x", b"value", 5, XATTR_REPLACE) => ENODATA;
            fsetxattr(3, "user.x", b"value", 5, XATTR_CREATE) => 0;
            fsetxattr(3, "user.x", b"value", 5, XATTR_CREATE) => EEXIST;
            fsetxattr(3, "user.x", b"value", 5, 4) => EINVAL;
            fsetxattr(3, "user.x", BAD, 5, 0) => EFAULT;
            fsetxattr(3, "none.x", b"value", 5, 0) => EOPNOTSUPP;
            fsetxattr(3, "user.", b"value", 5, 0) => EINVAL;
            fsetxattr(3, "user.x", b"value", 1 << 20, 0) => E2BIG;
            fgetxattr(3, "user.x", 0, 0) => 5;
            fgetxattr(3, "user.x", buffer, 4) => ERANGE;
            fgetxattr(3, "user.x", buffer, 64) => 5;
            flistxattr(3, buffer, 64) => 7;
            flistxattr(3, buffer, 3) => ERANGE;
            fremovexattr(3, "user.x") => 0;
            fremovexattr(3, "user.x") => ENODATA;
            getxattr("/tmp/none", "user.x", buffer, 64) => ENOENT;
            fgetxattr(99, "user.x", buffer, 64) => EBADF;
            close(3) => 0;
            unlink("/tmp/a") => 0;
        }
    });
}
