//! Sockets: recvmsg(2), unix(7).

structure! {
    /// `struct msghdr`, recvmsg(2).
    MessageHeader 56 {
        msg_name: u64,
        msg_namelen: u32,
        padding: u32,
        msg_iov: u64,
        msg_iovlen: u64,
        msg_control: u64,
        msg_controllen: u64,
        msg_flags: u32,
        tail: u32,
    }
}

structure! {
    /// `struct cmsghdr`, cmsg(3).
    ControlHeader 16 {
        cmsg_len: u64,
        cmsg_level: i32,
        cmsg_type: i32,
    }
}

structure! {
    /// `struct ucred`, unix(7).
    UserCredentials 12 {
        pid: u32,
        uid: u32,
        gid: u32,
    }
}
