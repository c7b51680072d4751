//! Making a process run a program: the first one, and in place of another.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::{mem, sync::atomic::Ordering};

use identity::SetIds;
use kernel::{memory::AddressSpace, task};
use linux_abi::constants::{SIGCHLD, SIGSEGV, TASK_COMM_LEN};
use machine::{ExitReason, Record};

use super::{
    cpuid, layout, load,
    prepare::{self, Executable, Prepared},
    refusal::Refusal,
    stack,
};
use crate::{
    Errno, current,
    objects::{
        ability, children, end,
        files::{self, ProgramFile},
        process::{Program, Strings, apart, change_program, kin::FAMILIES},
        text::fill,
        threads,
        time::notice,
    },
    process,
};

/// A program to run, as execve(2) is told.
#[derive(Clone, Default)]
pub struct Wish {
    /// Its path.
    pub path: Vec<u8>,
    /// Its file and that one's path, where a descriptor named it: nothing is looked for then.
    pub file: Option<ProgramFile>,
    /// Its arguments, its own name first.
    pub arguments: Strings,
    /// `NAME=value` strings.
    pub environment: Strings,
}

/// The program's first instruction and the stack pointer there.
pub struct First {
    /// The instruction's address.
    pub entry: usize,
    /// The stack pointer.
    pub stack: usize,
}

/// Loads the first program of a process that has an empty address space, or ends it.
pub fn first(wish: &mut Wish) -> First {
    let begin = |mut prepared: Prepared<'_>| {
        if ability::programs() {
            become_program(&mut prepared);
        }
        load(&mut prepared)
    };
    prepare::prepare(wish).and_then(begin).unwrap_or_else(|refusal| {
        cannot_run(&wish.path, &refusal);
        end::machine(refusal.exit_reason())
    })
}

#[cold]
#[inline(never)]
fn cannot_run(path: &[u8], refusal: &Refusal) {
    if contracts::config().report {
        kernel::error!("cannot run {}: {refusal}", crate::objects::text::lossy(path));
        return;
    }
    let mut line = [b"cannot run ", path].concat();
    fill(&mut line, ": error # of errno(3)", &[refusal.errno().number().into()]);
    contracts::console::record(Record::Error, &line);
}

/// Makes the current process another program; answers where that begins. An error leaves everything as it was; what
/// fails behind the point of no return ends the process, as on Linux.
pub fn replace(wish: &mut Wish) -> Result<First, Errno> {
    let mut prepared = prepare::prepare(wish).map_err(|refusal| {
        kernel::debug!("execve: {refusal}");
        refusal.errno()
    })?;
    let elsewhere = elsewhere()?;
    threads::become_only()?;
    forget_old_program(elsewhere);
    become_program(&mut prepared);
    load(&mut prepared).map_err(|refusal| {
        cannot_run(&prepared.wish.path, &refusal);
        end::process(ExitReason::Killed(SIGSEGV))
    })
}

/// A space for the new program, if another process has the old one's too.
fn elsewhere() -> Result<Option<Arc<AddressSpace>>, Errno> {
    if !process().shares_space() {
        return Ok(None);
    }
    AddressSpace::new(process().randomize.load(Ordering::Relaxed)).map(Some).map_err(|_| Errno::ENOMEM)
}

/// The old program's memory goes, or is left to those who share it.
fn forget_memory(elsewhere: Option<Arc<AddressSpace>>) {
    let Some(space) = elsewhere else {
        return crate::space().clear(process().randomize.load(Ordering::Relaxed));
    };
    let shown = process().shown.lock().take();
    drop(shown);
    task::replace_space(space);
    *process().kin().sharers.lock() = None;
    children::give_back(process());
}

/// The point of no return: memory, handlers and descriptors of the old program go.
fn forget_old_program(elsewhere: Option<Arc<AddressSpace>>) {
    forget_memory(elsewhere);
    if ability::processes() {
        FAMILIES.lock().execute(process().id, SIGCHLD);
    }
    if ability::apart() {
        apart::unshare_files();
    }
    let closed = crate::objects::process::descriptors().close_on_execute();
    closed.into_iter().for_each(files::locking::closed);
    crate::objects::process::process_signals().reset_handlers();
    notice::delete_all();
    let contexts = mem::take(&mut *process().asynchronous.lock());
    drop(contexts);
    let thread = current();
    thread.signals.lock().forget_program();
    thread.clear_child_id.store(0, Ordering::Relaxed);
    thread.robust_list.store(0, Ordering::Relaxed);
    *thread.sleep.lock() = None;
    contracts::processor::set_thread_pointer(0);
    instruction_set::vector::reset();
}

/// What the process may do follows the new program, and it may be looked into again unless its ids are two users'.
fn become_program(prepared: &mut Prepared<'_>) {
    let ids = prepared.program.image.ids;
    let is_shared = ids != SetIds::default() && apart::has_others_location();
    let mut identity = crate::objects::process::identity();
    let old = identity.capabilities.permitted;
    prepared.secure = identity.execute(ids, is_shared);
    let same = identity.user.real == identity.user.effective && identity.group.real == identity.group.effective;
    let gains = !old.holds(identity.capabilities.permitted);
    process().is_dumpable.store(same && !gains, Ordering::Relaxed);
    if gains || prepared.secure {
        current().death_signal.store(0, Ordering::Relaxed);
    }
}

/// Loads a program into the current, empty address space. Takes its arguments and environment over at the end.
#[inline(never)]
fn load(prepared: &mut Prepared<'_>) -> Result<First, Box<Refusal>> {
    let space = crate::space();
    let randomize = process().randomize.load(Ordering::Relaxed);
    let plan = &prepared.program.plan;
    let load_address = layout::load_address(plan, space, randomize)?;
    let program_end = load_address.wrapping_add(plan.end() as usize);
    let program_entry = load_address.wrapping_add(plan.entry as usize);
    // Named before it is loaded, so that a report about a failure names it.
    change_program(&mut |program| name(program, prepared));
    load::segments(&prepared.program, load_address, space)?;
    let break_start = layout::break_start(program_end, space, randomize);
    space.set_break_start(break_start);
    // Behind that, so that nothing of it stands in the heap's way.
    cpuid::answer(&prepared.program, load_address, space);
    let linker = prepared.interpreter.as_ref().map(|linker| load_linker(linker, space)).transpose()?;
    let places = stack::Places { load_address, linker: linker.as_ref().map_or(0, |linker| linker.load_address) };
    let mut stack = stack::build(prepared, &places, space, randomize)?;
    change_program(&mut |program| {
        program.arguments = mem::take(&mut prepared.wish.arguments);
        program.environment = mem::take(&mut prepared.wish.environment);
        program.auxiliary = mem::take(&mut stack.auxiliary);
        program.entry = program_entry;
        program.break_start = break_start;
        program.stack_start = stack.pointer;
        program.arguments_start = stack.arguments;
    });
    Ok(First { entry: linker.map_or(program_entry, |linker| linker.entry), stack: stack.pointer })
}

/// A dynamic linker in memory.
struct Linker {
    load_address: usize,
    entry: usize,
}

/// Loads it among the mappings.
fn load_linker(linker: &Executable, space: &AddressSpace) -> Result<Linker, Box<Refusal>> {
    let load_address = layout::linker_address(&linker.plan, space)?;
    load::segments(linker, load_address, space)?;
    cpuid::answer(linker, load_address, space);
    Ok(Linker { load_address, entry: load_address.wrapping_add(linker.plan.entry as usize) })
}

fn name(program: &mut Program, prepared: &Prepared<'_>) {
    let name = prepared.wish.path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    program.executable = Arc::from(prepared.program.image.reference.path());
    program.name = crate::objects::text::lossy(&name[..name.len().min(TASK_COMM_LEN - 1)]).into();
}
