//! The terminal: taken and given back, its keys, its size, and the signals that end the menu.

use std::io::{self, IsTerminal, stdin, stdout};
use std::os::fd::BorrowedFd;
use std::panic;
use std::sync::Once;
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, is_raw_mode_enabled,
};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::draw::draw;
use super::keys::Key;
use super::model::Model;
use crate::failure::{Doing, Failure};

/// Signals that end the menu, and those that say that the window is another.
const ENDING: [Signal; 4] = [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT];
const WINDOW: [Signal; 2] = [Signal::SIGWINCH, Signal::SIGCONT];

/// The terminal, while it shows the menu; given back when dropped, and by a panic before it prints.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<io::Stdout>>,
    signals: SignalFd,
    colour: bool,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// A key was pressed.
    Pressed(Key),
    /// There is something to read in the file that was waited for too.
    Ready,
    /// The window may have another size.
    Resized,
    /// A signal ends the menu: the exit status.
    Ended(u8),
}

/// Refuses to show a menu where it cannot be seen or typed into.
pub fn check() -> Result<(), Failure> {
    if stdin().is_terminal() && stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::ours("the menu needs a terminal: whittle components and whittle explain print what there is"))
}

impl Screen {
    /// Takes the terminal.
    pub fn open() -> Result<Self, Failure> {
        let set = signal_set();
        set.thread_block().doing("watch signals")?;
        let signals =
            SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC).doing("watch signals")?;
        give_back_before_a_panic();
        let terminal = Terminal::new(CrosstermBackend::new(stdout())).doing("use the terminal")?;
        let colour = std::env::var_os("NO_COLOR").is_none_or(|word| word.is_empty());
        let mut screen = Self { terminal, signals, colour };
        screen.take().doing("use the terminal")?;
        Ok(screen)
    }

    fn take(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen)?;
        self.terminal.hide_cursor()?;
        self.terminal.clear()
    }

    /// Shows the menu.
    pub fn show(&mut self, model: &Model) -> Result<(), Failure> {
        self.terminal.draw(|frame| draw(model, self.colour, frame)).map(drop).doing("write to the terminal")
    }

    /// Gives the terminal to something else for a while. What ends the menu then ends it at once; Ctrl-C is for whoever
    /// has the terminal.
    pub fn lend<T>(&mut self, use_it: impl FnOnce() -> T) -> Result<T, Failure> {
        give_back();
        let ending: SigSet = [Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
        ending.thread_unblock().doing("watch signals")?;
        let done = use_it();
        while let Ok(Some(_)) = self.signals.read_signal() {}
        ending.thread_block().doing("watch signals")?;
        self.take().doing("use the terminal")?;
        Ok(done)
    }

    /// Starts a program that holds back no signals, while the terminal is lent.
    pub fn with_signals<T>(start: impl FnOnce() -> T) -> Result<T, Failure> {
        let interrupts: SigSet = [Signal::SIGINT, Signal::SIGQUIT].into_iter().chain(WINDOW).collect();
        interrupts.thread_unblock().doing("watch signals")?;
        let started = start();
        interrupts.thread_block().doing("watch signals")?;
        Ok(started)
    }

    /// Waits for a key, a signal, or for something to read in a file.
    pub fn wait(&mut self, file: Option<BorrowedFd<'_>>) -> Result<Happened, Failure> {
        loop {
            if let Some(happened) = self.key().doing("read the terminal")? {
                return Ok(happened);
            }
            let came = self.poll(file)?;
            if came[1].contains(PollFlags::IN)
                && let Some(happened) = self.signal()
            {
                return Ok(happened);
            }
            if came[0].intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                return Ok(Happened::Ended(128 + Signal::SIGHUP as u8));
            }
            if !came[2].is_empty() {
                return Ok(Happened::Ready);
            }
        }
    }

    /// What came in the terminal, of signals, and in the file.
    fn poll(&self, file: Option<BorrowedFd<'_>>) -> Result<[PollFlags; 3], Failure> {
        let input = stdin();
        let mut files = vec![PollFd::new(&input, PollFlags::IN), PollFd::new(&self.signals, PollFlags::IN)];
        files.extend(file.as_ref().map(|file| PollFd::new(file, PollFlags::IN)));
        match poll(&mut files, None) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok([PollFlags::empty(); 3]),
            Err(error) => return Err(error).doing("wait for keys"),
        }
        Ok(std::array::from_fn(|index| files.get(index).map_or(PollFlags::empty(), PollFd::revents)))
    }

    fn signal(&mut self) -> Option<Happened> {
        let information = self.signals.read_signal().ok().flatten()?;
        let number = u8::try_from(information.ssi_signo).ok()?;
        let window = WINDOW.iter().any(|signal| *signal as u8 == number);
        Some(if window { Happened::Resized } else { Happened::Ended(128 + number) })
    }

    /// The next key that is typed already.
    fn key(&self) -> io::Result<Option<Happened>> {
        while event::poll(Duration::ZERO)? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    if let Some(key) = understood(key) {
                        return Ok(Some(Happened::Pressed(key)));
                    }
                }
                Event::Resize(..) => return Ok(Some(Happened::Resized)),
                _ => {}
            }
        }
        Ok(None)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn give_back_before_a_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |information| {
            give_back();
            before(information);
        }));
    });
}

fn signal_set() -> SigSet {
    ENDING.into_iter().chain(WINDOW).collect()
}

/// Leaves the terminal as it was found. A failure (it is gone) is nothing we could answer.
fn give_back() {
    if is_raw_mode_enabled().unwrap_or(false) {
        let _ = execute!(stdout(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

fn understood(key: KeyEvent) -> Option<Key> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(Key::Interrupt);
    }
    Some(match key.code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Char(letter) => Key::Letter(letter),
        _ => return None,
    })
}
