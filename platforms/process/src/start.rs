//! From the host's first instruction to [`machine::Kernel::main`].

use core::arch::global_asm;

use archive::Archive;
use launch::{Key, Launch};
use machine::{BootInfo, ExitReason, Protection, Record};
use sync::Once;

use crate::{
    arena::ARENA,
    auxiliary,
    block::{BOOT, FIRST_FRAME},
    control,
    host::{
        self, HostError, files,
        memory::{map_anywhere, protect},
        process, signal,
    },
    layout, pager, power, seccomp, signals,
};

// The host's stack pointer is kept in r12, the cycle counter in r13. Then the image relocates itself: the linker has
// packed the places that hold addresses as in `DT_RELR` (https://maskray.me/blog/2021-10-31-relative-relocations-and-relr):
// an even word is a place, an odd one is a bit for each of the 63 words that follow. As the image is linked to 0,
// each place wants the image's address added.
global_asm!(
    r#"
    .pushsection .text.whittle_start, "ax", @progbits
    .globl whittle_start
whittle_start:
    rdtsc
    shl rdx, 32
    lea r13, [rax + rdx]
    mov r12, rsp
    xor ebp, ebp
    lea rsi, [rip + __relr_start]
    lea rdi, [rip + __relr_end]
    lea rbx, [rip + __image_start]
2:  cmp rsi, rdi
    jae 6f
    mov rax, [rsi]
    add rsi, 8
    test al, 1
    jnz 3f
    lea rcx, [rbx + rax]
    add [rcx], rbx
    add rcx, 8
    jmp 2b
3:  mov rdx, rcx
4:  shr rax, 1
    jz 5f
    test al, 1
    jz 7f
    add [rdx], rbx
7:  add rdx, 8
    jmp 4b
5:  add rcx, 63 * 8
    jmp 2b
6:  lea rsp, [rip + {boot} + {first_frame}]
    mov rdi, r12
    mov rsi, r13
    call {start}
    ud2
    .popsection
"#,
    boot = sym BOOT,
    first_frame = const FIRST_FRAME,
    start = sym start,
);

const READ_ONLY: Protection = Protection { read: true, write: false, execute: false };
const NOTHING: Protection = Protection { read: false, write: false, execute: false };

/// `stack` is as the host left it, `entry_cycles` was taken at the first instruction.
extern "sysv64" fn start(stack: *const usize, entry_cycles: u64) -> ! {
    // SAFETY: the host's own stack pointer.
    let auxiliary = unsafe { auxiliary::read(stack) };
    if auxiliary.stop {
        process::stop();
    }
    let block = BOOT.block(auxiliary.base_instructions);
    let address = core::ptr::from_ref(block) as usize;
    if auxiliary.base_instructions {
        // SAFETY: the host says that the instruction exists, and the block is this processor's.
        unsafe { process::write_gs_base(address) };
    } else {
        // SAFETY: as above.
        must("set GS base", unsafe { process::set_gs_base(address) });
    }
    guard();
    let stack = block.signal_stack();
    // SAFETY: the block's signal stack is used for nothing else.
    must("set the signal stack", unsafe { signal::set_stack(stack.start, stack.len()) });
    must("set signal handlers", signals::set_handlers());
    let archive = map_archive();
    let launch = launch_record(archive);
    limit(archive, launch.number(Key::Memory));
    ARENA.lock().open(layout::plan(auxiliary.vdso, archive.as_ptr() as usize));
    isolate();
    contracts::kernel::main(BootInfo { archive, launch, command_line: "", entry_cycles })
}

/// Makes relocated constants read-only, and puts nothing below each stack.
fn guard() {
    // SAFETY: nobody writes relocated constants any more.
    must("protect constants", unsafe { protect(&layout::relocated(), READ_ONLY) });
    for page in BOOT.guards() {
        // SAFETY: nobody uses these pages.
        must("protect a stack", unsafe { protect(&page, NOTHING) });
    }
}

/// The boot archive, if the command passed one.
fn map_archive() -> &'static [u8] {
    let length = files::length(pager::ARCHIVE).unwrap_or(0);
    if length == 0 {
        return &[];
    }
    let address = must("map the boot archive", map_anywhere(length, pager::ARCHIVE));
    // SAFETY: a mapping of `length` bytes which nobody writes and nobody unmaps. The command changes the file no more.
    unsafe { core::slice::from_raw_parts(address as *const u8, length) }
}

/// The launch record, the archive's first entry; an empty one if there is none.
fn launch_record(archive: &'static [u8]) -> &'static Launch<'static> {
    #[inline(never)]
    fn read(archive: &'static [u8]) -> Launch<'static> {
        let first = Archive::new(archive).entries().next().and_then(Result::ok);
        let record = first.filter(|entry| entry.name == launch::ARCHIVE_NAME.as_bytes());
        Launch::new(record.map_or(&[], |entry| entry.contents))
    }
    static RECORD: Once<Launch<'static>> = Once::new();
    RECORD.call_once(|| read(archive))
}

/// Applies the memory limit of the launch record.
fn limit(archive: &[u8], limit: Option<u64>) {
    if let Some(bytes) = limit {
        must("limit memory", process::limit_memory(bytes.saturating_add(pager::SELDOM_USED)));
    }
    pager::set_up(archive.len(), limit);
}

/// From here on the program's system calls come to us, and the host's are only those on the list.
fn isolate() {
    match process::dispatch_system_calls(&host::instructions()) {
        Ok(()) => must("filter system calls", seccomp::install()),
        Err(HostError::INVALID) => {
            fail("this host's kernel has no Syscall User Dispatch (Linux 5.11 or later is needed); use --platform pc")
        }
        Err(error) => refused("dispatch system calls", error),
    }
}

fn must<T>(what: &str, result: Result<T, HostError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => refused(what, error),
    }
}

#[inline(never)]
fn refused(what: &str, HostError(number): HostError) -> ! {
    let mut sentence = control::Sentence::new();
    let _ = core::fmt::write(
        &mut sentence,
        format_args!("the host does not let us {what} (error {number}); use --platform pc"),
    );
    fail(sentence.text())
}

fn fail(sentence: &str) -> ! {
    control::record(Record::Error, sentence.as_bytes());
    power::exit(ExitReason::Failed)
}
