//! The filter, run as the host runs it.

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
        assert!(!allowed(number::PRCTL, &[kind, on, start, length + 1]) && !allowed(number::PRCTL, &[kind, 0, 0, 0]));
        assert!(allowed(number::TGKILL, &[99, 100, usize::from(CALL)]) && !allowed(number::TGKILL, &[99, 100, 9]));
        assert!(allowed(number::RT_SIGACTION, &[usize::from(CALL)]) && !allowed(number::RT_SIGACTION, &[11]));
        for number in [
            number::WAIT4,
            number::GETPPID,
            number::SIGALTSTACK,
            number::SET_ROBUST_LIST,
            number::CLOSE,
            number::PWRITE64,
        ] {
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
