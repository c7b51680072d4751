//! The knobs of the whole, by the names that Linux gives them below `/proc/sys/net/ipv4`
//! (Documentation/networking/ip-sysctl.rst). One table for all who read and write them.

use alloc::{string::String, vec::Vec};
use core::{fmt::Write, time::Duration};

use super::Tcp;
use crate::{Limits, PathProbing, Settings, congestion::Congestion};

/// Why a knob was not turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnobError {
    /// There is none of this name.
    Unknown,
    /// It takes other numbers: `EINVAL`.
    Invalid,
}

/// What a knob turns: limits of the whole, and what sockets begin with.
struct Board<'a> {
    limits: &'a mut Limits,
    settings: &'a mut Settings,
}

/// A knob: how many numbers it has, and how they are read and written. `false`: it does not take these.
struct Knob {
    name: &'static str,
    read: fn(&Limits, &Settings) -> [u32; 3],
    write: fn(&mut Board<'_>, [u32; 3]) -> bool,
    count: usize,
}

const fn one(
    name: &'static str,
    read: fn(&Limits, &Settings) -> [u32; 3],
    write: fn(&mut Board<'_>, [u32; 3]) -> bool,
) -> Knob {
    Knob { name, read, write, count: 1 }
}

const fn three(
    name: &'static str,
    read: fn(&Limits, &Settings) -> [u32; 3],
    write: fn(&mut Board<'_>, [u32; 3]) -> bool,
) -> Knob {
    Knob { name, read, write, count: 3 }
}

/// Puts a value into its place.
fn put<T>(place: &mut T, value: T) -> bool {
    *place = value;
    true
}

/// As [`put`], of a number that has to fit.
fn fit<T: TryFrom<u32>>(place: &mut T, value: u32) -> bool {
    T::try_from(value).is_ok_and(|value| put(place, value))
}

/// 0 or 1.
fn switch(place: &mut bool, value: u32) -> bool {
    value <= 1 && put(place, value == 1)
}

fn seconds(place: &mut Duration, value: u32) -> bool {
    put(place, Duration::from_secs(value.into()))
}

/// The first of the three numbers of a queue is for machines without memory; here no memory is set aside for sockets.
const LEAST_QUEUE: u32 = 4096;

const fn alone(value: u32) -> [u32; 3] {
    [value, 0, 0]
}

const KNOBS: &[Knob] = &[
    one(
        "tcp_base_mss",
        |limits, _| alone(limits.base_segment.into()),
        |board, [value, ..]| value >= 512 && fit(&mut board.limits.base_segment, value),
    ),
    // 0 neither asks nor answers, 1 asks when it connects, 2 only answers.
    one(
        "tcp_ecn",
        |limits, settings| match (limits.answers_notification, settings.congestion_notification) {
            (false, _) => alone(0),
            (true, asks) => alone(if asks { 1 } else { 2 }),
        },
        |board, [value, ..]| {
            let (asks, answers) = (value == 1, value != 0);
            let place = &mut board.settings.congestion_notification;
            value <= 2 && put(place, asks) && put(&mut board.limits.answers_notification, answers)
        },
    ),
    one(
        "tcp_fin_timeout",
        |_, settings| alone(settings.fin_timeout.as_secs() as u32),
        |board, [value, ..]| seconds(&mut board.settings.fin_timeout, value),
    ),
    one(
        "tcp_keepalive_intvl",
        |_, settings| alone(settings.keep_interval.as_secs() as u32),
        |board, [value, ..]| seconds(&mut board.settings.keep_interval, value),
    ),
    one(
        "tcp_keepalive_probes",
        |_, settings| alone(settings.keep_count.into()),
        |board, [value, ..]| fit(&mut board.settings.keep_count, value),
    ),
    one(
        "tcp_keepalive_time",
        |_, settings| alone(settings.keep_idle.as_secs() as u32),
        |board, [value, ..]| seconds(&mut board.settings.keep_idle, value),
    ),
    one(
        "tcp_max_orphans",
        |limits, _| alone(limits.orphans),
        |board, [value, ..]| put(&mut board.limits.orphans, value),
    ),
    one(
        "tcp_max_syn_backlog",
        |limits, _| alone(limits.half_open),
        |board, [value, ..]| put(&mut board.limits.half_open, value),
    ),
    one(
        "tcp_max_tw_buckets",
        |limits, _| alone(limits.time_waits),
        |board, [value, ..]| put(&mut board.limits.time_waits, value),
    ),
    one(
        "tcp_min_tso_segs",
        |limits, _| alone(limits.least_burst),
        |board, [value, ..]| value > 0 && put(&mut board.limits.least_burst, value),
    ),
    one(
        "tcp_mtu_probing",
        |limits, _| alone(limits.path_probing as u32),
        |board, [value, ..]| {
            let all = [PathProbing::Never, PathProbing::AfterSilence, PathProbing::Always];
            all.get(value as usize).is_some_and(|probing| put(&mut board.limits.path_probing, *probing))
        },
    ),
    one(
        "tcp_notsent_lowat",
        |limits, _| alone(limits.unsent_low_water),
        |board, [value, ..]| put(&mut board.limits.unsent_low_water, value),
    ),
    three(
        "tcp_rmem",
        |limits, _| [LEAST_QUEUE, limits.first_receive_queue, limits.receive_window],
        |board, [_, first, most]| {
            let right = first > 0 && first <= most;
            right && put(&mut board.limits.first_receive_queue, first) && put(&mut board.limits.receive_window, most)
        },
    ),
    one(
        "tcp_slow_start_after_idle",
        |limits, _| alone(limits.restarts_after_idle.into()),
        |board, [value, ..]| switch(&mut board.limits.restarts_after_idle, value),
    ),
    one(
        "tcp_syn_retries",
        |_, settings| alone(settings.syn_retries.into()),
        |board, [value, ..]| value > 0 && fit(&mut board.settings.syn_retries, value),
    ),
    // 1 sends cookies when there is no room, 2 always. No flood is taken without them.
    one(
        "tcp_syncookies",
        |limits, _| alone(if limits.always_cookies { 2 } else { 1 }),
        |board, [value, ..]| matches!(value, 1 | 2) && put(&mut board.limits.always_cookies, value == 2),
    ),
    // 2, without an offset of each connection's own, is refused.
    one(
        "tcp_timestamps",
        |limits, _| alone(limits.timestamps.into()),
        |board, [value, ..]| switch(&mut board.limits.timestamps, value),
    ),
    one(
        "tcp_tso_win_divisor",
        |limits, _| alone(limits.burst_divisor),
        |board, [value, ..]| value > 0 && put(&mut board.limits.burst_divisor, value),
    ),
    three(
        "tcp_wmem",
        |limits, _| [LEAST_QUEUE, limits.first_send_queue, limits.send_queue],
        |board, [_, first, most]| {
            let right = first > 0 && first <= most;
            right && put(&mut board.limits.first_send_queue, first) && put(&mut board.limits.send_queue, most)
        },
    ),
];

impl<C: Congestion> Tcp<C> {
    /// The names of all knobs, as files below `/proc/sys/net/ipv4` have them, in order.
    pub fn knobs() -> impl Iterator<Item = &'static str> {
        KNOBS.iter().map(|knob| knob.name)
    }

    /// The numbers of a knob, with tabs between, as Linux tells them.
    #[must_use]
    pub fn knob(&self, name: &str) -> Option<String> {
        let knob = KNOBS.iter().find(|knob| knob.name == name)?;
        let numbers = (knob.read)(&self.shared.limits, &self.shared.settings);
        let mut text = String::new();
        for (index, number) in numbers[..knob.count].iter().enumerate() {
            let between = if index == 0 { "" } else { "\t" };
            let _ = write!(text, "{between}{number}");
        }
        Some(text)
    }

    /// Turns a knob: numbers with blanks between. What belongs to sockets is for those that are opened later.
    ///
    /// # Errors
    /// [`KnobError`].
    pub fn turn(&mut self, name: &str, text: &str) -> Result<(), KnobError> {
        let knob = KNOBS.iter().find(|knob| knob.name == name).ok_or(KnobError::Unknown)?;
        let numbers = text.split_whitespace().map(str::parse).collect::<Result<Vec<u32>, _>>();
        let numbers = numbers.map_err(|_| KnobError::Invalid)?;
        let mut values = [0; 3];
        if numbers.len() != knob.count {
            return Err(KnobError::Invalid);
        }
        values[..knob.count].copy_from_slice(&numbers);
        let settings = alloc::sync::Arc::make_mut(&mut self.shared.settings);
        let mut board = Board { limits: &mut self.shared.limits, settings };
        if (knob.write)(&mut board, values) { Ok(()) } else { Err(KnobError::Invalid) }
    }
}
