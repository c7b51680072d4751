//! Sockets within the machine: unix(7).

mod address;
mod bind;
mod control;
mod options;

use alloc::{sync::Arc, vec::Vec};

use linux_abi::{
    Errno, UserInput,
    constants::{AF_UNIX, MessageFlags, SO_PASSCRED, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET, SOCK_STREAM},
};
use unix_sockets::{Carried, Names, Socket, Who};
use vfs::{FileError, Owner, Sink as _};

use super::{
    address::Address,
    socket::{self, Answer, Form, Sending, Told, Value},
    transfer::{self, Part},
};
use crate::{
    Result,
    objects::{
        descriptors::Description,
        errors,
        files::{self, Scattered},
    },
};

/// Sockets by name.
static NAMES: Names = Names::new();

/// All sockets that have names.
pub fn named() -> Vec<Arc<Socket>> {
    NAMES.all()
}

/// The socket that is open, if it is one of these.
pub fn of(description: &Description) -> Option<&Socket> {
    description.node_as().ok()
}

/// An open file can be handed over.
impl Carried for Description {
    fn socket(&self) -> Option<&Socket> {
        of(self)
    }
}

/// A new socket.
pub fn make(form: Form) -> Answer<Arc<Socket>> {
    Ok(Socket::new(form_of(form)?, fs::next_number(), who(), fs::now()))
}

/// Two that are joined.
pub fn make_pair(form: Form) -> Answer<[Arc<Socket>; 2]> {
    let numbers = [fs::next_number(), fs::next_number()];
    Ok(Socket::pair(form_of(form)?, numbers, who(), fs::now()))
}

fn form_of(form: Form) -> Answer<unix_sockets::Form> {
    /// SOCK_MAX: Linux knows no types from here on.
    const TYPES: u32 = 11;
    if form.kind >= TYPES {
        return Err(Errno::EINVAL);
    }
    if !matches!(form.protocol, 0 | AF_UNIX) {
        return Err(Errno::EPROTONOSUPPORT);
    }
    match form.kind {
        SOCK_STREAM => Ok(unix_sockets::Form::Stream),
        SOCK_DGRAM | SOCK_RAW => Ok(unix_sockets::Form::Datagrams),
        SOCK_SEQPACKET => Ok(unix_sockets::Form::Packets),
        _ => Err(Errno::ESOCKTNOSUPPORT),
    }
}

/// The running process, as the other end of a socket sees it.
fn who() -> Who {
    let identity = crate::objects::process::identity();
    let owner = Owner { user: identity.user.effective, group: identity.group.effective };
    Who { process: crate::process().id, owner }
}

/// See [`super::send_short`].
#[inline]
pub fn send_short(description: &Description, buffer: UserInput, count: usize) -> vfs::Moved {
    let socket = description.node_as::<Socket>().ok()?;
    socket.send_short(count, who(), files::short::source(buffer))
}

impl socket::Socket for Socket {
    fn form(&self) -> Form {
        let kind = match self.form() {
            unix_sockets::Form::Stream => SOCK_STREAM,
            unix_sockets::Form::Datagrams => SOCK_DGRAM,
            unix_sockets::Form::Packets => SOCK_SEQPACKET,
        };
        Form { family: AF_UNIX, kind, protocol: 0 }
    }

    fn keeps_messages(&self) -> bool {
        self.keeps_messages()
    }

    fn bind(&self, address: &Address) -> Answer<()> {
        bind::bind(self, address)
    }

    fn name(&self) -> Answer<Address> {
        Ok(address::told(self.name().as_ref()))
    }

    fn peer_name(&self) -> Answer<Address> {
        let name = self.peer_name().map_err(errors::errno)?;
        Ok(address::told(name.as_ref()))
    }

    fn listen(&self, backlog: usize) -> Answer<()> {
        self.listen(backlog).map_err(errors::errno)
    }

    fn accept(&self) -> core::result::Result<Arc<dyn socket::Socket>, FileError> {
        Ok(self.accept()?)
    }

    /// Waits while too many connections wait there.
    fn connect(&self, description: &Description, to: &Address) -> Result {
        let target = address::target(to)?;
        if matches!(target, address::Target::Nobody) && self.form() == unix_sockets::Form::Datagrams {
            self.disconnect();
            return Ok(0);
        }
        let other = address::find(target)?;
        let (waits, deadline) = description.patience(true);
        description
            .until(waits, deadline, |_| true, &mut || self.connect(&other, fs::next_number(), fs::now()).map(|()| 0))
    }

    fn shut_down(&self, receive: bool, send: bool) -> Answer<()> {
        self.shut_down(receive, send);
        Ok(())
    }

    #[inline(never)]
    fn send(&self, description: &Description, source: &mut Scattered, sending: &Sending<'_>) -> Result {
        let to = sending.to.map(|to| address::find(address::target(to)?)).transpose()?;
        let mut parcel = control::parcel(sending.control)?;
        if sending.flags.contains(MessageFlags::MSG_OOB) {
            return Err(Errno::EOPNOTSUPP);
        }
        let (waits, deadline) = transfer::patience(description, sending.flags);
        let sent =
            description.write_whole(source, waits, deadline, &mut |source| self.send(source, &mut parcel, to.as_ref()));
        let silent = sending.flags.contains(MessageFlags::MSG_NOSIGNAL) || self.keeps_messages();
        sent.map_err(|error| if silent { error } else { files::broken_pipe(error) })
    }

    #[inline(never)]
    fn receive(
        &self,
        description: &Description,
        sink: &mut Scattered,
        flags: MessageFlags,
        told: Option<&mut Told<'_>>,
    ) -> Result {
        let urgent = if self.keeps_messages() { Errno::EOPNOTSUPP } else { Errno::EINVAL };
        transfer::check_flags(flags, urgent)?;
        let peek = flags.contains(MessageFlags::MSG_PEEK);
        let (mut last, mut whole) = (unix_sockets::Received::default(), 0);
        let count = transfer::receive(description, flags, false, &mut || {
            last = self.receive(sink, peek)?;
            whole += last.whole;
            let goes_on = !self.keeps_messages() && last.rights.is_empty() && sink.room() > 0;
            Ok(Part { count: last.count, goes_on })
        })?;
        if let Some(told) = told {
            if let Some(out) = &mut told.control {
                if self.option(SO_PASSCRED) {
                    control::credentials(out, last.who.unwrap_or_default());
                }
                control::rights(out, core::mem::take(&mut last.rights));
            }
            told.from = last.from.map(|name| address::told(Some(&name)));
            told.whole = whole;
        }
        Ok(count)
    }

    fn option(&self, level: u32, option: u32) -> Answer<Vec<u8>> {
        options::get(self, level, option)
    }

    fn set_option(&self, level: u32, option: u32, value: &Value) -> Answer<()> {
        options::set(self, level, option, value)
    }
}
