//! Pseudo-terminals: `programs/pseudo_terminals.c` says what is not as on Linux, and programs run on terminals of their
//! own: job control, shells, script(1) and tmux(1).

use std::process::ExitCode;

use system_tests::{Check, Guest, Outcome, Platform, Scope, Terminal, jobs, need, pseudo_terminals, scratch};

fn main() -> ExitCode {
    use Scope::{Guests, Usual};
    system_tests::run(&[
        Check::new("semantics", Usual, |platform| semantics(&Guest::new(platform))),
        Check::new("semantics_on_2_cpus", Guests, |platform| {
            semantics(&Guest::new(platform).option("--cpus").option("2"));
        }),
        Check::new("job_control", Usual, job_control),
        Check::new("a_shell", Usual, a_shell),
        Check::new("python_spawns", Usual, python),
        Check::new("script_records", Usual, script),
        Check::new("tmux_keeps_a_window", Usual, tmux),
        Check::new("tmux_on_the_console", Usual, tmux_on_console),
    ])
}

/// The parts of the program, each of which says a line.
const PARTS: &str = "names: ok\nlines: ok\nbytes: ok\nsessions: ok\nends: ok\npackets: ok\nflushes: ok\nmany: ok\n";

fn semantics(guest: &Guest) {
    let outcome = guest.run(&[pseudo_terminals().to_str().unwrap()]);
    assert_eq!(outcome.text(), PARTS);
    outcome.expect_status(0);
}

/// Runs a command on a terminal of its own. Keys are typed when what stands before them is shown.
fn on_terminal(platform: Platform, typed: &[(&str, &str)], words: &[&str]) -> Outcome {
    let driver = pseudo_terminals();
    let typed: Vec<_> = typed.iter().flat_map(|&(sign, keys)| [sign, keys]).collect();
    let guest = Guest::new(platform).variable("PS1", "$ ").variable("TERM", "xterm");
    guest.run(&[&[driver.to_str().unwrap()], &typed[..], &["--"], words].concat())
}

/// What `programs/jobs.c` says of the console holds of a pseudo-terminal, too.
fn job_control(platform: Platform) {
    let outcome = on_terminal(platform, &[], &[jobs().to_str().unwrap()]);
    assert!(outcome.text().ends_with("all parts\r\n") && !outcome.text().contains("wrong"), "{}", outcome.text());
    outcome.expect_status(0);
}

fn a_shell(platform: Platform) {
    need(&["dash"]);
    let typed = [
        ("$ ", "stty size; echo $((40 + 2))\r"),
        ("\n40 80\r\n42\r\n", ""),
        // The shell has put it into the foreground by the time that it says so.
        ("$ ", "sh -c 'echo begun; exec sleep 1000'\r"),
        ("\nbegun\r\n", "\x03"),
        ("^C", ""),
        ("$ ", "echo $? of it; cat\r"),
        ("\n130 of it\r\n", "line\r"),
        ("line\r\nline\r\n", "\x1a"),
        ("$ ", "jobs; fg; echo $? at last\r"),
        ("Stopped", ""),
        ("\r\ncat\r\n", "\x04"),
        ("0 at last\r\n", ""),
        ("$ ", "exit 3\r"),
    ];
    on_terminal(platform, &typed, &["/bin/dash", "-i"]).expect_status(3);
}

fn python(platform: Platform) {
    need(&["/usr/bin/python3"]);
    let program = "import pty, sys; sys.exit(pty.spawn(['sh', '-c', 'tty; test -t 0 && echo typed']) >> 8)";
    let outcome = Guest::new(platform).run(&["/usr/bin/python3", "-c", program]);
    assert!(outcome.text().starts_with("/dev/pts/"), "{}", outcome.text());
    assert!(outcome.text().ends_with("\r\ntyped\r\n"), "{}", outcome.text());
    outcome.expect_status(0);
}

fn script(platform: Platform) {
    need(&["script"]);
    let folder = scratch();
    let record = folder.path().join("typescript");
    let command = "test -t 1 && echo shown; stty -a | head -1; exit 4";
    let guest = Guest::new(platform).option("-v").option(format!("{0}:{0}", folder.path().display()));
    let outcome = guest.run(&["/usr/bin/script", "-qec", command, record.to_str().unwrap()]);
    assert!(outcome.text().contains("shown\r\nspeed 38400 baud;"), "{}", outcome.text());
    let record = std::fs::read_to_string(record).unwrap();
    assert!(record.contains("shown\r\nspeed 38400 baud;") && record.contains("COMMAND_EXIT_CODE=\"4\""), "{record}");
    outcome.expect_status(4);
}

/// A server of its own behind the command, with a window in which a shell is typed into.
fn tmux(platform: Platform) {
    need(&["tmux"]);
    let script = "export TERM=xterm; tmux -L t -f /dev/null new-session -d -x 60 -y 10 sh || exit 9
        tmux -L t send-keys 'echo $((40 + 2)) of $(stty size)' Enter
        until tmux -L t capture-pane -p | grep -o '42 of 10 60'; do sleep 0.05; done
        tmux -L t resize-window -x 70 -y 12
        tmux -L t send-keys 'echo $((40 + 3)) of $(stty size)' Enter
        until tmux -L t capture-pane -p | grep -o '43 of 12 70'; do sleep 0.05; done
        tmux -L t kill-server";
    let outcome = Guest::new(platform).run(&["/bin/sh", "-c", script]);
    assert_eq!(outcome.text(), "42 of 10 60\n43 of 12 70\n");
    outcome.expect_status(0);
}

/// As a person begins it: the server draws on the console that its client hands over.
fn tmux_on_console(platform: Platform) {
    need(&["tmux"]);
    let guest = Guest::new(platform).variable("TERM", "xterm").variable("PS1", "$ ");
    let terminal =
        Terminal::open(80, 24, &guest.command(&["/usr/bin/tmux", "-L", "t", "-f", "/dev/null", "new", "sh"]));
    terminal.wait_for("[0] 0:");
    terminal.keys(&["echo $((40 + 2)); tty", "Enter"]);
    terminal.wait_for("42\n/dev/pts/0\n");
    terminal.resize(70, 20);
    terminal.keys(&["until stty size | grep '19 70'; do :; done", "Enter"]);
    terminal.wait_for("19 70\n");
    terminal.keys(&["exit", "Enter"]);
    terminal.wait_for("[exited]");
    terminal.expect_end(0);
}
