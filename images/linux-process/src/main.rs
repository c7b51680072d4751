//! The image that runs an unmodified Linux program as a Linux process: which part fills which slot.
#![no_std]
#![no_main]
// Filling a slot defines a link-time symbol.
#![allow(unsafe_code)]

use heap::Tlsf;

contracts::provide_alarm!(process::Alarm);
contracts::provide_application!(linux::Linux);
contracts::provide_boot!(process::Boot<(process::stage::Traps, process::stage::Memory, process::stage::Isolation)>);
contracts::provide_clock!(process::Clock);
contracts::provide_config!(Config::DEFAULT);
contracts::provide_console!(process::Console);
contracts::provide_entropy!(process::Entropy);
contracts::provide_heap!(Tlsf<kernel::memory::KernelPages>);
contracts::provide_kernel!(kernel::Core);
contracts::provide_pager!(process::Pager);
contracts::provide_power!(process::Power);
contracts::provide_processor!(process::Processor);
contracts::provide_user_memory!(process::UserMemory);
linux::provide_system_calls!(all);

#[global_allocator]
static GLOBAL: contracts::heap::Global = contracts::heap::Global;

#[panic_handler]
fn panic(information: &core::panic::PanicInfo) -> ! {
    process::panic(information)
}
