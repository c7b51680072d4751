//! semctl(2): looks at semaphores, sets and removes them.

use alloc::vec::Vec;

use ipc::{
    READ, WRITE,
    semaphore::{HIGHEST, MOST, MOST_OF_ALL, MOST_OF_SET, MOST_OPERATIONS, Set},
};
use linux_abi::{
    Errno, UserAddress,
    constants::{
        GETALL, GETNCNT, GETPID, GETVAL, GETZCNT, IPC_INFO, IPC_RMID, IPC_SET, IPC_STAT, SEM_INFO, SEM_STAT,
        SEM_STAT_ANY, SETALL, SETVAL,
    },
    structures::{SemInformation, SemStatus},
};

use crate::{
    Result,
    objects::{
        interprocess::{SETS, as_caller, errno, now, permission, set_owner, told},
        user,
    },
    process,
};

/// Answers a number, a value, or the highest place in use.
pub fn semctl(set: i32, number: i32, command: u32, argument: usize) -> Result {
    let (number, semaphore) = (set, number);
    if number < 0 {
        return Err(Errno::EINVAL);
    }
    match command {
        IPC_INFO | SEM_INFO => information(command, UserAddress(argument)),
        IPC_STAT | SEM_STAT | SEM_STAT_ANY => status(number, command, UserAddress(argument)),
        GETALL => all(number, UserAddress(argument)),
        GETVAL | GETPID | GETNCNT | GETZCNT => one(number, semaphore, command),
        SETVAL => set_one(number, semaphore, argument as i32),
        SETALL => set_all(number, UserAddress(argument)),
        IPC_SET => set_owner_of(number, UserAddress(argument)),
        IPC_RMID => as_caller(|caller| SETS.lock().remove(number, caller)).map(|()| 0).map_err(errno),
        _ => Err(Errno::EINVAL),
    }
}

fn information(command: u32, address: UserAddress) -> Result {
    let sets = SETS.lock();
    let (count, semaphores, highest) = (sets.table.count() as i32, sets.count as i32, sets.table.highest());
    drop(sets);
    let is_use = command == SEM_INFO;
    let information = SemInformation {
        semmap: MOST_OF_ALL as i32,
        semmni: MOST as i32,
        semmns: MOST_OF_ALL as i32,
        semmnu: MOST_OF_ALL as i32,
        semmsl: MOST_OF_SET as i32,
        semopm: MOST_OPERATIONS as i32,
        semume: MOST_OPERATIONS as i32,
        // Bytes of a structure that Linux no longer has; or how many sets there are.
        semusz: if is_use { count } else { 20 },
        semvmx: HIGHEST,
        semaem: if is_use { semaphores } else { HIGHEST },
    };
    told(address, &information, highest)
}

fn status(number: i32, command: u32, address: UserAddress) -> Result {
    let (value, status) = as_caller(|caller| {
        let mut sets = SETS.lock();
        let (number, object) = match command {
            IPC_STAT => (0, sets.table.find(number).map_err(errno)?),
            _ => sets.table.at(number).map_err(errno)?,
        };
        if command != SEM_STAT_ANY {
            object.permission.check(caller, READ).map_err(errno)?;
        }
        let set = &object.content;
        let status = SemStatus {
            sem_perm: permission(object),
            sem_otime: set.operated_at,
            sem_ctime: set.changed_at,
            sem_nsems: set.count() as u64,
            ..SemStatus::default()
        };
        Ok((number, status))
    })?;
    told(address, &status, value as usize)
}

/// Does `work` with a set, if the running process has these rights to it.
fn with<R>(
    number: i32,
    rights: u32,
    work: impl FnOnce(&mut Set) -> core::result::Result<R, ipc::Error>,
) -> core::result::Result<R, Errno> {
    as_caller(|caller| {
        let mut sets = SETS.lock();
        let object = sets.table.find(number)?;
        object.permission.check(caller, rights)?;
        work(&mut object.content)
    })
    .map_err(errno)
}

fn all(number: i32, address: UserAddress) -> Result {
    let values: Vec<u16> = with(number, READ, |set| Ok(set.values().collect()))?;
    user::write_array(address, &values).map(|()| 0)
}

fn one(number: i32, semaphore: i32, command: u32) -> Result {
    with(number, READ, |set| {
        let semaphore = usize::try_from(semaphore).map_err(|_| ipc::Error::Invalid)?;
        match command {
            GETVAL => set.value(semaphore).map(|value| value as usize),
            GETPID => set.process(semaphore).map(|process| process as usize),
            command => set.waiting(semaphore, command == GETZCNT),
        }
    })
}

/// A value, if it is one.
fn value(number: i32) -> core::result::Result<u16, Errno> {
    if (0..=HIGHEST).contains(&number) { Ok(number as u16) } else { Err(Errno::ERANGE) }
}

fn set_one(number: i32, semaphore: i32, wanted: i32) -> Result {
    let value = value(wanted)?;
    as_caller(|caller| {
        let mut sets = SETS.lock();
        let object = sets.table.find(number)?;
        let semaphore = usize::try_from(semaphore).ok().filter(|&one| one < object.content.count());
        let semaphore = semaphore.ok_or(ipc::Error::Invalid)?;
        object.permission.check(caller, WRITE)?;
        object.content.set(semaphore, &[value], caller.process, now())
    })
    .map(|()| 0)
    .map_err(errno)
}

fn set_all(number: i32, address: UserAddress) -> Result {
    let count = with(number, WRITE, |set| Ok(set.count()))?;
    let values: Vec<u16> = user::read_array(address, count)?;
    values.iter().try_for_each(|&one| value(one.into()).map(|_| ()))?;
    let process = process().id;
    with(number, WRITE, |set| set.set(0, &values, process, now())).map(|()| 0)
}

fn set_owner_of(number: i32, address: UserAddress) -> Result {
    let wanted: SemStatus = user::read_struct(address)?;
    as_caller(|caller| {
        let mut sets = SETS.lock();
        let object = sets.table.find(number).map_err(errno)?;
        set_owner(object, caller, &wanted.sem_perm)?;
        object.content.changed_at = now();
        Ok(0)
    })
}
