//! The thread that carries frames.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::losses::Losses;

/// Virtio's header and the longest frame.
const LONGEST: usize = 10 + 14 + 4 + (1 << 16);
/// Frames that are taken from one side before the other has its turn.
const BURST: usize = 64;

/// What a link has carried in each direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Frames that went over.
    pub frames: [u64; 2],
    /// Frames that were lost on purpose.
    pub lost: [u64; 2],
    /// Frames that the other side had no room for.
    pub refused: [u64; 2],
}

/// A link that carries frames as long as the value is there.
#[derive(Debug)]
pub struct Link {
    /// Its other end is closed to end the thread.
    stop: Option<OwnedFd>,
    thread: Option<JoinHandle<io::Result<Carried>>>,
}

impl Link {
    /// Carries frames between two devices ([`crate::open`]), and loses them as `losses` say, by direction.
    ///
    /// # Errors
    /// There is no pipe.
    pub fn start(devices: [OwnedFd; 2], losses: [Losses; 2]) -> io::Result<Self> {
        // No child of the test may hold it open.
        let (ended, stop) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let thread = std::thread::spawn(move || carry(&devices, losses, &ended));
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }

    /// Ends it, and says what it has carried.
    ///
    /// # Errors
    /// A device has failed.
    ///
    /// # Panics
    /// The thread has.
    pub fn end(mut self) -> io::Result<Carried> {
        self.stop = None;
        self.thread.take().expect("it ends once").join().expect("the link's thread ends")
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn carry(devices: &[OwnedFd; 2], mut losses: [Losses; 2], ended: &OwnedFd) -> io::Result<Carried> {
    let mut carried = Carried::default();
    let mut frame = vec![0; LONGEST];
    loop {
        let mut waited = [
            PollFd::new(&devices[0], PollFlags::IN),
            PollFd::new(&devices[1], PollFlags::IN),
            PollFd::new(ended, PollFlags::IN),
        ];
        match poll(&mut waited, None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        let found = [0, 1, 2].map(|at: usize| waited[at].revents());
        if !found[2].is_empty() {
            return Ok(carried);
        }
        for from in 0..2 {
            if !found[from].is_empty() {
                burst(devices, from, &mut losses[from], &mut frame, &mut carried)?;
            }
        }
    }
}

/// Carries what waits at one side, some of it.
fn burst(
    devices: &[OwnedFd; 2],
    from: usize,
    losses: &mut Losses,
    frame: &mut [u8],
    carried: &mut Carried,
) -> io::Result<()> {
    for _ in 0..BURST {
        let length = match rustix::io::read(devices[from].as_fd(), &mut *frame) {
            Ok(length) => length,
            Err(Errno::AGAIN | Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        if losses.next() {
            carried.lost[from] += 1;
            continue;
        }
        match rustix::io::write(devices[1 - from].as_fd(), &frame[..length]) {
            Ok(_) => carried.frames[from] += 1,
            // The other side is down, has no room, or does not take this one: a link loses it.
            Err(_) => carried.refused[from] += 1,
        }
    }
    Ok(())
}
