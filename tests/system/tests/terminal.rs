//! Programs on a terminal, typed into and looked at through tmux: the same screens as on Linux.

use std::process::{Command, ExitCode};

use system_tests::{Check, Guest, LibC, Platform, Scope, Terminal, die, native_busybox, need, scratch};

fn main() -> ExitCode {
    use Scope::{Guests, Usual};
    system_tests::run(&[
        Check::new("window_size_and_attributes", Usual, size_and_attributes),
        Check::new("line_editing_and_end_of_file", Usual, line_editing),
        Check::new("what_is_not_typed_is_not_there", Usual, poll_keys),
        Check::new("what_poll_tells_is_read", Usual, told_keys),
        Check::new("shell", Usual, shell),
        Check::new("vi", Usual, vi),
        Check::new("less", Usual, less),
        Check::new("interrupt_key", Usual, interrupt_key),
        Check::new("interrupt_key_ignored_then_twice", Guests, interrupt_twice),
        Check::new("raw_mode_is_undone_after_a_crash", Guests, crash_in_raw_mode),
        Check::new("resize_reaches_the_program", Usual, resize),
    ])
}

fn open(platform: Platform, words: &[&str]) -> Terminal {
    Terminal::open(80, 24, &Guest::new(platform).command(&[&["/bin/busybox"], words].concat()))
}

fn native(words: &[&str]) -> Terminal {
    let mut command = Command::new(native_busybox());
    Terminal::open(80, 24, command.args(words))
}

/// Waits until both screens, which show the same program, agree.
#[track_caller]
fn same_screen(ours: &Terminal, reference: &Terminal, sign: &str) {
    let mut last = String::new();
    for _ in 0..100 {
        let expected = reference.wait_for(sign);
        last = ours.wait_for(sign);
        // The command line above differs: tmux shows it only until the program clears the screen.
        if last == expected {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(last, reference.screen(), "the screens differ");
}

/// Keys of which poll(2) has told are there for a read that does not wait, as programs of event loops expect.
fn told_keys(platform: Platform) {
    need(&["/usr/bin/python3"]);
    let program = "import os, select, tty; tty.setcbreak(0); os.set_blocking(0, False); poll = select.poll()\n\
                   poll.register(0, select.POLLIN); print('begun', flush=True)\n\
                   while (poll.poll(), (key := os.read(0, 100)))[1] != b'q': print('key', key, flush=True)";
    let terminal = Terminal::open(80, 24, &Guest::new(platform).command(&["/usr/bin/python3", "-c", program]));
    terminal.wait_for("begun");
    for key in ["a", "b", "c"] {
        terminal.keys(&[key]);
        terminal.wait_for(&format!("key b'{key}'"));
    }
    terminal.keys(&["q"]);
    terminal.wait_for("ended 0\n");
}

fn size_and_attributes(platform: Platform) {
    let terminal = open(platform, &["stty", "size"]);
    terminal.wait_for("24 80\n");
    terminal.expect_end(0);
    let (ours, reference) = (open(platform, &["stty", "-a"]), native(&["stty", "-a"]));
    ours.expect_end(0);
    reference.expect_end(0);
    assert_eq!(ours.history(), reference.history());
    let terminal = open(platform, &["tty"]);
    terminal.expect_end(0);
}

fn line_editing(platform: Platform) {
    let terminal = open(platform, &["sh", "-c", "echo ready; exec /bin/busybox cat -n"]);
    terminal.wait_for("ready");
    terminal.keys(&["onx", "BSpace", "e", "Enter"]);
    terminal.wait_for("     1\tone".replace('\t', "  ").as_str());
    terminal.keys(&["twoo", "C-u", "three", "Enter"]);
    terminal.wait_for("2  three");
    terminal.keys(&["C-d"]);
    terminal.expect_end(0);
}

fn poll_keys(platform: Platform) {
    let program = system_tests::keys();
    let program = program.to_str().unwrap();
    let ours = Terminal::open(80, 24, &Guest::new(platform).command(&[program]));
    for terminal in [ours, Terminal::open(80, 24, &Command::new(program))] {
        terminal.wait_for("ready");
        // A line comes whole: what of it is not read is there at once, and behind it nothing is.
        for (keys, told) in [("ab", "97 1\n98 1\n10 0\n"), ("cd", "99 1\n100 1\n10 0\n"), ("", "\n\n10 0\n")] {
            terminal.keys(&[keys, "Enter"]);
            terminal.wait_for(told);
        }
        terminal.keys(&["fab", "Enter"]);
        terminal.wait_for("102 0");
        terminal.keys(&["q", "Enter"]);
        terminal.wait_for("113 1");
        terminal.expect_end(0);
    }
}

fn shell(platform: Platform) {
    let terminal = open(platform, &["sh"]);
    terminal.wait("a prompt", |screen| screen.trim_end().ends_with(['#', '$']));
    terminal.keys(&["echo $((6 * 7)) fine", "Enter"]);
    terminal.wait_for("42 fine");
    terminal.keys(&["echo gone", "C-c"]);
    terminal.keys(&["cd /tmp; pwd", "Enter"]);
    terminal.wait_for("\n/tmp\n");
    // The shell's own line editor, in raw mode: the key up brings the last line back.
    terminal.keys(&["echo a$((1 + 1))b", "Enter"]);
    terminal.wait_for("\na2b\n");
    terminal.keys(&["Up", "c", "Enter"]);
    terminal.wait_for("\na2bc\n");
    terminal.keys(&["exit 5", "Enter"]);
    terminal.expect_end(5);
}

/// A file of numbered lines in a folder that lives as long as the first value.
fn numbered_file() -> (tempfile::TempDir, String) {
    let folder = scratch();
    let path = folder.path().join("numbered");
    let text: String = (1..=300).map(|number| format!("line {number} of the file\n")).collect();
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_string();
    (folder, path)
}

fn with_file(platform: Platform, words: &[&str], file: &str) -> Terminal {
    let words = [&["/bin/busybox"], words, &[file]].concat();
    Terminal::open(80, 24, &Guest::new(platform).share(file.as_ref()).command(&words))
}

fn vi(platform: Platform) {
    let (_folder, file) = numbered_file();
    let (ours, reference) = (with_file(platform, &["vi"], &file), native(&["vi", &file]));
    same_screen(&ours, &reference, "1/300");
    for (keys, sign) in [
        (&["/", "line 150 of", "Enter"][..], "line 150 of"),
        (&["dd"], "Delete 1 lines"),
        (&["i", "typed text ", "Escape"], "typed text "),
        (&["yy", "5p"], "typed text "),
        (&["G"], "line 300"),
        (&[":%s/file/page/", "Enter"], "line 300 of the page"),
        (&["C-b"], "line 270 of the page"),
    ] {
        ours.keys(keys);
        reference.keys(keys);
        same_screen(&ours, &reference, sign);
    }
    ours.resize(100, 35);
    reference.resize(100, 35);
    // vi draws anew when it is told of the size; a key makes sure that it has been.
    for terminal in [&ours, &reference] {
        terminal.keys(&["C-l"]);
    }
    same_screen(&ours, &reference, "of the page");
    ours.keys(&[":q!", "Enter"]);
    ours.expect_end(0);
}

fn less(platform: Platform) {
    let (_folder, file) = numbered_file();
    let (ours, reference) = (with_file(platform, &["less"], &file), native(&["less", &file]));
    same_screen(&ours, &reference, "line 10 of");
    for (keys, sign) in [
        (&["Space"][..], "line 40 of"),
        (&["G"], "line 300 of"),
        (&["g"], "line 1 of"),
        (&["/", "line 123", "Enter"], "line 123 of"),
    ] {
        ours.keys(keys);
        reference.keys(keys);
        same_screen(&ours, &reference, sign);
    }
    ours.keys(&["q"]);
    ours.expect_end(0);
}

fn interrupt_key(platform: Platform) {
    let terminal = open(platform, &["sh", "-c", "echo ready; exec /bin/busybox sleep 1000"]);
    terminal.wait_for("ready");
    terminal.keys(&["C-c"]);
    terminal.expect_end(130);
    // In a handler: busybox' shell runs its trap.
    let terminal = open(platform, &["sh", "-c", "trap 'echo trapped; exit 9' INT; echo ready; read line"]);
    terminal.wait_for("ready");
    terminal.keys(&["C-c"]);
    terminal.wait_for("trapped");
    terminal.expect_end(9);
}

fn interrupt_twice(platform: Platform) {
    let program = die(LibC::Glibc);
    let terminal =
        Terminal::open(80, 24, &Guest::new(platform).command(&[program.to_str().unwrap(), "ignore-interrupt"]));
    terminal.wait_for("ready");
    terminal.keys(&["C-c"]);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(!terminal.screen().contains("ended"), "one Ctrl-C is the program's to ignore");
    terminal.keys(&["C-c"]);
    std::thread::sleep(std::time::Duration::from_millis(200));
    terminal.keys(&["C-c"]);
    terminal.expect_end(130);
}

fn crash_in_raw_mode(platform: Platform) {
    let (_folder, file) = numbered_file();
    let terminal = with_file(platform, &["vi"], &file);
    terminal.wait_for("1/300");
    // vi takes Ctrl-C as a key; SIGTERM comes from outside. Both ways the terminal must be as before.
    terminal.keys(&["C-c"]);
    terminal.wait_for("1/300");
    terminal.kill_program();
    terminal.wait_for("ended ");
    terminal.expect_settings_restored();
}

fn resize(platform: Platform) {
    let program = system_tests::selftest(LibC::Glibc);
    let terminal = Terminal::open(80, 24, &Guest::new(platform).command(&[program.to_str().unwrap(), "--window"]));
    terminal.wait_for("window 24 80");
    terminal.resize(101, 33);
    terminal.wait_for("window 33 101");
    terminal.resize(60, 20);
    terminal.wait_for("window 20 60");
    terminal.keys(&["C-d"]);
    terminal.expect_end(0);
}
