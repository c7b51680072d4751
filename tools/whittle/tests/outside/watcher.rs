//! What a start leaves behind, and what the next one makes of it: the real command in a small checkout of its own.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use whittle::fresh::{command_words, stamp};
use whittle::house::House;

use crate::support::{Machine, Output, finish, frame};

/// Each way of the command says so with `--verbose`.
const LOOKED: &str = "looked at each source of";
const WATCHED: &str = " has watched the sources of ";

/// A checkout with a command and an image, both built of one source.
struct Checkout {
    machine: Machine,
    house: House,
}

impl Checkout {
    fn new() -> Self {
        let machine = Machine::process(&frame(7, 0, 0, ""));
        let root = machine.folder().to_owned();
        let target = root.join("target");
        let house = House { images: target.join("whittle"), target, root, is_installed: false };
        let folder = house.root.join("part/src");
        fs::create_dir_all(&folder).unwrap();
        fs::write(house.root.join("part/Cargo.toml"), "").unwrap();
        fs::write(folder.join("a.rs"), "").unwrap();
        fs::write(house.root.join("dep-info"), format!("x: {}\n", folder.join("a.rs").display())).unwrap();
        let binary = house.command();
        fs::create_dir_all(binary.parent().unwrap()).unwrap();
        let built = Path::new(env!("CARGO_BIN_EXE_whittle"));
        fs::hard_link(built, &binary).or_else(|_| fs::copy(built, &binary).map(drop)).unwrap();
        let checkout = Self { machine, house };
        let image = checkout.house.images.join("linux-process.stamp");
        checkout.write_stamp(&checkout.house.command_stamp(), &command_words(&checkout.house));
        checkout.write_stamp(&image, &checkout.house.surroundings());
        checkout
    }

    fn write_stamp(&self, path: &Path, words: &str) {
        let (root, dep_info) = (&self.house.root, self.house.root.join("dep-info"));
        let built = stamp::Built { root, words, dep_info: &dep_info, more: Vec::new(), folder: Path::new("") };
        stamp::write(path, &built, SystemTime::now() + Duration::from_secs(1)).unwrap();
    }

    fn command(&self) -> Command {
        let words = ["--platform", "process", "--verbose", "--", "/bin/true"];
        self.machine.looking(&self.house.command(), &words)
    }

    fn start(&self) -> Output {
        finish(self.command().spawn().unwrap())
    }

    /// The watchers of this checkout that have not ended.
    fn watchers(&self) -> Vec<PathBuf> {
        let stamp = self.house.command_stamp().into_os_string().into_string().unwrap();
        let is_ours = |process: &PathBuf| {
            let words = fs::read_to_string(process.join("cmdline")).unwrap_or_default();
            words.contains("watch-sources") && words.contains(&stamp)
        };
        fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path()).filter(is_ours).collect()
    }

    /// Starts until a watcher answers, and returns it.
    fn watched(&self) -> PathBuf {
        let output = wait_for(|| Some(self.start()).filter(|output| output.err.matches(WATCHED).count() == 2));
        assert!(output.status == Some(0) && !output.err.contains(LOOKED), "{}", output.err);
        let process = output.err.split("process ").nth(1).unwrap().split(' ').next().unwrap();
        Path::new("/proc").join(process)
    }
}

/// What comes in moments, on a busy machine in seconds.
fn wait_for<T>(mut find: impl FnMut() -> Option<T>) -> T {
    for _ in 0..10_000 {
        if let Some(found) = find() {
            return found;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("it never comes")
}

#[test]
fn a_start_leaves_a_watcher_that_answers_the_next_until_something_changes() {
    let checkout = Checkout::new();
    let output = checkout.start();
    assert_eq!((output.status, output.err.matches(LOOKED).count()), (Some(0), 2), "{}", output.err);
    let watcher = checkout.watched();
    fs::write(checkout.house.root.join("part/src/a.rs"), "changed").unwrap();
    // There is no cargo here: that it is wanted is what shows.
    let output = checkout.start();
    assert_eq!(output.status, Some(125));
    assert!(output.err.starts_with("whittle: building the command: its sources have changed\n"), "{}", output.err);
    wait_for(|| (!checkout.watchers().contains(&watcher)).then_some(()));
}

#[test]
fn a_watcher_keeps_nothing_of_its_start() {
    let checkout = Checkout::new();
    let start = checkout.command();
    let mut shell = Command::new("sh");
    // A pipe that the shell reads to its end, a file, and a folder.
    let script = "cd \"$0\"; exec 7>kept; x=$(\"$@\" 2>&1); printf %s \"$x\"";
    shell.args(["-c", script]).arg(checkout.machine.folder()).arg(start.get_program()).args(start.get_args());
    like(&start, &mut shell);
    let output = finish(shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert!(output.status == Some(0) && output.out.contains(LOOKED), "{}", output.out);
    let watcher = checkout.watched();
    let link = |name: &str| fs::read_link(watcher.join(name)).unwrap();
    assert_eq!(link("cwd"), Path::new("/"));
    let files = fs::read_dir(watcher.join("fd")).unwrap().map(|entry| entry.unwrap().path());
    for file in files {
        let (number, place) = (file.file_name().unwrap().to_string_lossy().into_owned(), link_of(&file));
        let wanted = match &number[..] {
            "0" | "1" | "2" => place == "/dev/null",
            _ => ["socket:", "anon_inode:inotify", "/proc/"].iter().any(|kind| place.starts_with(kind)),
        };
        assert!(wanted, "descriptor {number} is {place}");
    }
    // Its session is its own: no terminal's end reaches it (proc_pid_stat(5)).
    let status = fs::read_to_string(watcher.join("stat")).unwrap();
    let session = status.rsplit_once(") ").unwrap().1.split(' ').nth(3).unwrap();
    assert_eq!(Some(session), watcher.file_name().unwrap().to_str());
    end(checkout);
}

/// Of a connection that was just answered nothing may be left.
fn link_of(file: &Path) -> String {
    fs::read_link(file).map_or_else(|_| "socket:".into(), |place| place.display().to_string())
}

#[test]
fn two_starts_at_once_leave_one_watcher_and_never_leaves_none() {
    let checkout = Checkout::new();
    let mut quiet = checkout.command();
    let output = finish(quiet.env("WHITTLE_WATCH", "never").spawn().unwrap());
    assert!(output.err.contains(LOOKED) && checkout.watchers().is_empty(), "{}", output.err);
    let starts = [checkout.command(), checkout.command()].map(|mut command| command.spawn().unwrap());
    for start in starts {
        assert_eq!(finish(start).status, Some(0));
    }
    let watcher = checkout.watched();
    // The other one finds the place taken, and ends.
    wait_for(|| (checkout.watchers() == [watcher.clone()]).then_some(()));
    let output = finish(checkout.command().env("WHITTLE_WATCH", "never").spawn().unwrap());
    assert!(output.err.contains(LOOKED) && !output.err.contains(WATCHED), "{}", output.err);
    end(checkout);
}

#[test]
fn a_checkout_that_moves_is_looked_at_anew() {
    let checkout = Checkout::new();
    let watcher = checkout.watched();
    let (root, moved) = (checkout.house.root.clone(), checkout.house.root.with_extension("moved"));
    fs::rename(&root, &moved).unwrap();
    symlink(&moved, &root).unwrap();
    let output = checkout.start();
    assert!(output.err.contains(LOOKED) && !output.err.contains(WATCHED), "{}", output.err);
    wait_for(|| (!checkout.watchers().contains(&watcher)).then_some(()));
    fs::remove_file(&root).unwrap();
    fs::rename(&moved, &root).unwrap();
    end(checkout);
}

#[test]
fn what_is_mounted_over_sources_is_seen() {
    // Namespaces of the test's own, where it may mount.
    let unshare = ["--user", "--map-root-user", "--mount"];
    let can = Command::new("unshare").args(unshare).args(["mount", "-t", "tmpfs", "none", "/mnt"]).output();
    if !can.is_ok_and(|output| output.status.success()) {
        // Past the harness, which shows nothing of a test that ends well.
        let line = "\nskipped: test watcher::what_is_mounted_over_sources_is_seen: no namespaces of its own\n";
        let _ = std::io::stderr().write_all(line.as_bytes());
        return;
    }
    let checkout = Checkout::new();
    let script = "until \"$@\" 2>&1 | grep -q \"$WATCHED\"; do sleep 0.01; done; mount -t tmpfs none part; \"$@\"";
    let start = checkout.command();
    let mut shell = Command::new("unshare");
    shell.args(unshare).args(["sh", "-c", script, "sh"]).arg(start.get_program()).args(start.get_args());
    like(&start, &mut shell).env("WATCHED", WATCHED).current_dir(checkout.machine.folder());
    let output = finish(shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert!(output.err.starts_with("whittle: building the command: its sources have changed\n"), "{}", output.err);
    wait_for(|| checkout.watchers().is_empty().then_some(()));
}

/// Gives a command another one's variables.
fn like<'a>(one: &Command, other: &'a mut Command) -> &'a mut Command {
    for (name, value) in one.get_envs() {
        match value {
            Some(value) => other.env(name, value),
            None => other.env_remove(name),
        };
    }
    other
}

/// A checkout takes its watchers with it.
fn end(checkout: Checkout) {
    fs::remove_dir_all(&checkout.house.root).unwrap();
    wait_for(|| checkout.watchers().is_empty().then_some(()));
}
