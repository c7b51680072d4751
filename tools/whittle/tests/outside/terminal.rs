//! The command under a terminal of its own: attributes set for the guest, the window's size, and all left as it was.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Machine, frame, frame_of_bytes};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// Both ends of a new terminal.
fn terminal() -> (File, File) {
    let leader = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&leader).unwrap();
    unlockpt(&leader).unwrap();
    let name = ptsname(&leader, Vec::new()).unwrap();
    let terminal = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (File::from(leader), terminal)
}

/// The command on a machine with this terminal as its controlling one (setsid(1) of util-linux arranges that).
fn start(machine: &Machine, terminal: &File) -> std::process::Child {
    let whittle = machine.command(&[]);
    let mut command = Command::new("setsid");
    command.args(["--ctty", "--wait"]).arg(whittle.get_program()).args(whittle.get_args());
    for (name, value) in whittle.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let end = || Stdio::from(terminal.try_clone().unwrap());
    command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap()
}

fn read_until(leader: &mut File, word: &str) -> String {
    let mut seen = String::new();
    let mut byte = [0];
    while !seen.ends_with(word) {
        assert_eq!(leader.read(&mut byte).unwrap(), 1, "before {word:?} came {seen:?}");
        seen.push(char::from(byte[0]));
    }
    seen
}

fn attributes(terminal: &File) -> Vec<u8> {
    let termios = tcgetattr(terminal).unwrap();
    let words = [
        termios.input_modes.bits(),
        termios.output_modes.bits(),
        termios.control_modes.bits(),
        termios.local_modes.bits(),
    ];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn a_guest_sets_the_terminal_and_it_is_restored_even_if_the_machine_dies() {
    let (mut leader, terminal) = terminal();
    let before = attributes(&terminal);
    let mut raw = before.clone();
    raw[12] &= !0b1010; // ICANON and ECHO
    raw.resize(36, 0);
    raw[17] = 3; // VINTR: Ctrl-C
    raw[17 + 6] = 1; // VMIN
    let reply = "dd bs=1 count=52 <&4 >reply 2>/dev/null\n";
    let end = "dd bs=1 count=16 <&4 >/dev/null 2>/dev/null; exit 9";
    let script = frame_of_bytes(5, 0, 0, &raw) + reply + &frame(1, 1, 0, "ready") + end;
    let machine = Machine::pc(&script);
    let mut child = start(&machine, &terminal);
    read_until(&mut leader, "ready");
    assert!(!tcgetattr(&terminal).unwrap().local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO));
    let reply = machine.kept_bytes("reply");
    assert_eq!((reply[0], reply[4], reply[8]), (5, 36, 0));
    assert_eq!(reply[16 + 12] & 0b1010, 0);
    // Ctrl-C comes as a signal, upon which this machine dies without a word.
    leader.write_all(&[3]).unwrap();
    let said = read_until(&mut leader, "without a word");
    assert!(said.contains("whittle: QEMU ended"), "{said}");
    assert_eq!(child.wait().unwrap().code(), Some(125));
    assert_eq!(attributes(&terminal), before);
}

#[test]
fn the_windows_size_comes_before_its_signal() {
    let (mut leader, terminal) = terminal();
    let script = frame(1, 1, 0, "ready") + "dd bs=1 count=40 <&4 >sizes 2>/dev/null\n" + &frame(7, 0, 0, "");
    let machine = Machine::pc(&script);
    let mut child = start(&machine, &terminal);
    read_until(&mut leader, "ready");
    std::thread::sleep(Duration::from_millis(20));
    tcsetwinsize(&leader, Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let sizes = machine.kept_bytes("sizes");
    assert_eq!((sizes[0], &sizes[16..24]), (4, &[30, 0, 100, 0, 0, 0, 0, 0][..]));
    assert_eq!((sizes[24], sizes[32]), (3, 28));
}
