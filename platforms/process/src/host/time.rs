//! Clocks and timers.

use super::{HostError, call::call, number};

const SIGEV_THREAD_ID: i32 = 4;
const TIMER_ABSTIME: usize = 1;
const SECOND: u64 = 1_000_000_000;

/// The host's clocks, clock_gettime(2).
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
pub enum ClockId {
    /// CLOCK_REALTIME.
    Wall = 0,
    /// CLOCK_MONOTONIC.
    Monotonic = 1,
    /// CLOCK_PROCESS_CPUTIME_ID: what all our threads have had of the host's processors.
    Process = 2,
    /// CLOCK_THREAD_CPUTIME_ID: what the calling one has had.
    Thread = 3,
}

/// Nanoseconds on a clock.
pub fn now(clock: ClockId) -> u64 {
    read(clock as usize)
}

#[inline(never)]
fn read(clock: usize) -> u64 {
    let mut time = [0_u64; 2];
    // SAFETY: writes the time only. Cannot fail: every host has these clocks, and our threads are there.
    let _ = unsafe { call(number::CLOCK_GETTIME, [clock, time.as_mut_ptr() as usize]) };
    time[0].wrapping_mul(SECOND).wrapping_add(time[1])
}

/// Nanoseconds on the wall clock or the monotonic one, by a function of the host's vDSO; `None` if that fails.
///
/// # Safety
/// `function` is its `__vdso_clock_gettime`.
pub unsafe fn now_by(function: usize, clock: ClockId) -> Option<u64> {
    let mut time = [0_u64; 2];
    // SAFETY: the caller's promise. It writes the time only, and uses no vector registers (as all of the host's kernel,
    // it is built without them), which may be a program's.
    let result = unsafe {
        let function: unsafe extern "sysv64" fn(i32, *mut [u64; 2]) -> i32 = core::mem::transmute(function);
        function(clock as i32, &raw mut time)
    };
    (result == 0).then(|| time[0].wrapping_mul(SECOND).wrapping_add(time[1]))
}

/// Nanoseconds that the host thread with this number has had of the host's processors.
pub fn of_thread(thread: u32) -> u64 {
    // `MAKE_THREAD_CPUCLOCK` of include/linux/posix-timers_types.h: the scheduler's time (2) of a thread (4).
    const CLOCK: i32 = 2 | 4;
    read((!(thread as i32) << 3 | CLOCK) as usize)
}

/// Sleeps for so many nanoseconds, nanosleep(2); a signal ends it early.
pub fn sleep(nanoseconds: u64) {
    let time = [nanoseconds / SECOND, nanoseconds % SECOND];
    // SAFETY: reads the time only. That it ended early is not told.
    let _ = unsafe { call(number::NANOSLEEP, [time.as_ptr() as usize, 0]) };
}

/// `struct sigevent` of sigevent(3type), 64 bytes.
#[repr(C)]
struct Event {
    value: usize,
    signal: i32,
    notify: i32,
    thread: i32,
    rest: [u32; 11],
}

/// Makes a timer on a clock that sends `signal` to a host thread of this process; 0: to the calling one.
pub fn create_timer(clock: ClockId, signal: u8, thread: u32) -> Result<usize, HostError> {
    let thread = if thread == 0 { super::thread::own() } else { thread } as i32;
    let event = Event { value: 0, signal: i32::from(signal), notify: SIGEV_THREAD_ID, thread, rest: [0; 11] };
    let mut timer = 0_i32;
    let arguments = [clock as usize, &raw const event as usize, &raw mut timer as usize];
    // SAFETY: writes the timer's number only.
    unsafe { call(number::TIMER_CREATE, arguments) }?;
    Ok(timer as usize)
}

/// Has a timer fire each time that so many nanoseconds have passed on its clock, from now on.
pub fn repeat_timer(timer: usize, every: u64) -> Result<(), HostError> {
    let [seconds, nanoseconds] = [every / SECOND, every % SECOND];
    let times = [seconds, nanoseconds, seconds, nanoseconds];
    // SAFETY: reads the times only.
    unsafe { call(number::TIMER_SETTIME, [timer, 0, times.as_ptr() as usize]) }.map(drop)
}

/// Sets when a timer fires, in nanoseconds of its clock; 0 stops it. A time in the past fires at once.
pub fn set_timer(timer: usize, deadline: u64) -> Result<(), HostError> {
    // `struct itimerspec`: the interval, then the first time.
    let times = [0, 0, deadline / SECOND, deadline % SECOND];
    // SAFETY: reads the times only.
    unsafe { call(number::TIMER_SETTIME, [timer, TIMER_ABSTIME, times.as_ptr() as usize]) }.map(drop)
}
