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
    SOCKET_LEVELS: u32 { SOL_SOCKET = 1 }
}

choices! {
    /// Options at the level SOL_SOCKET.
    SOCKET_OPTIONS: u32 {
        SO_REUSEADDR = 2, SO_TYPE = 3, SO_ERROR = 4, SO_BROADCAST = 6, SO_SNDBUF = 7, SO_RCVBUF = 8,
        SO_KEEPALIVE = 9, SO_PRIORITY = 12, SO_LINGER = 13, SO_REUSEPORT = 15, SO_PASSCRED = 16, SO_PEERCRED = 17,
        SO_RCVLOWAT = 18, SO_SNDLOWAT = 19, SO_RCVTIMEO = 20, SO_SNDTIMEO = 21, SO_TIMESTAMP = 29,
        SO_ACCEPTCONN = 30, SO_SNDBUFFORCE = 32, SO_RCVBUFFORCE = 33, SO_PROTOCOL = 38, SO_DOMAIN = 39,
    }
}

values! { i32 {
    SCM_RIGHTS = 1,
    SCM_CREDENTIALS = 2,
} }

/// Most open files in one message (SCM_MAX_FD).
pub const SCM_MAX_FD: usize = 253;
