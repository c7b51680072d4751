//! `/proc/sys/net`: settings that programs ask for, as they are here. None can be changed.

use fs::proc::NETWORK_SETTINGS;
use vfs::pseudo::{Entry, Item, Listing};

macro_rules! value {
    ($name:literal, $text:literal) => {
        Entry::new($name, Item::Fixed(concat!($text, "\n")))
    };
}

/// The directory.
pub static ALL: Listing = Listing::new(&[
    Entry::new("core", NETWORK_SETTINGS),
    Entry::new("ipv4", Item::Directory(&V4)),
    Entry::new("ipv6", Item::Directory(&V6)),
]);

static V4: Listing = Listing::new(&[
    value!("icmp_echo_ignore_all", "0"),
    value!("ip_default_ttl", "64"),
    value!("ip_forward", "0"),
    value!("ip_local_port_range", "32768\t60999"),
    value!("ip_local_reserved_ports", ""),
    value!("ip_nonlocal_bind", "0"),
    value!("ip_unprivileged_port_start", "1024"),
    value!("ping_group_range", "0\t2147483647"),
    value!("tcp_available_congestion_control", "cubic"),
    value!("tcp_allowed_congestion_control", "cubic"),
    value!("tcp_congestion_control", "cubic"),
    value!("tcp_fastopen", "0"),
    value!("tcp_fin_timeout", "60"),
    value!("tcp_keepalive_intvl", "75"),
    value!("tcp_keepalive_probes", "9"),
    value!("tcp_keepalive_time", "7200"),
    value!("tcp_max_syn_backlog", "256"),
    value!("tcp_moderate_rcvbuf", "1"),
    value!("tcp_no_metrics_save", "1"),
    value!("tcp_retries2", "15"),
    value!("tcp_rmem", "4096\t131072\t6291456"),
    value!("tcp_sack", "1"),
    value!("tcp_syn_retries", "6"),
    value!("tcp_syncookies", "1"),
    value!("tcp_timestamps", "1"),
    value!("tcp_tw_reuse", "2"),
    value!("tcp_window_scaling", "1"),
    value!("tcp_wmem", "4096\t16384\t4194304"),
    value!("udp_rmem_min", "4096"),
    value!("udp_wmem_min", "4096"),
]);

static V6: Listing = Listing::new(&[
    value!("bindv6only", "0"),
    Entry::new("conf", Item::Directory(&CONFIGURATION)),
    value!("ip_nonlocal_bind", "0"),
]);

static CONFIGURATION: Listing =
    Listing::new(&[Entry::new("all", Item::Directory(&OF_ALL)), Entry::new("default", Item::Directory(&OF_ALL))]);
static OF_ALL: Listing = Listing::new(&[value!("disable_ipv6", "0"), value!("forwarding", "0")]);
