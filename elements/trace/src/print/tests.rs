//! Lines, from the bytes a kernel would send.

use alloc::{
    format,
    string::{String, ToString},
};

use machine::{Access, ExitReason, TrapKind};

use crate::{Call, Event, Record};

fn line(bytes: &[u8]) -> String {
    Record::decode(bytes).expect("a record").to_string()
}

fn call(number: usize, arguments: &[usize], memory: &[(usize, &[u8], bool)], result: i64) -> String {
    let mut six = [0; 6];
    six[..arguments.len()].copy_from_slice(arguments);
    let mut call = Call::new(0, number, &six);
    for &(index, bytes, more) in memory {
        call.add(index, bytes, more);
    }
    call.set_result(result);
    line(call.bytes())
}

fn event(event: Event) -> String {
    line(&event.encode().expect("a record"))
}

#[test]
fn calls_print_as_strace_prints_them() {
    assert_eq!(call(1, &[1, 0x1000, 3], &[(1, b"hi\n", false)], 3), r#"write(1, "hi\n", 3) = 3"#);
    assert_eq!(call(0, &[0, 0x1000, 99], &[(1, b"\09\x7f", true)], 40), r#"read(0, "\0009\177"..., 99) = 40"#);
    assert_eq!(call(0, &[0, 0x1000, 99], &[], -14), "read(0, 0x1000, 99) = -1 EFAULT (Bad address)");
    assert_eq!(call(12, &[0], &[], 0x25a_e000), "brk(NULL) = 0x25ae000");
    assert_eq!(call(10, &[0x1000, 4096, 1], &[], 0), "mprotect(0x1000, 4096, PROT_READ) = 0");
    assert_eq!(
        call(9, &[0, 4096, 3, 0x22, usize::MAX, 0], &[], 0x7000),
        "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7000"
    );
    assert_eq!(call(95, &[0o77], &[], 0o22), "umask(0077) = 022");
    assert_eq!(call(39, &[1, 2, 3], &[], 1), "getpid() = 1");
    assert_eq!(
        call(334, &[0x1000, 32, 0, 1], &[], -38),
        "rseq(0x1000, 0x20, 0, 0x1) = -1 ENOSYS (Function not implemented)"
    );
}

#[test]
fn a_mode_counts_only_for_a_new_file() {
    let at = (-100_isize) as usize;
    let path = [(1, &b"/absent"[..], false)];
    assert_eq!(
        call(257, &[at, 0x1000, 0, 0o644], &path, -2),
        r#"openat(AT_FDCWD, "/absent", O_RDONLY) = -1 ENOENT (No such file or directory)"#
    );
    assert_eq!(call(257, &[3, 0x1000, 0o101, 0o644], &path, 4), r#"openat(3, "/absent", O_WRONLY|O_CREAT, 0644) = 4"#);
}

#[test]
fn memory_prints_by_its_type() {
    let program = [(0, &b"/bin/x"[..], false), (1, b"x\0two words\0\0", false), (2, &[3, 0, 0, 0], false)];
    assert_eq!(
        call(59, &[1, 2, 0x7000], &program, 0),
        r#"execve("/bin/x", ["x", "two words", ""], 0x7000 /* 3 vars */) = 0"#
    );
    let program = [(0, &b"/bin/x"[..], false), (1, b"x\0", true)];
    assert_eq!(call(59, &[1, 2, 0], &program, -2).split(" = ").next(), Some(r#"execve("/bin/x", ["x", ...], NULL)"#));
    assert_eq!(call(59, &[1, 2, 0], &[(1, b"", false)], 0), "execve(0x1, [], NULL) = 0");
    let time = [[5_i64.to_le_bytes(), (-1_i64).to_le_bytes()].concat()];
    assert_eq!(call(35, &[0x1000], &[(0, &time[0], false)], 0), "nanosleep({tv_sec=5, tv_nsec=-1}, NULL) = 0");
    let set = |bits: u64| call(130, &[0x1000, 8], &[(0, &bits.to_le_bytes(), false)], 0);
    assert_eq!(set(0), "rt_sigsuspend([], 8) = 0");
    assert_eq!(set(1 << 1 | 1 << 31 | 1 << 33), "rt_sigsuspend([INT RTMIN RT_2], 8) = 0");
    assert_eq!(set(!1), "rt_sigsuspend(~[HUP], 8) = 0");
}

#[test]
fn memory_of_the_wrong_size_prints_as_its_address() {
    for (number, index) in [(35, 0), (130, 0), (59, 2), (39, 0), (12, 0)] {
        assert!(!call(number, &[0xabc; 6], &[(index, b"odd", false)], 0).is_empty());
    }
    assert_eq!(call(35, &[0xabc], &[(0, b"odd", false)], 0), "nanosleep(0xabc, NULL) = 0");
}

#[test]
fn unknown_and_open_calls_have_lines() {
    assert_eq!(call(250, &[2, 1], &[], -38), "keyctl(0x2, 0x1, 0, 0, 0, 0) = -1 ENOSYS (Function not implemented)");
    assert!(call(9999, &[], &[], 0).starts_with("syscall_0x270f(0"));
    assert!(call(usize::MAX, &[], &[], i64::MIN).ends_with(&format!("= {}", i64::MIN)));
    assert_eq!(line(Call::new(0, 231, &[7, 0, 0, 0, 0, 0]).bytes()), "exit_group(7) = ?");
    assert_eq!(line(Call::new(12, 231, &[7, 0, 0, 0, 0, 0]).bytes()), "[12] exit_group(7) = ?");
    assert!(call(35, &[1], &[], -516).contains("= ? ERESTARTBLOCK ("));
}

#[test]
fn events_have_lines() {
    let signal = Event::Signal { thread: 0, number: 11, code: 1, address: 0x10 };
    assert_eq!(event(signal), "--- SIGSEGV {si_signo=SIGSEGV, si_code=1, si_addr=0x10} ---");
    let page = Event::Trap { kind: TrapKind::Page, access: Access::Read, address: 8, instruction: 0x400 };
    assert_eq!(event(page), "fault: Read of 0x8 at rip 0x400");
    let trap = Event::Trap { kind: TrapKind::Divide, access: Access::Read, address: 0, instruction: 0x400 };
    assert_eq!(event(trap), "fault: Divide at rip 0x400");
    assert!(event(Event::Page { access: Access::Write, address: 0x1008 }).starts_with("fault: Write of 0x1008"));
    assert_eq!(event(Event::Ended(ExitReason::Exited(3))), "+++ exited with 3 +++");
    assert_eq!(event(Event::Ended(ExitReason::Killed(9))), "+++ killed by SIGKILL +++");
    assert_eq!(event(Event::Missing { number: 41 }), "system call 41 (socket) is not there: ENOSYS");
    assert!(event(Event::Missing { number: u64::MAX }).contains("no system call of Linux"));
}
