//! Sockets within the machine: unix(7).

pub mod accept;
pub mod accept4;
pub mod bind;
pub mod connect;
pub mod getpeername;
pub mod getsockname;
pub mod getsockopt;
pub mod listen;
pub mod recvfrom;
pub mod recvmmsg;
pub mod recvmsg;
pub mod sendmmsg;
pub mod sendmsg;
pub mod sendto;
pub mod setsockopt;
pub mod shutdown;
#[expect(clippy::module_inception, reason = "a file has the name of its system call")]
pub mod socket;
pub mod socketpair;
