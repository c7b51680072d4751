//! What a parent waits for: wait4(2), waitid(2).

use super::{Families, Member, Number};

/// What has happened to a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// It ended with this status.
    Exited(u8),
    /// This signal ended it.
    Killed(u8),
    /// This signal stopped it.
    Stopped(u8),
    /// It goes on.
    Continued,
}

/// Which children are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Any.
    Any,
    /// The one with this number.
    Process(Number),
    /// Those of this group.
    Group(Number),
}

/// Which children, by the signal at their end, are waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clones {
    /// Those that send the usual signal, which is this one.
    #[default]
    Not,
    /// Those that send another one or none (__WCLONE).
    Only,
    /// All (__WALL).
    Too,
}

/// What is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Which children.
    pub who: Who,
    /// Which of these, by the signal at their end.
    pub clones: Clones,
    /// The usual signal at an end (SIGCHLD).
    pub usual: u8,
    /// Those that have ended (WEXITED).
    pub ended: bool,
    /// Those that a signal has stopped (WUNTRACED).
    pub stopped: bool,
    /// Those that go on (WCONTINUED).
    pub continued: bool,
    /// They are left as they are, to be waited for again (WNOWAIT).
    pub keep: bool,
}

/// A child that was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The child.
    pub number: Number,
    /// What has happened to it.
    pub news: News,
    /// It has ended, and nothing is kept of it any more.
    pub gone: bool,
}

/// There is no child that could be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoChild;

impl Wanted {
    fn may_be(&self, number: Number, member: &Member) -> bool {
        let is_meant = match self.who {
            Who::Any => true,
            Who::Process(wanted) => number == wanted,
            Who::Group(group) => member.group == group,
        };
        let is_kind = match self.clones {
            Clones::Not => member.signal == self.usual,
            Clones::Only => member.signal != self.usual,
            Clones::Too => true,
        };
        is_meant && is_kind && !member.unwanted
    }

    fn news(&self, member: &Member) -> Option<News> {
        if let Some(news) = member.ended {
            return self.ended.then_some(news);
        }
        match member.stopped {
            Some((signal, false)) if self.stopped => Some(News::Stopped(signal)),
            _ => (member.continued && self.continued).then_some(News::Continued),
        }
    }
}

impl Families {
    /// Looks for a child of `parent` that is as wanted: `None` if there may be one later.
    pub fn wait(&mut self, parent: Number, wanted: &Wanted) -> Result<Option<Found>, NoChild> {
        let children = &self.members.get(&parent).ok_or(NoChild)?.children;
        let mut any = false;
        let mut found = None;
        let named = match wanted.who {
            Who::Process(number) => children.get(&number).map(|number| number..=number),
            _ => children.first().zip(children.last()).map(|(first, last)| first..=last),
        };
        for number in named.into_iter().flat_map(|range| children.range(range)) {
            let Some(member) = self.members.get(number).filter(|member| wanted.may_be(*number, member)) else {
                continue;
            };
            any = true;
            if let Some(news) = wanted.news(member) {
                found = Some((*number, news));
                break;
            }
        }
        let Some((number, news)) = found else { return if any { Ok(None) } else { Err(NoChild) } };
        let gone = !wanted.keep && matches!(news, News::Exited(_) | News::Killed(_));
        if gone {
            self.forget(number);
        } else if !wanted.keep
            && let Some(member) = self.members.get_mut(&number)
        {
            match news {
                News::Stopped(signal) => member.stopped = Some((signal, true)),
                _ => member.continued = false,
            }
        }
        Ok(Some(Found { number, news, gone }))
    }

    /// A signal has stopped a process, and it did not stop before; its parent is to be told. `None` for the first
    /// process and for one that has ended.
    pub fn stop(&mut self, number: Number, signal: u8) -> Option<Number> {
        self.set_stopped(number, Some(signal))
    }

    /// A process goes on after a stop; its parent is to be told.
    pub fn go_on(&mut self, number: Number) -> Option<Number> {
        self.set_stopped(number, None)
    }

    /// Notes what has stopped a living process, or that it goes on; its parent.
    pub(super) fn set_stopped(&mut self, number: Number, signal: Option<u8>) -> Option<Number> {
        let member = self.members.get_mut(&number).filter(|member| member.ended.is_none())?;
        let was_stopped = member.stopped.is_some();
        (member.stopped, member.continued) = (signal.map(|signal| (signal, false)), signal.is_none());
        self.stopped = self.stopped + usize::from(signal.is_some()) - usize::from(was_stopped);
        (member.parent != 0).then_some(member.parent)
    }
}
