//! Checks times platforms: one test each, with cargo's usual lines, filters and exit status.

use std::borrow::Cow;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};

use crate::skip::{all, leave, run_or_skip};
use crate::{Guest, Platform};

/// Where a check makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// On every platform, and on Linux as reference.
    Everywhere,
    /// On every platform but the slower repetition of KVM.
    Usual,
    /// On every platform but KVM, and not on Linux: it is about whittle.
    Guests,
    /// As [`Scope::Guests`], but not at ring 3: what another check of the kind shows there.
    GuestsAtRing0,
    /// On virtual machines under emulation.
    Machines,
    /// Once, on no platform in particular (it is given [`Platform::Process`]).
    Once,
}

impl Scope {
    fn holds(self, platform: Platform) -> bool {
        use Platform::{KvmRing3, Native, PcRing3, Process};
        match self {
            Self::Everywhere => true,
            Self::Usual => platform != KvmRing3,
            Self::Guests => !matches!(platform, KvmRing3 | Native),
            Self::GuestsAtRing0 => !matches!(platform, PcRing3 | KvmRing3 | Native),
            Self::Machines => platform.is_pc() && platform != KvmRing3,
            Self::Once => platform == Process,
        }
    }
}

/// A named check. It panics when something is not as it should be.
#[derive(Clone)]
pub struct Check {
    name: Cow<'static, str>,
    scope: Scope,
    wanted: Arc<dyn Fn(Platform) -> bool + Send + Sync>,
    long: Arc<dyn Fn(Platform) -> bool + Send + Sync>,
    body: Arc<dyn Fn(Platform) + Send + Sync>,
}

impl Check {
    /// A check of this name and scope.
    #[must_use]
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        scope: Scope,
        body: impl Fn(Platform) + Send + Sync + 'static,
    ) -> Self {
        Self::where_wanted(name, scope, |_| true, body)
    }

    /// A check that runs only where a question about the platform is answered with yes.
    #[must_use]
    pub fn where_wanted(
        name: impl Into<Cow<'static, str>>,
        scope: Scope,
        wanted: impl Fn(Platform) -> bool + Send + Sync + 'static,
        body: impl Fn(Platform) + Send + Sync + 'static,
    ) -> Self {
        let long = Arc::new(|_| false);
        Self { name: name.into(), scope, wanted: Arc::new(wanted), long, body: Arc::new(body) }
    }

    /// The check, left to `--all` ([`all`]) and to whoever asks for it by name.
    #[must_use]
    pub fn long(self) -> Self {
        self.long_where(|_| true)
    }

    /// The check, left to `--all` where a question about the platform is answered with yes.
    #[must_use]
    pub fn long_where(self, long: impl Fn(Platform) -> bool + Send + Sync + 'static) -> Self {
        Self { long: Arc::new(long), ..self }
    }

    /// Its name on a platform.
    fn name_on(&self, platform: Platform) -> String {
        match self.scope {
            Scope::Once => self.name.to_string(),
            _ => format!("{}::{}", platform.name(), self.name),
        }
    }

    fn is_wanted(&self, platform: Platform) -> bool {
        self.scope.holds(platform) && (self.wanted)(platform)
    }
}

/// How many checks run at once, unless `--test-threads` says it. Most of them wait for a machine half of the time, so
/// that one for each processor would leave processors idle.
fn at_once() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).div_ceil(2) * 3
}

/// Whether each check is to say how long it took: what makes a run of all of them long.
fn tells_times() -> bool {
    std::env::var_os("WHITTLE_TEST_TIMES").is_some()
}

/// Runs the checks on every platform that this machine has.
#[must_use]
pub fn run(checks: &[Check]) -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert_with(at_once);
    let mut platforms: Vec<_> = Platform::ALL.into_iter().filter(|platform| platform.is_wanted()).collect();
    platforms.retain(|&platform| {
        // What nobody asks for is not fetched either.
        let obstacle = checks.iter().any(|check| check.is_wanted(platform)).then(|| platform.obstacle()).flatten();
        obstacle.iter().for_each(|obstacle| eprintln!("skipped: {}: {obstacle}", platform.name()));
        obstacle.is_none()
    });
    // A check's platforms follow each other: where it builds images, they are then built side by side.
    let pairs = checks.iter().flat_map(|check| platforms.iter().map(move |&platform| (check, platform)));
    let mut trials = Vec::new();
    for (check, platform) in pairs.filter(|(check, platform)| check.is_wanted(*platform)) {
        let (name, body) = (check.name_on(platform), check.body.clone());
        if (check.long)(platform) && !all() && arguments.filter.is_none() {
            leave(name);
        } else {
            trials.push(Trial::ignorable_test(name.clone(), move || {
                let began = Instant::now();
                let ended = run_or_skip(|| body(platform));
                if tells_times() {
                    eprintln!("took {:.1} s: {name}", began.elapsed().as_secs_f64());
                }
                ended
            }));
        }
    }
    let guests = checks.iter().any(|check| check.scope != Scope::Once);
    if guests && !trials.is_empty() && !arguments.list && !prepare() {
        return ExitCode::FAILURE;
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Everything that takes minutes once, so that no check's time limit meets it: QEMU, the command, the kernels.
/// `false` if a kernel does not build: then every check would only say so once more.
fn prepare() -> bool {
    let platforms = [Platform::Process, Platform::PcRing0].into_iter();
    platforms.filter(|platform| platform.obstacle().is_none()).all(|platform| {
        let outcome = Guest::new(platform).limit(Duration::from_secs(900)).run(&["/bin/true"]);
        let error = outcome.error_text();
        if outcome.status != 0 {
            eprintln!("{}: true ends with {}: {error}", platform.name(), outcome.status);
        }
        !error.contains("does not build")
    })
}
