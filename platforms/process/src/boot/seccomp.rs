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

/// Calls that are allowed with any arguments, the frequent ones first.
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

    /// What several address spaces need: processes of the host's that are copies of this one, and that pass processors on to
    /// each other.
    fn allow_spaces(&mut self, files: &Files) {
        self.allow_any(number::SIGALTSTACK);
        self.allow_any(number::WAIT4);
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
    for number in ALLOWED {
        filter.allow_any(number);
    }
    filter.allow_without_both(number::MMAP);
    filter.allow_without_both(number::MPROTECT);
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
    if spaces {
        filter.allow_spaces(&files);
    }
    filter.end(TRAP);
    filter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the filter as the host would on a system call.
    fn verdict(architecture: u32, number: usize, arguments: [usize; 3]) -> u32 {
        run(&build(None, 7, Files::default(), false), architecture, number, &arguments)
    }

    fn run(filter: &Filter, architecture: u32, number: usize, arguments: &[usize]) -> u32 {
        let load = |offset: u32| match offset {
            NUMBER_AT => number as u32,
            ARCHITECTURE_AT => architecture,
            _ => (arguments[(offset as usize - 16) / 8] >> (offset % 8 * 8)) as u32,
        };
        let (mut at, mut word) = (0, 0);
        loop {
            let instruction = filter.instructions[..filter.length][at];
            at += 1;
            match instruction.code {
                LOAD => word = load(instruction.operand),
                AND => word &= instruction.operand,
                JUMP_IF_EQUAL if word == instruction.operand => at += usize::from(instruction.skip_if_true),
                JUMP_IF_EQUAL => at += usize::from(instruction.skip_if_false),
                _ => return instruction.operand,
            }
        }
    }

    fn is_allowed(number: usize, arguments: [usize; 3]) -> bool {
        verdict(ARCHITECTURE, number, arguments) == ALLOW
    }

    #[test]
    fn what_is_listed_passes_and_nothing_else() {
        let special = [number::MMAP, number::MPROTECT, number::IOCTL, number::OPENAT];
        for number in 0..1024 {
            assert_eq!(is_allowed(number, [0; 3]), ALLOWED.contains(&number) || special[..2].contains(&number));
            assert_eq!(verdict(0x4000_0003, number, [0; 3]), TRAP);
        }
    }

    #[test]
    fn several_processors_call_each_other_and_nobody_else() {
        let process = 0x1234;
        let filter = build(Some(Several { process }), process, Files::default(), false);
        let allowed = |number, arguments: &[usize]| run(&filter, ARCHITECTURE, number, arguments) == ALLOW;
        assert!(allowed(number::SCHED_YIELD, &[0]) && allowed(number::READ, &[0]));
        assert!(allowed(number::TGKILL, &[process, 77, usize::from(CALL)]));
        assert!(!allowed(number::TGKILL, &[process + 1, 77, usize::from(CALL)]));
        assert!(!allowed(number::TGKILL, &[process | 1 << 32, 77, usize::from(CALL)]));
        assert!(!allowed(number::TGKILL, &[process, 77, 9]));
        assert!(allowed(number::MEMBARRIER, &[thread::REGISTER_SYNCHRONIZE]));
        assert!(allowed(number::MEMBARRIER, &[thread::SYNCHRONIZE]) && !allowed(number::MEMBARRIER, &[8]));
        assert!(allowed(number::CLONE, &[thread::SHARED]));
        assert!(!allowed(number::CLONE, &[thread::SHARED & !0x1_0000]));
        let ours = instructions();
        let dispatch = [PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, ours.start, ours.len()];
        assert!(allowed(number::PRCTL, &dispatch));
        for index in 0..dispatch.len() {
            let mut other = dispatch;
            other[index] ^= 1;
            assert!(!allowed(number::PRCTL, &other));
        }
        assert!(!is_allowed(number::CLONE, [thread::SHARED, 0, 0]) && !is_allowed(number::SCHED_YIELD, [0; 3]));
    }

    #[test]
    fn several_spaces_are_copies_that_end_together() {
        let all = Files { shares: true, disks: true, nics: true, sockets: Reach::All, memory: Some(5) };
        for filter in [
            build(None, 7, Files::default(), true),
            build(Some(Several { process: 7 }), 7, Files::default(), true),
            build(Some(Several { process: 7 }), 7, all, true),
        ] {
            let allowed = |number, arguments: &[usize]| run(&filter, ARCHITECTURE, number, arguments) == ALLOW;
            let kinds = [COPIED, COPIED_BESIDE, thread::SHARED];
            assert!(kinds.iter().all(|&flags| allowed(number::CLONE, &[flags])));
            // A child of ours without the signal that tells of its end, and one that shares our memory.
            assert!(![COPIED & !17, COPIED | 0x100].iter().any(|&flags| allowed(number::CLONE, &[flags])));
            assert!(
                allowed(number::PRCTL, &[PR_SET_PDEATHSIG, SIGKILL]) && !allowed(number::PRCTL, &[PR_SET_PDEATHSIG, 0])
            );
            let [kind, on, start, length] = dispatch().map(|(_, value)| value);
            assert!(allowed(number::PRCTL, &[kind, on, start, length]));
            assert!(
                !allowed(number::PRCTL, &[kind, on, start, length + 1]) && !allowed(number::PRCTL, &[kind, 0, 0, 0])
            );
            assert!(allowed(number::TGKILL, &[99, 100, usize::from(CALL)]) && !allowed(number::TGKILL, &[99, 100, 9]));
            assert!(allowed(number::RT_SIGACTION, &[usize::from(CALL)]) && !allowed(number::RT_SIGACTION, &[11]));
            for number in [number::WAIT4, number::GETPPID, number::SIGALTSTACK, number::CLOSE, number::PWRITE64] {
                assert!(allowed(number, &[0; 4]), "{number}");
            }
            assert!(thread::futex_commands().iter().all(|&command| allowed(number::FUTEX, &[0, command])));
        }
    }

    #[test]
    fn the_memory_of_each_process_is_opened_where_code_is_rewritten() {
        let path = OWN_FILES.memory.as_ptr() as usize;
        let memory = Files { memory: Some(5), ..Files::default() };
        for (files, spaces, answer) in [(memory, true, ALLOW), (memory, false, TRAP), (Files::default(), true, TRAP)] {
            assert_eq!(run(&build(None, 7, files, spaces), ARCHITECTURE, number::OPENAT, &[0, path, 2]), answer);
        }
    }

    #[test]
    fn no_page_becomes_writable_and_executable() {
        for number in [number::MMAP, number::MPROTECT] {
            for protection in 0..8 {
                assert_eq!(is_allowed(number, [0, 0, protection]), protection & 6 != 6);
            }
        }
    }

    #[test]
    fn only_terminals_are_controlled() {
        for request in TERMINAL_REQUESTS {
            assert!(is_allowed(number::IOCTL, [0, request, 0]));
        }
        assert!(!is_allowed(number::IOCTL, [0, 0x5412, 0]));
    }

    #[test]
    fn shares_take_calls_on_descriptors_and_nothing_else() {
        let filter = build(None, 7, Files { shares: true, ..Files::default() }, false);
        for number in 0..1024 {
            let is_allowed = run(&filter, ARCHITECTURE, number, &[0; 3]) == ALLOW;
            let wanted = is_allowed_without_shares(number) || OF_FILES.contains(&number) || number == number::OPENAT;
            assert_eq!(is_allowed, wanted, "{number}");
        }
    }

    #[test]
    fn code_is_written_by_one_file_and_no_other() {
        let filter = build(None, 7, Files { memory: Some(5), ..Files::default() }, false);
        assert_eq!(run(&filter, ARCHITECTURE, number::PWRITE64, &[5]), ALLOW);
        assert_eq!(run(&filter, ARCHITECTURE, number::PWRITE64, &[6]), TRAP);
        assert_eq!(run(&filter, ARCHITECTURE, number::PWRITE64, &[5 | 1 << 32]), TRAP);
        assert!(!is_allowed(number::PWRITE64, [5, 0, 0]));
    }

    #[test]
    fn disks_take_calls_at_positions_and_nothing_else() {
        let filter = build(None, 7, Files { disks: true, ..Files::default() }, false);
        for number in 0..1024 {
            let is_allowed = run(&filter, ARCHITECTURE, number, &[0; 3]) == ALLOW;
            assert_eq!(is_allowed, is_allowed_without_shares(number) || OF_DISKS.contains(&number), "{number}");
        }
        assert_eq!(run(&filter, ARCHITECTURE, number::FCNTL, &[0, F_GETFL, 0]), ALLOW);
        assert_eq!(run(&filter, ARCHITECTURE, number::FCNTL, &[0, 4, 0]), TRAP);
    }

    #[test]
    fn network_interfaces_take_frames_and_nothing_else() {
        let filter = build(None, 7, Files { nics: true, ..Files::default() }, false);
        for number in 0..1024 {
            let is_allowed = run(&filter, ARCHITECTURE, number, &[0; 3]) == ALLOW;
            let gives_way = number == number::SCHED_YIELD;
            let wanted = is_allowed_without_shares(number) || OF_NICS.contains(&number) || gives_way;
            assert_eq!(is_allowed, wanted, "{number}");
        }
    }

    #[test]
    fn sockets_take_calls_of_theirs_and_no_port() {
        let filter = build(None, 7, Files { sockets: Reach::Published, ..Files::default() }, false);
        for number in 0..1024 {
            let is_allowed = run(&filter, ARCHITECTURE, number, &[0; 3]) == ALLOW;
            let gives_way = number == number::SCHED_YIELD;
            let wanted = is_allowed_without_shares(number) || OF_SOCKETS.contains(&number) || gives_way;
            assert_eq!(is_allowed, wanted, "{number}");
        }
        for (family, answer) in [(1, TRAP), (2, ALLOW), (10, ALLOW), (16, TRAP), (17, TRAP)] {
            assert_eq!(run(&filter, ARCHITECTURE, number::SOCKET, &[family, 0, 0]), answer, "{family}");
        }
        for request in [FIONREAD, SIOCOUTQ] {
            assert_eq!(run(&filter, ARCHITECTURE, number::IOCTL, &[0, request, 0]), ALLOW);
            assert!(!is_allowed(number::IOCTL, [0, request, 0]));
        }
        let all = build(None, 7, Files { sockets: Reach::All, ..Files::default() }, false);
        let may_bind = |filter| run(filter, ARCHITECTURE, number::BIND, &[0; 3]) == ALLOW;
        assert!(may_bind(&all) && !may_bind(&filter));
    }

    #[test]
    fn without_a_network_no_call_of_one_is_allowed() {
        let filter = build(None, 7, Files { shares: true, disks: true, ..Files::default() }, false);
        let network = 41..=55;
        for number in network.chain([288, 299, 307, 232, 233, 281, 291]) {
            assert_eq!(run(&filter, ARCHITECTURE, number, &[2, 0, 0]), TRAP, "{number}");
        }
    }

    fn is_allowed_without_shares(number: usize) -> bool {
        is_allowed(number, [0; 3])
    }

    #[test]
    fn only_our_own_files_are_opened() {
        for path in [OWN_FILES.maps.as_ptr(), OWN_FILES.sizes.as_ptr(), OWN_FILES.pages.as_ptr()] {
            let address = path as usize;
            assert!(is_allowed(number::OPENAT, [0, address, 0]));
            assert!(!is_allowed(number::OPENAT, [0, address + 1, 0]));
            assert!(!is_allowed(number::OPENAT, [0, address ^ 1 << 32, 0]));
        }
    }
}
