//! The command from outside, with kernels that are shell scripts: streams, statuses, signals, records, endings.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::support::{Machine, frame, frame_of_bytes};

const EXITED: u8 = 0;
const KILLED: u8 = 1;

fn exit(argument: u8, number: i32) -> String {
    frame(7, argument, number, "")
}

#[test]
fn a_process_has_the_streams_and_its_status_is_ours() {
    let machine = Machine::process(&format!("cat; echo err >&2; {}", exit(EXITED, 7)));
    let output = machine.run(&[], "some input\n");
    assert_eq!((output.status, &output.out[..], &output.err[..]), (Some(7), "some input\n", "err\n"));
    for (ending, status) in [(exit(KILLED, 11), 139), (exit(KILLED, 6), 134), (exit(2, 0), 125), (exit(4, 0), 127)] {
        assert_eq!(Machine::process(&ending).run(&[], "").status, Some(status), "{ending}");
    }
}

#[test]
fn a_kernel_that_dies_without_a_word_is_a_sentence() {
    for (script, how) in [("kill -SEGV $$", "killed by SIGSEGV"), ("exit 3", "exit status 3")] {
        let output = Machine::process(script).run(&[], "");
        assert_eq!(output.status, Some(125));
        let wanted = format!("whittle: the kernel process ended without a word from the kernel ({how})\n");
        assert_eq!(output.err, wanted);
    }
    let output = Machine::pc("echo 'qemu: bad flag' >&2; exit 1").run(&[], "");
    assert_eq!(output.status, Some(125));
    assert!(
        output.err.starts_with("whittle: QEMU ended") && output.err.ends_with("qemu: bad flag\n"),
        "{}",
        output.err
    );
}

/// As it would have ended a program: the kernel, or QEMU, had no handlers yet.
#[test]
fn a_signal_that_comes_before_the_machine_hears_any_is_its_end() {
    for (signal, status) in [("HUP", 129), ("INT", 130), ("TERM", 143)] {
        let script = format!("kill -{signal} $$; sleep 1");
        for machine in [Machine::process(&script), Machine::pc(&script)] {
            let output = machine.run(&[], "");
            assert_eq!((output.status, &output.err[..]), (Some(status), ""), "{signal}");
        }
    }
    let output = Machine::pc("kill -KILL $$").run(&[], "");
    assert_eq!(output.status, Some(125), "{}", output.err);
}

#[test]
fn records_go_to_standard_error_once_and_each_in_its_way() {
    let mut call = trace::Call::new(0, 39, &[0; 6]);
    call.set_result(1);
    let records = [(0, &b"low"[..]), (1, call.bytes()), (2, b"cannot run this"), (4, b"entry=5")];
    let script: String = records.iter().map(|(kind, payload)| frame_of_bytes(6, *kind, 0, payload)).collect();
    for machine in [Machine::process(&(script.clone() + &exit(3, 0))), Machine::pc(&(script + &exit(3, 0)))] {
        let output = machine.run(&[], "");
        assert_eq!(output.status, Some(126));
        assert_eq!((&output.out[..], &output.err[..]), ("", "getpid() = 1\nwhittle: cannot run this\n"));
        let output = machine.run(&["--verbose", "--figures", "--root", "none"], "");
        // Before that the command says which way the network goes.
        let records = "whittle: low\ngetpid() = 1\nwhittle: cannot run this\nwhittle: entry=5\n";
        assert!(output.err.ends_with(records) && output.err.matches("whittle: low").count() == 1, "{}", output.err);
    }
}

#[test]
fn a_panic_ends_with_125_also_when_only_the_serial_port_knows() {
    let output = Machine::pc(&(frame(6, 3, 0, "panic: oh") + &exit(2, 0))).run(&[], "");
    assert_eq!((output.status, &output.err[..]), (Some(125), "whittle: panic: oh\n"));
    let output = Machine::pc("echo 'panic: early'; exit 0").run(&[], "");
    assert_eq!((output.status, &output.err[..]), (Some(125), "panic: early\n"));
}

#[test]
fn output_frames_come_out_and_input_goes_in_on_demand() {
    // Asks for 4 bytes, and sends whatever comes as output.
    let ask = frame(2, 0, 4, "");
    let answer = "dd bs=1 count=16 <&4 >head 2>/dev/null; n=$(od -An -tu1 -j4 -N1 head | tr -d ' ');\n\
                  dd bs=1 count=$n <&4 >body 2>/dev/null; echo \"got $n $(cat body)\" >&2;\n";
    let script = frame(1, 1, 0, "out") + &frame(1, 2, 0, "err\\n") + &(ask + answer).repeat(3) + &exit(EXITED, 0);
    let machine = Machine::pc(&script);
    let output = machine.run(&[], "abcdef");
    // The script's own standard error is QEMU's, which shows only in a failure; so look at what it kept.
    assert_eq!((output.status, &output.out[..], &output.err[..]), (Some(0), "out", "err\n"));
    assert_eq!(machine.kept("body"), "", "the third answer is the end of the file");
}

#[test]
fn a_guest_is_told_the_time_with_its_first_word() {
    let script = frame(1, 1, 0, "x") + "dd bs=1 count=16 <&4 >head 2>/dev/null\n" + &exit(EXITED, 0);
    let machine = Machine::pc(&script);
    let seconds = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as u32;
    let before = seconds();
    assert_eq!(crate::support::finish(machine.told_the_time(&[]).spawn().unwrap()).status, Some(0));
    let head = machine.kept_bytes("head");
    assert_eq!((head[0], &head[4..8]), (8, &[0; 4][..]));
    assert!((before..=seconds()).contains(&u32::from_le_bytes(head[8..12].try_into().unwrap())));
}

#[test]
fn a_wish_can_be_taken_back() {
    let script =
        frame(2, 0, 4, "") + &frame(4, 0, 0, "") + "dd bs=1 count=16 <&4 >head 2>/dev/null\n" + &exit(EXITED, 0);
    let machine = Machine::pc(&script);
    let mut child = machine.command(&[]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let _input = child.stdin.take();
    let output = crate::support::finish(child);
    assert_eq!(output.status, Some(0));
    // Input, no payload, EINTR.
    assert_eq!(machine.kept_bytes("head")[..12], [1, 0, 0, 0, 0, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff]);
}

#[test]
fn a_reader_that_leaves_is_told_to_the_guest() {
    let script = frame(1, 1, 0, "x") + "dd bs=1 count=16 <&4 >head 2>/dev/null\n" + &exit(EXITED, 0);
    let machine = Machine::pc(&script);
    let mut child = machine.command(&[]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(crate::support::finish(child).status, Some(0));
    assert_eq!(machine.kept_bytes("head")[..2], [6, 1]);
}

#[test]
fn signals_are_handed_on() {
    let wait = "trap 'got=1' USR1; echo ready; while [ -z \"$got\" ]; do sleep 0.02; done\n";
    let child = Machine::process(&format!("{wait}{}", exit(EXITED, 9))).signalled(&["USR1"]);
    assert_eq!(child.status, Some(9));
    let wait = frame(1, 1, 0, "ready\\n") + "dd bs=1 count=16 <&4 >head 2>/dev/null\n";
    let machine = Machine::pc(&format!("{wait}{}", exit(KILLED, 15)));
    assert_eq!(machine.signalled(&["TERM"]).status, Some(143));
    assert_eq!(machine.kept_bytes("head")[..12], [3, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 0]);
}

#[test]
fn the_second_interrupt_ends_any_machine() {
    let deaf = "trap '' INT; echo ready; while :; do sleep 0.1; done\n";
    assert_eq!(Machine::process(deaf).signalled(&["INT", "INT"]).status, Some(130));
    let deaf = frame(1, 1, 0, "ready\\n") + "while :; do sleep 0.1; done\n";
    assert_eq!(Machine::pc(&deaf).signalled(&["INT", "INT"]).status, Some(130));
}

#[test]
fn nothing_survives_the_command() {
    let machine = Machine::process("echo $$ >pid; echo ready; while :; do sleep 0.1; done\n");
    let mut child = machine.command(&[]).stdout(Stdio::piped()).spawn().unwrap();
    crate::support::wait_for_ready(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let kernel = machine.kept("pid");
    let alive =
        || std::fs::read_to_string(format!("/proc/{}/stat", kernel.trim())).is_ok_and(|stat| !stat.contains(") Z"));
    for _ in 0..200 {
        if !alive() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the kernel process outlived its command");
}

#[test]
fn the_archive_and_the_record_are_what_the_kernel_finds_on_descriptor_3() {
    let machine = Machine::process(&format!("cat <&3 >archive; {}", exit(EXITED, 0)));
    let shared = machine.folder().join("shared");
    std::fs::File::create(&shared).unwrap().write_all(b"shared bytes").unwrap();
    let volume = format!("{}:/data/file", shared.display());
    let options = ["--root", "none", "-v", &volume, "--env", "A=b", "--workdir", "/data", "--memory", "64M"];
    let options = [&options[..], &["--trace", "syscalls"]].concat();
    assert_eq!(machine.run(&options, "").status, Some(0));
    let bytes = machine.kept_bytes("archive");
    let archive = archive::Archive::new(&bytes);
    let find = |name: &str| {
        let entry = archive.entries().flatten().find(|entry| entry.name == name.as_bytes());
        entry.map(|entry| entry.contents.to_vec())
    };
    assert!(find("data/file").is_none(), "what is shared is not packed");
    let record = find(launch::ARCHIVE_NAME).unwrap();
    let launch = launch::Launch::new(&record);
    use launch::Key;
    let mounts: Vec<_> = launch.all(Key::Mount).map(String::from_utf8_lossy).collect();
    assert!(
        matches!(&mounts[..], [mount] if mount.starts_with("rw,") && mount.ends_with("/shared,/data/file")),
        "{mounts:?}"
    );
    assert_eq!(launch.text(Key::Program), Some("/bin/true"));
    assert_eq!(launch.all(Key::Argument).collect::<Vec<_>>(), [&b"/bin/true"[..], b"--help"]);
    assert!(launch.all(Key::Environment).any(|variable| variable == b"A=b"));
    assert!(launch.all(Key::Environment).any(|variable| variable.starts_with(b"PATH=")));
    assert!(!launch.all(Key::Environment).any(|variable| variable.starts_with(b"WHITTLE")));
    assert_eq!((launch.text(Key::Directory), launch.number(Key::Memory)), (Some("/data"), Some(64 << 20)));
    assert_eq!((launch.text(Key::Trace), launch.text(Key::Terminals)), (Some("syscalls"), None));
    assert_eq!(launch.hexadecimal::<32>(Key::Seed).map(|seed| seed == [0; 32]), Some(false));
}

#[test]
fn mistakes_have_their_statuses() {
    let machine = Machine::process("exit 0");
    for (words, status) in [
        (&["/no/such/program"][..], 127),
        (&["no-such-program"], 127),
        (&["/usr"], 126),
        (&["/etc/passwd"], 126),
        (&["--nonsense", "/bin/true"], 125),
        (&["--memory", "1K", "/bin/true"], 125),
        (&[], 125),
        (&["--platform", "process", "--ring", "0", "/bin/true"], 125),
    ] {
        let output = crate::support::finish(machine.plain(words).spawn().unwrap());
        assert_eq!((output.status, &output.out[..]), (Some(status), ""), "{words:?}");
        assert!(output.err.starts_with("whittle: "), "{}", output.err);
    }
}
