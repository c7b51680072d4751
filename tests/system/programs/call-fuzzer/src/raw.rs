//! System calls by their instruction, and the ways into a thread. Nothing here needs a stack that is whole,
//! thread-local storage or registers that the kernel gave back: a call may be interrupted by a handler that changed
//! them all.

use std::arch::global_asm;

global_asm!(
    r#"
    // rdi: number and six arguments. All that the caller holds lies on the stack meanwhile.
    .macro call_with_all_saved
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    pushfq
    mov rax, [rdi]
    mov rsi, [rdi + 16]
    mov rdx, [rdi + 24]
    mov r10, [rdi + 32]
    mov r8, [rdi + 40]
    mov r9, [rdi + 48]
    mov rdi, [rdi + 8]
    syscall
    .endm

    .globl fuzzer_call
    .globl fuzzer_after
fuzzer_call:
    call_with_all_saved
fuzzer_after:
    popfq
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    push 0x1f80
    ldmxcsr [rsp]
    pop rcx
    ret

    // The same for calls that make a thread, whose stack may be anywhere: it asks for a turn and ends.
    .globl fuzzer_clone
fuzzer_clone:
    call_with_all_saved
    test rax, rax
    jnz fuzzer_after
    mov eax, 24
    syscall
    .globl fuzzer_leave
fuzzer_leave:
    mov eax, 60
    xor edi, edi
    syscall
    jmp fuzzer_leave

    // rdi: flags, rsi: top of the stack, rdx: the worker's number. Answers in the maker only.
    .globl fuzzer_spawn
fuzzer_spawn:
    push r12
    mov r12, rdx
    xor edx, edx
    xor r10d, r10d
    xor r8d, r8d
    mov eax, 56
    syscall
    test rax, rax
    jz fuzzer_worker
    pop r12
    ret

    // A worker's beginning, with its number in r12 and its stack in rsp.
    .globl fuzzer_worker
fuzzer_worker:
    cld
    xor ebp, ebp
    mov rdi, r12
    and rsp, -16
    push 0x1f80
    ldmxcsr [rsp]
    pop rax
    call {work}
    jmp fuzzer_leave

    .globl fuzzer_restore
fuzzer_restore:
    mov eax, 15
    syscall
"#,
    work = sym crate::work::work
);

unsafe extern "C" {
    fn fuzzer_call(words: *const [u64; 7]) -> i64;
    fn fuzzer_clone(words: *const [u64; 7]) -> i64;
    fn fuzzer_spawn(flags: u64, stack: u64, worker: u64) -> i64;
    fn fuzzer_after();
    fn fuzzer_leave();
    fn fuzzer_worker();
    fn fuzzer_restore();
}

const CLONE: u64 = 56;
const CLONE3: u64 = 435;

/// Makes a system call: number and arguments.
pub fn make(words: &[u64; 7]) -> i64 {
    // Sound for this program: what a call may do to memory, `tame` keeps from everything but the arena.
    unsafe {
        if !matches!(words[0], CLONE | CLONE3) {
            return fuzzer_call(words);
        }
        // The new thread has no stack for handlers: it is born with all signals but SIGTERM blocked.
        let mut sets = [!(1_u64 << 14), 0_u64];
        fuzzer_call(&[14, 2, &raw const sets[0] as u64, &raw mut sets[1] as u64, 8, 0, 0]);
        let answer = fuzzer_clone(words);
        fuzzer_call(&[14, 2, &raw const sets[1] as u64, 0, 8, 0, 0]);
        answer
    }
}

/// Makes a call of fewer arguments.
pub fn call<const N: usize>(number: u64, arguments: [u64; N]) -> i64 {
    let mut words = [0; 7];
    words[0] = number;
    words[1..=N].copy_from_slice(&arguments);
    make(&words)
}

/// SCHED_FIFO.
pub const FIFO: u64 = 1;

/// Gives the calling thread a class and a priority in it.
pub fn set_scheduler(class: u64, priority: u32) {
    call(144, [0, class, &raw const priority as u64]);
}

/// Starts a worker; answers its thread's number.
pub fn spawn(stack: u64, worker: u64) -> i64 {
    // CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM. Sound: each worker's stack is its own, and it never returns.
    unsafe { fuzzer_spawn(0x5_0f00, stack, worker) }
}

/// The address behind a system call.
pub fn after() -> u64 {
    fuzzer_after as *const () as u64
}
/// That of code that ends the thread.
pub fn leave() -> u64 {
    fuzzer_leave as *const () as u64
}
/// That of code that begins as the worker that r12 names.
pub fn worker() -> u64 {
    fuzzer_worker as *const () as u64
}
/// That of a handler's end.
pub fn restore() -> u64 {
    fuzzer_restore as *const () as u64
}
