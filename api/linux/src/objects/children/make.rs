//! Making a process: fork(2), vfork(2), clone(2).

use alloc::sync::Arc;
use core::sync::atomic::Ordering;

use kernel::{
    memory::AddressSpace,
    task::{self, Resources, Thread},
};
use linux_abi::{
    Errno, UserAddress,
    constants::{CloneFlags, OpenFlags, RLIMIT_NPROC},
};
use machine::Context;
use vfs::Shows;

use crate::{
    Process, Result, current,
    objects::{
        events, files,
        process::{KEY, LinuxThread, Wish, kin::FAMILIES, table},
        user,
    },
    process,
};

/// Worlds of one's own, which nobody here may make.
const WORLDS: CloneFlags = CloneFlags::CLONE_NEWCGROUP
    .union(CloneFlags::CLONE_NEWIPC)
    .union(CloneFlags::CLONE_NEWNET)
    .union(CloneFlags::CLONE_NEWNS)
    .union(CloneFlags::CLONE_NEWPID)
    .union(CloneFlags::CLONE_NEWTIME)
    .union(CloneFlags::CLONE_NEWUSER)
    .union(CloneFlags::CLONE_NEWUTS);

/// Most processes at once, whatever limit a user has (`/proc/sys/kernel/pid_max` is Linux' word for it).
const MOST: usize = 32_768;

/// Makes a process that goes on behind the system call, with 0 as its answer. Answers its id; of one that borrows this
/// one's memory (CLONE_VFORK), when it has given that back.
pub fn make(wish: &Wish) -> Result {
    check(wish)?;
    if !kernel::memory::reserve::fill() {
        return Err(Errno::ENOMEM);
    }
    let maker = &current().process;
    let (space, shown) = space(wish)?;
    let id = table::take_id();
    let child = Arc::new(Process::made_by(maker, id));
    *child.shown.lock() = shown;
    prepare(&child, wish);
    let thread = thread(&child, space, wish)?;
    task::count_processor_time();
    FAMILIES.lock().add(id, maker.id, wish.has(CloneFlags::CLONE_PARENT), wish.signal).ok_or(Errno::EAGAIN)?;
    let parent = FAMILIES.lock().parent(id).unwrap_or(table::FIRST);
    child.parent.store(parent, Ordering::Relaxed);
    table::add(&child);
    child.threads.lock().add(Arc::clone(&thread));
    if let Err(error) = tell(&child, wish) {
        child.threads.lock().remove(id);
        table::remove(id);
        FAMILIES.lock().forget(id);
        return Err(error);
    }
    task::start(thread);
    if wish.has(CloneFlags::CLONE_VFORK) {
        wait_for_memory(&child);
    }
    Ok(id as usize)
}

/// An address space, and what files know it by, if any do.
type Known = (Arc<AddressSpace>, Option<Arc<dyn Shows>>);

/// The child's.
fn space(wish: &Wish) -> core::result::Result<Known, Errno> {
    if wish.has(CloneFlags::CLONE_VM) {
        files::show_here();
        return Ok((task::space_of(task::current()), process().shown.lock().clone()));
    }
    let (space, shown) = files::duplicate_space().map_err(|_| Errno::ENOMEM)?;
    Ok((space, Some(shown)))
}

fn check(wish: &Wish) -> core::result::Result<(), Errno> {
    if wish.flags.intersects(WORLDS) {
        return Err(Errno::EPERM);
    }
    if wish.has(CloneFlags::CLONE_PIDFD) && wish.has(CloneFlags::CLONE_DETACHED) {
        return Err(Errno::EINVAL);
    }
    let most = process().limits.lock()[RLIMIT_NPROC as usize].rlim_cur;
    let most = usize::try_from(most).unwrap_or(MOST).min(MOST);
    let count = table::count();
    let is_privileged = crate::objects::process::identity().user.real == 0;
    if count >= MOST || count >= most && !is_privileged { Err(Errno::EAGAIN) } else { Ok(()) }
}

/// What the flags change of the child before it runs.
fn prepare(child: &Process, wish: &Wish) {
    if wish.has(CloneFlags::CLONE_SIGHAND) {
        let shared = crate::objects::process::process_signals().share();
        *child.signals.lock() = shared;
    }
    if wish.clears_handlers {
        child.signals.lock().reset_handlers();
    }
    child.kin().adjustment.store(process().kin().adjustment.load(Ordering::Relaxed), Ordering::Relaxed);
    child.kin().borrows.store(wish.has(CloneFlags::CLONE_VFORK), Ordering::Relaxed);
    child.kin().left_terminal.store(process().kin().left_terminal.load(Ordering::Relaxed), Ordering::Relaxed);
    if wish.has(CloneFlags::CLONE_CHILD_SETTID) {
        child.kin().child_id.store(wish.child_id.0, Ordering::Relaxed);
    }
    if wish.has(CloneFlags::CLONE_VM) {
        let sharers = Arc::clone(process().kin().sharers.lock().get_or_insert_with(|| Arc::new(())));
        *child.kin().sharers.lock() = Some(sharers);
    }
}

/// The child's first thread.
fn thread(child: &Arc<Process>, space: Arc<AddressSpace>, wish: &Wish) -> core::result::Result<Arc<Thread>, Errno> {
    let registers = task::application_registers();
    let rsp = if wish.stack == 0 { registers.rsp } else { wish.stack as u64 };
    let context = Context { rax: 0, entry: Context::NO_SYSTEM_CALL, rsp, ..registers };
    let thread_pointer =
        if wish.has(CloneFlags::CLONE_SETTLS) { wish.thread_pointer } else { contracts::processor::thread_pointer() };
    let linux = LinuxThread::first_of_child(Arc::clone(child), wish);
    if wish.has(CloneFlags::CLONE_CHILD_CLEARTID) {
        linux.clear_child_id.store(wish.child_id.0, Ordering::Relaxed);
    }
    let resources = Resources::new(&KEY, linux);
    task::spawn_to_begin(space, resources, thread_pointer, &context, begin).map_err(|_| Errno::EAGAIN)
}

/// What a child's first thread does before it goes on in the program.
fn begin() -> ! {
    let address = process().kin().child_id.load(Ordering::Relaxed);
    if address != 0 {
        // Linux passes a bad address over.
        let _ = user::write_struct(UserAddress(address), &process().id);
    }
    task::enter_application()
}

/// Writes what the maker is to find.
fn tell(child: &Arc<Process>, wish: &Wish) -> core::result::Result<(), Errno> {
    if wish.has(CloneFlags::CLONE_PARENT_SETTID) {
        user::write_struct(wish.parent_id, &child.id)?;
    }
    if wish.has(CloneFlags::CLONE_PIDFD) {
        let node = Arc::new(events::PidFd::new(child));
        let number = events::open(node, b"anon_inode:[pidfd]", OpenFlags::O_CLOEXEC)?;
        user::write_struct(wish.descriptor, &(number as u32))?;
    }
    Ok(())
}

/// Sleeps until a child no longer runs in this process' memory, or the thread is to end.
fn wait_for_memory(child: &Process) {
    let this = current();
    task::sleep_on(&this.process.kin().changed, &mut || {
        !child.kin().borrows.load(Ordering::SeqCst) || this.killed.load(Ordering::SeqCst)
    });
}
