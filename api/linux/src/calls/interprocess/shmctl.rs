//! shmctl(2): looks at shared memory, changes and removes it.

use alloc::sync::Arc;

use identity::Capability;
use ipc::{
    Object, READ,
    segment::{LOCKED, MOST, MOST_BYTES, Segment},
};
use linux_abi::{
    Errno, UserAddress,
    constants::{
        IPC_INFO, IPC_RMID, IPC_SET, IPC_STAT, RLIMIT_MEMLOCK, SHM_INFO, SHM_LOCK, SHM_STAT, SHM_STAT_ANY, SHM_UNLOCK,
    },
    structures::{ShmLimits, ShmStatus, ShmUse},
};
use vfs::Node;

use crate::{
    Result,
    objects::{
        interprocess::{SEGMENTS, as_caller, errno, now, permission, set_owner, told},
        user,
    },
};

/// Bytes of a page.
const PAGE: u64 = machine::PAGE_SIZE as u64;

/// A segment of this machine.
pub type Memory = Object<Segment<Arc<dyn Node>>>;

/// Answers a number, or the highest place in use.
pub fn shmctl(segment: i32, command: u32, buffer: UserAddress) -> Result {
    let (number, address) = (segment, buffer);
    if number < 0 {
        return Err(Errno::EINVAL);
    }
    match command {
        IPC_INFO => limits(address),
        SHM_INFO => in_use(address),
        IPC_STAT | SHM_STAT | SHM_STAT_ANY => status(number, command, address),
        IPC_SET => set(number, address),
        IPC_RMID => remove(number),
        SHM_LOCK | SHM_UNLOCK => lock(number, command == SHM_LOCK),
        _ => Err(Errno::EINVAL),
    }
}

fn limits(address: UserAddress) -> Result {
    let most = MOST as u64;
    let limits = ShmLimits {
        shmmax: MOST_BYTES,
        shmmin: 1,
        shmmni: most,
        shmseg: most,
        shmall: MOST_BYTES,
        ..ShmLimits::default()
    };
    let highest = SEGMENTS.lock().table.highest();
    told(address, &limits, highest)
}

fn in_use(address: UserAddress) -> Result {
    let segments = SEGMENTS.lock();
    let resident: u64 = segments.table.iter().map(|(_, object)| object.content.contents.metadata().occupied).sum();
    let (count, highest, pages) = (segments.table.count() as u32, segments.table.highest(), segments.pages);
    drop(segments);
    let usage = ShmUse { used_ids: count, shm_tot: pages, shm_rss: resident / PAGE, ..ShmUse::default() };
    told(address, &usage, highest)
}

fn status(number: i32, command: u32, address: UserAddress) -> Result {
    let (value, status) = as_caller(|caller| {
        let mut segments = SEGMENTS.lock();
        let (number, object) = match command {
            IPC_STAT => (0, segments.table.find(number).map_err(errno)?),
            _ => segments.table.at(number).map_err(errno)?,
        };
        if command != SHM_STAT_ANY {
            object.permission.check(caller, READ).map_err(errno)?;
        }
        Ok((number, status_of(object)))
    })?;
    told(address, &status, value as usize)
}

fn status_of(object: &Memory) -> ShmStatus {
    let segment = &object.content;
    ShmStatus {
        shm_perm: permission(object),
        shm_segsz: segment.size,
        shm_atime: segment.attached_at,
        shm_dtime: segment.detached_at,
        shm_ctime: segment.changed_at,
        shm_cpid: segment.creator,
        shm_lpid: segment.last,
        shm_nattch: segment.attached,
        ..ShmStatus::default()
    }
}

fn set(number: i32, address: UserAddress) -> Result {
    let wanted: ShmStatus = user::read_struct(address)?;
    as_caller(|caller| {
        let mut segments = SEGMENTS.lock();
        let object = segments.table.find(number).map_err(errno)?;
        set_owner(object, caller, &wanted.shm_perm)?;
        object.content.changed_at = now();
        Ok(0)
    })
}

fn remove(number: i32) -> Result {
    let gone = as_caller(|caller| {
        let mut segments = SEGMENTS.lock();
        segments.table.find(number)?.permission.check_owner(caller)?;
        segments.doom(number)
    });
    // What was in it is dropped when nothing is locked.
    gone.map(|_| 0).map_err(errno)
}

/// Nothing is swapped here: the mark is all there is of it.
fn lock(number: i32, locks: bool) -> Result {
    let limit = crate::process().limits.lock()[RLIMIT_MEMLOCK as usize].rlim_cur;
    let privileged = crate::objects::process::may(Capability::IpcLock);
    as_caller(|caller| {
        let mut segments = SEGMENTS.lock();
        let mode = &mut segments.table.find(number).map_err(errno)?.permission;
        if !privileged && (mode.check_owner(caller).is_err() || locks && limit == 0) {
            return Err(Errno::EPERM);
        }
        mode.mode = mode.mode & !LOCKED | if locks { LOCKED } else { 0 };
        Ok(0)
    })
}
