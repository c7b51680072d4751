//! Job control on the console: shells typed into as a person does, the same on Linux; and `programs/jobs.c`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use system_tests::{Check, Guest, Platform, Scope, Terminal, jobs, need, scratch, shell_words};

fn main() -> ExitCode {
    use Scope::{Guests, Usual};
    system_tests::run(&[
        Check::new("semantics", Usual, semantics),
        Check::new("semantics_on_2_cpus", Guests, semantics_on_two),
        Check::new("keys", Usual, keys),
        Check::new("bash", Guests, |platform| dialog(platform, &["bash", "--norc", "--noprofile", "-i"])),
        Check::new("busybox", Guests, |platform| dialog(platform, &["/bin/busybox", "sh", "-i"])),
        Check::new("first_process_stops_the_command", Guests, first_process),
        Check::new("editor", Guests, editor),
        Check::new("nobody_stops_where_nobody_could_continue", Guests, orphaned_command),
    ])
}

/// A run as a shell with job control begins one: signals of the terminal at their defaults.
fn guest(platform: Platform) -> Guest {
    Guest::new(platform).signals("--default-signal").variable("PS1", "$ ").variable("HISTFILE", "/dev/null")
}

fn open(platform: Platform, words: &[&str]) -> Terminal {
    Terminal::open(80, 40, &guest(platform).command(words))
}

fn semantics(platform: Platform) {
    expect_all_parts(&guest(platform));
}

fn semantics_on_two(platform: Platform) {
    expect_all_parts(&guest(platform).option("--cpus").option("2"));
}

fn expect_all_parts(guest: &Guest) {
    const PARTS: [&str; 8] =
        ["reading", "writing", "changing", "foreground", "orphans", "telling", "no_terminal", "stolen"];
    let terminal = Terminal::open(80, 40, &guest.command(&[jobs().to_str().unwrap()]));
    let screen = terminal.wait_for("all parts");
    for part in PARTS {
        assert!(screen.contains(&format!("{part}: ok\n")), "{part}:\n{screen}");
    }
    terminal.expect_end(0);
}

fn keys(platform: Platform) {
    let terminal = open(platform, &[jobs().to_str().unwrap(), "keys"]);
    for (name, heard) in [("flushed", "read after\n"), ("kept", "read beforeafter\n")] {
        terminal.wait_for(&format!("{name}?\n"));
        terminal.keys(&["before"]);
        terminal.wait_for(&format!("{name}?\nbefore\n"));
        // Two within a second would end the machine.
        std::thread::sleep(Duration::from_secs(1));
        terminal.keys(&["C-c"]);
        terminal.wait(name, |screen| screen.rsplit_once("?\n").is_some_and(|(_, end)| end.contains("interrupted\n")));
        terminal.keys(&["after", "Enter"]);
        terminal.wait_for(heard);
    }
    terminal.wait_for("suspend?\n");
    terminal.keys(&["C-z"]);
    terminal.wait_for("again?\n");
    terminal.keys(&["C-z"]);
    terminal.keys(&["done", "Enter"]);
    terminal.wait_for("at last done\n");
    terminal.expect_end(0);
}

/// A step of a dialog.
enum Step {
    /// Keys, and what the screen shows at its end then.
    Type(&'static [&'static str], &'static str),
    /// A command whose job changes while the shell writes its prompt. Busybox loses the prompt if SIGCHLD interrupts
    /// that write, on Linux too; one more line brings it.
    Change(&'static str),
    /// A command that is typed until the screen shows this, and the same here as there: who tells a shell of a job
    /// takes his time.
    Settle(&'static str, &'static str),
}

use Step::{Change, Settle, Type};

/// The dialog. Sums tell what is answered from what is typed.
const STEPS: [Step; 27] = [
    Type(&["echo $((40 + 4))", "Enter"], "44\n$"),
    // A job that reads: stopped, continued, stopped in the background by its reading, interrupted.
    Type(&["./reader", "Enter"], "begun"),
    Type(&["one", "Enter"], "one\none"),
    Type(&["C-z"], "\n$"),
    Settle("jobs", "Stopped"),
    Type(&["fg", "Enter"], "./reader"),
    Type(&["two", "Enter"], "two\ntwo"),
    Type(&["C-z"], "\n$"),
    Change("bg"),
    Settle("jobs", "Stopped"),
    Type(&["fg", "Enter"], "./reader"),
    Type(&["three", "Enter"], "three\nthree"),
    Type(&["C-c"], "\n$"),
    Type(&["echo $? of it", "Enter"], "130 of it\n$"),
    // One that goes on in the background.
    Type(&["./sleeper", "Enter"], "begun"),
    Type(&["C-z"], "\n$"),
    Change("bg"),
    Settle("jobs", "Running"),
    Change("kill %1"),
    Settle("jobs; echo $((40 + 5)) left", "45 left"),
    // One that is stopped by its writing.
    Type(&["stty tostop", "Enter"], "\n$"),
    Change("echo said $((40 + 6)) &"),
    Settle("jobs", "Stopped"),
    Type(&["fg", "Enter"], "said 46\n$"),
    Type(&["stty -tostop", "Enter"], "\n$"),
    // Bash says that the job is done only where it ends behind the beginning of `wait`, on Linux too; busybox says it
    // by `jobs`, or else behind all.
    Type(&["echo said $((40 + 7)) & wait; jobs; echo $((40 + 9)) waited", "Enter"], "49 waited\n$"),
    Settle("jobs; echo $((40 + 8)) left", "48 left"),
];

/// The same dialog with a shell here and there.
fn dialog(platform: Platform, shell: &[&str]) {
    need(&[shell[0]]);
    let folder = scripts();
    let both = [Platform::Native, platform].map(|platform| open(platform, shell));
    for terminal in &both {
        enter(terminal, &folder);
        // The shell itself is stopped by nothing. The key drops what was typed, so nothing is typed at the same time.
        terminal.keys(&["C-z"]);
    }
    std::thread::sleep(Duration::from_millis(500));
    for step in STEPS {
        match step {
            Type(keys, sign) => both.iter().for_each(|terminal| {
                terminal.keys(keys);
                ends_with(terminal, sign);
            }),
            Change(command) => both.iter().for_each(|terminal| {
                terminal.keys(&[command, "Enter"]);
                prompt(terminal, command);
            }),
            Settle(command, sign) => settle(&both, command, sign),
        }
    }
    for terminal in &both {
        terminal.keys(&["exit 5", "Enter"]);
        terminal.expect_end(5);
    }
}

/// A folder with jobs that say when they are in the foreground.
fn scripts() -> tempfile::TempDir {
    let folder = scratch();
    for (name, last) in [("reader", "cat"), ("sleeper", "sleep 100")] {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\necho begun\nexec {last}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

#[track_caller]
fn ends_with(terminal: &Terminal, sign: &str) -> String {
    terminal.wait(&format!("{sign:?} at its end"), |screen| screen.trim_end().ends_with(sign))
}

/// Waits for the prompt, which may have been lost, behind this command; what the screen shows then.
#[track_caller]
fn prompt(terminal: &Terminal, command: &str) -> String {
    let shown = |screen: &str| !screen.contains("clear; ") && screen.trim_end().ends_with("\n$");
    terminal.shows(Duration::from_secs(2), shown).unwrap_or_else(|_| {
        terminal.keys(&["Enter"]);
        terminal.wait(command, shown)
    })
}

/// Has the shell go to a folder.
#[track_caller]
fn enter(terminal: &Terminal, folder: &tempfile::TempDir) {
    ends_with(terminal, "$");
    terminal.keys(&[&format!("cd {}; clear; echo $((40 + 2))", folder.path().display()), "Enter"]);
    terminal.wait("42", |screen| screen.trim_end() == "42\n$");
}

/// Types the command into both until both show the sign, and the same.
#[track_caller]
fn settle(both: &[Terminal; 2], command: &str, sign: &str) {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let screens = both.each_ref().map(|terminal| {
            terminal.keys(&[&format!("clear; {command}"), "Enter"]);
            prompt(terminal, command)
        });
        let [reference, ours] = &screens;
        if reference == ours && ours.contains(sign) {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "{command}: no {sign:?}, or not the same; Linux:\n{reference}\nours:\n{ours}"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A shell on this machine in which a command of whittle's is the job `./job`.
fn outer(platform: Platform, words: &[&str]) -> (tempfile::TempDir, Terminal) {
    let folder = scripts();
    let place = folder.path().to_str().unwrap();
    let inner = guest(platform).directory(place).command(words);
    let path = folder.path().join("job");
    fs::write(&path, format!("#!/bin/sh\nexec {}\n", shell_words(&inner))).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let terminal = open(Platform::Native, &["bash", "--norc", "--noprofile", "-i"]);
    enter(&terminal, &folder);
    (folder, terminal)
}

fn first_process(platform: Platform) {
    need(&["bash"]);
    // No shell with job control: the shell outside has the terminal back.
    let (_folder, terminal) = outer(platform, &["/bin/sh", "-c", "./reader; echo ended with $?"]);
    terminal.keys(&["./job", "Enter"]);
    ends_with(&terminal, "begun");
    for word in ["one", "two"] {
        terminal.keys(&[word, "Enter"]);
        ends_with(&terminal, &format!("{word}\n{word}"));
        terminal.keys(&["C-z"]);
        ends_with(&terminal, "./job\n$");
        terminal.keys(&["fg", "Enter"]);
        // At its end: a key typed before the shell has let go of the terminal would be one of the shell's.
        ends_with(&terminal, "fg\n./job");
    }
    terminal.keys(&["C-d"]);
    ends_with(&terminal, "ended with 0\n$");
    // A shell that suspends itself.
    let (_folder, terminal) = outer(platform, &["bash", "--norc", "--noprofile", "-i"]);
    terminal.keys(&["PS1='outside '", "Enter"]);
    ends_with(&terminal, "outside");
    terminal.keys(&["./job", "Enter"]);
    ends_with(&terminal, "\n$");
    for _ in 0..2 {
        terminal.keys(&["clear; kill -STOP $$", "Enter"]);
        ends_with(&terminal, "./job\noutside");
        terminal.keys(&["fg", "Enter"]);
        terminal.wait_for("fg\n./job\n");
        terminal.keys(&["echo $((40 + 4))", "Enter"]);
        terminal.wait_for("\n44\n");
    }
    terminal.keys(&["exit 6", "Enter"]);
    ends_with(&terminal, "outside");
    terminal.keys(&["echo $?", "Enter"]);
    ends_with(&terminal, "\n6\noutside");
}

/// An editor, whose key Ctrl-Z is: as the first process, and as a shell's job.
fn editor(platform: Platform) {
    const VI: [&str; 3] = ["/bin/busybox", "vi", "sleeper"];
    let shell = ["bash", "--norc", "--noprofile", "-i"];
    need(&[shell[0]]);
    let (_folder, first) = outer(platform, &VI);
    let second = open(platform, &shell);
    let folder = scripts();
    enter(&second, &folder);
    for (terminal, job) in [(first, "./job"), (second, &*VI.join(" "))] {
        terminal.keys(&[job, "Enter"]);
        for _ in 0..2 {
            terminal.wait_for("#!/bin/sh\necho begun\nexec sleep 100\n~\n");
            terminal.keys(&["C-z"]);
            ends_with(&terminal, &format!("{job}\n$"));
            terminal.keys(&["clear; fg", "Enter"]);
        }
        terminal.wait_for("exec sleep 100\n~\n");
        terminal.keys(&[":q!", "Enter"]);
        ends_with(&terminal, "\n$");
    }
}

fn orphaned_command(platform: Platform) {
    let folder = scripts();
    // The command's group is that of a shell without job control, as below a terminal's window.
    let reader = folder.path().join("reader");
    let terminal = open(platform, &["/bin/sh", reader.to_str().unwrap()]);
    ends_with(&terminal, "begun");
    for word in ["one", "two"] {
        terminal.keys(&["C-z", word, "Enter"]);
        ends_with(&terminal, &format!("{word}\n{word}"));
    }
    terminal.keys(&["C-d"]);
    terminal.expect_end(0);
}
