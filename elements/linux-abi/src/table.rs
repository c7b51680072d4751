//! The system calls whittle answers: one table, from which dispatch, tracing and documentation come.
//!
//! A row is `number family name(argument: Kind, ...) -> Answer;` with the kinds of [`crate::Argument`] (a flag set
//! in parentheses names one of [`crate::constants`]) and the answers of [`crate::Answer`], `Number` if not said. The
//! handler of a row is a function of its name in a file of `api/linux/src/calls/<family>`, and takes the row's
//! arguments as [`crate::kind`] has the types of their kinds; `Flags` are of the type that is declared with their set.
//! Behind it stands what is there of the call: all that Linux has if nothing is said, `partial` with what is missing,
//! or `only` with the one error that it ever answers. Whatever is not here answers as [`crate::REFUSALS`] says, or
//! ENOSYS.

/// Calls the macro `$callback` with all rows of the table.
#[macro_export]
macro_rules! for_each_system_call {
    ($callback:path) => {
        $callback! {
            0 file read(descriptor: Descriptor, buffer: Output, count: Size);
            1 file write(descriptor: Descriptor, buffer: Input, count: Size);
            2 descriptor open(path: Path, flags: Flags(OPEN_FLAGS), mode: CreationMode)
                partial "O_TMPFILE on directories of the host: EOPNOTSUPP. O_DIRECT means nothing.";
            3 descriptor close(descriptor: Descriptor);
            4 attribute stat(path: Path, status: Pointer);
            5 attribute fstat(descriptor: Descriptor, status: Pointer);
            6 attribute lstat(path: Path, status: Pointer);
            7 event poll(descriptors: Pointer, count: Size, timeout: Signed);
            8 file lseek(descriptor: Descriptor, offset: Offset, origin: Flags(SEEK_ORIGINS));
            9 memory mmap(address: Address, length: Size, protection: Flags(PROTECTION_FLAGS), flags: Flags(MAP_FLAGS),
                descriptor: Descriptor, offset: MapOffset) -> Address
                partial "MAP_HUGETLB: ENOMEM. On pc, stores into shared mappings of a share reach the host at msync, munmap, close or the end";
            10 memory mprotect(address: Address, length: Size, protection: Flags(PROTECTION_FLAGS));
            11 memory munmap(address: Address, length: Size);
            12 memory brk(address: Address) -> Address;
            13 signal rt_sigaction(signal: Signal, action: Pointer, old: Pointer, size: Size);
            14 signal rt_sigprocmask(how: Flags(SIGNAL_MASK_CHANGES), set: SignalSet, old: Pointer, size: Size);
            15 signal rt_sigreturn();
            16 descriptor ioctl(descriptor: Descriptor, request: Flags(IOCTL_REQUESTS), argument: Pointer)
                partial "requests of terminals, of sockets and about interfaces, FIONREAD, FIONBIO, FIOASYNC, FIOCLEX and FIONCLEX; all others: ENOTTY";
            17 file pread64(descriptor: Descriptor, buffer: Output, count: Size, offset: Offset);
            18 file pwrite64(descriptor: Descriptor, buffer: Input, count: Size, offset: Offset);
            19 file readv(descriptor: Descriptor, vectors: Pointer, count: Size);
            20 file writev(descriptor: Descriptor, vectors: Pointer, count: Size);
            21 attribute access(path: Path, mode: Flags(ACCESS_MODES));
            22 descriptor pipe(descriptors: Pointer);
            23 event select(count: Signed, read: Pointer, write: Pointer, except: Pointer, timeout: Pointer);
            24 system sched_yield();
            25 memory mremap(address: Address, old_length: Size, new_length: Size, flags: Flags(REMAP_FLAGS),
                new_address: Address) -> Address;
            26 memory msync(address: Address, length: Size, flags: Flags(SYNC_FLAGS));
            27 memory mincore(address: Address, length: Size, vector: Pointer);
            28 memory madvise(address: Address, length: Size, advice: Flags(MEMORY_ADVICE))
                partial "MADV_COLLAPSE: EINVAL";
            29 interprocess shmget(key: Hexadecimal, size: Size, flags: Flags(IPC_FLAGS))
                partial "SHM_HUGETLB: ENOMEM";
            30 interprocess shmat(segment: Signed, address: Address, flags: Flags(SHM_FLAGS)) -> Address;
            31 interprocess shmctl(segment: Signed, command: Flags(SHM_COMMANDS), buffer: Pointer);
            32 descriptor dup(descriptor: Descriptor);
            33 descriptor dup2(old: Descriptor, new: Descriptor);
            34 signal pause();
            35 time nanosleep(request: TimeSpec, remaining: Pointer);
            36 time getitimer(timer: Flags(INTERVAL_TIMERS), value: Pointer);
            37 time alarm(seconds: Count);
            38 time setitimer(timer: Flags(INTERVAL_TIMERS), value: Pointer, old: Pointer);
            39 process getpid();
            40 file sendfile(output: Descriptor, input: Descriptor, offset: Pointer, count: Size);
            41 socket socket(family: Flags(ADDRESS_FAMILIES), kind: Flags(SOCKET_TYPES), protocol: Signed)
                partial "AF_UNIX; AF_INET, AF_INET6 and AF_NETLINK in images whose component `sockets` is a network; others: EAFNOSUPPORT. SCTP, DCCP, and netlink but for routes and device events: EPROTONOSUPPORT";
            42 socket connect(descriptor: Descriptor, address: Pointer, length: Size);
            43 socket accept(descriptor: Descriptor, address: Pointer, length: Pointer);
            44 socket sendto(descriptor: Descriptor, buffer: Input, count: Size, flags: Flags(MESSAGE_FLAGS), address:
                Pointer, length: Size)
                partial "MSG_OOB on AF_UNIX: EOPNOTSUPP";
            45 socket recvfrom(descriptor: Descriptor, buffer: Output, count: Size, flags: Flags(MESSAGE_FLAGS), address:
                Pointer, length: Pointer)
                partial "MSG_OOB on AF_UNIX: EINVAL";
            46 socket sendmsg(descriptor: Descriptor, message: Pointer, flags: Flags(MESSAGE_FLAGS))
                partial "MSG_OOB on AF_UNIX: EOPNOTSUPP";
            47 socket recvmsg(descriptor: Descriptor, message: Pointer, flags: Flags(MESSAGE_FLAGS))
                partial "MSG_OOB on AF_UNIX: EINVAL";
            48 socket shutdown(descriptor: Descriptor, how: Flags(SHUTDOWN_WAYS));
            49 socket bind(descriptor: Descriptor, address: Pointer, length: Size);
            50 socket listen(descriptor: Descriptor, backlog: Signed);
            51 socket getsockname(descriptor: Descriptor, address: Pointer, length: Pointer);
            52 socket getpeername(descriptor: Descriptor, address: Pointer, length: Pointer);
            53 socket socketpair(family: Flags(ADDRESS_FAMILIES), kind: Flags(SOCKET_TYPES), protocol: Signed, pair:
                Pointer)
                partial "AF_UNIX; AF_INET, AF_INET6 and AF_NETLINK: EOPNOTSUPP; others: EAFNOSUPPORT";
            54 socket setsockopt(descriptor: Descriptor, level: Flags(SOCKET_LEVELS), option: Flags(SOCKET_OPTIONS),
                value: Pointer, size: Signed)
                partial "filters, SO_TIMESTAMPING, SO_PEEK_OFF, SO_TXTIME, headers and options of IP, UDP_CORK, md5 and repair of TCP: ENOPROTOOPT or EPERM; on AF_UNIX all but SOL_SOCKET";
            55 socket getsockopt(descriptor: Descriptor, level: Flags(SOCKET_LEVELS), option: Flags(SOCKET_OPTIONS),
                value: Pointer, size: Pointer)
                partial "as setsockopt; TCP_CC_INFO is empty";
            56 process clone(flags: Flags(CLONE_FLAGS), stack: Address, parent_id: Pointer, child_id: Pointer,
                thread_pointer: Address)
                partial "namespaces: EPERM";
            57 process fork();
            58 process vfork();
            59 process execve(path: Path, arguments: Strings, environment: Environment)
                partial "the process becomes another program; neither ids nor capabilities change by a file's mode and attributes";
            60 process exit(status: Signed) -> Never;
            61 process wait4(id: Signed, status: Pointer, options: Flags(WAIT_OPTIONS), usage: Pointer)
                partial "of its usage, only the time is told";
            62 signal kill(id: Signed, signal: Signal);
            63 system uname(name: Pointer);
            64 interprocess semget(key: Hexadecimal, count: Signed, flags: Flags(IPC_FLAGS));
            65 interprocess semop(set: Signed, operations: Pointer, count: Size);
            66 interprocess semctl(set: Signed, number: Signed, command: Flags(SEM_COMMANDS), argument: Word);
            67 interprocess shmdt(address: Address);
            68 interprocess msgget(key: Hexadecimal, flags: Flags(IPC_FLAGS));
            69 interprocess msgsnd(queue: Signed, message: Pointer, size: Size, flags: Flags(QUEUE_FLAGS));
            70 interprocess msgrcv(queue: Signed, message: Pointer, size: Size, kind: Offset, flags: Flags(QUEUE_FLAGS));
            71 interprocess msgctl(queue: Signed, command: Flags(MSG_COMMANDS), buffer: Pointer);
            72 descriptor fcntl(descriptor: Descriptor, operation: Flags(FCNTL_OPERATIONS), argument: Word)
                partial "F_SETLEASE, F_GETLEASE, F_NOTIFY: EINVAL";
            73 descriptor flock(descriptor: Descriptor, operation: Flags(LOCK_OPERATIONS))
                partial "locks are not told to the host";
            74 file fsync(descriptor: Descriptor);
            75 file fdatasync(descriptor: Descriptor);
            76 file truncate(path: Path, length: Offset);
            77 file ftruncate(descriptor: Descriptor, length: Offset);
            78 directory getdents(descriptor: Descriptor, entries: Pointer, count: Count);
            79 directory getcwd(buffer: Output, size: Size);
            80 directory chdir(path: Path);
            81 directory fchdir(descriptor: Descriptor);
            82 directory rename(old: Path, new: Path);
            83 directory mkdir(path: Path, mode: Mode);
            84 directory rmdir(path: Path);
            85 descriptor creat(path: Path, mode: Mode);
            86 directory link(old: Path, new: Path);
            87 directory unlink(path: Path);
            88 directory symlink(target: Path, path: Path);
            89 directory readlink(path: Path, buffer: Output, size: Signed);
            90 attribute chmod(path: Path, mode: Mode);
            91 attribute fchmod(descriptor: Descriptor, mode: Mode);
            92 attribute chown(path: Path, user: Owner, group: Owner);
            93 attribute fchown(descriptor: Descriptor, user: Owner, group: Owner);
            94 attribute lchown(path: Path, user: Owner, group: Owner);
            95 attribute umask(mask: Mode) -> Mode;
            96 time gettimeofday(time: Pointer, zone: Pointer);
            97 system getrlimit(resource: Flags(RESOURCES), limit: Pointer);
            98 time getrusage(who: Flags(USAGE_WHO), usage: Pointer)
                partial "ru_stime, faults and switches are 0";
            99 system sysinfo(information: Pointer);
            100 time times(buffer: Pointer);
            102 identity getuid();
            104 identity getgid();
            105 identity setuid(user: Owner);
            106 identity setgid(group: Owner);
            107 identity geteuid();
            108 identity getegid();
            109 process setpgid(id: Signed, group: Signed);
            110 process getppid();
            111 process getpgrp();
            112 process setsid();
            113 identity setreuid(real: Owner, effective: Owner);
            114 identity setregid(real: Owner, effective: Owner);
            115 identity getgroups(size: Signed, list: Pointer);
            116 identity setgroups(size: Signed, list: Pointer);
            117 identity setresuid(real: Owner, effective: Owner, saved: Owner);
            118 identity getresuid(real: Pointer, effective: Pointer, saved: Pointer);
            119 identity setresgid(real: Owner, effective: Owner, saved: Owner);
            120 identity getresgid(real: Pointer, effective: Pointer, saved: Pointer);
            121 process getpgid(id: Signed);
            122 identity setfsuid(user: Owner);
            123 identity setfsgid(group: Owner);
            124 process getsid(id: Signed);
            125 identity capget(header: Pointer, data: Pointer);
            126 identity capset(header: Pointer, data: Pointer);
            127 signal rt_sigpending(set: Pointer, size: Size);
            128 signal rt_sigtimedwait(set: SignalSet, information: Pointer, timeout: TimeSpec, size: Size);
            129 signal rt_sigqueueinfo(id: Signed, signal: Signal, information: Pointer);
            130 signal rt_sigsuspend(set: SignalSet, size: Size);
            131 signal sigaltstack(stack: Pointer, old: Pointer);
            132 attribute utime(path: Path, times: Pointer);
            133 directory mknod(path: Path, mode: Mode, device: Word);
            135 system personality(person: Flags(PERSONALITIES))
                partial "ADDR_NO_RANDOMIZE counts; other flags are remembered";
            137 attribute statfs(path: Path, status: Pointer);
            138 attribute fstatfs(descriptor: Descriptor, status: Pointer);
            140 system getpriority(which: Signed, who: Signed);
            141 system setpriority(which: Signed, who: Signed, priority: Signed);
            142 system sched_setparam(id: Signed, parameter: Pointer);
            143 system sched_getparam(id: Signed, parameter: Pointer);
            144 system sched_setscheduler(id: Signed, policy: Flags(SCHEDULING_POLICIES), parameter: Pointer);
            145 system sched_getscheduler(id: Signed);
            146 system sched_get_priority_max(policy: Flags(SCHEDULING_POLICIES));
            147 system sched_get_priority_min(policy: Flags(SCHEDULING_POLICIES));
            148 system sched_rr_get_interval(id: Signed, interval: Pointer);
            149 memory mlock(address: Address, length: Size);
            150 memory munlock(address: Address, length: Size);
            151 memory mlockall(flags: Flags(LOCK_ALL_FLAGS));
            152 memory munlockall();
            157 process prctl(operation: Flags(PRCTL_OPERATIONS), argument: Word, third: Word, fourth: Word, fifth: Word)
                partial "names, dumpable, death signal, capabilities and securebits; timer slack, subreaper, seccomp and THP queries; all others: EINVAL";
            158 process arch_prctl(operation: Flags(ARCH_OPERATIONS), address: Word)
                partial "ARCH_SET_GS: EPERM";
            160 system setrlimit(resource: Flags(RESOURCES), limit: Pointer);
            161 directory chroot(path: Path);
            162 file sync()
                partial "what is open or mapped; what was closed is at the host, which is not told to keep it";
            170 system sethostname(name: Input, length: Size);
            171 system setdomainname(name: Input, length: Size);
            186 process gettid();
            187 file readahead(descriptor: Descriptor, offset: Offset, count: Size);
            188 attribute setxattr(path: Path, name: Path, value: Pointer, size: Size, flags: Flags(XATTR_FLAGS))
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            189 attribute lsetxattr(path: Path, name: Path, value: Pointer, size: Size, flags: Flags(XATTR_FLAGS))
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            190 attribute fsetxattr(descriptor: Descriptor, name: Path, value: Pointer, size: Size, flags: Flags(XATTR_FLAGS))
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            191 attribute getxattr(path: Path, name: Path, value: Pointer, size: Size)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            192 attribute lgetxattr(path: Path, name: Path, value: Pointer, size: Size)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            193 attribute fgetxattr(descriptor: Descriptor, name: Path, value: Pointer, size: Size)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            194 attribute listxattr(path: Path, list: Pointer, size: Size)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            195 attribute llistxattr(path: Path, list: Pointer, size: Size)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            196 attribute flistxattr(descriptor: Descriptor, list: Pointer, size: Size)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            197 attribute removexattr(path: Path, name: Path)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            198 attribute lremovexattr(path: Path, name: Path)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            199 attribute fremovexattr(descriptor: Descriptor, name: Path)
                partial "directories of the host and disks: EOPNOTSUPP, and no names";
            200 signal tkill(id: Signed, signal: Signal);
            201 time time(result: Pointer);
            202 process futex(word: Pointer, operation: Flags(FUTEX_OPERATIONS), value: Count, timeout: Pointer, second:
                Pointer, third: Hexadecimal)
                partial "FUTEX_WAIT_REQUEUE_PI, FUTEX_CMP_REQUEUE_PI: ENOSYS. FUTEX_LOCK_PI lends nobody priority";
            203 system sched_setaffinity(id: Signed, size: Size, mask: Pointer);
            204 system sched_getaffinity(id: Signed, size: Size, mask: Pointer);
            206 asynchronous io_setup(count: Count, context: Pointer);
            207 asynchronous io_destroy(context: Address);
            208 asynchronous io_getevents(context: Address, least: Offset, most: Offset, events: Pointer, timeout:
                TimeSpec);
            209 asynchronous io_submit(context: Address, count: Offset, requests: Pointer)
                partial "done before it answers, but for IOCB_CMD_POLL, which tells an eventfd when events are asked for";
            210 asynchronous io_cancel(context: Address, request: Pointer, event: Pointer);
            213 event epoll_create(size: Signed);
            216 memory remap_file_pages(address: Address, length: Size, protection: LongFlags(PROTECTION_FLAGS), page: Size,
                flags: Flags(MAP_FLAGS))
                partial "anonymous shared memory: EINVAL";
            217 directory getdents64(descriptor: Descriptor, entries: Pointer, count: Count);
            218 process set_tid_address(address: Pointer);
            219 time restart_syscall();
            220 interprocess semtimedop(set: Signed, operations: Pointer, count: Size, timeout: TimeSpec);
            221 file fadvise64(descriptor: Descriptor, offset: Offset, length: Offset, advice: Signed);
            222 time timer_create(clock: Flags(CLOCKS), event: Pointer, timer: Pointer);
            223 time timer_settime(timer: Signed, flags: Flags(TIMER_FLAGS), value: Pointer, old: Pointer);
            224 time timer_gettime(timer: Signed, value: Pointer);
            225 time timer_getoverrun(timer: Signed);
            226 time timer_delete(timer: Signed);
            227 time clock_settime(clock: Flags(CLOCKS), time: TimeSpec);
            228 time clock_gettime(clock: Flags(CLOCKS), time: Pointer);
            229 time clock_getres(clock: Flags(CLOCKS), resolution: Pointer);
            230 time clock_nanosleep(clock: Flags(CLOCKS), flags: Flags(TIMER_FLAGS), request: TimeSpec, remaining:
                Pointer);
            231 process exit_group(status: Signed) -> Never;
            232 event epoll_wait(epoll: Descriptor, events: Pointer, count: Signed, timeout: Signed);
            233 event epoll_ctl(epoll: Descriptor, operation: Flags(EPOLL_OPERATIONS), descriptor: Descriptor,
                event: Pointer)
                partial "EPOLLEXCLUSIVE wakes all, EPOLLWAKEUP means nothing";
            234 signal tgkill(group: Signed, id: Signed, signal: Signal);
            235 attribute utimes(path: Path, times: Pointer);
            240 queue mq_open(name: Path, flags: Flags(OPEN_FLAGS), mode: CreationMode, attributes: Pointer);
            241 queue mq_unlink(name: Path);
            242 queue mq_timedsend(queue: Descriptor, message: Input, length: Size, priority: Count, deadline: TimeSpec);
            243 queue mq_timedreceive(queue: Descriptor, message: Output, length: Size, priority: Pointer, deadline:
                TimeSpec);
            244 queue mq_notify(queue: Descriptor, event: Pointer)
                partial "SIGEV_THREAD of libraries wants a netlink socket: ENOSYS from glibc";
            245 queue mq_getsetattr(queue: Descriptor, new: Pointer, old: Pointer);
            247 process waitid(kind: Count, id: Signed, information: Pointer, options: Flags(WAIT_OPTIONS), usage:
                Pointer)
                partial "of its usage, only the time is told";
            251 system ioprio_set(which: Signed, who: Signed, priority: Hexadecimal)
                partial "nothing goes by it";
            252 system ioprio_get(which: Signed, who: Signed);
            253 watch inotify_init();
            254 watch inotify_add_watch(descriptor: Descriptor, path: Path, mask: Flags(WATCH_MASKS))
                partial "what the host changes in its directories, and what execve reads, is not told";
            255 watch inotify_rm_watch(descriptor: Descriptor, watch: Signed);
            257 descriptor openat(directory: Directory, path: Path, flags: Flags(OPEN_FLAGS), mode: CreationMode)
                partial "O_TMPFILE on directories of the host: EOPNOTSUPP. O_DIRECT means nothing.";
            258 directory mkdirat(directory: Directory, path: Path, mode: Mode);
            259 directory mknodat(directory: Directory, path: Path, mode: Mode, device: Word);
            260 attribute fchownat(directory: Directory, path: Path, user: Owner, group: Owner, flags:
                Flags(AT_FLAGS_NAMES));
            261 attribute futimesat(directory: Directory, path: Path, times: Pointer);
            262 attribute newfstatat(directory: Directory, path: Path, status: Pointer, flags: Flags(AT_FLAGS_NAMES));
            263 directory unlinkat(directory: Directory, path: Path, flags: Flags(AT_FLAGS_NAMES));
            264 directory renameat(old_directory: Directory, old: Path, new_directory: Directory, new: Path);
            265 directory linkat(old_directory: Directory, old: Path, new_directory: Directory, new: Path, flags:
                Flags(AT_FLAGS_NAMES));
            266 directory symlinkat(target: Path, directory: Directory, path: Path);
            267 directory readlinkat(directory: Directory, path: Path, buffer: Output, size: Signed);
            268 attribute fchmodat(directory: Directory, path: Path, mode: Mode);
            269 attribute faccessat(directory: Directory, path: Path, mode: Flags(ACCESS_MODES));
            270 event pselect6(count: Signed, read: Pointer, write: Pointer, except: Pointer, timeout: TimeSpec,
                mask: Pointer);
            271 event ppoll(descriptors: Pointer, count: Size, timeout: TimeSpec, mask: SignalSet, size: Size);
            272 process unshare(flags: LongFlags(CLONE_FLAGS))
                partial "namespaces: EPERM";
            273 process set_robust_list(head: Pointer, length: Size);
            274 process get_robust_list(id: Signed, head: Pointer, length: Pointer);
            275 file splice(input: Descriptor, input_offset: Pointer, output: Descriptor, output_offset: Pointer, length:
                Size, flags: Flags(SPLICE_FLAGS))
                partial "bytes are copied, 64 KB at most a call";
            276 file tee(input: Descriptor, output: Descriptor, length: Size, flags: Flags(SPLICE_FLAGS))
                partial "bytes are copied, 64 KB at most a call";
            277 file sync_file_range(descriptor: Descriptor, offset: Offset, length: Offset, flags:
                Flags(SYNC_RANGE_FLAGS));
            278 file vmsplice(descriptor: Descriptor, vectors: Pointer, count: Size, flags: Flags(SPLICE_FLAGS))
                partial "bytes are copied";
            280 attribute utimensat(directory: Directory, path: Path, times: Pointer, flags: Flags(AT_FLAGS_NAMES));
            281 event epoll_pwait(epoll: Descriptor, events: Pointer, count: Signed, timeout: Signed, mask:
                SignalSet, size: Size);
            282 event signalfd(descriptor: Descriptor, set: SignalSet, size: Size);
            283 event timerfd_create(clock: Flags(CLOCKS), flags: Flags(OPEN_FLAGS));
            284 event eventfd(count: Count);
            285 file fallocate(descriptor: Descriptor, flags: Flags(FALLOCATE_FLAGS), offset: Offset, length: Offset)
                partial "FALLOC_FL_COLLAPSE_RANGE, FALLOC_FL_INSERT_RANGE, FALLOC_FL_UNSHARE_RANGE: EOPNOTSUPP";
            286 event timerfd_settime(descriptor: Descriptor, flags: Flags(TIMER_DESCRIPTOR_FLAGS), value: Pointer,
                old: Pointer);
            287 event timerfd_gettime(descriptor: Descriptor, value: Pointer);
            288 socket accept4(descriptor: Descriptor, address: Pointer, length: Pointer, flags: Flags(SOCKET_TYPES));
            289 event signalfd4(descriptor: Descriptor, set: SignalSet, size: Size, flags: Flags(OPEN_FLAGS));
            290 event eventfd2(count: Count, flags: Flags(EVENT_DESCRIPTOR_FLAGS));
            291 event epoll_create1(flags: Flags(OPEN_FLAGS));
            292 descriptor dup3(old: Descriptor, new: Descriptor, flags: Flags(OPEN_FLAGS));
            293 descriptor pipe2(descriptors: Pointer, flags: Flags(OPEN_FLAGS));
            294 watch inotify_init1(flags: Flags(OPEN_FLAGS));
            295 file preadv(descriptor: Descriptor, vectors: Pointer, count: Size, offset: Offset);
            296 file pwritev(descriptor: Descriptor, vectors: Pointer, count: Size, offset: Offset);
            297 signal rt_tgsigqueueinfo(group: Signed, id: Signed, signal: Signal, information: Pointer);
            299 socket recvmmsg(descriptor: Descriptor, messages: Pointer, count: Count, flags: Flags(MESSAGE_FLAGS),
                timeout: TimeSpec);
            302 system prlimit64(id: Signed, resource: Flags(RESOURCES), new: Pointer, old: Pointer);
            306 file syncfs(descriptor: Descriptor)
                partial "as sync";
            307 socket sendmmsg(descriptor: Descriptor, messages: Pointer, count: Count, flags: Flags(MESSAGE_FLAGS))
                partial "MSG_OOB on AF_UNIX: EOPNOTSUPP";
            309 system getcpu(processor: Pointer, node: Pointer, unused: Pointer);
            314 system sched_setattr(id: Signed, attributes: Pointer, flags: Hexadecimal)
                partial "SCHED_DEADLINE and bounds of use: EINVAL";
            315 system sched_getattr(id: Signed, attributes: Pointer, size: Count, flags: Hexadecimal);
            316 directory renameat2(old_directory: Directory, old: Path, new_directory: Directory, new: Path, flags:
                Flags(RENAME_FLAGS))
                partial "RENAME_WHITEOUT: EINVAL";
            318 system getrandom(buffer: Output, count: Size, flags: Flags(RANDOM_FLAGS));
            319 descriptor memfd_create(name: Path, flags: Flags(MEMFD_FLAGS))
                partial "MFD_HUGETLB: EINVAL";
            322 process execveat(directory: Directory, path: Path, arguments: Strings, environment: Environment, flags:
                Flags(AT_FLAGS_NAMES));
            324 process membarrier(command: Flags(MEMBARRIER_COMMANDS), flags: Hexadecimal, processor: Signed);
            325 memory mlock2(address: Address, length: Size, flags: Flags(LOCK_FLAGS));
            326 file copy_file_range(input: Descriptor, input_offset: Pointer, output: Descriptor, output_offset:
                Pointer, length: Size, flags: Word);
            327 file preadv2(descriptor: Descriptor, vectors: Pointer, count: Size, offset: Offset, high: Word,
                flags: Flags(READ_WRITE_FLAGS))
                partial "RWF_NOWAIT asks streams only: a file of a share or a disk may be waited for";
            328 file pwritev2(descriptor: Descriptor, vectors: Pointer, count: Size, offset: Offset, high: Word,
                flags: Flags(READ_WRITE_FLAGS))
                partial "RWF_NOWAIT: EOPNOTSUPP";
            332 attribute statx(directory: Directory, path: Path, flags: Flags(AT_FLAGS_NAMES), mask: Flags(STATX_MASK),
                status: Pointer)
                partial "STATX_BTIME and STATX_MNT_ID are not told";
            333 asynchronous io_pgetevents(context: Address, least: Offset, most: Offset, events: Pointer, timeout:
                TimeSpec, mask: Pointer);
            334 process rseq(area: Pointer, size: Hexadecimal, flags: Hexadecimal, signature: Hexadecimal) only ENOSYS;
            424 signal pidfd_send_signal(descriptor: Descriptor, signal: Signal, information: Pointer, flags: Hexadecimal);
            434 process pidfd_open(process: Signed, flags: Flags(OPEN_FLAGS));
            435 process clone3(arguments: Pointer, size: Size)
                partial "as clone. set_tid: EINVAL";
            436 descriptor close_range(first: Count, last: Count, flags: Flags(CLOSE_RANGE_FLAGS));
            437 descriptor openat2(directory: Directory, path: Path, how: Pointer, size: Size)
                partial "RESOLVE_CACHED: EAGAIN. As openat else";
            439 attribute faccessat2(directory: Directory, path: Path, mode: Flags(ACCESS_MODES), flags:
                Flags(ACCESS_AT_FLAGS));
            441 event epoll_pwait2(epoll: Descriptor, events: Pointer, count: Signed, timeout: TimeSpec, mask:
                SignalSet, size: Size);
            449 process futex_waitv(words: Pointer, count: Count, flags: Hexadecimal, timeout: TimeSpec, clock:
                Flags(CLOCKS));
            452 attribute fchmodat2(directory: Directory, path: Path, mode: Mode, flags: Flags(AT_FLAGS_NAMES));
            462 memory mseal(address: Address, length: Size, flags: Word);
        }
    };
}
