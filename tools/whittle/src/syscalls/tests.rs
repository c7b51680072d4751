//! The table against the handlers, and what is found in code and logs.

use std::path::{Path, PathBuf};

use linux_abi::{DESCRIPTIONS, Support};

use super::*;

fn doors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../api/linux/src/calls")
}

#[test]
fn each_call_of_the_table_has_a_handler_and_each_handler_a_row() {
    let families: BTreeSet<&str> = DESCRIPTIONS.iter().map(|call| call.family).collect();
    for family in families {
        let text = std::fs::read_to_string(doors().join(family).join("mod.rs")).unwrap();
        let calls = DESCRIPTIONS.iter().filter(|call| call.family == family).map(|call| call.name);
        let mut calls: Vec<&str> = calls.collect();
        let mut handlers: Vec<&str> = text.split("\npub use ").skip(1).flat_map(names).collect();
        calls.sort_unstable();
        handlers.sort_unstable();
        assert_eq!(handlers, calls, "{family}/mod.rs");
    }
}

/// The names in `file::{first, second};`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let (listed, _) = text.split_once(';').unwrap();
    let (_, names) = listed.split_once("::").unwrap();
    names.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|name| !name.is_empty())
}

#[test]
fn what_answers_one_error_says_which_in_its_handler() {
    for call in DESCRIPTIONS {
        let Support::Only(errno) = call.support else { continue };
        // In the handler itself, or in what the family's handlers share.
        let named = format!("Errno::{}", errno.name());
        let files = doors().join(call.family).read_dir().unwrap();
        let mut texts = files.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default());
        assert!(texts.any(|text| text.contains(&named)), "{}", call.name);
    }
}

#[test]
fn the_table_names_every_call_once() {
    let text = table();
    for name in ["  read  ", "  fcntl  ", "io_uring_setup", "ptrace"] {
        assert_eq!(text.matches(name).count(), 1, "{name}: {text}");
    }
    assert!(text.contains("F_SETLEASE"));
}

#[test]
fn logs_of_strace_and_ours_are_read() {
    let text = "execve(\"/bin/true\", [\"true\"], 0x7ffd /* 20 vars */) = 0\n[pid 12] read(3, \"a(b\", 1) = 1\n\
                17 12:00:01 io_uring_setup(8, {flags=0}) = -1 ENOSYS (Function not implemented)\n\
                12 read(3, \"\", 1) = 0\nhello (world)\n<... read resumed>) = 1\n+++ exited with 0 +++\n";
    let names = log::count(text);
    let expected = [("execve", 1), ("io_uring_setup", 1), ("read", 2)];
    assert_eq!(names, expected.map(|(name, count)| (name.to_owned(), count)).into());
    let missed = missed(&names, "of a log");
    assert!(missed.contains("of 3 system calls of a log, 1 are there"), "{missed}");
    assert!(missed.contains("io_uring_setup") && missed.contains("execve") && !missed.contains("  read"), "{missed}");
}

#[test]
fn numbers_are_found_before_their_calls() {
    let code = [
        &[0xb8, 0x27, 0, 0, 0, 0x0f, 0x05][..],         // mov $39,%eax; syscall
        &[0x31, 0xc0, 0x48, 0x89, 0xd6, 0x0f, 0x05],    // xor %eax,%eax; mov %rdx,%rsi; syscall
        &[0x48, 0x89, 0xf8, 0x0f, 0x05],                // mov %rdi,%rax; syscall
        &[0x48, 0xc7, 0xc0, 0xe7, 0, 0, 0, 0x0f, 0x05], // mov $231,%rax; syscall
        &[0xb8, 1, 0, 0, 0, 0xc3, 0x0f, 0x05],          // mov $1,%eax; ret; syscall
    ]
    .concat();
    let found = scan::scan(&code, 0x1000);
    assert_eq!((found.numbers, found.unknown), ([0, 39, 231].into(), 2));
    // So near to each other and to the start, only the number right before is sure.
    assert_eq!(found.sites, 5);
    let apart = [&[0x90; 80][..], &[0xb8, 0x27, 0, 0, 0, 0x0f, 0x05, 0xc3], &[0x90; 80], &[0xc3, 0x0f, 0x05, 0xc3]];
    let found = scan::scan(&apart.concat(), 0x1000);
    assert_eq!((found.sites, found.rewritable), (2, 1));
}
