//! Sockets: socket(2), send(2), recv(2), getsockopt(2), unix(7).

choices! {
    /// Address families.
    ADDRESS_FAMILIES: u32 { AF_UNSPEC = 0, AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10, AF_NETLINK = 16, AF_PACKET = 17 }
}

flags! {
    /// Types of sockets, and the flags beside them.
    SOCKET_TYPES: u32 {
        SOCK_STREAM = 1 & 15, SOCK_DGRAM = 2 & 15, SOCK_RAW = 3 & 15, SOCK_SEQPACKET = 5 & 15,
        SOCK_NONBLOCK = 0x800, SOCK_CLOEXEC = 0x8_0000,
    }
}

flags! {
    /// Flags of send(2) and recv(2).
    MESSAGE_FLAGS: MessageFlags(u32) {
        MSG_OOB = 1, MSG_PEEK = 2, MSG_DONTROUTE = 4, MSG_CTRUNC = 8, MSG_TRUNC = 0x20, MSG_DONTWAIT = 0x40,
        MSG_EOR = 0x80, MSG_WAITALL = 0x100, MSG_ERRQUEUE = 0x2000, MSG_NOSIGNAL = 0x4000, MSG_MORE = 0x8000,
        MSG_WAITFORONE = 0x1_0000, MSG_CMSG_CLOEXEC = 0x4000_0000,
    }
}

choices! {
    /// What shutdown(2) ends.
    SHUTDOWN_WAYS: u32 { SHUT_RD = 0, SHUT_WR = 1, SHUT_RDWR = 2 }
}

choices! {
    /// Levels of getsockopt(2).
    SOCKET_LEVELS: u32 {
        SOL_IP = 0, SOL_SOCKET = 1, SOL_TCP = 6, SOL_UDP = 17, SOL_IPV6 = 41, SOL_ICMPV6 = 58, SOL_RAW = 255,
    }
}

choices! {
    /// Protocols of sockets of the Internet: ip(7).
    INTERNET_PROTOCOLS: u32 {
        IPPROTO_IP = 0, IPPROTO_ICMP = 1, IPPROTO_TCP = 6, IPPROTO_UDP = 17, IPPROTO_ICMPV6 = 58, IPPROTO_RAW = 255,
    }
}

choices! {
    /// Options at the level SOL_SOCKET.
    SOCKET_OPTIONS: u32 {
        SO_DEBUG = 1, SO_REUSEADDR = 2, SO_TYPE = 3, SO_ERROR = 4, SO_DONTROUTE = 5, SO_BROADCAST = 6, SO_SNDBUF = 7,
        SO_RCVBUF = 8, SO_KEEPALIVE = 9, SO_OOBINLINE = 10, SO_NO_CHECK = 11, SO_PRIORITY = 12, SO_LINGER = 13,
        SO_REUSEPORT = 15, SO_PASSCRED = 16, SO_PEERCRED = 17, SO_RCVLOWAT = 18, SO_SNDLOWAT = 19, SO_RCVTIMEO = 20,
        SO_SNDTIMEO = 21, SO_BINDTODEVICE = 25, SO_ATTACH_FILTER = 26, SO_DETACH_FILTER = 27, SO_TIMESTAMP = 29,
        SO_ACCEPTCONN = 30, SO_SNDBUFFORCE = 32, SO_RCVBUFFORCE = 33, SO_MARK = 36, SO_PROTOCOL = 38, SO_DOMAIN = 39,
        SO_BUSY_POLL = 46, SO_INCOMING_CPU = 49, SO_COOKIE = 57, SO_BINDTOIFINDEX = 62,
    }
}

choices! {
    /// Options at the level SOL_IP: ip(7).
    IP_OPTIONS: u32 {
        IP_TOS = 1, IP_TTL = 2, IP_PKTINFO = 8, IP_MTU_DISCOVER = 10, IP_RECVERR = 11, IP_RECVTTL = 12, IP_RECVTOS = 13,
        IP_MTU = 14, IP_FREEBIND = 15, IP_BIND_ADDRESS_NO_PORT = 24, IP_MULTICAST_IF = 32, IP_MULTICAST_TTL = 33,
        IP_MULTICAST_LOOP = 34, IP_ADD_MEMBERSHIP = 35, IP_DROP_MEMBERSHIP = 36, IP_ADD_SOURCE_MEMBERSHIP = 39,
        IP_DROP_SOURCE_MEMBERSHIP = 40, MCAST_JOIN_GROUP = 42, MCAST_LEAVE_GROUP = 45, IP_MULTICAST_ALL = 49,
    }
}

choices! {
    /// Options at the level SOL_IPV6: ipv6(7).
    IPV6_OPTIONS: u32 {
        IPV6_UNICAST_HOPS = 16, IPV6_MULTICAST_IF = 17, IPV6_MULTICAST_HOPS = 18, IPV6_MULTICAST_LOOP = 19,
        IPV6_ADD_MEMBERSHIP = 20, IPV6_DROP_MEMBERSHIP = 21, IPV6_MTU_DISCOVER = 23, IPV6_MTU = 24, IPV6_RECVERR = 25,
        IPV6_V6ONLY = 26, IPV6_MULTICAST_ALL = 29, IPV6_RECVPKTINFO = 49, IPV6_PKTINFO = 50, IPV6_RECVHOPLIMIT = 51,
        IPV6_HOPLIMIT = 52, IPV6_RECVTCLASS = 66, IPV6_TCLASS = 67,
    }
}

choices! {
    /// Options at the level SOL_TCP: tcp(7).
    TCP_OPTIONS: u32 {
        TCP_NODELAY = 1, TCP_MAXSEG = 2, TCP_CORK = 3, TCP_KEEPIDLE = 4, TCP_KEEPINTVL = 5, TCP_KEEPCNT = 6,
        TCP_SYNCNT = 7, TCP_LINGER2 = 8, TCP_DEFER_ACCEPT = 9, TCP_WINDOW_CLAMP = 10, TCP_INFO = 11, TCP_QUICKACK = 12,
        TCP_CONGESTION = 13, TCP_USER_TIMEOUT = 18, TCP_FASTOPEN = 23, TCP_TIMESTAMP = 24, TCP_NOTSENT_LOWAT = 25,
        TCP_ULP = 31,
    }
}

choices! {
    /// Options at the level SOL_UDP: udp(7).
    UDP_OPTIONS: u32 { UDP_CORK = 1, UDP_SEGMENT = 103, UDP_GRO = 104 }
}

values! { i32 {
    SCM_RIGHTS = 1,
    SCM_CREDENTIALS = 2,
} }

/// Most open files in one message (SCM_MAX_FD).
pub const SCM_MAX_FD: usize = 253;
