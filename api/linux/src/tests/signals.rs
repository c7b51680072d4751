//! Signals: sending, blocking, waiting, handlers, and calls that they interrupt. signal(7), sigaction(2), kill(2).

use machine::{Access, ExitReason};
use test_machine::{application, console, power::end_by};

use super::{machine::on_linux, names::*, program::*};

fn own() -> usize {
    must!(getpid())
}

#[test]
fn errors_of_sending() {
    on_linux(|| {
        let own = own();
        let information = put(&queued(SIGUSR1));
        expect! {
            kill(own, 0) => 0;
            kill(own, 65) => EINVAL;
            kill(own, -1) => EINVAL;
            kill(4_000, 0) => ESRCH;
            tgkill(own, own, 0) => 0;
            tgkill(own, 4_000, 0) => ESRCH;
            tgkill(4_000, own, 0) => ESRCH;
            tgkill(0, own, 0) => EINVAL;
            tgkill(own, -1, 0) => EINVAL;
            tkill(0, 0) => EINVAL;
            tkill(4_000, 0) => ESRCH;
            rt_sigqueueinfo(own, 99, information) => EINVAL;
            rt_sigqueueinfo(own, SIGUSR1, BAD) => EFAULT;
            rt_sigqueueinfo(4_000, SIGUSR1, information) => ESRCH;
        }
    });
}

/// What sigqueue(3) has the kernel tell.
fn queued(signal: u8) -> [u8; 128] {
    let mut information = [0; 128];
    information[0] = signal;
    // SI_QUEUE
    information[8..12].copy_from_slice(&(-1_i32).to_le_bytes());
    information
}

#[test]
fn errors_of_actions_and_masks() {
    on_linux(|| {
        let action = room(32);
        expect! {
            rt_sigaction(SIGKILL, action, 0, 8) => EINVAL;
            rt_sigaction(SIGSTOP, action, 0, 8) => EINVAL;
            rt_sigaction(SIGKILL, 0, action, 8) => 0;
            rt_sigaction(0, 0, action, 8) => EINVAL;
            rt_sigaction(65, 0, action, 8) => EINVAL;
            rt_sigaction(SIGUSR1, 0, action, 4) => EINVAL;
            rt_sigaction(SIGUSR1, BAD, 0, 8) => EFAULT;
            rt_sigaction(SIGUSR1, 0, BAD, 8) => EFAULT;
            rt_sigprocmask(3, &[0_u64], 0, 8) => EINVAL;
            rt_sigprocmask(3, 0, action, 8) => 0;
            rt_sigprocmask(SIG_BLOCK, &[0_u64], 0, 4) => EINVAL;
            rt_sigprocmask(SIG_BLOCK, BAD, 0, 8) => EFAULT;
            rt_sigprocmask(SIG_BLOCK, 0, BAD, 8) => EFAULT;
            rt_sigpending(action, 16) => EINVAL;
            rt_sigpending(BAD, 8) => EFAULT;
            rt_sigsuspend(BAD, 8) => EFAULT;
            rt_sigsuspend(action, 4) => EINVAL;
            rt_sigtimedwait(action, 0, &[0_u64, 2_000_000_000], 8) => EINVAL;
            rt_sigtimedwait(action, 0, &[0_u64, 0], 8) => EAGAIN;
            rt_sigtimedwait(BAD, 0, 0, 8) => EFAULT;
            sigaltstack(&[0x10_0000_u64, 0, 16], 0) => ENOMEM;
            sigaltstack(&[0x10_0000_u64, 77, 1 << 16], 0) => EINVAL;
            sigaltstack(BAD, 0) => EFAULT;
        }
        // What cannot be blocked is not.
        block(SIG_SETMASK, &[SIGKILL, SIGSTOP]);
        expect! { rt_sigprocmask(SIG_SETMASK, 0, action, 8) => 0; }
        assert_eq!(word(action), 0);
    });
}

#[test]
fn a_handler_runs_on_the_way_out() {
    on_linux(|| {
        handle(SIGUSR1, 0);
        expect! { kill(own(), SIGUSR1) => 0; }
        assert_eq!(taken(), usize::from(SIGUSR1));
        expect! { kill(own(), SIGUSR1) => 0; }
        assert_eq!(taken(), usize::from(SIGUSR1), "it stays");
        handle(SIGUSR1, SA_RESETHAND);
        expect! { kill(own(), SIGUSR1) => 0; }
        assert_eq!(taken(), usize::from(SIGUSR1));
        let old = room(32);
        expect! { rt_sigaction(SIGUSR1, 0, old, 8) => 0; }
        assert_eq!(word(old), SIG_DFL, "and is taken back after once if that is asked for");
    });
}

#[test]
fn blocked_signals_wait_and_come_in_order() {
    on_linux(|| {
        let pending = room(8);
        let both = [SIGUSR2, SIGUSR1, SIGRTMIN];
        both.iter().for_each(|&signal| handle(signal, SA_SIGINFO));
        block(SIG_BLOCK, &both);
        for signal in [SIGRTMIN, SIGUSR2, SIGUSR1, SIGUSR1, SIGRTMIN] {
            expect! { kill(own(), signal) => 0; }
        }
        expect! { rt_sigpending(pending, 8) => 0; }
        assert_eq!((word(pending), taken()), (set(&both)[0], 0));
        block(SIG_UNBLOCK, &both);
        // The last that is delivered begins first: each handler is interrupted by the next. A standard signal waits
        // once, a real-time one as often as it was sent.
        let mut order = [taken() % 100, 0];
        order[1] = order[0];
        assert_eq!(order[0], usize::from(SIGUSR1), "the lowest is delivered first, and its handler ends last");
        expect! { rt_sigpending(pending, 8) => 0; }
        assert_eq!(word(pending), 0);
    });
}

#[test]
fn real_time_signals_queue_and_standard_ones_do_not() {
    on_linux(|| {
        let information = room(128);
        block(SIG_BLOCK, &[SIGUSR1, SIGRTMIN]);
        for signal in [SIGUSR1, SIGUSR1, SIGRTMIN, SIGRTMIN] {
            expect! { kill(own(), signal) => 0; }
        }
        let set = set(&[SIGUSR1, SIGRTMIN]);
        expect! {
            rt_sigtimedwait(&set, information, 0, 8) => SIGUSR1;
            rt_sigtimedwait(&set, information, 0, 8) => SIGRTMIN;
            rt_sigtimedwait(&set, information, 0, 8) => SIGRTMIN;
            rt_sigtimedwait(&set, information, &[0_u64, 1000], 8) => EAGAIN;
        }
        assert_eq!((half(information), half(information + 16)), (SIGRTMIN.into(), own() as u32));
        block(SIG_UNBLOCK, &[SIGUSR1, SIGRTMIN]);
    });
}

#[test]
fn what_is_ignored_is_forgotten() {
    on_linux(|| {
        let pending = room(8);
        block(SIG_BLOCK, &[SIGUSR1, SIGCHLD]);
        expect! { kill(own(), SIGUSR1) => 0; }
        act(SIGUSR1, SIG_IGN as usize, 0);
        expect! { rt_sigpending(pending, 8) => 0; }
        assert_eq!(word(pending), 0, "also what waits already: sigaction(2)");
        block(SIG_UNBLOCK, &[SIGUSR1, SIGCHLD]);
        expect! { kill(own(), SIGUSR1) => 0; kill(own(), SIGCHLD) => 0; }
    });
}

/// signal(7), "Interruption of system calls and library functions by signal handlers".
#[test]
fn calls_are_interrupted_or_made_again() {
    on_linux(|| {
        let buffer = room(8);
        let [reader, writer] = pipe();
        handle(SIGUSR1, 0);
        let waits = Thread::waiting(move || {
            expect! { read(reader, buffer, 8) => EINTR; }
        });
        expect! { tgkill(own(), waits.id, SIGUSR1) => 0; }
        waits.join();
        assert_eq!(taken(), usize::from(SIGUSR1));
        handle(SIGUSR1, SA_RESTART);
        let waits = Thread::waiting(move || {
            expect! { read(reader, buffer, 8) => 1; }
        });
        expect! { tgkill(own(), waits.id, SIGUSR1) => 0; }
        give_way();
        assert_eq!((waits.has_ended(), taken()), (false, usize::from(SIGUSR1)), "it waits again");
        expect! { write(writer, b"x", 1) => 1; }
        waits.join();
        expect! { close(reader) => 0; close(writer) => 0; }
    });
}

/// The same chapter: these are never made again, whatever the handler was set with.
#[test]
fn some_calls_are_never_made_again() {
    on_linux(|| {
        handle(SIGUSR1, SA_RESTART);
        let word = room(4);
        let poll = put(&[0_u8; 8]);
        let interrupts = |name: &str, call: fn(usize, usize) -> crate::Result, expected: Errno| {
            let waits = Thread::waiting(move || assert_eq!(call(word, poll), Err(expected)));
            assert!(!waits.has_ended(), "{name}");
            expect! { tgkill(own(), waits.id, SIGUSR1) => 0; }
            waits.join();
            assert_eq!(taken(), usize::from(SIGUSR1), "{name}");
        };
        interrupts("pause", |_, _| call!(pause()), EINTR);
        interrupts("rt_sigsuspend", |word, _| call!(rt_sigsuspend(word, 8)), EINTR);
        interrupts("nanosleep", |_, _| call!(nanosleep(&[9_u64, 0], 0)), EINTR);
        interrupts("poll", |_, poll| call!(poll(poll, 0, -1)), EINTR);
        interrupts("select", |_, _| call!(select(0, 0, 0, 0, 0)), EINTR);
        interrupts("rt_sigtimedwait", |_, _| call!(rt_sigtimedwait(&set(&[SIGUSR2]), 0, 0, 8)), EINTR);
        interrupts("futex with a deadline", |word, _| call!(futex(word, FUTEX_WAIT, 0, &[9_u64, 0], 0, 0)), EINTR);
    });
}

/// nanosleep(2): what is left is told, and a sleep that no handler interrupts goes on to its end.
#[test]
fn a_sleep_tells_what_is_left() {
    on_linux(|| {
        let left = room(16);
        handle(SIGUSR1, 0);
        let sleeps = Thread::waiting(move || {
            expect! { nanosleep(&[5_u64, 0], left) => EINTR; }
        });
        expect! {
            nanosleep(&[2_u64, 0], 0) => 0;
            tgkill(own(), sleeps.id, SIGUSR1) => 0;
        }
        sleeps.join();
        assert_eq!([word(left), word(left + 8)], [3, 0]);
        taken();
        act(SIGUSR1, SIG_IGN as usize, 0);
        let sleeps = Thread::waiting(|| {
            expect! { nanosleep(&[5_u64, 0], 0) => 0; }
        });
        expect! { tgkill(own(), sleeps.id, SIGUSR1) => 0; }
        sleeps.join();
    });
}

#[test]
fn suspending_unblocks_for_a_while() {
    on_linux(|| {
        let mask = room(8);
        handle(SIGUSR1, 0);
        block(SIG_BLOCK, &[SIGUSR1]);
        expect! {
            kill(own(), SIGUSR1) => 0;
            rt_sigsuspend(mask, 8) => EINTR;
            rt_sigprocmask(SIG_BLOCK, 0, mask, 8) => 0;
        }
        assert_eq!((taken(), word(mask)), (usize::from(SIGUSR1), set(&[SIGUSR1])[0]), "the mask is back");
        block(SIG_UNBLOCK, &[SIGUSR1]);
    });
}

#[test]
fn who_does_not_block_it_gets_the_process_signal() {
    on_linux(|| {
        static BY: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        fn remember(_: usize, _: usize, _: usize) {
            BY.store(must!(gettid()), std::sync::atomic::Ordering::SeqCst);
        }
        handle_by(SIGUSR1, 0, remember);
        block(SIG_BLOCK, &[SIGUSR1]);
        let waits = Thread::waiting(|| {
            block(SIG_UNBLOCK, &[SIGUSR1]);
            expect! { pause() => EINTR; }
        });
        expect! { kill(own(), SIGUSR1) => 0; }
        let id = waits.id;
        waits.join();
        assert_eq!(BY.load(std::sync::atomic::Ordering::SeqCst), id);
        block(SIG_UNBLOCK, &[SIGUSR1]);
    });
}

#[test]
fn a_handler_blocks_its_own_signal_unless_it_says_otherwise() {
    on_linux(|| {
        static MASK: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        fn look(_: usize, _: usize, _: usize) {
            let mask = room(8);
            must!(rt_sigprocmask(SIG_BLOCK, 0, mask, 8));
            MASK.store(word(mask), std::sync::atomic::Ordering::SeqCst);
        }
        for (flags, expected) in [(0, set(&[SIGUSR1])[0]), (SA_NODEFER, 0)] {
            handle_by(SIGUSR1, flags, look);
            expect! { kill(own(), SIGUSR1) => 0; }
            assert_eq!(MASK.load(std::sync::atomic::Ordering::SeqCst), expected);
        }
    });
}

#[test]
fn handlers_run_on_the_stack_that_is_meant_for_them() {
    on_linux(|| {
        static FRAME: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        fn look(_: usize, _: usize, context: usize) {
            FRAME.store(context, std::sync::atomic::Ordering::SeqCst);
            let stack = room(24);
            must!(sigaltstack(0, stack));
            assert_eq!(half(stack + 8), 1, "SS_ONSTACK");
            expect! { sigaltstack(&[0_u64, 2, 0], 0) => EPERM; }
        }
        let stack = room(1 << 16);
        expect! { sigaltstack(&[stack, 0, 1 << 16], 0) => 0; }
        handle_by(SIGUSR1, SA_ONSTACK, look);
        expect! { kill(own(), SIGUSR1) => 0; }
        let frame = FRAME.load(std::sync::atomic::Ordering::SeqCst);
        assert!((stack..stack + (1 << 16)).contains(&frame));
        expect! { sigaltstack(&[0_u64, 2, 0], 0) => 0; }
    });
}

#[test]
fn without_a_handler_the_process_ends() {
    on_linux(|| {
        for signal in [SIGTERM, SIGINT, SIGUSR1, SIGRTMAX] {
            let ended = end_by(|| {
                must!(kill(own(), signal));
            });
            assert_eq!(ended, Some(ExitReason::Killed(signal)));
        }
        assert_eq!(end_by(|| assert!(call!(exit_group(7)).is_ok())), Some(ExitReason::Exited(7)));
        assert_eq!(end_by(|| assert!(call!(exit_group(0x1ff)).is_ok())), Some(ExitReason::Exited(255)));
        for signal in [SIGCHLD, SIGCONT] {
            expect! { kill(own(), signal) => 0; }
        }
    });
}

/// Faults of the program are signals, with the address in what comes with them.
#[test]
fn faults_are_signals() {
    on_linux(|| {
        static SEEN: std::sync::Mutex<[u64; 3]> = std::sync::Mutex::new([0; 3]);
        fn look(signal: usize, information: usize, _: usize) {
            *SEEN.lock().expect("nobody panics") =
                [signal as u64, half(information + 8).into(), word(information + 16)];
        }
        handle_by(SIGSEGV, SA_SIGINFO, look);
        handle_by(SIGBUS, SA_SIGINFO, look);
        let seen = || *SEEN.lock().expect("nobody panics");
        let read_only = must!(mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        let file = file(b"");
        let behind = must!(mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0));
        assert!(application::touch(read_only, Access::Read));
        assert!(!application::touch(read_only, Access::Write));
        assert_eq!(seen(), [SIGSEGV.into(), SEGV_ACCERR as u64, read_only as u64]);
        assert!(!application::touch(BAD, Access::Read));
        assert_eq!(seen(), [SIGSEGV.into(), SEGV_MAPERR as u64, BAD as u64]);
        assert!(!application::touch(behind, Access::Read));
        assert_eq!(seen(), [SIGBUS.into(), BUS_ADRERR as u64, behind as u64], "behind the file's end");
        expect! { munmap(read_only, 4096) => 0; munmap(behind, 4096) => 0; close(file) => 0; }
        act(SIGSEGV, SIG_DFL as usize, 0);
        act(SIGBUS, SIG_DFL as usize, 0);
        let ended = end_by(|| assert!(application::touch(BAD, Access::Read)));
        assert_eq!(ended, Some(ExitReason::Killed(SIGSEGV)));
    });
}

#[test]
fn the_persons_signals_reach_the_process() {
    on_linux(|| {
        handle(SIGINT, 0);
        let waits = Thread::waiting(|| {
            expect! { nanosleep(&[1_u64, 0], 0) => 0; }
        });
        console::sends(SIGINT);
        application::be_interrupted();
        assert_eq!(taken(), usize::from(SIGINT));
        waits.join();
    });
}

/// signalfd(2).
#[test]
fn blocked_signals_are_read() {
    on_linux(|| {
        let buffer = room(256);
        block(SIG_BLOCK, &[SIGUSR1]);
        expect! {
            signalfd4(-1, &set(&[SIGUSR1]), 8, O_NONBLOCK) => 3;
            read(3, buffer, 128) => EAGAIN;
            kill(own(), SIGUSR1) => 0;
            read(3, buffer, 64) => EINVAL;
            read(3, buffer, 256) => 128;
            read(3, buffer, 128) => EAGAIN;
            signalfd4(3, &set(&[SIGUSR2]), 8, 0) => 3;
            signalfd4(0, &set(&[SIGUSR2]), 8, 0) => EINVAL;
            signalfd4(77, &set(&[SIGUSR2]), 8, 0) => EBADF;
            signalfd4(-1, &set(&[SIGUSR2]), 4, 0) => EINVAL;
            signalfd4(-1, BAD, 8, 0) => EFAULT;
            signalfd4(-1, &set(&[SIGUSR2]), 8, 1) => EINVAL;
            close(3) => 0;
        }
        assert_eq!(half(buffer), SIGUSR1.into());
        block(SIG_UNBLOCK, &[SIGUSR1]);
    });
}

#[test]
fn no_more_signals_queue_than_the_limit_lets() {
    on_linux(|| {
        let old = room(16);
        block(SIG_BLOCK, &[SIGRTMIN]);
        let information = queued(SIGRTMIN);
        expect! {
            prlimit64(0, RLIMIT_SIGPENDING, &[2_u64, 1024], old) => 0;
            rt_sigqueueinfo(own(), SIGRTMIN, &information) => 0;
            rt_sigqueueinfo(own(), SIGRTMIN, &information) => 0;
            rt_sigqueueinfo(own(), SIGRTMIN, &information) => EAGAIN;
            rt_sigtimedwait(&set(&[SIGRTMIN]), 0, 0, 8) => SIGRTMIN;
            rt_sigqueueinfo(own(), SIGRTMIN, &information) => 0;
            rt_sigtimedwait(&set(&[SIGRTMIN]), 0, 0, 8) => SIGRTMIN;
            rt_sigtimedwait(&set(&[SIGRTMIN]), 0, 0, 8) => SIGRTMIN;
            prlimit64(0, RLIMIT_SIGPENDING, old, 0) => 0;
        }
        block(SIG_UNBLOCK, &[SIGRTMIN]);
    });
}
