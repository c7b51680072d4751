//! Users, groups, capabilities and limits: setuid(2), setresuid(2), getgroups(2), capabilities(7), setrlimit(2),
//! prctl(2).

use super::{machine::on_linux, names::*, program::*};

/// setresuid(2): whoever has no capability may only exchange what it has.
#[test]
fn users_may_only_exchange_their_ids() {
    on_linux(|| {
        let ids = room(12);
        expect! {
            setresuid(0, 5, 0) => 0;
            geteuid() => 5;
            setresuid(-1, 6, -1) => EPERM;
            setreuid(-1, 6) => EPERM;
            setuid(6) => EPERM;
            setfsuid(6) => 5;
            setfsuid(-1) => 5;
            setresuid(-1, 0, -1) => 0;
            setresuid(-1, 5, -1) => 0;
            getresuid(ids, ids + 4, ids + 8) => 0;
            getresuid(BAD, ids, ids) => EFAULT;
            setuid(0) => 0;
            geteuid() => 0;
        }
        assert_eq!([half(ids), half(ids + 4), half(ids + 8)], [0, 5, 0]);
    });
}

#[test]
fn groups_are_listed() {
    on_linux(|| {
        let buffer = room(64);
        expect! {
            setgroups(2, &[7_u32, 9]) => 0;
            getgroups(0, BAD) => 2;
            getgroups(1, buffer) => EINVAL;
            getgroups(-1, buffer) => EINVAL;
            getgroups(2, BAD) => EFAULT;
            getgroups(8, buffer) => 2;
            setgroups(1 << 20, buffer) => EINVAL;
            setgroups(1, BAD) => EFAULT;
            setgroups(0, 0) => 0;
            getgroups(8, buffer) => 0;
        }
        assert_eq!([half(buffer), half(buffer + 4)], [7, 9]);
    });
}

/// capget(2).
#[test]
fn capabilities_have_versions() {
    on_linux(|| {
        let header = put(&[0x2008_0522_u32, 0].map(u32::to_le_bytes).concat());
        let odd = put(&[7_u32, 0].map(u32::to_le_bytes).concat());
        let data = room(24);
        expect! {
            capget(header, data) => 0;
            capget(odd, data) => EINVAL;
            capget(odd, 0) => 0;
            capget(BAD, data) => EFAULT;
            capget(header, BAD) => EFAULT;
        }
        assert_eq!(half(odd), 0x2008_0522, "it says which one it likes");
        assert_ne!(half(data), 0, "root may do what it likes");
    });
}

/// setrlimit(2).
#[test]
fn limits_are_told_and_kept() {
    on_linux(|| {
        let old = room(16);
        expect! {
            getrlimit(99, old) => EINVAL;
            getrlimit(RLIMIT_NOFILE, BAD) => EFAULT;
            setrlimit(RLIMIT_NOFILE, &[10_u64, 5]) => EINVAL;
            setrlimit(RLIMIT_NOFILE, BAD) => EFAULT;
            prlimit64(4_000, RLIMIT_NOFILE, 0, old) => ESRCH;
            prlimit64(0, RLIMIT_NOFILE, 0, old) => 0;
            prlimit64(0, RLIMIT_NOFILE, &[100_u64, 200], 0) => 0;
            getrlimit(RLIMIT_NOFILE, old) => 0;
        }
        assert_eq!([word(old), word(old + 8)], [100, 200]);
        expect! { prlimit64(0, RLIMIT_NOFILE, &[1024_u64, 4096], 0) => 0; }
    });
}

/// prctl(2).
#[test]
fn a_thread_has_a_name_and_settings() {
    on_linux(|| {
        let name = room(16);
        expect! {
            prctl(PR_GET_NAME, name, 0, 0, 0) => 0;
            prctl(PR_SET_NAME, "a name that is too long", 0, 0, 0) => 0;
            prctl(PR_SET_NAME, BAD, 0, 0, 0) => EFAULT;
            prctl(PR_GET_NAME, BAD, 0, 0, 0) => EFAULT;
        }
        assert_eq!(load(name, 8), b"program\0");
        expect! {
            prctl(PR_GET_NAME, name, 0, 0, 0) => 0;
            prctl(PR_SET_NAME, "program", 0, 0, 0) => 0;
            prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) => 0;
            prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) => 1;
            prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) => 0;
            prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) => 0;
            prctl(PR_SET_DUMPABLE, 2, 0, 0, 0) => EINVAL;
            prctl(PR_SET_PDEATHSIG, 99, 0, 0, 0) => EINVAL;
            prctl(9_999, 0, 0, 0, 0) => EINVAL;
        }
        assert_eq!(load(name, 16), b"a name that is \0");
    });
}

/// getpgid(2), setsid(2), kill(2).
#[test]
fn ids_of_processes() {
    on_linux(|| {
        let own = must!(getpid());
        expect! {
            getpgid(0) => own;
            getpgid(4_000) => ESRCH;
            getsid(0) => own;
            getsid(4_000) => ESRCH;
            getppid() => 0;
            setpgid(0, -1) => EINVAL;
            setpgid(4_000, 0) => ESRCH;
            setsid() => EPERM;
            wait4(-1, 0, 0, 0) => ECHILD;
            pidfd_open(4_000, 0) => ESRCH;
            pidfd_open(-1, 0) => EINVAL;
            pidfd_open(own, 1) => EINVAL;
            pidfd_open(own, 0) => 3;
            pidfd_send_signal(3, 0, 0, 0) => 0;
            pidfd_send_signal(0, 0, 0, 0) => EBADF;
            pidfd_send_signal(3, 0, 0, 99) => EINVAL;
            close(3) => 0;
        }
    });
}

/// getpriority(2), sched_setscheduler(2), sched_setaffinity(2).
#[test]
fn priorities_and_policies() {
    on_linux(|| {
        let mask = room(128);
        expect! {
            setpriority(0, 0, 5) => 0;
            getpriority(0, 0) => 15;
            setpriority(0, 0, 0) => 0;
            getpriority(9, 0) => EINVAL;
            getpriority(0, 4_000) => ESRCH;
            sched_getscheduler(0) => SCHED_OTHER;
            sched_getscheduler(-1) => EINVAL;
            sched_getscheduler(4_000) => ESRCH;
            sched_setscheduler(0, SCHED_OTHER, &[1_u32]) => EINVAL;
            sched_setscheduler(0, SCHED_FIFO, &[0_u32]) => EINVAL;
            sched_setscheduler(0, 77, &[0_u32]) => EINVAL;
            sched_get_priority_max(SCHED_FIFO) => 99;
            sched_get_priority_min(SCHED_FIFO) => 1;
            sched_get_priority_max(77) => EINVAL;
            sched_getaffinity(0, 4, mask) => EINVAL;
            sched_getaffinity(0, 128, BAD) => EFAULT;
            sched_setaffinity(0, 8, &[0_u64]) => EINVAL;
            sched_setaffinity(4_000, 8, &[1_u64]) => ESRCH;
            sched_setaffinity(0, 8, &[1_u64]) => 0;
        }
    });
}

/// execve(2).
#[test]
fn what_cannot_be_executed_says_why() {
    on_linux(|| {
        let none = put(&[0; 8]);
        expect! {
            execve("/bin/none", none, none) => ENOENT;
            execve("/etc/motd", none, none) => EACCES;
            execve("/etc", none, none) => EACCES;
            execve("/bin/broken", none, none) => ENOEXEC;
            execve("/bin/text", none, none) => ENOEXEC;
            execve("/etc/loop", none, none) => ELOOP;
            execve("/etc/motd/x", none, none) => ENOTDIR;
            execve(BAD, none, none) => EFAULT;
            execve("/bin/text", BAD, none) => EFAULT;
            execveat(99, "x", none, none, 0) => EBADF;
            execveat(AT_FDCWD, "/bin/text", none, none, 1) => EINVAL;
        }
    });
}

/// getrandom(2), uname(2), sysinfo(2).
#[test]
fn what_the_system_tells() {
    on_linux(|| {
        let buffer = room(512);
        expect! {
            getrandom(buffer, 16, 0) => 16;
            getrandom(buffer, 16, 0x10) => EINVAL;
            getrandom(BAD, 16, 0) => EFAULT;
            uname(BAD) => EFAULT;
            uname(buffer) => 0;
            sysinfo(BAD) => EFAULT;
            sysinfo(buffer + 400) => 0;
            sethostname(BAD, 3) => EFAULT;
            sethostname(b"name", 65) => EINVAL;
            getcpu(buffer, 0, 0) => 0;
        }
        assert_eq!(load(buffer + 4, 2), b"x\0");
    });
}
