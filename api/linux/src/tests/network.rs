//! netlink(7), netdevice(7), raw(7), icmp(7), and options beyond those of every stream, over the machine's own loop.

use std::{string::String, vec::Vec};

use linux_abi::constants as c;

use super::{machine::on_linux, names::*, program::*};

const V4: usize = 16;

/// 127.0.0.1, with a port.
fn v4(port: u16) -> usize {
    put(&[&(AF_INET as u16).to_le_bytes()[..], &port.to_be_bytes(), &[127, 0, 0, 1], &[0; 8]].concat())
}

fn number(value: u32) -> usize {
    put(&value.to_le_bytes())
}

/// A request of rtnetlink: its kind, for a list.
fn request(kind: u16) -> usize {
    let header = [&20_u32.to_le_bytes()[..], &kind.to_le_bytes(), &0x301_u16.to_le_bytes(), &7_u32.to_le_bytes()];
    put(&[&header.concat()[..], &[0; 8]].concat())
}

#[test]
fn rtnetlink_lists_interfaces_and_refuses_what_would_change_them() {
    on_linux(|| {
        let buffer = room(4096);
        expect! {
            socket(c::AF_NETLINK, SOCK_STREAM, 0) => ESOCKTNOSUPPORT;
            socket(c::AF_NETLINK, SOCK_RAW, 16) => EPROTONOSUPPORT;
            socket(c::AF_NETLINK, SOCK_RAW, 0) => 3;
            bind(3, put(&[16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 12) => 0;
            bind(3, v4(1), V4) => EINVAL;
            recvfrom(3, buffer, 4096, MSG_DONTWAIT, 0, 0) => EAGAIN;
            sendto(3, request(18), 20, 0, 0, 0) => 20;
        }
        let length = must!(recvfrom(3, buffer, 4096, MSG_PEEK | MSG_TRUNC, 0, 0));
        expect! { recvfrom(3, buffer, 4096, 0, 0, 0) => length; }
        let bytes = load(buffer, length);
        assert_eq!((u16::from_le_bytes([bytes[4], bytes[5]]), &bytes[8..12]), (16, &7_u32.to_le_bytes()[..]));
        assert!(String::from_utf8_lossy(&bytes).contains("lo\0"));
        let change = request(16);
        expect! {
            sendto(3, change, 20, 0, 0, 0) => 20;
            recvfrom(3, buffer, 4096, 0, 0, 0) => 36 + 4;
            sendto(3, change, 20, 0, put(&[16, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]), 12) => ECONNREFUSED;
            socket(c::AF_NETLINK, SOCK_DGRAM, c::NETLINK_KOBJECT_UEVENT) => 4;
            fcntl(4, F_SETFL, O_NONBLOCK) => 0;
            read(4, buffer, 16) => EAGAIN;
            close(4) => 0;
            close(3) => 0;
        }
        assert_eq!(load(buffer + 16, 4), (-1_i32).to_le_bytes(), "EPERM");
    });
}

/// A `struct ifreq`.
fn named(name: &str) -> usize {
    let mut bytes = Vec::from(name.as_bytes());
    bytes.resize(40, 0);
    put(&bytes)
}

#[test]
fn interfaces_are_known_by_name_and_number() {
    on_linux(|| {
        let (lo, none) = (named("lo"), named("eth7"));
        let list = put(&[80_u64, room(80) as u64].map(u64::to_le_bytes).concat());
        expect! {
            socket(AF_INET, SOCK_DGRAM, 0) => 3;
            ioctl(3, c::SIOCGIFINDEX, lo) => 0;
            ioctl(3, c::SIOCGIFINDEX, none) => ENODEV;
            ioctl(3, c::SIOCGIFINDEX, BAD) => EFAULT;
            ioctl(3, c::SIOCGIFCONF, list) => 0;
            ioctl(3, c::SIOCSIFADDR, lo) => EPERM;
            ioctl(3, 0x89ff, lo) => ENOTTY;
        }
        assert_eq!((half(lo + 16), half(list)), (1, 40));
        expect! {
            ioctl(3, c::SIOCGIFNAME, lo) => 0;
            ioctl(3, c::SIOCGIFFLAGS, lo) => 0;
        }
        assert_eq!(load(lo, 19), [&b"lo"[..], &[0; 14], &[0x49, 0, 0]].concat(), "up, loopback, running");
        expect! { ioctl(3, c::SIOCGIFADDR, lo) => 0; }
        assert_eq!(load(lo + 16, 8), [2, 0, 0, 0, 127, 0, 0, 1]);
        expect! {
            setsockopt(3, SOL_SOCKET, c::SO_BINDTODEVICE, b"lo\0", 3) => 0;
            setsockopt(3, SOL_SOCKET, c::SO_BINDTODEVICE, b"eth7", 4) => ENODEV;
            close(3) => 0;
        }
    });
}

#[test]
fn a_ping_socket_hears_its_echo_and_no_other() {
    on_linux(|| {
        let buffer = room(64);
        expect! {
            socket(AF_INET, SOCK_DGRAM, c::IPPROTO_ICMP) => 3;
            sendto(3, b"\x08\0\0\0\0\0\0\x01hello", 13, 0, v4(0), V4) => 13;
            recvfrom(3, buffer, 64, 0, 0, 0) => 13;
            sendto(3, b"\x03\0\0\0\0\0\0\x01", 8, 0, v4(0), V4) => EINVAL;
            recvfrom(3, buffer, 64, MSG_DONTWAIT, 0, 0) => EAGAIN;
            socket(AF_INET, SOCK_RAW, 253) => 4;
            sendto(4, b"raw", 3, 0, v4(0), V4) => 3;
        }
        assert_eq!((load(buffer, 2), load(buffer + 6, 7)), (Vec::from([0, 0]), b"\0\x01hello".to_vec()));
        expect! { recvfrom(4, buffer, 64, 0, 0, 0) => 23; }
        assert_eq!((load(buffer, 1), load(buffer + 20, 3)), (Vec::from([0x45]), b"raw".to_vec()), "with its header");
        expect! { close(4) => 0; close(3) => 0; }
    });
}

#[test]
fn options_are_limited_kept_and_told() {
    on_linux(|| {
        let (value, size) = (room(256), number(256));
        expect! {
            socket(AF_INET, SOCK_STREAM, 0) => 3;
            getsockopt(3, c::SOL_IPV6, c::IPV6_V6ONLY, value, size) => EOPNOTSUPP;
            setsockopt(3, c::SOL_IPV6, c::IPV6_V6ONLY, number(1), 4) => ENOPROTOOPT;
            setsockopt(3, SOL_SOCKET, c::SO_RCVBUF, number(1), 4) => 0;
            getsockopt(3, SOL_SOCKET, c::SO_RCVBUF, value, size) => 0;
        }
        assert_eq!((half(value), half(size)), (2304, 4));
        expect! {
            setsockopt(3, SOL_SOCKET, c::SO_SNDBUF, number(1 << 30), 4) => 0;
            getsockopt(3, SOL_SOCKET, c::SO_SNDBUF, value, size) => 0;
        }
        assert_eq!(half(value), 425_984);
        expect! {
            setsockopt(3, SOL_SOCKET, c::SO_BUSY_POLL, number(50), 4) => 0;
            getsockopt(3, SOL_SOCKET, c::SO_BUSY_POLL, value, size) => 0;
        }
        assert_eq!(half(value), 50);
        store(size, &256_u32.to_le_bytes());
        expect! {
            getsockopt(3, SOL_TCP, c::TCP_INFO, value, size) => 0;
            setsockopt(3, SOL_TCP, c::TCP_FASTOPEN, number(5), 4) => EOPNOTSUPP;
            setsockopt(3, SOL_TCP, c::TCP_CONGESTION, b"cubic\0", 6) => 0;
            setsockopt(3, SOL_TCP, c::TCP_CONGESTION, b"bbr", 3) => ENOENT;
        }
        assert_eq!((load(value, 1)[0], half(size)), (7, 248), "TCP_CLOSE, and as long as Linux 6.12 has it");
        expect! { close(3) => 0; }
    });
}

/// 5 bytes, of which 3 are discarded unread, and a descriptor that is closed while bytes are on their way.
#[test]
fn bytes_are_discarded_and_lingered_for() {
    on_linux(|| {
        let buffer = room(16);
        expect! {
            socket(AF_INET, SOCK_STREAM, 0) => 3;
            bind(3, v4(7011), V4) => 0;
            listen(3, 5) => 0;
            socket(AF_INET, SOCK_STREAM, 0) => 4;
            connect(4, v4(7011), V4) => 0;
            accept(3, 0, 0) => 5;
            setsockopt(4, SOL_SOCKET, SO_LINGER, &[1_u32, 5], 8) => 0;
            write(4, b"hello", 5) => 5;
            recvfrom(5, BAD, 3, MSG_TRUNC, 0, 0) => 3;
            ioctl(5, c::FIONREAD, buffer) => 0;
        }
        assert_eq!(half(buffer), 2);
        expect! {
            read(5, buffer, 16) => 2;
            ioctl(4, c::TIOCOUTQ, buffer) => 0;
        }
        assert_eq!(half(buffer), 0);
        expect! {
            close(4) => 0;
            read(5, buffer, 16) => 0;
            close(5) => 0;
            close(3) => 0;
        }
    });
}

/// A message that nobody takes is told with all that ICMP said of it, and by the error once.
#[test]
fn what_failed_is_told_to_who_wants_to_know() {
    on_linux(|| {
        let (control, bytes, name) = (room(128), room(16), room(16));
        let vector = put(&[bytes, 16].map(usize::to_le_bytes).concat());
        let message = put(&[name, 16, vector, 1, control, 128, 0].map(usize::to_le_bytes).concat());
        expect! {
            socket(AF_INET, SOCK_DGRAM, 0) => 3;
            setsockopt(3, SOL_IP, c::IP_RECVERR, number(1), 4) => 0;
            recvmsg(3, message, 0x2000) => EAGAIN;
            sendto(3, b"lost", 4, 0, v4(9), V4) => 4;
            recvfrom(3, bytes, 16, 0, 0, 0) => ECONNREFUSED;
            recvmsg(3, message, 0x2000) => 4;
            recvmsg(3, message, 0x2000) => EAGAIN;
            close(3) => 0;
        }
        assert_eq!((load(bytes, 4), load(name, 8)), (b"lost".to_vec(), Vec::from([2, 0, 0, 9, 127, 0, 0, 1])));
        let told = load(control, 16 + 16 + 8);
        assert_eq!(told[16..24], [111, 0, 0, 0, 2, 3, 3, 0], "ECONNREFUSED, by ICMP, 3, 3");
        assert_eq!(told[32..40], [2, 0, 0, 0, 127, 0, 0, 1]);
        assert_eq!(half(message + 48) & 0x2000, 0x2000);
    });
}

/// What a file says, as text.
fn text(path: &str) -> String {
    let buffer = room(4096);
    expect! { open(path, O_RDONLY, 0) => 3; }
    let length = must!(read(3, buffer, 4096));
    expect! { close(3) => 0; }
    String::from_utf8(load(buffer, length)).unwrap()
}

#[test]
fn files_tell_of_interfaces_sockets_and_settings() {
    on_linux(|| {
        assert!(text("/proc/net/dev").contains("\n    lo: "));
        assert_eq!(text("/proc/net/if_inet6"), "00000000000000000000000000000001 01 80 10 80       lo\n");
        assert!(text("/proc/self/net/route").starts_with("Iface\tDestination"));
        assert_eq!(text("/sys/class/net/lo/mtu"), "65536\n");
        assert_eq!(text("/sys/class/net/lo/statistics/tx_errors"), "0\n");
        assert_eq!(text("/proc/sys/net/ipv4/tcp_fastopen"), "0\n");
        assert_eq!(text("/proc/sys/net/core/somaxconn"), "4096\n");
        assert!(text("/proc/net/snmp").contains("\nTcp: 1 200 120000 "));
        expect! {
            open("/sys/class/net/eth7/mtu", O_RDONLY, 0) => ENOENT;
            socket(AF_INET, SOCK_STREAM, 0) => 3;
            bind(3, v4(7012), V4) => 0;
            listen(3, 5) => 0;
            dup2(3, 9) => 9;
            close(3) => 0;
        }
        let line = String::from(text("/proc/net/tcp").lines().nth(1).unwrap());
        assert!(line.starts_with("   0: 0100007F:1B64 00000000:0000 0A 00000000:00000000 "), "{line}");
        expect! { close(9) => 0; }
    });
}
