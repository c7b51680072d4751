//! What the kernel keeps per processor (here: per host thread), found through GS, and the stacks of the first one.
//! Those of the others: [`super::smp`].

use core::{
    arch::asm,
    cell::UnsafeCell,
    mem::offset_of,
    ops::Range,
    ptr,
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst},
};

use machine::{CONTEXT_ROOM, PAGE_SIZE};

use super::seat::{Moves, Seat, several};
use crate::host::frame::Frame;

/// Bytes of a kernel stack.
pub const KERNEL_STACK: usize = 64 << 10;
/// Bytes of the stack signal handlers run on: the host's signal frame (11 KB with AMX), and resolving a page fault.
pub const SIGNAL_STACK: usize = 64 << 10;

/// A processor's own words. `entry/way.rs` reads some by offset.
///
/// Only this processor and signal handlers on it use most of them, so no order of memory accesses is asked for.
/// Others use [`Block::pending`] and [`Block::host`].
#[derive(Debug, Default)]
#[repr(C)]
pub struct Block {
    /// This block's address.
    pub this: AtomicUsize,
    /// Whether work is pending: see [`machine::Processor::mark_pending`].
    pub pending: AtomicBool,
    /// Where the program goes on, for the last jump out of the kernel.
    pub exit_address: AtomicU64,
    /// The program's registers at the top of the current thread's kernel stack.
    pub context: AtomicUsize,
    /// The kernel's word.
    pub thread: AtomicUsize,
    /// See [`machine::ThreadResources`].
    pub key: AtomicUsize,
    /// The same.
    pub resources: AtomicUsize,
    /// Its number; the first one is 0.
    pub number: AtomicUsize,
    /// The last fault of the program, from the handler to the kernel's entry.
    pub fault: FaultWords,
    /// Whether RDGSBASE and its relatives exist.
    pub has_base_instructions: AtomicBool,
    /// The host's numbers of this process, in the upper half, and of this thread; 0 as long as nobody else may ask.
    /// One word: who calls this processor while it goes to another host thread must find a pair that belongs together.
    host: AtomicU64,
    /// Turns of waiting for other processors.
    pub turns: AtomicU32,
    /// Whether a frame to the command is half written.
    pub sends: AtomicBool,
    /// Whether the kernel is in the host's function that reads a clock: see [`crate::clock::now`].
    pub reads_clock: AtomicBool,
    /// [`SIGN`]: a call of the kernel that finds it here has this block in GS, and not what a program has put there.
    pub sign: AtomicUsize,
    /// Where it is, and goes, where there may be several address spaces.
    pub moves: Moves,
}

/// What stands in [`Block::sign`]: bytes of no address, and not of ours alone by accident.
pub const SIGN: usize = 0x5768_6974;

/// A fault as the host told it.
#[derive(Debug, Default)]
#[repr(C)]
pub struct FaultWords {
    /// Signal number.
    pub signal: AtomicU32,
    /// The processor's vector.
    pub vector: AtomicU32,
    /// The processor's error code.
    pub error: AtomicU32,
    /// The address touched.
    pub address: AtomicUsize,
}

impl Block {
    /// All zeros.
    pub const fn new() -> Self {
        Self {
            this: AtomicUsize::new(0),
            pending: AtomicBool::new(false),
            exit_address: AtomicU64::new(0),
            context: AtomicUsize::new(0),
            thread: AtomicUsize::new(0),
            key: AtomicUsize::new(0),
            resources: AtomicUsize::new(0),
            number: AtomicUsize::new(0),
            fault: FaultWords {
                signal: AtomicU32::new(0),
                vector: AtomicU32::new(0),
                error: AtomicU32::new(0),
                address: AtomicUsize::new(0),
            },
            has_base_instructions: AtomicBool::new(false),
            host: AtomicU64::new(0),
            turns: AtomicU32::new(0),
            sends: AtomicBool::new(false),
            reads_clock: AtomicBool::new(false),
            sign: AtomicUsize::new(0),
            moves: Moves::new(),
        }
    }

    /// The host's numbers of the process and of the thread that is this processor.
    pub fn host(&self) -> (u32, u32) {
        let word = self.host.load(SeqCst);
        ((word >> 32) as u32, word as u32)
    }

    /// Notes them.
    pub fn set_host(&self, process: u32, thread: u32) {
        self.host.store(u64::from(process) << 32 | u64::from(thread), SeqCst);
    }

    /// The seat that this processor is on.
    #[inline(always)]
    pub fn seat(&self) -> &'static Seat {
        if several() {
            return self.moves.seat();
        }
        // SAFETY: a processor of a machine with one space has its seat before its block (`Home`), for ever.
        unsafe { &*ptr::from_ref(self).byte_sub(offset_of!(Home, block)).cast() }
    }

    /// Notes what each processor's block begins with. `stack_top` is that of its kernel stack.
    pub fn prepare(&self, number: usize, stack_top: usize, has_base_instructions: bool) {
        self.this.store(core::ptr::from_ref(self) as usize, Relaxed);
        self.sign.store(SIGN, Relaxed);
        self.number.store(number, Relaxed);
        self.context.store(stack_top - CONTEXT_ROOM, Relaxed);
        self.has_base_instructions.store(has_base_instructions, Relaxed);
    }

    /// Takes the pending mark away, before a look at what it stands for. An exchange, because another processor that
    /// still finds the mark counts on that look.
    pub fn take_pending(&self) -> bool {
        self.pending.swap(false, SeqCst)
    }

    /// Addresses of the current thread's kernel stack and its guard page.
    pub fn kernel_stack(&self) -> Range<usize> {
        let top = self.context.load(Relaxed) + CONTEXT_ROOM;
        top - KERNEL_STACK - PAGE_SIZE..top
    }

    /// Addresses of the signal stack.
    pub fn signal_stack(&self) -> Range<usize> {
        self.seat().signal_stack()
    }
}

/// What lies behind the signal stack of a host thread that a processor begins on. The seat is first: see [`of`].
#[derive(Debug, Default)]
#[repr(C)]
pub struct Home {
    /// Its seat.
    pub seat: Seat,
    /// The processor's block.
    pub block: Block,
}

impl Home {
    /// All zeros.
    pub const fn new() -> Self {
        Self { seat: Seat::new(), block: Block::new() }
    }

    /// Makes both ready. `stack_top` is that of the processor's kernel stack.
    pub fn prepare(&'static self, number: usize, stack_top: usize, has_base_instructions: bool) -> &'static Block {
        self.block.prepare(number, stack_top, has_base_instructions);
        if several() {
            self.seat.begin_with(&self.block);
        }
        &self.block
    }
}

/// This processor's block.
#[inline(always)]
pub fn current() -> &'static Block {
    let address: *const Block;
    // SAFETY: GS base is set before anyone asks, and the program's changes to it are undone when the kernel is entered.
    // Blocks live for ever.
    unsafe {
        asm!("mov {}, gs:[{offset}]", out(reg) address, offset = const offset_of!(Block, this),
             options(pure, readonly, nostack, preserves_flags));
        &*address
    }
}

/// The seat that a handler runs on: it lies right behind the signal stack, whose place the host remembers.
pub fn seat_of(frame: &Frame) -> &'static Seat {
    // SAFETY: the host wrote this address, and whoever set the signal stack put the seat there for ever.
    unsafe { &*(frame.signal_stack_end() as *const Seat) }
}

/// The block of the processor that a handler runs on; none if no processor is on this host thread now.
#[inline(always)]
pub fn of(frame: &Frame) -> Option<&'static Block> {
    if several() {
        return seat_of(frame).processor();
    }
    // SAFETY: without further spaces a processor is where it began, where its block lies behind its seat for ever.
    Some(unsafe { &(*(frame.signal_stack_end() as *const Home)).block })
}

/// The first processor's stacks, seat and block. The seat lies right behind the signal stack: a handler finds it by the
/// address the host tells it, not by a register that the program could have changed.
#[repr(C, align(4096))]
pub struct Boot {
    kernel_guard: UnsafeCell<[u8; PAGE_SIZE]>,
    kernel: UnsafeCell<[u8; KERNEL_STACK]>,
    signal_guard: UnsafeCell<[u8; PAGE_SIZE]>,
    signal: UnsafeCell<[u8; SIGNAL_STACK]>,
    home: Home,
}

// SAFETY: no Rust code looks into the stacks; the block is made of atomics.
unsafe impl Sync for Boot {}

/// Bytes from the start of [`BOOT`] to where the first stack frame begins: below the program's registers.
pub const FIRST_FRAME: usize = offset_of!(Boot, kernel) + KERNEL_STACK - CONTEXT_ROOM;

/// The first processor's.
pub static BOOT: Boot = Boot {
    kernel_guard: UnsafeCell::new([0; PAGE_SIZE]),
    kernel: UnsafeCell::new([0; KERNEL_STACK]),
    signal_guard: UnsafeCell::new([0; PAGE_SIZE]),
    signal: UnsafeCell::new([0; SIGNAL_STACK]),
    home: Home::new(),
};

impl Boot {
    /// The block, made ready.
    pub fn block(&'static self, has_base_instructions: bool) -> &'static Block {
        self.home.prepare(0, self.stack_top(), has_base_instructions)
    }

    /// The first processor's block.
    pub const fn first(&self) -> &Block {
        &self.home.block
    }

    /// The top of the kernel stack.
    pub fn stack_top(&self) -> usize {
        self.kernel.get() as usize + KERNEL_STACK
    }

    /// The pages that end a stack which grows too far.
    pub fn guards(&self) -> [Range<usize>; 2] {
        [self.kernel_guard.get(), self.signal_guard.get()].map(|guard| guard as usize..guard as usize + PAGE_SIZE)
    }
}
