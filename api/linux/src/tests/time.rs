//! Clocks and timers: clock_gettime(2), nanosleep(2), setitimer(2), timer_create(2).

use super::{machine::on_linux, names::*, program::*};

#[test]
fn errors_of_clocks() {
    on_linux(|| {
        let time = room(16);
        expect! {
            clock_gettime(99, time) => EINVAL;
            clock_gettime(CLOCK_MONOTONIC, BAD) => EFAULT;
            clock_gettime(CLOCK_REALTIME, time) => 0;
            clock_getres(CLOCK_MONOTONIC, 0) => 0;
            clock_getres(99, time) => EINVAL;
            clock_settime(CLOCK_MONOTONIC, &[1_u64, 0]) => EINVAL;
            nanosleep(&[0_u64, 1_000_000_000], 0) => EINVAL;
            nanosleep(&[-1_i64, 0], 0) => EINVAL;
            nanosleep(BAD, 0) => EFAULT;
            clock_nanosleep(99, 0, &[0_u64, 1], 0) => EINVAL;
            clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &[0_u64, 1], 0) => EINVAL;
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &[0_u64, 1], 0) => 0;
            gettimeofday(BAD, 0) => EFAULT;
            setitimer(9, &[0_u64; 4], 0) => EINVAL;
            setitimer(ITIMER_REAL, &[0_u64, 0, 0, 1_000_000], 0) => EINVAL;
            getitimer(9, time) => EINVAL;
            timer_settime(77, 0, &[0_u64; 4], 0) => EINVAL;
            timer_gettime(77, time) => EINVAL;
            timer_getoverrun(77) => EINVAL;
            timer_delete(77) => EINVAL;
            timer_create(99, 0, time) => EINVAL;
            timer_create(CLOCK_MONOTONIC, BAD, time) => EFAULT;
        }
        assert!((1_500_000_000..1_600_000_000).contains(&word(time)), "wall time, not that since the start");
    });
}

/// setitimer(2), alarm(2).
#[test]
fn an_interval_timer_sends_its_signal() {
    on_linux(|| {
        let left = room(32);
        handle(SIGALRM, 0);
        expect! {
            setitimer(ITIMER_REAL, &[0_u64, 0, 2, 0], 0) => 0;
            pause() => EINTR;
            alarm(5) => 0;
            getitimer(ITIMER_REAL, left) => 0;
            nanosleep(&[2_u64, 0], 0) => 0;
            alarm(0) => 3;
            nanosleep(&[9_u64, 0], 0) => 0;
        }
        assert_eq!((taken(), word(left + 16)), (usize::from(SIGALRM), 5));
    });
}

/// timer_create(2), timer_getoverrun(2).
#[test]
fn a_timer_counts_what_it_missed() {
    on_linux(|| {
        let timer = room(4);
        let event = put(&[0, u64::from(SIGUSR1), 0, 0, 0, 0, 0, 0].map(u64::to_le_bytes).concat());
        block(SIG_BLOCK, &[SIGUSR1]);
        expect! { timer_create(CLOCK_MONOTONIC, event, timer) => 0; }
        let id = half(timer);
        expect! {
            timer_settime(id, 0, &[0_u64, 100, 0, 100], 0) => 0;
            nanosleep(&[0_u64, 450], 0) => 0;
            rt_sigtimedwait(&set(&[SIGUSR1]), 0, &[0_u64, 0], 8) => SIGUSR1;
            timer_getoverrun(id) => 3;
            timer_settime(id, 0, &[0_u64, 0, 0, 2_000_000_000], 0) => EINVAL;
            timer_delete(id) => 0;
            timer_delete(id) => EINVAL;
        }
        block(SIG_UNBLOCK, &[SIGUSR1]);
    });
}
