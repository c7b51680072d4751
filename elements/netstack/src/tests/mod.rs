//! Stacks in virtual time: frames between two of them, and frames made by hand.

mod arp;
mod attacks;
mod dhcp;
mod echo;
mod errors;
mod fragments;
mod groups;
mod lite;
mod multicast;
mod near;
mod neighbours;
mod raw;
mod routing;
mod tcp;
mod udp;
mod world;
