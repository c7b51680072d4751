//! How sockets find and lose each other: pairs, connecting, listening, shutting down.

use alloc::{
    collections::VecDeque,
    sync::{Arc, Weak},
    vec::Vec,
};

use super::{Form, Name, Socket, State, Who};
use vfs::{FileError, Time};

/// What a socket is to others.
pub enum Link {
    /// Nothing.
    None,
    /// It takes connections, of which so many wait at most.
    Listening(usize, VecDeque<Arc<Socket>>),
    /// What it sends goes there.
    Connected(Weak<Socket>),
}

/// Most connections that may wait (`/proc/sys/net/core/somaxconn`).
const MOST_WAITING: usize = 4096;

impl Socket {
    /// Two that are joined.
    #[must_use]
    pub fn pair(form: Form, inodes: [u64; 2], who: Who, made: Time) -> [Arc<Self>; 2] {
        let ends = inodes.map(|inode| Self::new(form, inode, who, made));
        ends[0].join(&ends[1]);
        ends[1].join(&ends[0]);
        ends
    }

    /// What it sends goes to `other` from now on.
    fn join(&self, other: &Self) {
        let name = other.state.lock().name.clone();
        let mut state = self.state.lock();
        state.link = Link::Connected(other.myself.clone());
        state.peer = Some(other.who);
        state.peer_name = name;
    }

    /// The one that it sends to: [`FileError::NotConnected`] if there is none, `None` if that has gone.
    pub(super) fn other(&self) -> Result<Option<Arc<Self>>, FileError> {
        match &self.state.lock().link {
            Link::Connected(other) => Ok(other.upgrade()),
            _ => Err(FileError::NotConnected),
        }
    }

    /// Gives it a name. [`FileError::Invalid`] if it has one.
    pub fn set_name(&self, name: Name) -> Result<(), FileError> {
        let mut state = self.state.lock();
        if state.name.is_some() {
            return Err(FileError::Invalid);
        }
        state.name = Some(name);
        Ok(())
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        self.state.lock().name.clone()
    }

    /// The name of the one it is joined with. [`FileError::NotConnected`] without one.
    pub fn peer_name(&self) -> Result<Option<Name>, FileError> {
        let state = self.state.lock();
        if matches!(state.link, Link::Connected(_)) {
            Ok(state.peer_name.clone())
        } else {
            Err(FileError::NotConnected)
        }
    }

    /// Who was at the other end when they were joined.
    #[must_use]
    pub fn peer(&self) -> Option<Who> {
        self.state.lock().peer
    }

    /// Takes connections from now on (listen(2)).
    pub fn listen(&self, most: usize) -> Result<(), FileError> {
        if self.form == Form::Datagrams {
            return Err(FileError::Unsupported);
        }
        let mut state = self.state.lock();
        // Linux lets one more wait than it was told.
        let most = most.min(MOST_WAITING) + 1;
        let has_name = state.name.is_some();
        match &mut state.link {
            Link::None if has_name => state.link = Link::Listening(most, VecDeque::new()),
            Link::Listening(limit, _) => *limit = most,
            _ => return Err(FileError::Invalid),
        }
        state.peer = Some(self.who);
        Ok(())
    }

    /// Whether it takes connections.
    #[must_use]
    pub fn is_listening(&self) -> bool {
        matches!(self.state.lock().link, Link::Listening(..))
    }

    /// Joins it with `other`. A connection waits there to be accepted, and `inode` is the number of its other end.
    pub fn connect(&self, other: &Self, inode: u64, made: Time) -> Result<(), FileError> {
        if self.form != other.form {
            return Err(FileError::WrongType);
        }
        if self.form == Form::Datagrams {
            self.join(other);
            self.changed.wake_all();
            return Ok(());
        }
        match &self.state.lock().link {
            Link::None => {}
            Link::Connected(_) => return Err(FileError::Connected),
            Link::Listening(..) => return Err(FileError::Invalid),
        }
        let end = Self::new(self.form, inode, other.who, made);
        end.state.lock().name = other.name();
        {
            let mut state = other.state.lock();
            let ended = state.receive_ended;
            let full = match &state.link {
                Link::Listening(most, waiting) if !ended => waiting.len() >= *most,
                _ => return Err(FileError::Refused),
            };
            if full {
                state.inbox.await_room(&self.myself, usize::MAX);
                return Err(FileError::WouldBlock);
            }
            if let Link::Listening(_, waiting) = &mut state.link {
                waiting.push_back(end.clone());
            }
        }
        end.join(self);
        self.join(&end);
        other.changed.wake_all();
        self.changed.wake_all();
        Ok(())
    }

    /// What it sends goes nowhere from now on (connect(2) to AF_UNSPEC).
    pub fn disconnect(&self) {
        let mut state = self.state.lock();
        state.link = Link::None;
        state.peer_name = None;
    }

    /// The end of the connection that has waited longest (accept(2)).
    pub fn accept(&self) -> Result<Arc<Self>, FileError> {
        if self.form == Form::Datagrams {
            return Err(FileError::Unsupported);
        }
        let mut state = self.state.lock();
        let ended = state.receive_ended;
        let Link::Listening(_, waiting) = &mut state.link else { return Err(FileError::Invalid) };
        let Some(end) = waiting.pop_front() else {
            return Err(if ended { FileError::Invalid } else { FileError::WouldBlock });
        };
        let waiting = state.inbox.close();
        drop(state);
        wake(&waiting);
        Ok(end)
    }

    /// Ends receiving, sending, or both; the other end of a connection hears of it (shutdown(2)).
    pub fn shut_down(&self, receive: bool, send: bool) {
        let other = self.other().unwrap_or(None).filter(|_| self.form != Form::Datagrams);
        self.end(receive, send, None);
        if let Some(other) = other {
            other.end(send, receive, None);
        }
    }

    fn end(&self, receive: bool, send: bool, error: Option<FileError>) {
        let mut state = self.state.lock();
        state.receive_ended |= receive;
        state.send_ended |= send;
        state.error = error.or(state.error);
        let senders = if receive { state.inbox.close() } else { Vec::new() };
        drop(state);
        self.changed.wake_all();
        wake(&senders);
    }
}

/// Wakes those who wait for these.
pub fn wake(sockets: &[Arc<Socket>]) {
    sockets.iter().for_each(|socket| socket.changed.wake_all());
}

impl State {
    /// The link is given up; the connections that waited.
    fn leave(&mut self) -> Link {
        core::mem::replace(&mut self.link, Link::None)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let (link, unread, senders, found_as) = {
            let mut state = self.state.lock();
            (state.leave(), !state.inbox.is_empty(), state.inbox.close(), state.found_as.take())
        };
        if let Some((names, key)) = found_as {
            names.remove(&key, &self.myself);
        }
        wake(&senders);
        match link {
            Link::None => {}
            Link::Listening(_, waiting) => {
                let clients = waiting.iter().filter_map(|end| end.other().ok()?);
                clients.for_each(|client| client.end(true, true, Some(FileError::Reset)));
            }
            Link::Connected(other) => match other.upgrade() {
                Some(other) if self.form == Form::Datagrams => other.changed.wake_all(),
                Some(other) => other.end(true, true, unread.then_some(FileError::Reset)),
                None => {}
            },
        }
    }
}
