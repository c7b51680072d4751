//! The network, and what a call on it does.

use alloc::boxed::Box;
use core::net::IpAddr;

use netstack::Parts;
use nic::Nics;
use packets::Instant;
use sockets::Error;
use sync::{Mutex, MutexGuard};

use crate::{
    start,
    state::{State, now},
};

/// The stack `P` over the interfaces `N`, as sockets. It begins with the first of these.
pub struct Network<P: Parts + 'static, N> {
    pub(crate) nics: N,
    /// Addresses, routers and servers of names, as an image's options name them.
    texts: [&'static str; 3],
    state: Mutex<Option<Box<State<P>>>>,
}

impl<P: Parts<Congestion: Send> + 'static, N: Nics> Network<P, N> {
    /// Over these interfaces. The first one gets these addresses (`10.0.2.15/24 fec0::15/64`), and these routers lead to
    /// everyone else. These servers are asked for names.
    #[must_use]
    pub const fn new(nics: N, addresses: &'static str, routers: &'static str, names: &'static str) -> Self {
        Self { nics, texts: [addresses, routers, names], state: Mutex::new(None) }
    }

    /// The server of names of this number: those that the network tells, and then those of the option.
    pub(crate) fn name_server(&self, number: usize) -> Option<IpAddr> {
        self.begin();
        let told = |state: &State<P>| {
            let servers = state.stack.ip.servers();
            Ok((servers.get(number).map(|server| server.address), servers.len()))
        };
        let (server, count) = self.ask(told).ok()?;
        let [_, _, names] = self.texts;
        server.or_else(|| names.split_whitespace().nth(number - count).map(of_option))
    }

    /// Begins, if it has not begun. By itself: a whole stack passes by way of the caller's.
    #[inline(never)]
    pub(crate) fn begin(&self) {
        let mut state = self.state.lock();
        if state.is_none() {
            *state = Some(Box::new(start::start(&self.nics, [self.texts[0], self.texts[1]])));
            drop(state);
            kernel::task::look_by(contracts::sockets::look);
        }
    }

    /// Does `call` with the stack, and then what it has to be done: packets go, timers are set, waiters are woken.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&mut State<P>, Instant) -> Result<R, Error>) -> Result<R, Error> {
        let mut guard = self.state.lock();
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

    /// As [`Network::with`], if `check` agrees. Without it nothing is done, and it is cheap.
    pub(crate) fn with_if<T, R>(
        &self,
        check: impl FnOnce(&State<P>) -> Result<T, Error>,
        call: impl FnOnce(&mut State<P>, Instant, T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut guard = self.state.lock();
        let state = guard.as_deref_mut().ok_or(Error::Stale)?;
        let checked = check(state)?;
        let now = now();
        let result = call(state, now, checked);
        self.settle(state, now);
        wake(guard);
        result
    }

    /// Takes something out of the stack that has it do nothing more: nothing is sent, and nobody is to be woken.
    pub(crate) fn take<R>(&self, call: impl FnOnce(&mut State<P>) -> Result<R, Error>) -> Result<R, Error> {
        call(self.state.lock().as_deref_mut().ok_or(Error::Stale)?)
    }

    /// Asks the stack something that changes nothing.
    pub(crate) fn ask<R>(&self, question: impl FnOnce(&State<P>) -> Result<R, Error>) -> Result<R, Error> {
        question(self.state.lock().as_deref().ok_or(Error::Stale)?)
    }

    /// Takes in what has come, if the network has begun; whether anything came.
    pub(crate) fn take_in(&self) -> bool {
        let mut guard = self.state.lock();
        let Some(state) = guard.as_deref_mut() else { return false };
        let now = now();
        let rang = state.alarm.is_some_and(|alarm| alarm <= now);
        let came = self.receive(state, now);
        if came || rang {
            self.settle(state, now);
        }
        wake(guard);
        came
    }
}

fn of_option(text: &str) -> IpAddr {
    text.parse().unwrap_or_else(|_| panic!("the server of names `{text}` is none: say 10.0.2.3"))
}

/// Wakes who is to be woken, with the lock free: they may ask at once.
fn wake<P: Parts>(mut guard: MutexGuard<'_, Option<Box<State<P>>>>) {
    let Some(state) = guard.as_deref_mut().filter(|state| !state.woken.is_empty()) else { return };
    let woken = core::mem::take(&mut state.woken);
    drop(guard);
    woken.iter().for_each(|waiting| waiting.wake_all());
}
