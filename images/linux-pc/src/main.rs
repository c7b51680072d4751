//! The image that runs an unmodified Linux program on pc: which part fills which slot.
#![no_std]
#![no_main]
// Filling a slot defines a link-time symbol.
#![allow(unsafe_code)]

use heap::Tlsf;

contracts::provide_alarm!(pc::Alarm);
contracts::provide_application!(linux::Linux);
contracts::provide_boot!(
    pc::Boot<(
        pc::stage::Traps,
        pc::stage::Memory,
        pc::stage::SystemCalls,
        pc::stage::Time,
        pc::stage::Entropy,
        pc::stage::Interrupts,
        pc::stage::Devices
    )>
);
contracts::provide_clock!(pc::Clock);
contracts::provide_config!(Config::DEFAULT);
contracts::provide_console!(pc::Console);
contracts::provide_entropy!(pc::Entropy);
contracts::provide_heap!(Tlsf<kernel::memory::KernelPages>);
contracts::provide_kernel!(kernel::Core);
contracts::provide_pager!(pc::Pager);
contracts::provide_power!(pc::Power);
contracts::provide_processor!(pc::Processor);
contracts::provide_user_memory!(pc::UserMemory);
linux::provide_system_calls!(all);

#[global_allocator]
static GLOBAL: contracts::heap::Global = contracts::heap::Global;

#[panic_handler]
fn panic(information: &core::panic::PanicInfo) -> ! {
    pc::panic(information)
}
