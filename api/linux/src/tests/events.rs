//! poll(2), select(2), epoll(7), eventfd(2), timerfd_create(2), inotify(7).

use super::{machine::on_linux, names::*, program::*};

/// A `struct pollfd`.
fn wish(descriptor: i32, events: usize) -> usize {
    put(&[descriptor.to_le_bytes(), (events as u32).to_le_bytes()].concat())
}

fn told(wish: usize) -> usize {
    (half(wish + 4) >> 16) as usize
}

/// A `struct epoll_event`, which is packed.
fn event(events: usize, data: u64) -> usize {
    put(&[&(events as u32).to_le_bytes()[..], &data.to_le_bytes()].concat())
}

fn seen(event: usize) -> (usize, u64) {
    (half(event) as usize, word(event + 4))
}

#[test]
fn poll_tells_what_is_ready() {
    on_linux(|| {
        let [reader, writer] = pipe();
        let (read, write) = (wish(reader as i32, POLLIN), wish(writer as i32, POLLOUT));
        let (nobody, negative) = (wish(99, POLLIN), wish(-1, POLLIN));
        expect! {
            poll(read, 1, 0) => 0;
            poll(write, 1, 0) => 1;
            poll(nobody, 1, -1) => 1;
            poll(negative, 1, 0) => 0;
            poll(BAD, 1, 0) => EFAULT;
            poll(read, 1_u64 << 40, 0) => EINVAL;
            poll(read, 1, 10) => 0;
            write(writer, b"x", 1) => 1;
            poll(read, 1, -1) => 1;
        }
        assert_eq!([read, write, nobody, negative].map(told), [POLLIN, POLLOUT, POLLNVAL, 0]);
        expect! { close(writer) => 0; poll(read, 1, -1) => 1; }
        assert_eq!(told(read), POLLIN | POLLHUP);
        expect! { close(reader) => 0; }
        let [reader, writer] = pipe();
        let write = wish(writer as i32, POLLOUT);
        expect! { close(reader) => 0; poll(write, 1, -1) => 1; close(writer) => 0; }
        assert_eq!(told(write), POLLOUT | POLLERR);
    });
}

#[test]
fn who_polls_is_woken() {
    on_linux(|| {
        let [reader, writer] = pipe();
        let read = wish(reader as i32, POLLIN);
        let waits = Thread::waiting(move || {
            expect! { poll(read, 1, -1) => 1; }
        });
        assert!(!waits.has_ended());
        expect! { write(writer, b"x", 1) => 1; }
        waits.join();
        expect! { close(reader) => 0; close(writer) => 0; }
    });
}

#[test]
fn select_tells_what_is_ready() {
    on_linux(|| {
        let [reader, writer] = pipe();
        let reads = put(&(1_u64 << reader).to_le_bytes());
        expect! {
            select(writer + 1, reads, &[1_u64 << writer], 0, &[0_u64, 0]) => 1;
            select(-1, 0, 0, 0, 0) => EINVAL;
            select(8, &[1_u64 << 7], 0, 0, 0) => EBADF;
            select(8, BAD, 0, 0, 0) => EFAULT;
            select(0, 0, 0, 0, &[-1_i64, 0]) => EINVAL;
            select(0, 0, 0, 0, &[0_u64, 5]) => 0;
            pselect6(0, 0, 0, 0, &[0_u64, 1_000_000_000], 0) => EINVAL;
        }
        assert_eq!(word(reads), 0);
        expect! { close(reader) => 0; close(writer) => 0; }
    });
}

/// epoll_ctl(2), epoll_wait(2), ERRORS.
#[test]
fn events_have_no_positions_and_are_asked_for_them() {
    on_linux(|| {
        let buffer = room(512);
        // eventfd, epoll, timerfd, signalfd and inotify have Linux' noop_llseek; a pidfd has no positions at all.
        expect! {
            eventfd2(1, EFD_NONBLOCK) => 3;
            epoll_create1(0) => 4;
            timerfd_create(CLOCK_MONOTONIC, 0) => 5;
            signalfd4(-1, &[0_u64], 8, 0) => 6;
            inotify_init1(0) => 7;
        }
        for number in 3..=7 {
            for origin in SEEK_SET..=SEEK_HOLE {
                expect! { lseek(number, 5, origin) => 0; }
            }
            expect! {
                lseek(number, 0, 9) => EINVAL;
                pread64(number, buffer, 512, 0) => ESPIPE;
                fadvise64(number, 0, 0, 0) => 0;
                close(number) => 0;
            }
        }
    });
}

#[test]
fn errors_of_epoll() {
    on_linux(|| {
        let [reader, writer] = pipe();
        let event = event(POLLIN, 1);
        let regular = file(b"");
        let epoll = must!(epoll_create1(0));
        let second = must!(epoll_create1(0));
        expect! {
            epoll_create(0) => EINVAL;
            epoll_create(-1) => EINVAL;
            epoll_ctl(epoll, EPOLL_CTL_ADD, reader, event) => 0;
            epoll_ctl(epoll, EPOLL_CTL_ADD, reader, event) => EEXIST;
            epoll_ctl(epoll, EPOLL_CTL_MOD, writer, event) => ENOENT;
            epoll_ctl(epoll, EPOLL_CTL_DEL, writer, 0) => ENOENT;
            epoll_ctl(epoll, EPOLL_CTL_ADD, epoll, event) => EINVAL;
            epoll_ctl(epoll, EPOLL_CTL_ADD, regular, event) => EPERM;
            epoll_ctl(epoll, EPOLL_CTL_ADD, 99, event) => EBADF;
            epoll_ctl(99, EPOLL_CTL_ADD, reader, event) => EBADF;
            epoll_ctl(reader, EPOLL_CTL_ADD, writer, event) => EINVAL;
            epoll_ctl(epoll, 77, reader, event) => EINVAL;
            epoll_ctl(epoll, EPOLL_CTL_ADD, writer, BAD) => EFAULT;
            epoll_ctl(epoll, EPOLL_CTL_ADD, second, event) => 0;
            epoll_ctl(second, EPOLL_CTL_ADD, epoll, event) => ELOOP;
            epoll_wait(epoll, event, 0, 0) => EINVAL;
            epoll_wait(epoll, event, -1, 0) => EINVAL;
            epoll_wait(reader, event, 1, 0) => EINVAL;
            epoll_wait(99, event, 1, 0) => EBADF;
            epoll_wait(epoll, event, 1, 0) => 0;
            write(writer, b"x", 1) => 1;
            epoll_wait(epoll, BAD, 1, 0) => EFAULT;
            epoll_wait(epoll, event, 1, 0) => 1;
            close(reader) => 0;
            close(writer) => 0;
            close(regular) => 0;
            close(epoll) => 0;
            close(second) => 0;
        }
    });
}

#[test]
fn levels_stay_edges_come_once_and_one_shot_is_one() {
    on_linux(|| {
        let [reader, writer] = pipe();
        let out = room(64);
        let epoll = must!(epoll_create1(0));
        expect! {
            epoll_ctl(epoll, EPOLL_CTL_ADD, reader, event(POLLIN, 7)) => 0;
            write(writer, b"x", 1) => 1;
            epoll_wait(epoll, out, 4, 0) => 1;
            epoll_wait(epoll, out, 4, -1) => 1;
            epoll_ctl(epoll, EPOLL_CTL_MOD, reader, event(POLLIN | EPOLLET, 8)) => 0;
            epoll_wait(epoll, out, 4, 0) => 1;
            epoll_wait(epoll, out, 4, 0) => 0;
            write(writer, b"x", 1) => 1;
            epoll_wait(epoll, out, 4, 0) => 1;
            epoll_wait(epoll, out, 4, 5) => 0;
        }
        assert_eq!(seen(out), (POLLIN, 8));
        expect! {
            epoll_ctl(epoll, EPOLL_CTL_MOD, reader, event(POLLIN | EPOLLONESHOT, 9)) => 0;
            epoll_wait(epoll, out, 4, 0) => 1;
            epoll_wait(epoll, out, 4, 0) => 0;
            write(writer, b"x", 1) => 1;
            epoll_wait(epoll, out, 4, 0) => 0;
            epoll_ctl(epoll, EPOLL_CTL_MOD, reader, event(POLLIN | EPOLLONESHOT, 9)) => 0;
            epoll_wait(epoll, out, 4, 0) => 1;
            epoll_ctl(epoll, EPOLL_CTL_DEL, reader, 0) => 0;
            epoll_wait(epoll, out, 4, 0) => 0;
            close(epoll) => 0;
            close(reader) => 0;
            close(writer) => 0;
        }
    });
}

/// epoll(7), "Questions and answers": a descriptor leaves its sets when the last one for the same open file is closed.
#[test]
fn who_is_closed_leaves_the_set() {
    on_linux(|| {
        let [reader, writer] = pipe();
        let out = room(64);
        let epoll = must!(epoll_create1(0));
        let second = must!(dup(reader));
        expect! {
            epoll_ctl(epoll, EPOLL_CTL_ADD, reader, event(POLLIN, 7)) => 0;
            write(writer, b"x", 1) => 1;
            close(reader) => 0;
            epoll_wait(epoll, out, 4, 0) => 1;
            close(second) => 0;
            epoll_wait(epoll, out, 4, 0) => 0;
            close(writer) => 0;
            close(epoll) => 0;
        }
    });
}

#[test]
fn who_waits_for_a_set_is_woken() {
    on_linux(|| {
        let [reader, writer] = pipe();
        let out = room(64);
        let epoll = must!(epoll_create1(0));
        let outer = must!(epoll_create1(0));
        expect! {
            epoll_ctl(epoll, EPOLL_CTL_ADD, reader, event(POLLIN | EPOLLET, 7)) => 0;
            epoll_ctl(outer, EPOLL_CTL_ADD, epoll, event(POLLIN, 8)) => 0;
        }
        let waits = Thread::waiting(move || {
            expect! { epoll_wait(outer, out, 4, -1) => 1; epoll_wait(epoll, out, 4, -1) => 1; }
        });
        assert!(!waits.has_ended());
        expect! { write(writer, b"x", 1) => 1; }
        waits.join();
        expect! { close(reader) => 0; close(writer) => 0; close(epoll) => 0; close(outer) => 0; }
    });
}

/// eventfd(2).
#[test]
fn counters_count() {
    on_linux(|| {
        let buffer = room(16);
        expect! {
            eventfd2(3, EFD_NONBLOCK) => 3;
            read(3, buffer, 7) => EINVAL;
            read(3, buffer, 8) => 8;
        }
        assert_eq!(word(buffer), 3);
        expect! {
            read(3, buffer, 8) => EAGAIN;
            write(3, &[u64::MAX], 8) => EINVAL;
            write(3, &[u64::MAX - 1], 8) => 8;
            write(3, &[1_u64], 8) => EAGAIN;
            write(3, &[1_u64], 4) => EINVAL;
            write(3, BAD, 8) => EFAULT;
            poll(wish(3, POLLOUT), 1, 0) => 0;
            read(3, buffer, 8) => 8;
            poll(wish(3, POLLOUT), 1, 0) => 1;
            close(3) => 0;
            eventfd2(2, EFD_SEMAPHORE) => 3;
            read(3, buffer, 8) => 8;
            read(3, buffer, 8) => 8;
        }
        assert_eq!(word(buffer), 1);
        let waits = Thread::waiting(move || {
            expect! { read(3, buffer, 8) => 8; }
        });
        assert!(!waits.has_ended());
        expect! { write(3, &[1_u64], 8) => 8; }
        waits.join();
        expect! { close(3) => 0; }
    });
}

/// timerfd_create(2).
#[test]
fn timers_are_read() {
    on_linux(|| {
        let buffer = room(64);
        expect! {
            timerfd_create(99, 0) => EINVAL;
            timerfd_create(CLOCK_MONOTONIC, 1) => EINVAL;
            timerfd_create(CLOCK_MONOTONIC, 0) => 3;
            timerfd_settime(3, 0, &[0_u64, 100, 0, 1000], buffer) => 0;
            read(3, buffer, 4) => EINVAL;
            read(3, buffer, 8) => 8;
        }
        assert_eq!(word(buffer), 1);
        expect! {
            nanosleep(&[0_u64, 350], 0) => 0;
            read(3, buffer, 8) => 8;
        }
        assert_eq!(word(buffer), 3);
        expect! {
            timerfd_settime(3, 0, &[0_u64, 0, 0, 1_000_000_000], 0) => EINVAL;
            timerfd_settime(3, 77, &[0_u64; 4], 0) => EINVAL;
            timerfd_settime(3, 0, BAD, 0) => EFAULT;
            timerfd_settime(0, 0, &[0_u64; 4], 0) => EINVAL;
            timerfd_settime(99, 0, &[0_u64; 4], 0) => EBADF;
            timerfd_gettime(0, buffer) => EINVAL;
            timerfd_gettime(3, BAD) => EFAULT;
            timerfd_settime(3, 0, &[0_u64; 4], 0) => 0;
            fcntl(3, F_SETFL, O_NONBLOCK) => 0;
            read(3, buffer, 8) => EAGAIN;
            close(3) => 0;
        }
    });
}

/// inotify(7).
#[test]
fn changes_of_directories_are_told() {
    on_linux(|| {
        let buffer = room(256);
        expect! {
            inotify_init1(O_NONBLOCK) => 3;
            inotify_add_watch(3, "/tmp/none", IN_CREATE) => ENOENT;
            inotify_add_watch(3, "/tmp", 0) => EINVAL;
            inotify_add_watch(0, "/tmp", IN_CREATE) => EINVAL;
            inotify_add_watch(99, "/tmp", IN_CREATE) => EBADF;
            inotify_add_watch(3, BAD, IN_CREATE) => EFAULT;
            inotify_add_watch(3, "/tmp", IN_CREATE | IN_DELETE) => 1;
            read(3, buffer, 256) => EAGAIN;
            open("/tmp/new", O_RDWR | O_CREAT, 0o600) => 4;
            read(3, buffer, 8) => EINVAL;
            read(3, buffer, 256) => 32;
            write(4, b"x", 1) => 1;
            read(3, buffer, 256) => EAGAIN;
            unlink("/tmp/new") => 0;
            read(3, buffer, 256) => 32;
            inotify_rm_watch(3, 5) => EINVAL;
            inotify_rm_watch(3, 1) => 0;
            close(4) => 0;
            close(3) => 0;
        }
        assert_eq!((half(buffer), half(buffer + 4) as usize), (1, IN_DELETE));
        assert_eq!(load(buffer + 16, 4), b"new\0");
    });
}
