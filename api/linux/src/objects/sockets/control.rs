//! Control messages (cmsg(3)): open files and credentials that go along.

use alloc::{sync::Arc, vec::Vec};
use core::any::Any;

use identity::Capability;
use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{SCM_CREDENTIALS, SCM_MAX_FD, SCM_RIGHTS, SOL_SOCKET},
    structures::{ControlHeader, UserCredentials},
};
use unix_sockets::{Allowance, Parcel, Right, Who};
use vfs::Owner;
use zerocopy::IntoBytes;

use crate::{
    Result,
    objects::{descriptors::Description, files, process::limits, user},
};

const HEADER: usize = size_of::<ControlHeader>();
/// Most bytes of control messages (`/proc/sys/net/core/optmem_max`).
const MOST: usize = 20_480;

/// What goes along, by the control messages at `address`.
pub fn read(address: UserAddress, length: usize) -> core::result::Result<Parcel, Errno> {
    let mut parcel = Parcel { who: crate::objects::sockets::who(), allowance: allowance(), ..Parcel::default() };
    if length > MOST {
        return Err(Errno::ENOBUFS);
    }
    let mut at = 0;
    while at + HEADER <= length {
        let header: ControlHeader = user::read_struct(address.wrapping_add(at))?;
        let size = usize::try_from(header.cmsg_len).map_err(|_| Errno::EINVAL)?;
        if size < HEADER || size > length - at {
            return Err(Errno::EINVAL);
        }
        if header.cmsg_level == SOL_SOCKET as i32 {
            add(&mut parcel, header.cmsg_type, address.wrapping_add(at + HEADER), size - HEADER)?;
        }
        at += size.next_multiple_of(8);
    }
    Ok(parcel)
}

/// Who may do everything may have any number under way.
fn allowance() -> Allowance {
    let identity = crate::objects::process::identity();
    let most = if identity.may(Capability::SysResource) || identity.may(Capability::SysAdmin) {
        usize::MAX
    } else {
        limits::descriptors()
    };
    Allowance { user: identity.user.real, most }
}

fn add(parcel: &mut Parcel, kind: i32, address: UserAddress, length: usize) -> core::result::Result<(), Errno> {
    match kind {
        SCM_RIGHTS => {
            let numbers: Vec<i32> = user::read_array(address, length / size_of::<i32>())?;
            if parcel.rights.len() + numbers.len() > SCM_MAX_FD {
                return Err(Errno::EINVAL);
            }
            for number in numbers {
                parcel.rights.push(files::description(FileDescriptor(number))?);
            }
        }
        SCM_CREDENTIALS if length == size_of::<UserCredentials>() => {
            let UserCredentials { pid, uid, gid } = user::read_struct(address)?;
            let wanted = Who { process: pid, owner: Owner { user: uid, group: gid } };
            let may = {
                let identity = crate::objects::process::identity();
                let (user, group) = (identity.user, identity.group);
                let by_user =
                    [user.real, user.effective, user.saved].contains(&uid) || identity.may(Capability::Setuid);
                let by_group =
                    [group.real, group.effective, group.saved].contains(&gid) || identity.may(Capability::Setgid);
                by_user && by_group && (pid == parcel.who.process || identity.may(Capability::SysAdmin))
            };
            if !may {
                return Err(Errno::EPERM);
            }
            parcel.who = wanted;
        }
        _ => return Err(Errno::EINVAL),
    }
    Ok(())
}

/// Writes control messages where a program has room for them.
pub struct Writer {
    address: UserAddress,
    room: usize,
    bytes: Vec<u8>,
    cut: bool,
}

impl Writer {
    /// `room` bytes at `address`.
    pub const fn new(address: UserAddress, room: usize) -> Self {
        Self { address, room: if address.is_null() { 0 } else { room }, bytes: Vec::new(), cut: false }
    }

    /// Whether something did not fit.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    fn add(&mut self, kind: i32, content: &[u8]) {
        let left = self.room - self.bytes.len().min(self.room);
        if left < HEADER {
            self.cut = true;
            return;
        }
        let length = (HEADER + content.len()).min(left);
        self.cut |= length < HEADER + content.len();
        let header = ControlHeader { cmsg_len: length as u64, cmsg_level: SOL_SOCKET as i32, cmsg_type: kind };
        self.bytes.extend_from_slice(header.as_bytes());
        self.bytes.extend_from_slice(&content[..length - HEADER]);
        let padded = self.bytes.len().next_multiple_of(8).min(self.room);
        self.bytes.resize(padded, 0);
    }

    /// Who has sent the message (SO_PASSCRED).
    pub fn credentials(&mut self, who: Who) {
        let credentials = UserCredentials { pid: who.process, uid: who.owner.user, gid: who.owner.group };
        self.add(SCM_CREDENTIALS, credentials.as_bytes());
    }

    /// Gives open files descriptors, as many as there is room to tell.
    pub fn rights(&mut self, rights: Vec<Right>, close_on_exec: bool) -> core::result::Result<(), Errno> {
        if rights.is_empty() {
            return Ok(());
        }
        let left = self.room.saturating_sub(self.bytes.len() + HEADER) / size_of::<i32>();
        self.cut |= rights.len() > left;
        let mut numbers = Vec::new();
        for right in rights.into_iter().take(left) {
            let right: Arc<dyn Any + Send + Sync> = right;
            let Ok(description) = Arc::downcast::<Description>(right) else { continue };
            match files::install(description, close_on_exec) {
                Ok(number) => numbers.push(number as i32),
                Err(_) => self.cut = true,
            }
        }
        if !numbers.is_empty() {
            self.add(SCM_RIGHTS, numbers.as_bytes());
        }
        Ok(())
    }

    /// Writes them; how many bytes there are.
    pub fn finish(&self) -> Result {
        user::copy_out(self.address, &self.bytes)?;
        Ok(self.bytes.len())
    }
}
