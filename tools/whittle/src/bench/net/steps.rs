//! Which step of a packet's way an instruction belongs to: in ours by the source file, in Linux by the function's name.

use std::collections::BTreeMap;

use crate::inspect::Lines;

/// Steps, as in the budget of the network's design.
pub const STEPS: [&str; 10] = [
    "device and its rings",
    "interrupt, polling, idling",
    "link and IP",
    "TCP and UDP",
    "packet memory",
    "sockets and calls",
    "threads, waking, timers, clock",
    "copies and checksums",
    "the rest",
    "the program itself, not in the sum",
];
const DEVICE: usize = 0;
const INTERRUPT: usize = 1;
const IP: usize = 2;
const TRANSPORT: usize = 3;
const MEMORY: usize = 4;
const SOCKETS: usize = 5;
const THREADS: usize = 6;
const COPIES: usize = 7;
const REST: usize = 8;
/// The program and its standard library, which Linux' kernel does not have either.
pub const PROGRAM: usize = 9;

/// Beginnings of files' names, from the repository's root; the first that fits.
const FILES: [(&str, usize); 27] = [
    ("elements/packets/src/checksum", COPIES),
    ("elements/packets", MEMORY),
    ("elements/heap", MEMORY),
    ("contracts/src/heap", MEMORY),
    ("elements/virtio", DEVICE),
    ("platforms/virtio", DEVICE),
    ("contracts/src/nic", DEVICE),
    ("elements/nic", DEVICE),
    ("api/rust/src/nic", DEVICE),
    ("kernel/core/src/task/look", INTERRUPT),
    ("kernel/core/src/trap", INTERRUPT),
    ("platforms/pc", INTERRUPT),
    ("architecture", INTERRUPT),
    ("elements/netstack/src/udp", TRANSPORT),
    ("elements/netstack", IP),
    ("elements/tcp", TRANSPORT),
    ("kernel/net", SOCKETS),
    ("elements/sockets", SOCKETS),
    ("api/rust/src/net", PROGRAM),
    ("api/rust/src/io", PROGRAM),
    // It does itself what a network stack would.
    ("apps/key-value/src/frame", IP),
    ("apps", PROGRAM),
    ("kernel/core", THREADS),
    ("elements/sched", THREADS),
    ("elements/sync", THREADS),
    ("elements/timers", THREADS),
    ("api/rust/src/thread", THREADS),
];

/// Pieces of names of Linux' functions (`-` before one: it begins the name); the first that fits.
const NAMES: [(usize, &str); 8] = [
    (
        DEVICE,
        "virtnet virtqueue vring -vp_ xmit_skb start_xmit receive_buf page_to_skb skb_to_sgvec -sg_ \
         dev_hard try_fill free_old_xmit -detach_buf",
    ),
    (INTERRUPT, "irq napi gro_ _gro net_rx apic -asm_ sysvec interrupt error_entry error_return msi idle -handle_"),
    (COPIES, "copy csum -memcpy -memset -memmove iov_ checksum -memcmp"),
    (
        TRANSPORT,
        "-tcp -__tcp -udp -__udp inet_csk inet_ehash inet_lookup _lookup_established -inet_unhash \
         -inet_hash -__inet",
    ),
    (
        IP,
        "-ip_ -__ip -ipv4 fib -rt_ route neigh -arp dev_queue -sch_ fifo qdisc netif_ validate_xmit -eth_ \
         -nf_ -dst_ -ipv4_ -packet_ -dev_ -__dev xfrm -inet_send -inet_recv -__qdisc icmp",
    ),
    (MEMORY, "kmem kmalloc kfree slab skb alloc page -sk_mem -__sk_mem -free_ -put_cpu vfree"),
    (
        THREADS,
        "wake sched -pick_ enqueue dequeue -update_ switch -ttwu -ep_ -__ep timer tick ktime clock tsc \
         -rcu -__rcu -place_ -set_next -put_prev -check_preempt -resched -finish_task -prepare_task \
         -select_task -available_idle jiffies -cpuacct -cgroup -account -try_to -calc_",
    ),
    (
        SOCKETS,
        "sock -__x64 -__sys -do_sys SYSCALL syscall -fget -__fget -fput -vfs_ -security -apparmor -aa_ \
         -move_addr -import_ -sk_ -file -ksys -read -write -new_sync -rw_verify -fsnotify -sys_ \
         -__get_user -__put_user",
    ),
];

/// The step of a Linux function.
fn of_name(name: &str) -> usize {
    let fits =
        |piece: &str| piece.strip_prefix('-').map_or_else(|| name.contains(piece), |begin| name.starts_with(begin));
    NAMES.iter().find(|(_, pieces)| pieces.split_ascii_whitespace().any(fits)).map_or(REST, |(step, _)| *step)
}

/// The step of a file of ours, from the repository's root.
fn of_file(file: &str) -> Option<usize> {
    FILES.iter().find(|(begin, _)| file.starts_with(begin)).map(|(_, step)| *step)
}

/// Who knows which step an address belongs to, if it is the kernel's, and what it is called.
pub trait Map {
    /// Step and name.
    fn at(&self, address: u64) -> Option<(usize, String)>;
}

/// Linux' symbols, as /proc/kallsyms has them.
pub struct Kallsyms(BTreeMap<u64, String>);

/// Where the kernel's half of addresses begins.
pub const KERNEL: u64 = 1 << 63;

impl Kallsyms {
    /// Reads lines `ADDRESS TYPE NAME`.
    pub fn new(text: &str) -> Self {
        let line = |line: &str| {
            let mut words = line.split_ascii_whitespace();
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            let is_code = matches!(words.next()?, "t" | "T" | "w" | "W");
            is_code.then(|| Some((address, words.next()?.to_owned())))?
        };
        Self(text.lines().filter_map(line).collect())
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.0.keys().all(|&address| address == 0)
    }
}

impl Map for Kallsyms {
    fn at(&self, address: u64) -> Option<(usize, String)> {
        let (_, name) = self.0.range(..=address).next_back().filter(|_| address >= KERNEL)?;
        Some((of_name(name), name.clone()))
    }
}

/// An image of ours: all of it is kernel, the program too.
pub struct Image<'a>(pub Lines<'a>);

impl Map for Image<'_> {
    fn at(&self, address: u64) -> Option<(usize, String)> {
        let frames = self.0.whole_frames(address);
        let name = frames.last().map_or("(assembly)", |frame| &frame.name).to_owned();
        let files = || frames.iter().filter_map(|frame| frame.file.as_deref()?.strip_prefix("/whittle/"));
        let is_copy = ["memcpy", "memset", "memmove", "memcmp"].iter().any(|copy| name.contains(copy));
        let step = if is_copy { Some(COPIES) } else { files().find_map(of_file) };
        Some((step.unwrap_or(if frames.is_empty() { INTERRUPT } else { REST }), name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_linux_have_their_steps() {
        let steps = [
            "virtnet_poll",
            "napi_gro_receive",
            "tcp_ack",
            "ip_rcv",
            "kmem_cache_free",
            "__x64_sys_recvfrom",
            "schedule",
        ];
        assert_eq!(steps.map(of_name), [DEVICE, INTERRUPT, TRANSPORT, IP, MEMORY, SOCKETS, THREADS]);
        assert_eq!(of_name("prandom_u32"), REST);
    }

    #[test]
    fn only_the_kernels_addresses_count() {
        let symbols = Kallsyms::new("ffffffff81000000 T ip_rcv\nffffffff81000100 d data\n0000000000001000 T user\n");
        assert_eq!(symbols.at(0xffff_ffff_8100_0180), Some((IP, "ip_rcv".into())));
        assert_eq!(symbols.at(0x1010), None);
        assert!(Kallsyms::new("0000000000000000 T ip_rcv\n").is_empty());
    }

    #[test]
    fn files_of_ours_have_their_steps() {
        assert_eq!(of_file("elements/netstack/src/udp/send.rs"), Some(TRANSPORT));
        assert_eq!(of_file("elements/netstack/src/ip/output.rs"), Some(IP));
        assert_eq!(of_file("apps/key-value/src/frame.rs"), Some(IP));
        assert_eq!(of_file("apps/key-value/src/table.rs"), Some(PROGRAM));
        assert_eq!(of_file("tools/none"), None);
    }
}
