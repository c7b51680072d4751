//! A socket, and waiting for it.

use alloc_crate::sync::Arc;
use core::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use contracts::{
    sockets,
    sockets_element::{self, Error, Family, Form, Readiness, Received, Receiving, Sending, Setting, Socket as Number},
    vfs::{SliceSink, SliceSource},
};
use kernel::task::{self, Waited, function};
use sync::WaitQueue;

use crate::{
    io::{self, ErrorKind, Message},
    thread::deadline_in,
};

const NO_TIME: Message = Message { kind: ErrorKind::InvalidInput, text: "cannot set a 0 duration timeout" };
const TOO_LATE: Message = Message { kind: ErrorKind::TimedOut, text: "connection timed out" };

/// An open socket, which is closed when nobody has it any more.
pub struct Socket {
    number: Number,
    waiting: Arc<WaitQueue>,
    returns_at_once: AtomicBool,
    /// The last read, or write, had to wait, so the next one gets ready for that before it asks.
    waits: [AtomicBool; 2],
    /// How long a read and a write wait, in nanoseconds; 0 is for ever.
    patience: [AtomicU64; 2],
}

/// Which patience.
#[derive(Clone, Copy)]
pub enum Direction {
    Read,
    Write,
}

impl Drop for Socket {
    fn drop(&mut self) {
        sockets::close(self.number);
    }
}

/// An error of sockets as one of input and output.
#[cold]
fn of(error: Error) -> io::Error {
    io::Error::from_raw_os_error(error.number())
}

const fn family(address: SocketAddr) -> Family {
    if address.is_ipv4() { Family::V4 } else { Family::V6 }
}

impl Socket {
    fn new(number: Number, waiting: Arc<WaitQueue>) -> Self {
        let patience = [AtomicU64::new(0), AtomicU64::new(0)];
        Self {
            number,
            waiting,
            returns_at_once: AtomicBool::new(false),
            waits: [const { AtomicBool::new(false) }; 2],
            patience,
        }
    }

    fn open(form: Form) -> io::Result<Self> {
        let waiting = Arc::new(WaitQueue::new());
        let number = sockets::open(form, Arc::clone(&waiting)).map_err(of)?;
        Ok(Self::new(number, waiting))
    }

    /// A stream's socket, for an address of this family.
    pub fn stream(address: SocketAddr) -> io::Result<Self> {
        Self::open(Form::Stream(family(address)))
    }

    /// One of datagrams.
    pub fn datagrams(address: SocketAddr) -> io::Result<Self> {
        Self::open(Form::Datagrams(family(address)))
    }

    pub fn bind(&self, address: SocketAddr) -> io::Result<()> {
        sockets::bind(self.number, address).map_err(of)
    }

    pub fn listen(&self) -> io::Result<()> {
        // As the standard library has it.
        const BACKLOG: u32 = 128;
        sockets::listen(self.number, BACKLOG).map_err(of)
    }

    /// Tries until it need not wait, or may not.
    fn until<T>(
        &self,
        direction: Direction,
        deadline: Option<u64>,
        mut attempt: impl FnMut() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let waits = &self.waits[direction as usize];
        let at_once = self.returns_at_once.load(Relaxed);
        if at_once || !waits.load(Relaxed) {
            let result = attempt();
            if at_once || !matches!(result, Err(Error::WouldBlock)) {
                return result;
            }
        }
        function::ready();
        let (mut result, mut asked) = (Err(Error::WouldBlock), 0_usize);
        let ready = &mut || {
            asked += 1;
            result = attempt();
            !matches!(result, Err(Error::WouldBlock))
        };
        // A thread of a function is never interrupted.
        while task::wait_more(Some(&self.waiting), deadline, ready) == Waited::Interrupted {}
        waits.store(asked > 1, Relaxed);
        result
    }

    fn deadline(&self, direction: Direction) -> Option<u64> {
        let patience = self.patience[direction as usize].load(Relaxed);
        (patience > 0).then(|| deadline_in(Duration::from_nanos(patience)))
    }

    pub fn accept(&self) -> io::Result<(Self, SocketAddr)> {
        let waiting = Arc::new(WaitQueue::new());
        let accepted = self.until(Direction::Read, self.deadline(Direction::Read), || {
            sockets::accept(self.number, Arc::clone(&waiting))
        });
        let (number, from) = accepted.map_err(of)?;
        Ok((Self::new(number, waiting), from))
    }

    /// Connects, and waits for that: at most so long.
    pub fn connect(&self, to: SocketAddr, longest: Option<Duration>) -> io::Result<()> {
        match sockets::connect(self.number, Some(to)) {
            Ok(()) => return Ok(()),
            Err(Error::InProgress) => {}
            Err(error) => return Err(of(error)),
        }
        let done = || {
            let ready = sockets::readiness(self.number);
            let is_over = ready.intersects(Readiness::WRITABLE | Readiness::ERROR | Readiness::HANGUP);
            if is_over { Ok(()) } else { Err(Error::WouldBlock) }
        };
        if self.until(Direction::Write, longest.map(deadline_in), done).is_err() {
            return Err(TOO_LATE.error());
        }
        sockets::take_error(self.number).map_or(Ok(()), |error| Err(of(error)))
    }

    /// Says whom datagrams go to and come from.
    pub fn associate(&self, with: SocketAddr) -> io::Result<()> {
        sockets::connect(self.number, Some(with)).map_err(of)
    }

    pub fn send(&self, bytes: &[u8], to: Option<SocketAddr>) -> io::Result<usize> {
        let sending = Sending { to, ..Sending::default() };
        self.until(Direction::Write, self.deadline(Direction::Write), || {
            sockets::send(self.number, &mut SliceSource::new(bytes), &sending)
        })
        .map_err(of)
    }

    pub fn receive(&self, buffer: &mut [u8], how: Receiving) -> io::Result<Received> {
        self.until(Direction::Read, self.deadline(Direction::Read), || {
            let mut received = Received::default();
            sockets::receive(self.number, &mut SliceSink::new(buffer), how, &mut received)?;
            Ok(received)
        })
        .map_err(of)
    }

    pub fn shut_down(&self, how: super::Shutdown) -> io::Result<()> {
        let how = match how {
            super::Shutdown::Read => sockets_element::Shutdown::Read,
            super::Shutdown::Write => sockets_element::Shutdown::Write,
            super::Shutdown::Both => sockets_element::Shutdown::Both,
        };
        sockets::shut_down(self.number, how).map_err(of)
    }

    pub fn local(&self) -> io::Result<SocketAddr> {
        sockets::local(self.number).map_err(of)
    }

    pub fn remote(&self) -> io::Result<SocketAddr> {
        sockets::remote(self.number).map_err(of)
    }

    pub fn set(&self, setting: Setting) -> io::Result<()> {
        sockets::set(self.number, setting).map_err(of)
    }

    pub fn get(&self, like: Setting) -> io::Result<Setting> {
        sockets::get(self.number, like).map_err(of)
    }

    pub fn set_membership(&self, group: sockets_element::Membership, member: bool) -> io::Result<()> {
        sockets::set_membership(self.number, group, member).map_err(of)
    }

    pub fn take_error(&self) -> Option<io::Error> {
        sockets::take_error(self.number).map(of)
    }

    pub fn queue(&self) -> &WaitQueue {
        &self.waiting
    }

    pub fn set_nonblocking(&self, wanted: bool) {
        self.returns_at_once.store(wanted, Relaxed);
    }

    pub fn set_patience(&self, direction: Direction, longest: Option<Duration>) -> io::Result<()> {
        if longest.is_some_and(|longest| longest.is_zero()) {
            return Err(NO_TIME.error());
        }
        let nanoseconds = longest.map_or(0, |longest| u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX));
        self.patience[direction as usize].store(nanoseconds, Relaxed);
        Ok(())
    }

    pub fn patience(&self, direction: Direction) -> Option<Duration> {
        let nanoseconds = self.patience[direction as usize].load(Relaxed);
        (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds))
    }
}

/// The value of a setting that is asked for by itself.
macro_rules! value {
    ($socket:expr, $setting:ident($like:expr)) => {
        match $socket.get(Setting::$setting($like))? {
            Setting::$setting(value) => Ok(value),
            _ => Ok($like),
        }
    };
}

pub(super) use value;
