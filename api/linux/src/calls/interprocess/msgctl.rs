//! msgctl(2): looks at message queues, changes and removes them.

use identity::Capability;
use ipc::{
    READ,
    message::{LONGEST, MOST, USUAL_ROOM},
};
use linux_abi::{
    Errno, UserAddress,
    constants::{IPC_INFO, IPC_RMID, IPC_SET, IPC_STAT, MSG_INFO, MSG_STAT, MSG_STAT_ANY},
    structures::{MsgInformation, MsgStatus},
};

use crate::{
    Result,
    objects::{
        interprocess::{QUEUES, as_caller, errno, now, permission, set_owner, told},
        user,
    },
};

/// Answers a number, or the highest place in use.
pub fn msgctl(queue: i32, command: u32, buffer: UserAddress) -> Result {
    let (number, address) = (queue, buffer);
    if number < 0 {
        return Err(Errno::EINVAL);
    }
    match command {
        IPC_INFO | MSG_INFO => information(command, address),
        IPC_STAT | MSG_STAT | MSG_STAT_ANY => status(number, command, address),
        IPC_SET => set(number, address),
        IPC_RMID => as_caller(|caller| QUEUES.lock().remove(number, caller)).map(|()| 0).map_err(errno),
        _ => Err(Errno::EINVAL),
    }
}

fn information(command: u32, address: UserAddress) -> Result {
    let queues = QUEUES.lock();
    let (count, highest) = (queues.table.count() as i32, queues.table.highest());
    let (messages, bytes) = queues.totals();
    drop(queues);
    let room = USUAL_ROOM as i32;
    let [pool, map, total] = if command == MSG_INFO {
        [count, messages as i32, bytes as i32]
    } else {
        [MOST as i32 * (room / 1024), room, room]
    };
    let information = MsgInformation {
        msgpool: pool,
        msgmap: map,
        msgmax: LONGEST as i32,
        msgmnb: room,
        msgmni: MOST as i32,
        msgssz: 16,
        msgtql: total,
        msgseg: u16::MAX,
        ..MsgInformation::default()
    };
    told(address, &information, highest)
}

fn status(number: i32, command: u32, address: UserAddress) -> Result {
    let (value, status) = as_caller(|caller| {
        let mut queues = QUEUES.lock();
        let (number, object) = match command {
            IPC_STAT => (0, queues.table.find(number).map_err(errno)?),
            _ => queues.table.at(number).map_err(errno)?,
        };
        if command != MSG_STAT_ANY {
            object.permission.check(caller, READ).map_err(errno)?;
        }
        let queue = &object.content;
        let status = MsgStatus {
            msg_perm: permission(object),
            msg_stime: queue.sent_at,
            msg_rtime: queue.received_at,
            msg_ctime: queue.changed_at,
            msg_cbytes: queue.contents.bytes(),
            msg_qnum: queue.contents.count() as u64,
            msg_qbytes: queue.room,
            msg_lspid: queue.sender,
            msg_lrpid: queue.receiver,
            ..MsgStatus::default()
        };
        Ok((number, status))
    })?;
    told(address, &status, value as usize)
}

/// Only the privileged give a queue more room than new ones have.
fn set(number: i32, address: UserAddress) -> Result {
    let wanted: MsgStatus = user::read_struct(address)?;
    let privileged = crate::objects::process::may(Capability::SysResource);
    as_caller(|caller| {
        let mut queues = QUEUES.lock();
        let object = queues.table.find(number).map_err(errno)?;
        object.permission.check_owner(caller).map_err(errno)?;
        if wanted.msg_qbytes > USUAL_ROOM && !privileged {
            return Err(Errno::EPERM);
        }
        set_owner(object, caller, &wanted.msg_perm)?;
        object.content.change(wanted.msg_qbytes, now());
        Ok(0)
    })
}
