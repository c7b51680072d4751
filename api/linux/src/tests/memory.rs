//! Memory: mmap(2), munmap(2), mprotect(2), mremap(2), madvise(2), msync(2), mincore(2), mlock(2), brk(2).

use ::machine::Access;
use test_machine::application::touch;

use super::{machine::on_linux, names::*, program::*};

const PAGE: usize = 4096;
const ANYWHERE: usize = MAP_PRIVATE | MAP_ANONYMOUS;

/// mmap(2), ERRORS.
#[test]
fn what_cannot_be_mapped_says_why() {
    on_linux(|| {
        let file = file(b"0123");
        expect! {
            mmap(0, 0, PROT_READ, ANYWHERE, -1, 0) => EINVAL;
            mmap(0, PAGE, PROT_READ, MAP_ANONYMOUS, -1, 0) => EINVAL;
            mmap(0, PAGE, PROT_READ, ANYWHERE, -1, 1) => EINVAL;
            mmap(1, PAGE, PROT_READ, ANYWHERE | MAP_FIXED, -1, 0) => EINVAL;
            mmap(0, usize::MAX, PROT_READ, ANYWHERE, -1, 0) => ENOMEM;
            mmap(0, PAGE, PROT_READ, MAP_PRIVATE, 99, 0) => EBADF;
            mmap(0, PAGE, PROT_READ, MAP_SHARED, file, 100) => EINVAL;
            open("/etc/motd", O_RDONLY, 0) => file + 1;
            mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file + 1, 0) => EACCES;
            close(file + 1) => 0;
            open("/etc/motd", O_WRONLY, 0) => file + 1;
            mmap(0, PAGE, PROT_READ, MAP_PRIVATE, file + 1, 0) => EACCES;
            close(file + 1) => 0;
            open("/etc", O_RDONLY, 0) => file + 1;
            mmap(0, PAGE, PROT_READ, MAP_PRIVATE, file + 1, 0) => ENODEV;
            close(file + 1) => 0;
            close(file) => 0;
        }
        let at = must!(mmap(0, 2 * PAGE, PROT_READ, ANYWHERE, -1, 0));
        expect! {
            mmap(at, PAGE, PROT_READ, ANYWHERE | MAP_FIXED_NOREPLACE, -1, 0) => EEXIST;
            mmap(at, PAGE, PROT_READ, ANYWHERE | MAP_FIXED, -1, 0) => at;
            munmap(at + 1, PAGE) => EINVAL;
            munmap(at, 0) => EINVAL;
            mprotect(at + 1, PAGE, PROT_READ) => EINVAL;
            mprotect(at, PAGE, 0x100) => EINVAL;
            mprotect(at, 0, PROT_READ) => 0;
            munmap(at, 2 * PAGE) => 0;
            munmap(at, 2 * PAGE) => 0;
            mprotect(at, PAGE, PROT_READ) => ENOMEM;
            madvise(at, PAGE, MADV_NORMAL) => ENOMEM;
            madvise(at + 1, PAGE, MADV_NORMAL) => EINVAL;
            madvise(at, PAGE, 9_999) => EINVAL;
            msync(at, PAGE, MS_SYNC) => ENOMEM;
            msync(at, PAGE, MS_SYNC | MS_ASYNC) => EINVAL;
            msync(at + 1, PAGE, MS_SYNC) => EINVAL;
            mincore(at, PAGE, room(8)) => ENOMEM;
            mincore(at + 1, PAGE, room(8)) => EINVAL;
            mlock(at, PAGE) => ENOMEM;
            mlock2(at, PAGE, 77) => EINVAL;
            mlockall(0) => EINVAL;
            mremap(at, PAGE, PAGE, MREMAP_MAYMOVE, 0) => EFAULT;
            mremap(at + 1, PAGE, PAGE, MREMAP_MAYMOVE, 0) => EINVAL;
            mremap(at, PAGE, 0, MREMAP_MAYMOVE, 0) => EINVAL;
            mremap(at, PAGE, PAGE, MREMAP_FIXED, 0) => EINVAL;
            mremap(at, PAGE, PAGE, 77, 0) => EINVAL;
        }
    });
}

/// No translation stays behind of what is unmapped, protected, moved or thrown away.
#[test]
fn what_is_gone_cannot_be_touched() {
    on_linux(|| {
        handle(SIGSEGV, 0);
        let at = must!(mmap(0, 4 * PAGE, PROT_READ | PROT_WRITE, ANYWHERE, -1, 0));
        store(at, b"here");
        store(at + PAGE, b"there");
        expect! { mprotect(at, PAGE, PROT_READ) => 0; }
        assert!(touch(at, Access::Read) && !touch(at, Access::Write));
        expect! { mprotect(at, PAGE, PROT_NONE) => 0; }
        assert!(!touch(at, Access::Read));
        expect! { mprotect(at, PAGE, PROT_READ | PROT_WRITE) => 0; madvise(at, PAGE, MADV_DONTNEED) => 0; }
        assert_eq!(load(at, 4), b"\0\0\0\0");
        let moved = must!(mremap(at + PAGE, PAGE, 8 * PAGE, MREMAP_MAYMOVE, 0));
        assert_eq!(load(moved, 5), b"there");
        assert!(!touch(at + PAGE, Access::Read));
        expect! { munmap(at, 4 * PAGE) => 0; munmap(moved, 8 * PAGE) => 0; }
        assert!(!touch(at, Access::Read) && !touch(moved, Access::Read));
        let vector = room(8);
        let at = must!(mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, ANYWHERE, -1, 0));
        store(at, b"x");
        expect! { mincore(at, 2 * PAGE, vector) => 0; munmap(at, 2 * PAGE) => 0; }
        assert_eq!(load(vector, 2), [1, 0]);
    });
}

#[test]
fn a_shared_mapping_and_its_file_are_one() {
    on_linux(|| {
        let buffer = room(8);
        let file = file(b"0123");
        let shared = must!(mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
        let private = must!(mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0));
        store(shared, b"ab");
        store(private + 2, b"yz");
        expect! { pread64(file, buffer, 8, 0) => 4; pwrite64(file, b"!", 1, 3) => 1; }
        assert_eq!((load(buffer, 4), load(shared, 4)), (b"ab23".to_vec(), b"ab2!".to_vec()));
        assert_eq!(load(private + 2, 2), b"yz");
        expect! {
            msync(shared, PAGE, MS_SYNC) => 0;
            munmap(shared, PAGE) => 0;
            munmap(private, PAGE) => 0;
            close(file) => 0;
        }
    });
}

/// brk(2), setrlimit(2).
#[test]
fn the_break_moves_within_its_limit() {
    on_linux(|| {
        let old = room(16);
        let start = must!(brk(0));
        expect! {
            brk(start + 2 * PAGE) => start + 2 * PAGE;
            brk(1) => start + 2 * PAGE;
            brk(start) => start;
            prlimit64(0, RLIMIT_DATA, &[0_u64, u64::MAX], old) => 0;
            brk(start + PAGE) => start;
            prlimit64(0, RLIMIT_DATA, old, 0) => 0;
            prlimit64(0, RLIMIT_AS, &[0_u64, u64::MAX], old) => 0;
            brk(start + PAGE) => start;
            mmap(0, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) => ENOMEM;
            prlimit64(0, RLIMIT_AS, old, 0) => 0;
            brk(start + PAGE) => start + PAGE;
        }
    });
}
