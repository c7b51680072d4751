//! The image `linux` for process: every part that is in it, and the slots it fills.
//!
//! Written by `whittle build` whenever whittle.toml changes; `whittle eject` makes it yours.
#![no_std]
#![no_main]
#![allow(unsafe_code)] // Filling a slot defines a link-time symbol.
#![allow(clippy::type_complexity)] // The boot stages are one type.

// linux: system calls for an unmodified Linux program
contracts::provide_application!(linux::Linux);
linux::provide_system_calls!(all);

// process: a Linux process: the host's kernel is the machine
contracts::provide_boot!(process::Boot<(
    process::stage::Traps, process::stage::Memory, process::stage::Isolation,
)>);

// backtrace: registers and a backtrace of the kernel's death
#[panic_handler]
fn panic(information: &core::panic::PanicInfo) -> ! { process::panic(information) }

// core: the kernel core: memory, threads, timers, and Rust's allocator on the heap
contracts::provide_kernel!(kernel::Core);
#[global_allocator]
static GLOBAL: contracts::heap::Global = contracts::heap::Global;

// dispatch: the program's system calls by Syscall User Dispatch, the kernel's own on a seccomp list (a boot stage, above)
contracts::provide_processor!(process::Processor);

// early-paged: a small region first, then size classes over the kernel's pages
contracts::provide_heap!(heap::Early<16_384, heap::SizeClass<kernel::memory::KernelPages, kernel::memory::EachProcessor, { <kernel::memory::EachProcessor as heap::Processors>::COUNT }>> = heap::Early::new(heap::SizeClass::new()));

// framed: the host's descriptors without ever waiting in them, records and the exit on a socket to the command
contracts::provide_console!(process::Console);
contracts::provide_power!(process::Power);

// host-files: the host's directories that the command has opened
contracts::provide_shares!(process::HostFiles);

// host-random: the host's random bytes
contracts::provide_entropy!(process::Entropy);

// host-sockets: sockets of the host's, for what leaves the machine
contracts::provide_outside!(process::HostSockets);

// links: TAP devices, passt and datagram sockets that the command has opened, as network interfaces
contracts::provide_nic!(process::HostNics);

// mapped: regions of the program one to one on the host's mappings (a boot stage, above)
contracts::provide_kernel_memory!(process::KernelMemory);
contracts::provide_memory_report!(process::MemoryReport);
contracts::provide_translations!(process::Translations);
contracts::provide_user_memory!(process::UserMemory);

// network-told: a network as the command says: a TCP/IP stack over interfaces, or the host's sockets for what leaves the machine
contracts::provide_sockets!(net::Divided<net::Network<net::Chosen<true, true, true, true, true, true, net::Cubic>, net::Away>> = net::Divided::new(net::Network::new(net::Away, "10.0.2.15/24 auto", "10.0.2.2", "10.0.2.3")));

// no-volumes: the machine has no disks
contracts::provide_volumes!(fs::NoVolumes);

// priority: 99 fixed priorities as POSIX has them, and a fair share of the rest for all other threads
contracts::provide_scheduler!(sched::Priority<sched::fair::Queue<contracts::scheduler::Monotonic, 3000>, contracts::scheduler::Monotonic, 16, 100_000>);

// system-clock: the host's clocks
contracts::provide_clock!(process::Clock);

// traps: signals of the host: faults, alarms, and those that people send (a boot stage, above)
contracts::provide_alarm!(process::Alarm);

// whole-tree: the whole tree: the host's files or the archive's, disks, /dev, /proc and /sys; what is written stays in memory
contracts::provide_root!(fs::WholeTree);

// What is settled when the image is built
contracts::provide_config!(contracts::config::Config { processes: true, ..contracts::config::Config::DEFAULT });
