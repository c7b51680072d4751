//! Where things are: the address space and the image's own parts.

use core::ops::Range;

/// The image's virtual addresses are its physical ones plus this.
pub const KERNEL_BASE: usize = 0xffff_ffff_8000_0000;
/// All RAM is mapped at its physical address plus this.
pub const DIRECT_BASE: usize = 0xffff_8000_0000_0000;
/// Physical addresses the direct map has room for: 32 TB, up to the stacks.
pub const DIRECT_SIZE: usize = STACKS_BASE - DIRECT_BASE;
/// Kernel stacks of threads, each above a page that is never mapped.
pub const STACKS_BASE: usize = 0xffff_a000_0000_0000;
/// What processors other than the one that boots have of their own: see `per_cpu::area`.
pub const PROCESSORS_BASE: usize = 0xffff_a800_0000_0000;
/// Device registers and firmware tables are mapped at their physical address plus this, when somebody asks.
pub const DEVICE_BASE: usize = 0xffff_c000_0000_0000;
/// Physical addresses that the boot tables can reach, at [`KERNEL_BASE`].
pub const BOOT_MAP_SIZE: usize = 1 << 30;
/// Addresses an application may have. The first 64 KB stay empty, so that null pointers with an offset fault; the last
/// page too, so that no return address of `syscall` is non-canonical.
pub const USER: Range<usize> = 0x1_0000..0x7fff_ffff_f000;

macro_rules! symbols {
    ($($(#[$doc:meta])* $name:ident = $symbol:ident;)*) => {
        unsafe extern "C" { $(safe static $symbol: u8;)* }
        $($(#[$doc])* #[inline(always)] pub fn $name() -> usize { &raw const $symbol as usize })*
    };
}

symbols! {
    /// First address of kernel text.
    text_start = whittle_text_start;
    /// Behind kernel text.
    text_end = whittle_text_end;
    /// First address of constants.
    constants_start = whittle_constants_start;
    /// First address of data; constants end here.
    data_start = whittle_data_start;
    /// First of the stacks with their guard pages; data ends here.
    stacks_start = whittle_stacks_start;
    /// Behind everything of the image.
    image_end = whittle_image_end;
    /// The boot stack's top.
    boot_stack_top = whittle_boot_stack_top;
    /// The guard page of the first interrupt stack; the others follow.
    interrupt_stacks = whittle_interrupt_stacks;
}

/// Whether `address` lies in kernel text.
#[inline(always)]
pub fn in_kernel_text(address: usize) -> bool {
    (text_start()..text_end()).contains(&address)
}

/// Physical address of a part of the image.
pub fn image_physical(address: usize) -> usize {
    address - KERNEL_BASE
}

/// The first physical address of the image; the page at 1 MB holds the boot code.
pub const IMAGE_START: usize = 0x10_0000;

/// What runs before paging, for the assembler.
mod entry {
    core::arch::global_asm!(include_str!("boot/entry.s"), options(att_syntax));
}
