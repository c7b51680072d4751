//! The image `linux` for pc: every part that is in it, and the slots it fills.
//!
//! Written by `whittle build` whenever whittle.toml changes; `whittle eject` makes it yours.
#![no_std]
#![no_main]
#![allow(unsafe_code)] // Filling a slot defines a link-time symbol.
#![allow(clippy::type_complexity)] // The boot stages are one type.

// linux: system calls for an unmodified Linux program
contracts::provide_application!(linux::Linux);
linux::provide_system_calls!(all);

// pc: a virtual machine: QEMU's microvm and q35, KVM, Firecracker
contracts::provide_boot!(pc::Boot<(
    pc::stage::Traps, pc::stage::Memory, pc::stage::Entropy, pc::stage::SystemCalls, pc::stage::Interrupts,
    pc::stage::Devices, pc::stage::Nics, pc::stage::Time, pc::stage::Shares,
)>);

// apic: the interrupt controllers and the APIC timer (a boot stage, above)
contracts::provide_alarm!(pc::Alarm);

// backtrace: registers and a backtrace of the kernel's death
#[panic_handler]
fn panic(information: &core::panic::PanicInfo) -> ! { pc::panic(information) }

// chacha: ChaCha20, seeded by the command and by RDRAND (a boot stage, above)
contracts::provide_entropy!(pc::Entropy);

// core: the kernel core: memory, threads, timers, and Rust's allocator on the heap
contracts::provide_kernel!(kernel::Core);
#[global_allocator]
static GLOBAL: contracts::heap::Global = contracts::heap::Global;

// early-paged: a small region first, then size classes over the kernel's pages
contracts::provide_heap!(heap::Early<16_384, heap::SizeClass<kernel::memory::KernelPages, kernel::memory::EachProcessor, { <kernel::memory::EachProcessor as heap::Processors>::COUNT }>> = heap::Early::new(heap::SizeClass::new()));

// frame-bitmap: page frames by a bit each: least bookkeeping; runs are searched for
contracts::provide_frames!(frames::Bitmap);

// framed: a virtio console with the command at its other end: streams, terminal, signals, records, the exit (a boot stage, above)
contracts::provide_console!(pc::Console);
contracts::provide_power!(pc::Power);

// links: network interfaces over virtio-net, looked for when the first one is asked for (a boot stage, above)
contracts::provide_nic!(pc::Nics);

// network-told: a network as the command says: a TCP/IP stack over interfaces, or the host's sockets for what leaves the machine
contracts::provide_sockets!(net::Divided<net::Network<net::Chosen<true, true, true, true, true, true, net::Cubic>, net::Away>> = net::Divided::new(net::Network::new(net::Away, "10.0.2.15/24 auto", "10.0.2.2", "10.0.2.3")));

// no-volumes: the machine has no disks
contracts::provide_volumes!(fs::NoVolumes);

// nobody: no sockets of a host's: what leaves the machine are its own packets
contracts::provide_outside!(sockets::Nobody);

// paging: page frames and four-level page tables, filled as pages are touched (a boot stage, above)
contracts::provide_kernel_memory!(pc::KernelMemory);
contracts::provide_memory_report!(pc::MemoryReport);
contracts::provide_translations!(pc::Translations);
contracts::provide_user_memory!(pc::UserMemory);

// priority: 99 fixed priorities as POSIX has them, and a fair share of the rest for all other threads
contracts::provide_scheduler!(sched::Priority<sched::fair::Queue<contracts::scheduler::Monotonic, 3000>, contracts::scheduler::Monotonic, 16, 100_000>);

// rings: a program at ring 0 or 3, and its SYSCALL instruction (a boot stage, above)
contracts::provide_processor!(pc::Processor);

// system-clock: the time stamp counter, its frequency asked for or measured (a boot stage, above)
contracts::provide_clock!(pc::Clock);

// traps: segments, vectors and interrupt stacks (a boot stage, above)

// virtio-9p: directories of the host over virtio-9p, looked for when one is opened (a boot stage, above)
contracts::provide_shares!(pc::Shares);

// whole-tree: the whole tree: the host's files or the archive's, disks, /dev, /proc and /sys; what is written stays in memory
contracts::provide_root!(fs::WholeTree);

// What is settled when the image is built
contracts::provide_config!(contracts::config::Config { processes: true, ..contracts::config::Config::DEFAULT });
