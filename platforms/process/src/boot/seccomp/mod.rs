//! The allow-list: which system calls of the host this process can make from now on, and with what.
//!
//! It guards against the kernel's own mistakes and keeps W^X: no call can make a page writable and executable. It
//! does not guard the host from a program that means harm, because that shares our address space.
//! Whatever is not here traps, and the handler panics with the call's number.

use sockets::Reach;

use crate::{
    host::{
        HostError,
        disk::F_GETFL,
        files::{OWN_FILES, TCGETS, TCSETS, TIOCGWINSZ},
        instructions, number,
        process::{
            COPIED, COPIED_BESIDE, FilterInstruction, PR_SET_PDEATHSIG, PR_SET_SYSCALL_USER_DISPATCH,
            PR_SYS_DISPATCH_ON, SIGKILL, install_filter,
        },
        signal::CALL,
        sockets::{AF_INET, AF_INET6, FIONREAD, SIOCOUTQ},
        thread,
    },
    per_cpu,
};

/// Calls that are allowed with any arguments.
const ALLOWED: [usize; 22] = [
    number::RT_SIGRETURN,
    number::READ,
    number::WRITE,
    number::PPOLL,
    number::CLOCK_GETTIME,
    number::MUNMAP,
    number::MADVISE,
    number::MINCORE,
    number::MREMAP,
    number::TIMER_SETTIME,
    number::RT_SIGPROCMASK,
    number::GETRANDOM,
    number::ARCH_PRCTL,
    number::FSTAT,
    number::PREAD64,
    number::SYSINFO,
    number::TIMER_CREATE,
    number::GETTID,
    number::MEMFD_CREATE,
    number::FTRUNCATE,
    // The host makes this one itself when a stopped process goes on.
    number::RESTART_SYSCALL,
    number::EXIT_GROUP,
];

/// Calls on files that are reached by a descriptor, for shares.
const OF_FILES: [usize; 22] = [
    number::PREADV2,
    number::STATX,
    number::CLOSE,
    number::PWRITE64,
    number::PWRITEV2,
    number::GETDENTS64,
    number::READLINKAT,
    number::MKDIRAT,
    number::MKNODAT,
    number::SYMLINKAT,
    number::LINKAT,
    number::UNLINKAT,
    number::RENAMEAT2,
    number::FCHMODAT,
    number::FCHOWNAT,
    number::UTIMENSAT,
    number::FALLOCATE,
    number::FSYNC,
    number::FDATASYNC,
    number::FSTATFS,
    number::LSEEK,
    number::UMASK,
];

/// Reading, writing, measuring and synchronising what is open.
const OF_DISKS: [usize; 4] = [number::PREADV, number::PWRITEV, number::FDATASYNC, number::LSEEK];

/// Frames, from and to several places at once.
const OF_NICS: [usize; 2] = [number::READV, number::WRITEV];

/// Sockets: connections and datagrams, and what has changed of them. Ports are the command's to take.
const OF_SOCKETS: [usize; 14] = [
    number::RECVMSG,
    number::SENDMSG,
    number::EPOLL_PWAIT,
    number::EPOLL_CTL,
    number::ACCEPT4,
    number::CONNECT,
    number::LISTEN,
    number::SHUTDOWN,
    number::GETSOCKNAME,
    number::GETPEERNAME,
    number::SETSOCKOPT,
    number::GETSOCKOPT,
    number::EPOLL_CREATE1,
    number::CLOSE,
];

/// socket(2): only of these families.
const FAMILIES: [usize; 2] = [AF_INET as usize, AF_INET6 as usize];

const TERMINAL_REQUESTS: [usize; 5] = [TCGETS, TCSETS, TCSETS + 1, TCSETS + 2, TIOCGWINSZ];

const LOAD: u16 = 0x20;
const AND: u16 = 0x54;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7fff_0000;
const TRAP: u32 = 0x0003_0000;
const ARCHITECTURE: u32 = 0xc000_003e;

/// Offsets in `struct seccomp_data`: the number, the architecture, halves of arguments.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const fn low_half(argument: u32) -> u32 {
    16 + 8 * argument
}

/// Most instructions of a filter.
const ROOM: usize = 336;

/// Collects the filter's instructions.
struct Filter {
    instructions: [FilterInstruction; ROOM],
    length: usize,
}

impl Filter {
    #[inline(never)]
    fn add(&mut self, code: u16, operand: u32, skip_if_true: u8, skip_if_false: u8) {
        self.instructions[self.length] = FilterInstruction { code, skip_if_true, skip_if_false, operand };
        self.length += 1;
    }

    fn load(&mut self, offset: u32) {
        self.add(LOAD, offset, 0, 0);
    }

    /// Goes on with the next instruction if the loaded word is `value`, else behind `skipped` more.
    fn if_equal(&mut self, value: usize, skipped: u8) {
        self.add(JUMP_IF_EQUAL, value as u32, 0, skipped);
    }

    fn end(&mut self, action: u32) {
        self.add(RETURN, action, 0, 0);
    }

    fn allow_any(&mut self, number: usize) {
        self.if_equal(number, 1);
        self.end(ALLOW);
    }

    /// mmap and mprotect: PROT_WRITE and PROT_EXEC not both.
    fn allow_without_both(&mut self, number: usize) {
        self.if_equal(number, 5);
        self.load(low_half(2));
        self.add(AND, 6, 0, 0);
        self.if_equal(6, 1);
        self.end(TRAP);
        self.end(ALLOW);
    }

    fn allow_terminal_requests(&mut self, sockets: bool) {
        let of_sockets = if sockets { &[FIONREAD, SIOCOUTQ][..] } else { &[] };
        self.if_equal(number::IOCTL, 2 * (TERMINAL_REQUESTS.len() + of_sockets.len()) as u8 + 2);
        self.load(low_half(1));
        of_sockets.iter().chain(&TERMINAL_REQUESTS).for_each(|&request| self.allow_any(request));
        self.end(TRAP);
    }

    /// A call whose arguments of these indices have these values.
    fn allow_with(&mut self, number: usize, arguments: &[(u32, usize)]) {
        self.allow_with_any(number, &[arguments]);
    }

    /// The same where there is more than one choice of values.
    fn allow_with_any(&mut self, number: usize, choices: &[&[(u32, usize)]]) {
        // A comparison takes a load and a jump, and each argument two; a choice ends with the permission.
        let length = |arguments: &&[(u32, usize)]| 4 * arguments.len() as u8 + 1;
        self.if_equal(number, choices.iter().map(length).sum::<u8>() + 1);
        for arguments in choices {
            let mut left = length(arguments);
            for &(argument, value) in *arguments {
                for (half, word) in [(0, value & 0xffff_ffff), (4, value >> 32)] {
                    self.load(low_half(argument) + half);
                    left -= 2;
                    self.if_equal(word, left);
                }
            }
            self.end(ALLOW);
        }
        self.end(TRAP);
    }

    /// A call whose argument of this index, an int, is one of a few: futex, membarrier.
    fn allow_either<const N: usize>(&mut self, number: usize, argument: u32, values: [usize; N]) {
        self.if_equal(number, 2 * N as u8 + 2);
        self.load(low_half(argument));
        values.into_iter().for_each(|value| self.allow_any(value));
        self.end(TRAP);
    }

    /// What several address spaces need: processes of the host's that are copies of this one, and that pass processors
    /// on to each other.
    fn allow_spaces(&mut self, files: &Files) {
        self.allow_any(number::SIGALTSTACK);
        self.allow_any(number::WAIT4);
        self.allow_any(number::SET_ROBUST_LIST);
        self.allow_any(number::GETPPID);
        self.allow_either(number::FUTEX, 1, thread::futex_commands());
        self.allow_either(number::CLONE, 0, [COPIED, COPIED_BESIDE, thread::SHARED]);
        // Which processes there will be, nobody knows.
        self.allow_with(number::TGKILL, &[(2, usize::from(CALL))]);
        let end = [(0, PR_SET_PDEATHSIG), (1, SIGKILL)];
        self.allow_with_any(number::PRCTL, &[&end, &dispatch()]);
        self.allow_with(number::RT_SIGACTION, &[(0, usize::from(CALL))]);
        if files.shares {
            self.allow_any(number::EXIT);
        } else {
            // The kernel's memory goes to a file, and instructions are written by a file for each process.
            self.allow_any(number::PWRITE64);
        }
        if !files.shares && files.sockets == Reach::Nothing {
            self.allow_any(number::CLOSE);
        }
    }

    /// openat: only with the paths of [`OWN_FILES`], which nobody can change: they are in read-only memory.
    fn allow_own_files(&mut self, memory: bool) {
        let maps = OWN_FILES.maps.as_ptr() as usize;
        let others = [OWN_FILES.sizes.as_ptr(), OWN_FILES.pages.as_ptr(), OWN_FILES.memory.as_ptr()];
        let others = if memory { &others[..] } else { &others[..2] };
        let skipped = 2 * others.len() as u8;
        self.if_equal(number::OPENAT, skipped + 6);
        self.load(low_half(1) + 4);
        self.if_equal(maps >> 32, skipped + 3);
        self.load(low_half(1));
        self.allow_any(maps & 0xffff_ffff);
        others.iter().for_each(|&other| self.allow_any(other as usize & 0xffff_ffff));
        self.end(TRAP);
    }
}

/// The arguments by which a thread has its system calls dispatched.
fn dispatch() -> [(u32, usize); 4] {
    let ours = instructions();
    [(0, PR_SET_SYSCALL_USER_DISPATCH), (1, PR_SYS_DISPATCH_ON), (2, ours.start), (3, ours.len())]
}

/// Files of the host's beside the standard streams and the archive.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files {
    /// The program sees directories of the host's, below which it may open files.
    pub shares: bool,
    /// Files that the command has opened are disks.
    pub disks: bool,
    /// Sockets and TAP devices that the command has opened are network interfaces.
    pub nics: bool,
    /// Which sockets the program has of the host's.
    pub sockets: Reach,
    /// This process's memory as a file, by which instructions are rewritten.
    pub memory: Option<i32>,
}

/// What several processors need besides.
#[derive(Clone, Copy, Debug)]
struct Several {
    /// The host's number of this process.
    process: usize,
}

/// Installs the list for good, for all threads to come. `several`: there will be several processors.
/// `files`: which files of the host's the kernel uses.
pub fn install(several: bool, files: Files) -> Result<(), HostError> {
    let process = thread::own() as usize;
    let spaces = per_cpu::seat::several();
    let filter = build(several.then_some(Several { process }), process, files, spaces);
    install_filter(&filter.instructions[..filter.length])
}

fn build(several: Option<Several>, process: usize, files: Files, spaces: bool) -> Filter {
    let empty = FilterInstruction { code: RETURN, skip_if_true: 0, skip_if_false: 0, operand: TRAP };
    let mut filter = Filter { instructions: [empty; ROOM], length: 0 };
    filter.load(ARCHITECTURE_AT);
    filter.add(JUMP_IF_EQUAL, ARCHITECTURE, 1, 0);
    filter.end(TRAP);
    filter.load(NUMBER_AT);
    // The host runs all this only for calls whose arguments count, and keeps its answers to the others (Linux 5.11).
    filter.allow_without_both(number::MPROTECT);
    filter.allow_without_both(number::MMAP);
    if spaces {
        filter.allow_spaces(&files);
    }
    filter.allow_terminal_requests(files.sockets != Reach::Nothing);
    if files.disks {
        OF_DISKS.into_iter().for_each(|number| filter.allow_any(number));
        filter.allow_with(number::FCNTL, &[(1, F_GETFL)]);
    }
    if files.sockets != Reach::Nothing {
        OF_SOCKETS.into_iter().for_each(|number| filter.allow_any(number));
        filter.allow_either(number::SOCKET, 0, FAMILIES);
    }
    if files.sockets == Reach::All {
        filter.allow_any(number::BIND);
    }
    if files.nics {
        OF_NICS.into_iter().for_each(|number| filter.allow_any(number));
    }
    if several.is_some() || spaces || files.nics || files.sockets != Reach::Nothing {
        // A processor that waits for the network looks for a while, and lets others run.
        filter.allow_any(number::SCHED_YIELD);
    }
    if files.shares {
        filter.allow_any(number::OPENAT);
        OF_FILES.into_iter().for_each(|number| filter.allow_any(number));
        // Threads that wait for the host's disk in our place, and call us.
        if !spaces {
            filter.allow_either(number::FUTEX, 1, thread::futex_commands());
        }
        if several.is_none() && !spaces {
            filter.allow_with(number::TGKILL, &[(0, process), (2, usize::from(CALL))]);
            filter.allow_with(number::CLONE, &[(0, thread::SHARED)]);
        }
    } else {
        filter.allow_own_files(spaces && files.memory.is_some());
        if let Some(memory) = files.memory
            && !spaces
        {
            filter.allow_with(number::PWRITE64, &[(0, memory as usize)]);
        }
    }
    if let Some(Several { process }) = several {
        filter.allow_either(number::MEMBARRIER, 0, [thread::REGISTER_SYNCHRONIZE, thread::SYNCHRONIZE]);
        if !spaces {
            filter.allow_any(number::SIGALTSTACK);
            filter.allow_with(number::TGKILL, &[(0, process), (2, usize::from(CALL))]);
            filter.allow_with(number::CLONE, &[(0, thread::SHARED)]);
            filter.allow_with(number::PRCTL, &dispatch());
        }
    }
    ALLOWED.into_iter().for_each(|number| filter.allow_any(number));
    filter.end(TRAP);
    filter
}

#[cfg(test)]
mod tests;
