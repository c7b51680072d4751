//! The operations, each made ready once and then repeated. System calls are made directly, without a C library.

use std::arch::asm;
use std::ffi::CStr;
use std::hint::black_box;

use libc::{c_int, c_long};

/// What is repeated.
pub enum Operation {
    /// One system call, always the same: its number, and arguments that stay good for ever.
    Call(c_long, [usize; 6]),
    /// Several steps; they return something, so that the compiler keeps them.
    Steps(Box<dyn FnMut() -> usize>),
}

/// An operation's name, and what makes it ready.
type Entry = (&'static str, fn() -> Operation);

/// Every operation.
pub const ALL: [Entry; 15] = [
    ("getppid", getppid),
    ("read-1-dev-zero", read_zero),
    ("write-1-dev-null", write_null),
    ("pread-4096-tmp-file", pread_file),
    ("open-close", open_close),
    ("stat", stat),
    ("fstat", fstat),
    ("create-unlink", create_unlink),
    ("mmap-touch-munmap", map_touch_unmap),
    ("page-fault", page_fault),
    ("mprotect-twice", protect),
    ("clock-gettime", clock_gettime),
    ("clock-gettime-call", clock_gettime_call),
    ("signal-raise-handle", signal),
    ("pipe-write-read-1", pipe),
];

const FILE: &CStr = c"/tmp/bench-calls.file";
const OTHER: &CStr = c"/tmp/bench-calls.other";
const PAGE: usize = 4096;

/// One system call with up to six arguments; the result as the kernel gives it.
fn call(number: c_long, arguments: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: the callers below pass addresses of live memory of the size the call uses.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") arguments[0], in("rsi") arguments[1], in("rdx") arguments[2],
            in("r10") arguments[3], in("r8") arguments[4], in("r9") arguments[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// A call that has to succeed: a failing one would be quick and its figure a lie.
fn expect(number: c_long, arguments: [usize; 6]) -> usize {
    let result = call(number, arguments);
    assert!(result >= 0, "system call {number} fails with {result}");
    result as usize
}

fn open(path: &CStr, flags: c_int) -> usize {
    expect(libc::SYS_open, [path.as_ptr() as usize, flags as usize, 0o600, 0, 0, 0])
}

fn map(length: usize) -> usize {
    let protection = (libc::PROT_READ | libc::PROT_WRITE) as usize;
    let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as usize;
    expect(libc::SYS_mmap, [0, length, protection, flags, usize::MAX, 0])
}

fn touch(address: usize) {
    // SAFETY: the address lies in a writable mapping made by `map`.
    unsafe { (address as *mut u8).write_volatile(1) };
}

fn steps(steps: impl FnMut() -> usize + 'static) -> Operation {
    Operation::Steps(Box::new(steps))
}

/// Memory that stays, for a call's argument.
fn lasting<T>(value: T) -> usize {
    std::ptr::from_mut(Box::leak(Box::new(value))) as usize
}

fn getppid() -> Operation {
    Operation::Call(libc::SYS_getppid, [0; 6])
}

fn read_zero() -> Operation {
    Operation::Call(libc::SYS_read, [open(c"/dev/zero", libc::O_RDONLY), lasting(1_u8), 1, 0, 0, 0])
}

fn write_null() -> Operation {
    Operation::Call(libc::SYS_write, [open(c"/dev/null", libc::O_WRONLY), lasting(1_u8), 1, 0, 0, 0])
}

fn pread_file() -> Operation {
    let page = lasting([7_u8; PAGE]);
    let file = open(FILE, libc::O_RDWR | libc::O_CREAT);
    expect(libc::SYS_pwrite64, [file, page, PAGE, 0, 0, 0]);
    Operation::Call(libc::SYS_pread64, [file, page, PAGE, 0, 0, 0])
}

fn open_close() -> Operation {
    steps(|| expect(libc::SYS_close, [open(FILE, libc::O_RDONLY), 0, 0, 0, 0, 0]))
}

fn stat() -> Operation {
    let status = lasting([0_u64; size_of::<libc::stat>() / 8]);
    Operation::Call(libc::SYS_stat, [FILE.as_ptr() as usize, status, 0, 0, 0, 0])
}

fn fstat() -> Operation {
    let status = lasting([0_u64; size_of::<libc::stat>() / 8]);
    Operation::Call(libc::SYS_fstat, [open(FILE, libc::O_RDONLY), status, 0, 0, 0, 0])
}

fn create_unlink() -> Operation {
    steps(|| {
        expect(libc::SYS_close, [open(OTHER, libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL), 0, 0, 0, 0, 0]);
        expect(libc::SYS_unlink, [OTHER.as_ptr() as usize, 0, 0, 0, 0, 0])
    })
}

fn map_touch_unmap() -> Operation {
    steps(|| {
        let address = map(PAGE);
        touch(address);
        expect(libc::SYS_munmap, [address, PAGE, 0, 0, 0, 0])
    })
}

/// A first touch of an anonymous page. The mapping is made anew when it is used up, which costs little per page.
fn page_fault() -> Operation {
    const PAGES: usize = 4096;
    // Of small pages: a large one would make it one fault for 512.
    let fresh = || {
        let address = map(PAGES * PAGE);
        call(libc::SYS_madvise, [address, PAGES * PAGE, libc::MADV_NOHUGEPAGE as usize, 0, 0, 0]);
        address
    };
    let (mut address, mut next) = (fresh(), 0);
    steps(move || {
        if next == PAGES {
            expect(libc::SYS_munmap, [address, PAGES * PAGE, 0, 0, 0, 0]);
            (address, next) = (fresh(), 0);
        }
        touch(address + next * PAGE);
        next += 1;
        next
    })
}

/// To read-only and back.
fn protect() -> Operation {
    let address = map(PAGE);
    touch(address);
    steps(move || {
        expect(libc::SYS_mprotect, [address, PAGE, libc::PROT_READ as usize, 0, 0, 0]);
        expect(libc::SYS_mprotect, [address, PAGE, (libc::PROT_READ | libc::PROT_WRITE) as usize, 0, 0, 0])
    })
}

/// As programs do it: through the vDSO where there is one.
fn clock_gettime() -> Operation {
    steps(|| {
        black_box(std::time::Instant::now());
        0
    })
}

fn clock_gettime_call() -> Operation {
    let time = lasting([0_u64; 2]);
    Operation::Call(libc::SYS_clock_gettime, [libc::CLOCK_MONOTONIC as usize, time, 0, 0, 0, 0])
}

extern "C" fn nothing(_: c_int) {}

fn signal() -> Operation {
    let handler = nothing as extern "C" fn(c_int) as libc::sighandler_t;
    // SAFETY: the handler does nothing, which is safe at any moment.
    unsafe { libc::signal(libc::SIGUSR1, handler) };
    let process = call(libc::SYS_getpid, [0; 6]) as usize;
    steps(move || expect(libc::SYS_tkill, [process, libc::SIGUSR1 as usize, 0, 0, 0, 0]))
}

fn pipe() -> Operation {
    let mut ends = [0 as c_int; 2];
    expect(libc::SYS_pipe, [ends.as_mut_ptr() as usize, 0, 0, 0, 0, 0]);
    let (reader, writer, mut byte) = (ends[0] as usize, ends[1] as usize, [1_u8]);
    steps(move || {
        expect(libc::SYS_write, [writer, byte.as_ptr() as usize, 1, 0, 0, 0]);
        expect(libc::SYS_read, [reader, byte.as_mut_ptr() as usize, 1, 0, 0, 0])
    })
}
