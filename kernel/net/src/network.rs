//! The network, and what a call on it does.

use alloc::boxed::Box;
use core::{
    net::IpAddr,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use launch::Key;
use netstack::Parts;
use nic::Nics;
use packets::Instant;
use sockets::{Error, Waiting};
use sync::{Mutex, MutexGuard};

use crate::{
    start,
    state::{Link, State, now},
};

/// The stack `P` over the interfaces `N`, as sockets. It begins with the first of these.
pub struct Network<P: Parts + 'static, N> {
    pub(crate) nics: N,
    /// Addresses, routers and servers of names, as an image's options name them: where the launch record says nothing.
    texts: [&'static str; 3],
    state: Mutex<Option<Box<State<P>>>>,
    /// All queues were dry when it was looked last, and interrupt for what has come since.
    told: AtomicBool,
}

impl<P: Parts<Congestion: Send> + 'static, N: Nics> Network<P, N> {
    /// Over these interfaces. The first one gets these addresses (`10.0.2.15/24 fec0::15/64`), and these routers lead
    /// to everyone else. These servers are asked for names.
    #[must_use]
    pub const fn new(nics: N, addresses: &'static str, routers: &'static str, names: &'static str) -> Self {
        Self { nics, texts: [addresses, routers, names], state: Mutex::new(None), told: AtomicBool::new(false) }
    }

    /// The server of names of this number: those that the network tells, and then those of the option.
    pub(crate) fn name_server(&self, number: usize) -> Option<IpAddr> {
        self.begin();
        let told = |state: &State<P>| {
            let servers = state.stack.ip.servers();
            Ok((servers.get(number).map(|server| server.address), servers.len()))
        };
        let (server, count) = self.ask(told).ok()?;
        server.or_else(|| words(Key::NameServer, self.texts[2]).nth(number.checked_sub(count)?).map(of_option))
    }

    /// Begins, if it has not begun. By itself: a whole stack passes by way of the caller's.
    #[inline(never)]
    pub(crate) fn begin(&self) {
        let mut state = self.state.lock();
        if state.is_none() {
            let [addresses, routers, _] = self.texts;
            let (addresses, routers) = (words(Key::Address, addresses), words(Key::Gateway, routers));
            *state = Some(Box::new(start::start(&self.nics, addresses, routers)));
            drop(state);
            kernel::task::look_by(contracts::sockets::look, contracts::sockets::is_told);
            kernel::parting::part_by(crate::parting::part);
        }
    }

    /// Does `call` with the stack, and then what it has to be done: packets go, timers are set, waiters are woken.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&mut State<P>, Instant) -> Result<R, Error>) -> Result<R, Error> {
        let mut guard = self.state.lock_in_line();
        let state = guard.as_deref_mut().ok_or(Error::Stale)?;
        let now = now();
        let result = call(state, now);
        // What would block has done nothing.
        if !matches!(result, Err(Error::WouldBlock)) {
            self.settle(state, now);
        }
        wake(guard);
        result
    }

    /// As [`Network::with`], for a call that seldom leads to anything, and if `check` agrees. Without it nothing is
    /// done, and it is cheap.
    pub(crate) fn with_if<T, R>(
        &self,
        check: impl FnOnce(&State<P>) -> Result<T, Error>,
        call: impl FnOnce(&mut State<P>, Instant, T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut guard = self.state.lock_in_line();
        let state = guard.as_deref_mut().ok_or(Error::Stale)?;
        let checked = check(state)?;
        let now = now();
        let result = call(state, now, checked);
        if !state.is_settled(now) {
            self.settle(state, now);
        }
        wake(guard);
        result
    }

    /// Takes something out of the stack that has it do nothing more: nothing is sent, and nobody is to be woken.
    pub(crate) fn take<R>(&self, call: impl FnOnce(&mut State<P>) -> Result<R, Error>) -> Result<R, Error> {
        call(self.state.lock_in_line().as_deref_mut().ok_or(Error::Stale)?)
    }

    /// Asks the stack something that changes nothing.
    pub(crate) fn ask<R>(&self, question: impl FnOnce(&State<P>) -> Result<R, Error>) -> Result<R, Error> {
        question(self.state.lock_in_line().as_deref().ok_or(Error::Stale)?)
    }

    /// Takes in what has come, if the network has begun; whether anything came.
    pub(crate) fn take_in(&self) -> bool {
        let mut guard = self.state.lock_in_line();
        let Some(state) = guard.as_deref_mut() else { return false };
        let now = now();
        let rang = state.alarm.is_some_and(|alarm| alarm <= now);
        let came = self.receive(state, now);
        self.told.store(state.links.iter().all(Link::is_armed), Relaxed);
        // What a device had no room for goes when it tells of some.
        if came || rang || state.stack.ip.has_outgoing() {
            self.settle(state, now);
        }
        wake(guard);
        came
    }
}

impl<P: Parts, N> Network<P, N> {
    /// Whether an interrupt tells of all that comes: the alarm too ends a wait.
    pub(crate) fn is_told(&self) -> bool {
        self.told.load(Relaxed)
    }
}

fn of_option(text: &str) -> IpAddr {
    text.parse().unwrap_or_else(|_| panic!("the server of names `{text}` is none: say 10.0.2.3"))
}

/// What the launch record says by this key, or else these words.
fn words(key: Key, else_these: &'static str) -> impl Iterator<Item = &'static str> {
    let told = instruction_set::launch::known().filter(|launch| launch.first(key).is_some());
    let those = if told.is_some() { "" } else { else_these };
    let told = told.into_iter().flat_map(move |launch| launch.all(key)).filter_map(|word| str::from_utf8(word).ok());
    told.chain(those.split_whitespace())
}

/// Wakes who is to be woken, with the lock free: they may ask at once.
#[inline]
fn wake<P: Parts>(mut guard: MutexGuard<'_, Option<Box<State<P>>>>) {
    if let Some(state) = guard.as_deref_mut()
        && !state.woken.is_empty()
    {
        let woken = core::mem::take(&mut state.woken);
        drop(guard);
        wake_each(&woken);
    }
}

#[inline(never)]
fn wake_each(woken: &[Waiting]) {
    woken.iter().for_each(|waiting| waiting.wake_all());
}
