//! A child process with pipes: input given, output and error gathered, a time limit, signals to it.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// What became of a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit status, or 128 + n after signal n, as a shell says it.
    pub status: i32,
    /// All of standard output.
    pub output: Vec<u8>,
    /// All of standard error.
    pub error: Vec<u8>,
    /// Whether the time limit ended it.
    pub timed_out: bool,
}

impl Outcome {
    /// Standard output as text; what is not UTF-8 shows as replacement characters.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }

    /// Standard error as text.
    #[must_use]
    pub fn error_text(&self) -> String {
        String::from_utf8_lossy(&self.error).into_owned()
    }

    /// Panics unless the status is this one, showing what the child said.
    #[track_caller]
    pub fn expect_status(&self, status: i32) -> &Self {
        let end = if self.timed_out { " (time limit)" } else { "" };
        assert!(
            self.status == status && !self.timed_out,
            "status {}{end}, expected {status}\n--- output: {}\n--- error: {}",
            self.status,
            shortened(&self.output),
            shortened(&self.error),
        );
        self
    }

    /// Panics unless status is 0, standard error empty and standard output these bytes.
    #[track_caller]
    pub fn expect_output(&self, output: impl AsRef<[u8]>) -> &Self {
        self.expect_status(0);
        let output = output.as_ref();
        assert!(
            self.output == output,
            "output differs\n--- got {} bytes: {}\n--- expected {} bytes: {}",
            self.output.len(),
            shortened(&self.output),
            output.len(),
            shortened(output),
        );
        assert!(self.error.is_empty(), "unexpected words on standard error: {}", shortened(&self.error));
        self
    }

    /// Panics unless nothing is on standard output and exactly one line of whittle's on standard error.
    #[track_caller]
    pub fn expect_sentence(&self) -> String {
        let error = self.error_text();
        assert!(self.output.is_empty(), "unexpected output: {}", shortened(&self.output));
        assert!(error.starts_with("whittle: ") && error.ends_with('\n'), "not a sentence of whittle's: {error:?}");
        assert_eq!(error.lines().count(), 1, "not one line: {error:?}");
        error
    }
}

fn shortened(bytes: &[u8]) -> String {
    const MOST: usize = 3000;
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(MOST) {
        None => text.into_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// Bytes that a thread gathers while others wait for some of them.
#[derive(Default)]
struct Gathered {
    bytes: Mutex<Vec<u8>>,
    more: Condvar,
}

/// How long a program's file may be busy.
const BUSY: Duration = Duration::from_secs(10);

/// Starts a command. A file that was just copied may be open for writing in another test's child, which lets go of it
/// when it executes its own program: until then the host says "Text file busy" (execve(2)).
fn spawn(command: &mut Command) -> Child {
    let begun = Instant::now();
    loop {
        match command.spawn() {
            Ok(child) => return child,
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && begun.elapsed() < BUSY => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => panic!("{command:?}: {error}"),
        }
    }
}

/// A child that runs. It leads a process group of its own; dropping the value ends that group.
pub struct Running {
    child: Child,
    output: Arc<Gathered>,
    error: Arc<Gathered>,
    threads: Vec<JoinHandle<()>>,
    ended: bool,
}

impl Running {
    /// Starts a command with these bytes as its input; `None` keeps the input open and empty.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    #[must_use]
    pub fn start(mut command: Command, input: Option<Vec<u8>>) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = spawn(&mut command);
        let mut threads = Vec::new();
        if let Some(input) = input {
            let mut pipe = child.stdin.take().expect("input is a pipe");
            // A child that stops reading is its own affair: the error is not ours.
            threads.push(std::thread::spawn(move || drop(pipe.write_all(&input))));
        }
        let (output, error) = (Arc::<Gathered>::default(), Arc::<Gathered>::default());
        threads.push(gather(child.stdout.take().expect("output is a pipe"), &output));
        threads.push(gather(child.stderr.take().expect("error is a pipe"), &error));
        Self { child, output, error, threads, ended: false }
    }

    /// Waits until standard output holds these bytes.
    ///
    /// # Panics
    ///
    /// If they do not come within the time.
    #[track_caller]
    pub fn wait_for_output(&self, wanted: &str, limit: Duration) -> String {
        wait_for(&self.output, wanted, limit).unwrap_or_else(|got| {
            let error = String::from_utf8_lossy(&self.error.bytes.lock().unwrap()).into_owned();
            panic!("no {wanted:?} on standard output, which has {got:?}; on standard error {error:?}")
        })
    }

    /// Waits until standard error holds these bytes.
    ///
    /// # Panics
    ///
    /// If they do not come within the time.
    #[track_caller]
    pub fn wait_for_error(&self, wanted: &str, limit: Duration) -> String {
        wait_for(&self.error, wanted, limit)
            .unwrap_or_else(|got| panic!("no {wanted:?} on standard error, which has {got:?}"))
    }

    /// Sends a signal to the child alone.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("the child is there");
    }

    /// Closes the input and waits for the end; after the limit the child's group is killed.
    #[must_use]
    pub fn finish(mut self, limit: Duration) -> Outcome {
        drop(self.child.stdin.take());
        self.finish_with_open_input(limit)
    }

    /// Waits for the end of a child that something else than the end of its input ends.
    #[must_use]
    pub fn finish_with_open_input(self, limit: Duration) -> Outcome {
        let deadline = Instant::now() + limit;
        self.finish_until(|_| Instant::now() > deadline)
    }

    /// Waits for the end of a child, and kills it once nothing has been heard of it for this long.
    #[must_use]
    pub fn finish_unless_silent(self, limit: Duration) -> Outcome {
        let (mut heard, mut since) = (0, Instant::now());
        self.finish_until(|child| {
            let bytes = child.output.bytes.lock().unwrap().len();
            if bytes != heard {
                (heard, since) = (bytes, Instant::now());
            }
            since.elapsed() > limit
        })
    }

    fn finish_until(mut self, mut is_over: impl FnMut(&Self) -> bool) -> Outcome {
        let mut pause = Duration::from_micros(200);
        let (status, timed_out) = loop {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                break (status, false);
            }
            if is_over(&self) {
                self.kill();
                break (self.child.wait().expect("the child is ours"), true);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        };
        // What it left behind in its group (a machine that outlives the command) holds the pipes: end it.
        let stray = Instant::now() + Duration::from_secs(5);
        while !self.threads.iter().all(JoinHandle::is_finished) && Instant::now() < stray {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.kill();
        self.ended = true;
        for thread in self.threads.drain(..) {
            thread.join().expect("the gathering threads do not panic");
        }
        let take = |gathered: &Gathered| std::mem::take(&mut *gathered.bytes.lock().unwrap());
        let (output, error) = (take(&self.output), take(&self.error));
        let status = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        Outcome { status, output, error, timed_out }
    }

    /// Whether it has ended by itself.
    ///
    /// # Panics
    ///
    /// The child is not ours, which it is.
    #[must_use]
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("the child is ours").is_some()
    }

    /// The child's process number.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.pid().as_raw_nonzero().get()
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    fn kill(&self) {
        // The group may be gone already.
        let _ = kill_process_group(self.pid(), Signal::KILL);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

fn gather(mut pipe: impl Read + Send + 'static, into: &Arc<Gathered>) -> JoinHandle<()> {
    let into = into.clone();
    std::thread::spawn(move || {
        let mut piece = vec![0; 64 << 10];
        while let Ok(count @ 1..) = pipe.read(&mut piece) {
            into.bytes.lock().unwrap().extend_from_slice(&piece[..count]);
            into.more.notify_all();
        }
        into.more.notify_all();
    })
}

fn wait_for(gathered: &Gathered, wanted: &str, limit: Duration) -> Result<String, String> {
    let deadline = Instant::now() + limit;
    let mut bytes = gathered.bytes.lock().unwrap();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if text.contains(wanted) {
            return Ok(text);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(text);
        }
        bytes = gathered.more.wait_timeout(bytes, left).unwrap().0;
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_busy_file_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("true");
        std::fs::copy("/bin/true", &program).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let writer = std::fs::OpenOptions::new().append(true).open(&program).unwrap();
        let busy = Command::new(&program).spawn().expect_err("it is open for writing");
        assert_eq!(busy.kind(), ErrorKind::ExecutableFileBusy);
        let late = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            drop(writer);
        });
        assert!(spawn(&mut Command::new(&program)).wait().unwrap().success());
        late.join().unwrap();
    }
}
