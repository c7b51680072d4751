//! A client that asks on many connections at once, each as soon as it has its answer: how often in a second, and how
//! long an answer takes. It is one thread, so that it takes no more than one processor.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::load::Load;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came of it.
#[derive(Clone, Debug)]
pub struct Driven {
    /// Requests that were answered.
    pub requests: u64,
    /// How long all of them took.
    pub took: Duration,
    /// Of each batch of requests that were sent at once, from its sending to the end of its answers.
    waits: Vec<Duration>,
}

impl Driven {
    /// Requests in a second.
    pub fn rate(&self) -> f64 {
        self.requests as f64 / self.took.as_secs_f64()
    }

    /// What a hundredth of the answers take, or longer, in milliseconds.
    pub fn slowest_hundredth(&self) -> f64 {
        let mut waits = self.waits.clone();
        waits.sort_unstable();
        let place = (waits.len() * 99 / 100).min(waits.len().saturating_sub(1));
        waits.get(place).map_or(f64::NAN, |wait| wait.as_secs_f64() * 1e3)
    }
}

/// A connection with requests under way.
struct Asking {
    stream: TcpStream,
    sent: Instant,
    /// Bytes of their answers that have come.
    come: usize,
    buffer: Vec<u8>,
}

/// Asks on so many connections, all that long.
pub fn drive(load: Load, at: Ipv4Addr, connections: usize, long: Duration) -> io::Result<Driven> {
    let sent = load.request().repeat(load.pipeline).into_bytes();
    let mut streams = (0..connections).map(|_| load.connect(at)).collect::<io::Result<Vec<_>>>()?;
    let length = streams.first_mut().map_or(Ok(0), |stream| load.first(stream))?;
    let (since, end) = (Instant::now(), load.end().into_bytes());
    let begin = |mut stream: TcpStream| {
        stream.write_all(&sent)?;
        stream.set_nonblocking(true)?;
        Ok(Asking { stream, sent: Instant::now(), come: 0, buffer: vec![0; length * load.pipeline] })
    };
    let mut all = streams.into_iter().map(begin).collect::<io::Result<Vec<_>>>()?;
    let mut waits = Vec::new();
    while since.elapsed() < long {
        for place in ready(&all)? {
            let asking = &mut all[place];
            if !asking.takes()? {
                continue;
            }
            if !asking.buffer.chunks(length).all(|answer| answer.ends_with(&end)) {
                return Err(io::Error::new(ErrorKind::InvalidData, "a wrong answer"));
            }
            waits.push(asking.sent.elapsed());
            asking.sends(&sent)?;
        }
    }
    Ok(Driven { requests: (waits.len() * load.pipeline) as u64, took: since.elapsed(), waits })
}

/// Those of which something has come.
fn ready(all: &[Asking]) -> io::Result<Vec<usize>> {
    let mut files: Vec<_> = all.iter().map(|asking| PollFd::new(&asking.stream, PollFlags::IN)).collect();
    let patience = Timespec { tv_sec: PATIENCE.as_secs() as i64, tv_nsec: 0 };
    if poll(&mut files, Some(&patience))? == 0 {
        return Err(io::Error::new(ErrorKind::TimedOut, "no answer has come for a minute"));
    }
    let is_ready = |(place, file): (usize, &PollFd<'_>)| (!file.revents().is_empty()).then_some(place);
    Ok(files.iter().enumerate().filter_map(is_ready).collect())
}

impl Asking {
    /// Takes what has come; whether that is all of the answers.
    fn takes(&mut self) -> io::Result<bool> {
        match self.stream.read(&mut self.buffer[self.come..]) {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                self.come += count;
                Ok(self.come == self.buffer.len())
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Asks again. All answers have come, so there is room for so few bytes.
    fn sends(&mut self, bytes: &[u8]) -> io::Result<()> {
        (self.come, self.sent) = (0, Instant::now());
        self.stream.write_all(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_hundredth_is_that_of_the_waits() {
        let waits = (1..=200).rev().map(Duration::from_millis).collect();
        let driven = Driven { requests: 200, took: Duration::from_secs(2), waits };
        assert_eq!((driven.rate(), driven.slowest_hundredth()), (100.0, 199.0));
        assert!(Driven { waits: Vec::new(), ..driven }.slowest_hundredth().is_nan());
    }
}
