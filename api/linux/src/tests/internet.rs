//! ip(7), ipv6(7), tcp(7), udp(7): sockets of the Internet over the machine's own loopback.

use linux_abi::constants as c;

use super::{machine::on_linux, names::*, program::*};

/// Bytes of a `struct sockaddr_in`, and of a `struct sockaddr_in6`.
const V4: usize = 16;
const V6: usize = 28;

/// 127.0.0.1, with a port.
fn v4(port: u16) -> usize {
    let family = (AF_INET as u16).to_le_bytes();
    put(&[&family[..], &port.to_be_bytes(), &[127, 0, 0, 1], &[0; 8]].concat())
}

/// ::1, with a port.
fn v6(port: u16) -> usize {
    let family = (AF_INET6 as u16).to_le_bytes();
    let mut ip = [0; 16];
    ip[15] = 1;
    put(&[&family[..], &port.to_be_bytes(), &[0; 4], &ip, &[0; 4]].concat())
}

fn number(value: u32) -> usize {
    put(&value.to_le_bytes())
}

#[test]
fn errors_of_making_and_naming() {
    on_linux(|| {
        expect! {
            socket(AF_INET, 77, 0) => EINVAL;
            socket(AF_INET, SOCK_SEQPACKET, 0) => ESOCKTNOSUPPORT;
            socket(AF_INET, SOCK_STREAM, 17) => EPROTONOSUPPORT;
            socket(AF_INET, SOCK_STREAM, 300) => EINVAL;
            socket(AF_INET, SOCK_RAW, 0) => EPROTONOSUPPORT;
            socketpair(AF_INET, SOCK_STREAM, 0, room(8)) => EOPNOTSUPP;
            socket(AF_INET, SOCK_STREAM, 0) => 3;
            bind(3, v4(80), 8) => EINVAL;
            bind(3, v6(80), V6) => EAFNOSUPPORT;
            bind(3, BAD, V4) => EFAULT;
            getpeername(3, room(128), number(128)) => ENOTCONN;
            accept(3, 0, 0) => EINVAL;
            sendto(3, b"x", 1, MSG_NOSIGNAL, 0, 0) => EPIPE;
            recvfrom(3, room(8), 8, 0, 0, 0) => ENOTCONN;
            connect(3, v4(9), V4) => ECONNREFUSED;
            close(3) => 0;
        }
    });
}

/// A resolver asks of each address by one socket of IPv6 whether it has a route: getaddrinfo(3).
#[test]
fn datagrams_of_ipv6_take_addresses_of_ipv4() {
    on_linux(|| {
        let (buffer, name, unnamed) = (room(64), room(128), room(128));
        expect! {
            socket(AF_INET, SOCK_DGRAM, 0) => 3;
            bind(3, v4(7005), V4) => 0;
            socket(AF_INET6, SOCK_DGRAM, 0) => 4;
            connect(4, v6(7005), V6) => 0;
            connect(4, put(&[0; 16]), 16) => 0;
            connect(4, v4(7005), V4 - 1) => EINVAL;
            connect(4, v4(7005), V4) => 0;
            getsockname(4, name, number(128)) => 0;
            sendto(4, b"one", 3, 0, 0, 0) => 3;
            read(3, buffer, 64) => 3;
            socket(AF_INET6, SOCK_DGRAM, 0) => 5;
            sendto(5, b"three", 5, 0, v4(7005), V4) => 5;
            read(3, buffer, 64) => 5;
            socket(AF_INET6, SOCK_DGRAM, 0) => 6;
            setsockopt(6, c::SOL_IPV6, c::IPV6_V6ONLY, number(1), 4) => 0;
            connect(6, v4(7005), V4) => EAFNOSUPPORT;
            sendto(6, b"none", 4, 0, v4(7005), V4) => ENETUNREACH;
            socket(AF_INET6, SOCK_STREAM, 0) => 7;
            connect(7, v4(7005), V4) => EINVAL;
            getsockname(7, unnamed, number(128)) => 0;
        }
        assert_eq!(load(name, 2), (AF_INET6 as u16).to_le_bytes());
        assert_eq!(load(name + 18, 6), [255, 255, 127, 0, 0, 1], "a mapped address");
        assert_eq!(load(buffer, 5), b"three");
        assert_eq!(load(unnamed + 8, 16), [0; 16], "a stream without a name has that of its family");
        (3..8).for_each(|open| assert_eq!(must!(close(open)), 0));
    });
}

#[test]
fn a_stream_carries_both_ways_and_ends() {
    on_linux(|| {
        let (buffer, name) = (room(16), room(128));
        expect! {
            socket(AF_INET, SOCK_STREAM, 0) => 3;
            setsockopt(3, SOL_SOCKET, SO_REUSEADDR, number(1), 4) => 0;
            bind(3, v4(7001), V4) => 0;
            listen(3, 5) => 0;
            fcntl(3, F_SETFL, O_NONBLOCK) => 0;
            accept(3, 0, 0) => EAGAIN;
            socket(AF_INET, SOCK_STREAM, 0) => 4;
            bind(4, v4(7001), V4) => EADDRINUSE;
            connect(4, v4(7001), V4) => 0;
            connect(4, v4(7001), V4) => EISCONN;
            accept4(3, name, number(128), SOCK_CLOEXEC) => 5;
            socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0) => 6;
            connect(6, v4(7001), V4) => EINPROGRESS;
            accept4(3, name, number(128), SOCK_CLOEXEC) => 7;
            close(6) => 0;
            close(7) => 0;
            write(4, b"hello", 5) => 5;
            recvfrom(5, buffer, 16, MSG_PEEK, 0, 0) => 5;
            read(5, buffer, 16) => 5;
            fcntl(5, F_SETFL, O_NONBLOCK) => 0;
            read(5, buffer, 16) => EAGAIN;
            shutdown(4, SHUT_WR) => 0;
            read(5, buffer, 16) => 0;
            write(5, b"bye", 3) => 3;
            close(5) => 0;
            read(4, buffer, 16) => 3;
            read(4, buffer, 16) => 0;
            close(4) => 0;
            close(3) => 0;
        }
    });
}

#[test]
fn datagrams_say_whose_they_are() {
    on_linux(|| {
        let (buffer, name) = (room(16), room(128));
        expect! {
            socket(AF_INET6, SOCK_DGRAM, 0) => 3;
            bind(3, v6(7002), V6) => 0;
            socket(AF_INET6, SOCK_DGRAM, 0) => 4;
            sendto(4, b"first", 5, 0, v6(7002), V6) => 5;
            sendto(4, b"second", 6, 0, v6(7002), V6) => 6;
            recvfrom(3, buffer, 2, MSG_TRUNC, name, number(128)) => 5;
            recvfrom(3, buffer, 16, 0, 0, 0) => 6;
            recvfrom(3, buffer, 16, MSG_DONTWAIT, 0, 0) => EAGAIN;
            sendto(4, b"x", 1, 0, 0, 0) => EDESTADDRREQ;
            connect(4, v6(7002), V6) => 0;
            write(4, b"x", 1) => 1;
            read(3, buffer, 16) => 1;
            close(4) => 0;
            close(3) => 0;
        }
    });
}

#[test]
fn datagrams_may_be_covered_in_part() {
    on_linux(|| {
        let (buffer, value, size) = (room(16), room(16), number(4));
        expect! {
            socket(AF_INET, SOCK_STREAM, IPPROTO_UDPLITE) => EPROTONOSUPPORT;
            socket(AF_INET, SOCK_DGRAM, IPPROTO_UDPLITE) => 3;
            bind(3, v4(7009), V4) => 0;
            socket(AF_INET, SOCK_DGRAM, 0) => 4;
            setsockopt(4, SOL_UDPLITE, UDPLITE_SEND_CSCOV, number(8), 4) => ENOPROTOOPT;
            bind(4, v4(7009), V4) => 0;
            close(4) => 0;
            socket(AF_INET, SOCK_DGRAM, IPPROTO_UDPLITE) => 4;
            bind(4, v4(7009), V4) => EADDRINUSE;
            getsockopt(4, SOL_SOCKET, SO_PROTOCOL, value, size) => 0;
        }
        assert_eq!(half(value) as usize, IPPROTO_UDPLITE);
        expect! {
            setsockopt(4, SOL_UDPLITE, UDPLITE_SEND_CSCOV, number(1), 4) => 0;
            getsockopt(4, SOL_UDPLITE, UDPLITE_SEND_CSCOV, value, size) => 0;
        }
        assert_eq!(half(value), 8, "the header is covered");
        expect! {
            sendto(4, b"first", 5, 0, v4(7009), V4) => 5;
            read(3, buffer, 16) => 5;
            setsockopt(3, SOL_UDPLITE, UDPLITE_RECV_CSCOV, number(13), 4) => 0;
            sendto(4, b"first", 5, 0, v4(7009), V4) => 5;
            recvfrom(3, buffer, 16, MSG_DONTWAIT, 0, 0) => EAGAIN;
            setsockopt(4, SOL_UDPLITE, UDPLITE_SEND_CSCOV, number(13), 4) => 0;
            sendto(4, b"first", 5, 0, v4(7009), V4) => 5;
            read(3, buffer, 16) => 5;
            close(4) => 0;
            close(3) => 0;
        }
    });
}

#[test]
fn options_have_their_values_and_bounds() {
    on_linux(|| {
        let (value, size) = (room(16), number(4));
        expect! {
            socket(AF_INET, SOCK_STREAM, 0) => 3;
            setsockopt(3, SOL_TCP, TCP_NODELAY, number(1), 4) => 0;
            getsockopt(3, SOL_TCP, TCP_NODELAY, value, size) => 0;
            setsockopt(3, SOL_TCP, TCP_KEEPCNT, number(0), 4) => EINVAL;
            setsockopt(3, SOL_TCP, TCP_KEEPIDLE, number(60), 4) => 0;
            setsockopt(3, SOL_TCP, 9_999, number(1), 4) => ENOPROTOOPT;
            setsockopt(3, SOL_IP, IP_TTL, number(256), 4) => EINVAL;
            setsockopt(3, SOL_IP, IP_TTL, number(7), 4) => 0;
            setsockopt(3, SOL_UDP, UDP_SEGMENT, number(7), 4) => ENOPROTOOPT;
            setsockopt(3, SOL_SOCKET, SO_ACCEPTCONN, number(1), 4) => ENOPROTOOPT;
            setsockopt(3, SOL_SOCKET, SO_KEEPALIVE, BAD, 4) => EFAULT;
            setsockopt(3, SOL_SOCKET, SO_LINGER, number(1), 4) => EINVAL;
            getsockopt(3, SOL_SOCKET, SO_TYPE, value, size) => 0;
            close(3) => 0;
        }
    });
}

#[test]
fn who_waits_is_woken() {
    on_linux(|| {
        let buffer = room(16);
        expect! {
            socket(AF_INET, SOCK_STREAM, 0) => 3;
            bind(3, v4(7003), V4) => 0;
            listen(3, 5) => 0;
            socket(AF_INET, SOCK_STREAM, 0) => 4;
        }
        let accepts = Thread::waiting(move || {
            expect! { accept(3, 0, 0) => 5; read(5, buffer, 16) => 2; close(5) => 0; }
        });
        assert!(!accepts.has_ended());
        expect! { connect(4, v4(7003), V4) => 0; }
        give_way();
        assert!(!accepts.has_ended());
        expect! { write(4, b"hi", 2) => 2; }
        accepts.join();
        expect! { read(4, buffer, 16) => 0; close(4) => 0; close(3) => 0; }
    });
}
