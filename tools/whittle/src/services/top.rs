//! `whittle top`: what machines take of the host, by what it tells of their processes; packets where a network
//! interface of its counts them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Write, stdin, stdout};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyModifiers};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

use super::processes;
use super::ps::lines;
use super::state::{Entry, State};
use crate::arguments::Top;
use crate::failure::{Doing, Failure};
use crate::words::Size;

/// How long processor time is measured for one table.
const SPAN: Duration = Duration::from_secs(1);

/// Between two looks whether a signal has come.
const SLICE: Duration = Duration::from_millis(100);

/// Shows them, once or until somebody has seen enough; returns the exit status.
pub fn top(words: &Top) -> Result<u8, Failure> {
    let state = State::find()?;
    if words.once {
        let before = Look::now(&state)?;
        thread::sleep(SPAN);
        // Whoever does not read to the end has read enough.
        let _ = stdout().write_all(before.table(&Look::now(&state)?).as_bytes());
        return Ok(0);
    }
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Failure::ours("top needs a terminal: say --once for one table"));
    }
    let screen = Screen::open().doing("use the terminal")?;
    let mut before = Look::now(&state)?;
    loop {
        if let Some(status) = screen.wait(SPAN).doing("read the terminal")? {
            return Ok(status);
        }
        let now = Look::now(&state)?;
        show(&before.table(&now)).doing("write to the terminal")?;
        before = now;
    }
}

/// The terminal's other screen, without its own handling of lines. It is given back with this value, also where a
/// signal ends the command.
struct Screen {
    signals: SignalFd,
}

impl Screen {
    fn open() -> io::Result<Self> {
        let set: SigSet = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM].into_iter().collect();
        set.thread_block()?;
        let signals = SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
        enable_raw_mode()?;
        let screen = Self { signals };
        execute!(stdout(), EnterAlternateScreen)?;
        show("looking ...\n")?;
        Ok(screen)
    }

    /// Waits; the exit status, as soon as somebody has seen enough.
    fn wait(&self, span: Duration) -> io::Result<Option<u8>> {
        let until = Instant::now() + span;
        while Instant::now() < until {
            if event::poll(SLICE)? && is_enough(&event::read()?) {
                return Ok(Some(0));
            }
            if let Some(signal) = self.signals.read_signal()? {
                return Ok(Some(128 + signal.ssi_signo as u8));
            }
        }
        Ok(None)
    }
}

fn is_enough(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    let is_interrupt = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
    is_interrupt || matches!(key.code, KeyCode::Char('q') | KeyCode::Esc)
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing back.
        let _ = execute!(stdout(), LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// Puts a text in place of what was shown.
fn show(text: &str) -> io::Result<()> {
    let text = text.replace('\n', "\x1b[K\r\n");
    write!(stdout(), "\x1b[H{text}\r\nq ends\x1b[K\x1b[J")?;
    stdout().flush()
}

/// What was seen of all machines at a moment.
struct Look {
    at: Instant,
    machines: BTreeMap<String, Taken>,
}

/// What a machine takes.
#[derive(Clone, Debug)]
struct Taken {
    program: String,
    process: u32,
    time: Duration,
    memory: u64,
    /// To the machine and from it.
    packets: Option<[u64; 2]>,
}

impl Look {
    fn now(state: &State) -> Result<Self, Failure> {
        let machines = state.entries()?.into_iter().filter_map(|entry| Some((entry.name.to_string(), taken(&entry)?)));
        Ok(Self { at: Instant::now(), machines: machines.collect() })
    }

    /// The table for the time from this look to a later one.
    fn table(&self, later: &Self) -> String {
        let head = ["name", "program", "process", "processor", "time", "memory", "packets in", "packets out"]
            .map(String::from);
        let span = later.at.duration_since(self.at);
        let row = |(name, taken): (&String, &Taken)| {
            let before = self.machines.get(name).filter(|before| before.process == taken.process);
            let packets = |way: usize| taken.packets.map_or_else(|| "-".into(), |packets| packets[way].to_string());
            [
                name.clone(),
                taken.program.clone(),
                taken.process.to_string(),
                before.map_or_else(|| "-".into(), |before| share(taken.time.saturating_sub(before.time), span)),
                format!("{:.2} s", taken.time.as_secs_f64()),
                Size(taken.memory).to_string(),
                packets(0),
                packets(1),
            ]
        };
        let rows: Vec<[String; 8]> = std::iter::once(head).chain(later.machines.iter().map(row)).collect();
        lines(&rows)
    }
}

/// What a machine takes that runs.
fn taken(entry: &Entry) -> Option<Taken> {
    let record = &entry.record;
    let process = record.machine.filter(|_| entry.is_kept)?;
    // A number of a process that is not the keeper's child is another's by now.
    let seen = processes::look(process).filter(|seen| seen.parent == record.keeper)?;
    Some(Taken {
        program: record.program.clone(),
        process,
        time: seen.time,
        memory: seen.memory,
        packets: record.tap.as_deref().and_then(packets),
    })
}

/// The packets of a TAP device: what the host sends by it is what the machine gets.
fn packets(device: &str) -> Option<[u64; 2]> {
    let read =
        |name| fs::read_to_string(format!("/sys/class/net/{device}/statistics/{name}")).ok()?.trim().parse().ok();
    Some([read("tx_packets")?, read("rx_packets")?])
}

/// Processor time as a part of one processor's.
fn share(time: Duration, span: Duration) -> String {
    format!("{:.0} %", 100.0 * time.as_secs_f64() / span.as_secs_f64().max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(at: Instant, machines: &[(&str, u32, u64)]) -> Look {
        let taken = |&(name, process, milliseconds): &(&str, u32, u64)| {
            let time = Duration::from_millis(milliseconds);
            (name.into(), Taken { program: "x".into(), process, time, memory: 16 << 20, packets: Some([5, 6]) })
        };
        Look { at, machines: machines.iter().map(taken).collect() }
    }

    #[test]
    fn processor_time_is_that_of_the_same_process() {
        let begun = Instant::now();
        let before = look(begun, &[("a", 1, 1000), ("b", 2, 500)]);
        let after = look(begun + Duration::from_secs(2), &[("a", 1, 2500), ("b", 3, 700), ("c", 4, 0)]);
        let table = before.table(&after);
        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split("  ").filter(|cell| !cell.is_empty()).map(str::trim).collect())
            .collect();
        assert_eq!(rows[1], ["a", "x", "1", "75 %", "2.50 s", "16M", "5", "6"]);
        assert_eq!(rows[2][3], "-", "it was started anew");
        assert_eq!(rows[3][3], "-", "it is new");
    }

    #[test]
    fn a_device_counts_its_packets() {
        assert_eq!(packets("no-such-device"), None);
        assert!(packets("lo").is_some());
    }
}
