//! unix(7): socket(2), bind(2), listen(2), connect(2), accept(2), send(2), recv(2), shutdown(2).

use super::{machine::on_linux, names::*, program::*};

/// A `struct sockaddr_un`, and its length.
fn address(path: &str) -> (usize, usize) {
    let family = (AF_UNIX as u16).to_le_bytes();
    (put(&[&family[..], path.as_bytes(), b"\0"].concat()), 3 + path.len())
}

#[test]
fn errors_of_sockets() {
    on_linux(|| {
        let (name, length) = address("/tmp/none");
        let pair = room(8);
        expect! {
            socket(77, SOCK_STREAM, 0) => EAFNOSUPPORT;
            socket(AF_UNIX, 77, 0) => EINVAL;
            socket(AF_UNIX, SOCK_STREAM, 9) => EPROTONOSUPPORT;
            socketpair(AF_UNIX, SOCK_STREAM, 0, pair) => 0;
            socket(AF_UNIX, SOCK_STREAM, 0) => 5;
            connect(5, name, length) => ENOENT;
            connect(5, name, 1) => EINVAL;
            connect(5, BAD, length) => EFAULT;
            bind(5, name, 1) => EINVAL;
            listen(0, 1) => ENOTSOCK;
            listen(99, 1) => EBADF;
            listen(5, 1) => EINVAL;
            accept(5, 0, 0) => EINVAL;
            shutdown(3, 9) => EINVAL;
            getpeername(5, room(128), put(&128_u32.to_le_bytes())) => ENOTCONN;
            sendto(5, b"x", 1, MSG_NOSIGNAL, 0, 0) => ENOTCONN;
            recvfrom(5, room(8), 8, 0, 0, 0) => EINVAL;
            sendto(0, b"x", 1, 0, 0, 0) => ENOTSOCK;
            recvfrom(3, room(8), 8, MSG_DONTWAIT, 0, 0) => EAGAIN;
            getsockopt(3, SOL_SOCKET, SO_TYPE, room(4), BAD) => EFAULT;
            getsockopt(3, SOL_SOCKET, 9_999, room(4), put(&4_u32.to_le_bytes())) => ENOPROTOOPT;
            lseek(3, 0, SEEK_SET) => ESPIPE;
            close(3) => 0;
            close(4) => 0;
            close(5) => 0;
        }
    });
}

#[test]
fn a_connection_is_made_used_and_ended() {
    on_linux(|| {
        let buffer = room(16);
        let (name, length) = address("/tmp/socket");
        expect! {
            socket(AF_UNIX, SOCK_STREAM, 0) => 3;
            bind(3, name, length) => 0;
            bind(3, name, length) => EADDRINUSE;
            socket(AF_UNIX, SOCK_STREAM, 0) => 4;
            bind(4, name, length) => EADDRINUSE;
            connect(4, name, length) => ECONNREFUSED;
            listen(3, 1) => 0;
            accept4(3, 0, 0, 77) => EINVAL;
            fcntl(3, F_SETFL, O_NONBLOCK) => 0;
            accept(3, 0, 0) => EAGAIN;
            connect(4, name, length) => 0;
            connect(4, name, length) => EISCONN;
            accept4(3, 0, 0, SOCK_CLOEXEC) => 5;
            fcntl(5, F_GETFD, 0) => FD_CLOEXEC;
            write(4, b"hello", 5) => 5;
            recvfrom(5, buffer, 16, MSG_PEEK, 0, 0) => 5;
            read(5, buffer, 16) => 5;
            shutdown(4, SHUT_WR) => 0;
            read(5, buffer, 16) => 0;
            sendto(4, b"x", 1, MSG_NOSIGNAL, 0, 0) => EPIPE;
            write(5, b"bye", 3) => 3;
            close(5) => 0;
            read(4, buffer, 16) => 3;
            read(4, buffer, 16) => 0;
            close(4) => 0;
            close(3) => 0;
            unlink("/tmp/socket") => 0;
        }
    });
}

#[test]
fn who_accepts_and_who_reads_are_woken() {
    on_linux(|| {
        let buffer = room(16);
        let (name, length) = address("/tmp/socket");
        expect! {
            socket(AF_UNIX, SOCK_STREAM, 0) => 3;
            bind(3, name, length) => 0;
            listen(3, 1) => 0;
            socket(AF_UNIX, SOCK_STREAM, 0) => 4;
        }
        let accepts = Thread::waiting(move || {
            expect! { accept(3, 0, 0) => 5; read(5, buffer, 16) => 2; close(5) => 0; }
        });
        assert!(!accepts.has_ended());
        expect! { connect(4, name, length) => 0; }
        give_way();
        assert!(!accepts.has_ended());
        expect! { write(4, b"hi", 2) => 2; }
        accepts.join();
        expect! { read(4, buffer, 16) => 0; close(4) => 0; close(3) => 0; unlink("/tmp/socket") => 0; }
    });
}

#[test]
fn datagrams_are_whole_or_cut() {
    on_linux(|| {
        let buffer = room(16);
        expect! {
            socketpair(AF_UNIX, SOCK_DGRAM, 0, buffer) => 0;
            write(3, b"first", 5) => 5;
            write(3, b"second", 6) => 6;
            recvfrom(4, buffer, 2, MSG_TRUNC, 0, 0) => 5;
            read(4, buffer, 16) => 6;
            recvfrom(4, buffer, 16, MSG_DONTWAIT, 0, 0) => EAGAIN;
            close(3) => 0;
            close(4) => 0;
        }
    });
}

/// A descriptor in a message that nobody receives does not leak its file: the pipe's reader sees the end.
#[test]
fn a_descriptor_in_flight_is_closed_with_its_message() {
    on_linux(|| {
        let pair = room(8);
        let [reader, writer] = pipe();
        expect! { socketpair(AF_UNIX, SOCK_STREAM, 0, pair) => 0; }
        let [from, to] = super::program::pair(pair);
        // SOL_SOCKET, SCM_RIGHTS, one descriptor.
        let control =
            put(&[&20_u64.to_le_bytes()[..], &[1_u32, 1, writer as u32, 0].map(u32::to_le_bytes).concat()].concat());
        let vector = put(&[put(b"x"), 1].map(usize::to_le_bytes).concat());
        let message = put(&[0, 0, vector, 1, control, 24, 0].map(usize::to_le_bytes).concat());
        expect! {
            sendmsg(from, message, 0) => 1;
            close(writer) => 0;
            fcntl(reader, F_SETFL, O_NONBLOCK) => 0;
            read(reader, pair, 1) => EAGAIN;
            close(to) => 0;
            read(reader, pair, 1) => 0;
            close(from) => 0;
            close(reader) => 0;
        }
    });
}
