//! The process that keeps a machine: it starts it, again if it is to, and is the one that others find, ask and signal.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::detach::{Report, print_into};
use super::kept::{INTERVAL, Kept};
use super::pauses::Pauses;
use super::pid_file::PidFile;
use super::ready::Readiness;
use super::record::{Stage, now};
use super::watch::Watch;
use super::{log, notify};
use crate::arguments::{Platform, Run, Service};
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::machine::{Begun, Outcome};
use crate::run::{self, About, Keeper};
use crate::signals::Signals;
use crate::words::{HealthUrl, Net, Published};

/// Status of a machine that somebody ended by force: as of a process that SIGKILL ended.
const KILLED: u8 = 137;

/// Keeps a machine until its end; returns the exit status. Whoever waits for a report gets it.
pub fn keep(house: &House, run: Run, report: Option<Report>) -> Result<u8, Failure> {
    let mut service = match Kept::new(&run) {
        Ok(kept) => Running { words: run.service.clone(), kept: Arc::new(kept), report, ..Running::default() },
        Err(failure) => return tell(report, failure),
    };
    let ended = service.until_the_end(house, &run);
    service.finish(&ended);
    match ended {
        Err(failure) => tell(service.report.take(), failure),
        ended => ended,
    }
}

/// A failure, to who waits for a report or to who called.
fn tell(report: Option<Report>, failure: Failure) -> Result<u8, Failure> {
    let Some(report) = report else { return Err(failure) };
    report.failed(&failure);
    Ok(failure.status)
}

/// A machine's life, from its first start to its last end.
#[derive(Debug, Default)]
struct Running {
    words: Service,
    kept: Arc<Kept>,
    report: Option<Report>,
    pid_file: Option<PidFile>,
    watch: Option<Watch>,
    readiness: Option<Readiness>,
    has_begun: bool,
    was_asked_to_end: bool,
}

impl Running {
    fn until_the_end(&mut self, house: &House, run: &Run) -> Result<u8, Failure> {
        let mut pauses = Pauses::new(self.words.restart);
        loop {
            let began = Instant::now();
            let ended = run::run(house, run.clone(), self);
            let ended = self.told(ended);
            // What never began would not the next time either.
            if !self.has_begun || self.was_asked_to_end || ended == Ok(0) {
                return ended;
            }
            let Some(pause) = pauses.next(began.elapsed()) else { return ended };
            let how = match &ended {
                Ok(status) => format!("the program ended with status {status}"),
                Err(failure) => failure.sentence.clone(),
            };
            eprintln!("whittle: {how}; it is started anew in {} s ({})", pause.as_secs_f32(), pauses.count());
            self.kept.change(|record| {
                record.stage = Stage::Pausing;
                record.machine = None;
            });
            if is_asked_to_end_within(pause)? {
                return ended;
            }
            self.kept.change(|record| {
                record.stage = Stage::Starting;
                record.restarts += 1;
            });
        }
    }

    fn told(&self, ended: Result<Outcome, Failure>) -> Result<u8, Failure> {
        if self.has_begun && self.kept.was_killed() {
            return Ok(KILLED);
        }
        ended.map(|outcome| outcome.status)
    }

    /// Nothing is left but what tells the end of a machine whose log can still be read.
    fn finish(&mut self, ended: &Result<u8, Failure>) {
        if self.has_begun {
            notify::stopping();
        }
        self.watch = None;
        self.pid_file = None;
        let status = ended.as_ref().map_or_else(|failure| failure.status, |status| *status);
        let stage = Stage::Ended { status, at: now() };
        self.kept.change(|record| {
            record.stage = stage;
            record.machine = None;
        });
        if let Some(claim) = self.kept.claim.as_ref().filter(|_| !(self.has_begun && self.words.detach)) {
            claim.give_back();
        }
    }

    /// What is done before the first start alone.
    fn before_the_first(&mut self) -> Result<(), Failure> {
        if self.report.as_ref().is_some_and(|report| !report.is_awaited()) {
            return Err(Failure::ours("whoever wanted a machine has gone"));
        }
        if let Some(path) = &self.words.pid_file {
            let file = PidFile::at(path)?;
            self.kept.change(|record| record.pid_file = file.path().to_str().map(Into::into));
            self.pid_file.insert(file).write()?;
        }
        if let (Some(claim), true) = (&self.kept.claim, self.words.detach) {
            let path = claim.file(log::FILE);
            log::open(&path).and_then(|log| print_into(&log)).doing(format!("write to {}", path.display()))?;
        }
        Ok(())
    }
}

impl Keeper for Running {
    fn has_looked(&self) -> bool {
        true
    }

    fn before(&mut self, about: &About<'_>, signals: &mut Signals) -> Result<bool, Failure> {
        let published = &about.run.network.published;
        if let Some(url) = &self.words.health {
            check(url, published, about.net)?;
        }
        self.kept.change(|record| {
            about.setting.platform.name().clone_into(&mut record.platform);
            record.published = published.iter().map(Published::arrow).collect();
            record.tap = if let Net::Tap(name) = about.net { Some(name.clone()) } else { None };
        });
        if !self.has_begun {
            self.before_the_first()?;
        }
        signals.when_asked_to_end(notify::stopping);
        let readiness = Readiness::of(about, self.words.health.is_some());
        let monitored = readiness.wants_monitor() && about.setting.platform == Platform::Pc && !about.run.gdb;
        self.readiness = Some(readiness);
        Ok(monitored)
    }

    fn begun(&mut self, begun: Begun) {
        self.has_begun = true;
        self.kept.change(|record| {
            record.stage = Stage::Running;
            record.machine = u32::try_from(begun.process.as_raw_nonzero().get()).ok();
        });
        if let (Some(report), Some(claim)) = (self.report.take(), &self.kept.claim) {
            report.started(&claim.name);
        }
        let log = self.kept.claim.as_ref().filter(|_| self.words.detach).map(|claim| claim.file(log::FILE));
        let interval = Duration::from_secs(self.words.health_interval.unwrap_or(INTERVAL).into());
        let health = self.words.health.as_ref().map(|url| (url.clone(), interval));
        let watch = self.watch.get_or_insert_with(|| Watch::begin(self.kept.clone(), log, health));
        watch.begun(self.readiness.take().unwrap_or_default(), begun.monitor);
    }

    fn ended(&mut self, signals: &Signals) {
        self.was_asked_to_end |= signals.was_asked_to_end();
        if let Some(watch) = &self.watch {
            watch.ended();
        }
    }
}

/// Refuses to ask where the program cannot be reached.
fn check(url: &HealthUrl, published: &[Published], net: &Net) -> Result<(), Failure> {
    let leads_there = |published: &Published| !published.udp && published.host == url.port;
    let port = url.port;
    match net {
        Net::Host | Net::Tap(_) | Net::Passt(Some(_)) => Ok(()),
        _ if published.iter().any(leads_there) => Ok(()),
        _ => Err(Failure::ours(format!(
            "--health: nobody reaches port {port} of the program's: publish the port that it has, as in -p {port}:80"
        ))),
    }
}

/// Waits; true as soon as a signal asks for the end.
fn is_asked_to_end_within(pause: Duration) -> Result<bool, Failure> {
    let mut signals = Signals::new()?;
    signals.when_asked_to_end(notify::stopping);
    let until = Instant::now() + pause;
    loop {
        while signals.take().is_some() {}
        let left = until.saturating_duration_since(Instant::now());
        if signals.was_asked_to_end() || left.is_zero() {
            return Ok(signals.was_asked_to_end());
        }
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(&signals, PollFlags::IN)], Some(&left)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).doing("wait"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_is_asked_where_the_program_is_reached() {
        let url: HealthUrl = "http://127.0.0.1:8080/".parse().unwrap();
        let published = |text: &str| vec![text.parse::<Published>().unwrap()];
        check(&url, &published("8080:80"), &Net::User).unwrap();
        check(&url, &[], &Net::Host).unwrap();
        for wrong in ["80:8080", "8080:80/udp"] {
            assert!(check(&url, &published(wrong), &Net::User).is_err(), "{wrong}");
        }
        let told = check(&url, &[], &Net::None).unwrap_err().sentence;
        assert!(told.starts_with("--health: nobody reaches port 8080"), "{told}");
    }
}
