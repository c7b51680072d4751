//! The Internet protocols without an operating system.
//!
//! A [`Stack`] is all of it: interfaces with Ethernet or without, neighbours (ARP, RFC 4861), IPv4 and IPv6 with
//! fragments, ICMP, groups, addresses that configure themselves, UDP and UDP-Lite, raw sockets, and TCP from its own
//! element. It is pure: each call says what time it is, packets come and go through vectors, and randomness comes from
//! one secret. So two stacks talk in a test, in virtual time, and repeat themselves.
//!
//! Which protocols an image has is said by a type ([`Parts`]): what is not named folds away.
//!
//! # What is not here
//! Forwarding: a packet for somebody else is dropped and counted. Redirects are ignored. Mobile IP, IPsec, jumbograms.
//! Filters of groups by source, IGMPv1. DHCPv6 asks for servers of names alone. Names are looked up by the
//! element `resolver`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod address;
mod bucket;
mod complaint;
mod configuration;
mod delivery;
pub mod dhcp;
pub mod dhcpv6;
mod error;
mod extensions;
mod groups;
pub mod icmp;
pub mod interface;
mod ip;
pub mod neighbours;
mod own;
mod parts;
pub mod path_mtu;
pub mod raw;
pub mod reassembly;
pub mod routes;
mod schedule;
mod secret;
mod slab;
mod software;
mod stack;
mod statistics;
mod template;
#[cfg(test)]
mod tests;
pub mod udp;
mod usual;
mod ways;

pub use address::Prefix;
pub use complaint::Complaint;
pub use delivery::{Arrived, Cast, Cutting, Delivery, Departure, Header, Told, Way};
pub use error::{Error, Failure};
pub use interface::Medium;
pub use ip::{Ip, Server};
pub use nic::{Attributes, Offloads};
pub use packets::{Bytes, Instant, Packet, ethernet::Address};
pub use parts::{Everything, OnlyUdp, Parts};
pub use secret::Secret;
pub use slab::Handle;
pub use stack::Stack;
pub use statistics::{IcmpStatistics, InterfaceStatistics, IpStatistics, UdpStatistics};
