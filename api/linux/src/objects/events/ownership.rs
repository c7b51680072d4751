//! Signal-driven I/O (fcntl(2), "Managing signals"): who owns an open file is sent a signal when that becomes ready.
//!
//! Whoever makes a file ready may hold locks of its own. So it notes that only, and a thread of the kernel's looks and
//! sends.

use alloc::{
    collections::VecDeque,
    sync::{Arc, Weak},
    task::Wake,
    vec::Vec,
};
use core::{
    any::Any,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use identity::Ids;
use kernel::task::{self, KernelThread};
use linux_abi::{
    Errno,
    constants::{
        F_OWNER_PGRP, F_OWNER_PID, F_OWNER_TID, POLL_ERR, POLL_HUP, POLL_IN, POLL_OUT, POLL_PRI, POLLERR, POLLHUP,
        POLLIN, POLLOUT, POLLPRI, POLLRDBAND, POLLRDHUP, POLLRDNORM, POLLWRBAND, POLLWRNORM, SI_KERNEL, SIGIO, SIGURG,
    },
    structures::{FileOwner, SignalInformation},
};
use sync::{Mutex, WaitQueue, Watcher};
use vfs::Node;

use crate::{
    Process,
    objects::{
        descriptors::{Description, Watching},
        files::poll,
        process::{kin::FAMILIES, table},
        signals::{send_to_process, send_to_thread},
    },
};

/// Who is sent signals.
#[derive(Clone, Default)]
enum Owner {
    #[default]
    Nobody,
    Thread(Weak<Process>, i32),
    Process(Weak<Process>),
    Group(u32),
}

/// What is asked for about an open file.
#[derive(Clone, Default)]
struct Wish {
    owner: Owner,
    /// Real and effective user of who said so, who has to be allowed to send.
    sender: Ids,
    /// Sent in place of SIGIO, with what has happened; 0 for SIGIO, without.
    signal: u8,
    /// The descriptor to be told of where signals are wanted (O_ASYNC).
    told: Option<i32>,
    /// What held when it was looked at last.
    events: u16,
}

/// An open file with an owner.
struct Owned {
    /// Until it is closed: who sends looks at the node, but never has it last.
    node: Mutex<Option<Arc<dyn Node>>>,
    wish: Mutex<Wish>,
    /// Something has happened.
    changed: AtomicBool,
    watcher: Mutex<Option<Watcher<dyn Node>>>,
}

impl Wake for Owned {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.changed.swap(true, SeqCst) {
            // There is room for each that there is.
            CHANGED.lock().push_back(Arc::clone(self));
            BELL.wake_all();
        }
    }
}

/// How many there are.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Those that have changed, with room for all.
static CHANGED: Mutex<VecDeque<Arc<Owned>>> = Mutex::new(VecDeque::new());
/// Rings for the thread that sends.
static BELL: WaitQueue = WaitQueue::new();
/// Whether there is that thread.
static SENDS: AtomicBool = AtomicBool::new(false);

fn find(description: &Description) -> Option<Arc<Owned>> {
    downcast(description.closing.own(None)?)
}

fn downcast(own: Arc<dyn Watching>) -> Option<Arc<Owned>> {
    let own: Arc<dyn Any + Send + Sync> = own;
    own.downcast().ok()
}

/// Changes what is asked for about an open file.
fn change(description: &Description, change: &mut dyn FnMut(&mut Wish)) {
    let own = description.closing.own(Some(&mut || {
        let node = Mutex::new(Some(Arc::clone(description.node.counted())));
        let count = COUNT.fetch_add(1, SeqCst) + 1;
        // Beside those that have been closed and are not out yet.
        CHANGED.lock().reserve(count);
        Arc::new(Owned { node, wish: Mutex::default(), changed: AtomicBool::new(false), watcher: Mutex::default() })
    }));
    if let Some(owned) = own.and_then(downcast) {
        change(&mut owned.wish.lock());
    }
}

impl Watching for Owned {
    fn closed(&self, _number: i32, _description: &Description) {
        COUNT.fetch_sub(1, SeqCst);
        // Out of the queue, which keeps the waker and so what is gone.
        let watcher = self.watcher.lock().take();
        let node = self.node.lock().take();
        drop((watcher, node));
    }
}

/// Watches an open file from now on, if it has an owner or is asked for signals.
fn watch(description: &Description) -> Result<(), Errno> {
    let Some(owned) = find(description) else { return Ok(()) };
    if !SENDS.swap(true, SeqCst) && KernelThread::spawn("signals of files", send_for_ever).is_err() {
        SENDS.store(false, SeqCst);
        return Err(Errno::EINVAL);
    }
    let mut watcher = owned.watcher.lock();
    if watcher.is_none() {
        let node = description.node.counted();
        owned.wish.lock().events = poll::events(&**node);
        *watcher = Some(Watcher::new(Arc::clone(node), poll::queue, Arc::clone(&owned).into()));
    }
    Ok(())
}

fn send_for_ever() {
    loop {
        task::sleep_on(&BELL, &mut || !CHANGED.lock().is_empty());
        let next = CHANGED.lock().pop_front();
        if let Some(owned) = next {
            // First: what happens from now on is looked at once more.
            owned.changed.store(false, SeqCst);
            owned.look();
        }
    }
}

/// What a signal says has happened, and the events of poll(2) that go with it.
fn reason(events: u16, new: u16) -> Option<(i32, u16)> {
    // What can be read is told each time that more comes; of the others, that they hold now.
    let reasons = [
        (events & (POLLIN | POLLRDHUP), POLL_IN, POLLIN | POLLRDNORM),
        (new & POLLPRI, POLL_PRI, POLLPRI | POLLRDBAND),
        (new & POLLERR, POLL_ERR, POLLERR),
        (new & POLLHUP, POLL_HUP, POLLHUP | POLLERR),
        (new & POLLOUT, POLL_OUT, POLLOUT | POLLWRNORM | POLLWRBAND),
    ];
    reasons.into_iter().find(|(holds, ..)| *holds != 0).map(|(_, code, band)| (code, band))
}

impl Owned {
    /// Looks what has happened, and tells the owner.
    fn look(&self) {
        let Some(events) = self.node.lock().as_deref().map(poll::events) else { return };
        let (wish, new) = {
            let mut wish = self.wish.lock();
            let before = core::mem::replace(&mut wish.events, events);
            (wish.clone(), events & !before)
        };
        let from_kernel = |signal: u8| SignalInformation {
            si_signo: signal.into(),
            si_code: SI_KERNEL,
            ..SignalInformation::default()
        };
        if new & POLLPRI != 0 {
            wish.send(from_kernel(SIGURG));
        }
        let (Some(number), Some((code, band))) = (wish.told, reason(events, new)) else { return };
        if wish.signal != 0 {
            let mut information = from_kernel(wish.signal);
            information.si_code = code;
            information.fields[..2].copy_from_slice(&[band.into(), u64::from(number.cast_unsigned())]);
            if wish.send(information) {
                return;
            }
        }
        wish.send(from_kernel(SIGIO));
    }
}

impl Wish {
    /// Sends a signal to the owner; `false` where no more can wait.
    fn send(&self, information: SignalInformation) -> bool {
        let one = |process: &Process| !self.may(process) || send_to_process(process, information).is_ok();
        match &self.owner {
            Owner::Nobody => true,
            Owner::Process(process) => process.upgrade().is_none_or(|process| one(&process)),
            Owner::Thread(process, id) => process.upgrade().is_none_or(|process| {
                let thread = process.threads.lock().find(*id);
                let may = self.may(&process);
                thread.is_none_or(|thread| !may || send_to_thread(&thread, information).is_ok())
            }),
            Owner::Group(group) => {
                let members: Vec<u32> = FAMILIES.lock().group_members(*group).collect();
                let mut all = true;
                members.into_iter().filter_map(table::find).for_each(|process| all &= one(&process));
                all
            }
        }
    }

    /// Whether who made it the owner may send to it (`sigio_perm` in `fs/fcntl.c`).
    fn may(&self, process: &Process) -> bool {
        let (from, to) = (self.sender, process.identity.lock().user);
        let same = |user: u32| user == to.saved || user == to.real;
        from.effective == 0 || same(from.effective) || same(from.real)
    }
}

/// Whether readiness of this open file can be told by signals (`fasync` of its operations in Linux): one of a pipe, a
/// socket or a terminal.
pub fn can_tell(description: &Description) -> bool {
    use vfs::Kind;
    matches!(description.kind, Kind::Pipe | Kind::Socket) || description.node.terminal().is_some()
}

/// Has the owner be told by signals, with this descriptor, or no more (O_ASYNC). EINVAL where there can be no second
/// thread to send them.
pub fn tell(description: &Description, number: i32, wanted: bool) -> Result<(), Errno> {
    if !wanted && find(description).is_none() {
        return Ok(());
    }
    let sender = crate::objects::process::identity().user;
    change(description, &mut |wish| {
        wish.told = wanted.then_some(number);
        // A terminal that is nobody's becomes the foreground's (`__tty_fasync`).
        if wanted
            && matches!(wish.owner, Owner::Nobody)
            && let Some(terminal) = description.node.terminal()
        {
            let foreground = Some(terminal.control().foreground()).filter(|&group| group != 0);
            wish.owner = Owner::Group(foreground.unwrap_or_else(|| crate::process().group()));
            wish.sender = sender;
        }
    });
    if wanted { watch(description) } else { Ok(()) }
}

/// F_SETOWN_EX: whose the signals are; ESRCH if there is no such one, and 0 takes them away.
pub fn set(description: &Description, FileOwner { kind, id }: FileOwner) -> Result<(), Errno> {
    let number = u32::try_from(id).map_err(|_| Errno::ESRCH);
    let owner = match kind {
        F_OWNER_TID | F_OWNER_PID | F_OWNER_PGRP if id == 0 => Owner::Nobody,
        F_OWNER_TID => Owner::Thread(Arc::downgrade(&table::numbered(id).ok_or(Errno::ESRCH)?), id),
        F_OWNER_PID => Owner::Process(Arc::downgrade(&table::numbered(id).ok_or(Errno::ESRCH)?)),
        F_OWNER_PGRP if FAMILIES.lock().session_of_group(number?).is_some() => Owner::Group(number?),
        F_OWNER_PGRP => return Err(Errno::ESRCH),
        _ => return Err(Errno::EINVAL),
    };
    let sender = crate::objects::process::identity().user;
    change(description, &mut |wish| (wish.owner, wish.sender) = (owner.clone(), sender));
    if description.kind == vfs::Kind::Socket {
        // Urgent data are told of without O_ASYNC; where nobody can send, there is no other use of an owner either.
        let _ = watch(description);
    }
    Ok(())
}

/// F_GETOWN_EX. One that has ended is nobody.
pub fn owner(description: &Description) -> FileOwner {
    let owner = find(description).map(|owned| owned.wish.lock().owner.clone()).unwrap_or_default();
    let id = |process: &Weak<Process>| process.upgrade().map(|process| process.id.cast_signed());
    let (kind, id) = match &owner {
        Owner::Nobody => (F_OWNER_PID, Some(0)),
        Owner::Process(process) => (F_OWNER_PID, id(process)),
        Owner::Thread(process, thread) => (F_OWNER_TID, id(process).map(|_| *thread)),
        Owner::Group(group) => (F_OWNER_PGRP, Some(group.cast_signed())),
    };
    FileOwner { kind, id: id.unwrap_or_default() }
}

/// F_SETSIG.
pub fn set_signal(description: &Description, signal: u8) {
    change(description, &mut |wish| wish.signal = signal);
}

/// F_GETSIG.
pub fn signal(description: &Description) -> u8 {
    find(description).map_or(0, |owned| owned.wish.lock().signal)
}
