//! The machine: its slots, what its archive holds, and what must be as before behind each test.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    vec::Vec,
};

use ::machine::{BootInfo, Context};
use test_machine::{Archived, Body, boot_info, in_use, serve};

use super::{notation::invoke, program};
use crate::{number, objects::process};

test_machine::platform!();
contracts::provide_application!(crate::Linux);
contracts::provide_kernel!(kernel::Core);
contracts::provide_scheduler!(sched::Fifo<1>);
contracts::provide_root!(fs::WholeTree);
contracts::provide_volumes!(fs::NoVolumes);
contracts::provide_shares!(fs::NoShares);
contracts::provide_sockets!(
    net::Network<net::Chosen<true, true, true, true, false, false, net::Cubic>, net::NoNics> = net::Network::new(net::NoNics, "", "", "")
);
contracts::provide_config!(Config::DEFAULT);
crate::provide_system_calls!(all);

const fn file(path: &'static str, mode: u32, contents: &'static [u8]) -> Archived {
    Archived { path, mode, owner: 0, contents, link: false }
}

/// Files that are there before the first test.
const FILES: &[Archived] = &[
    file("etc/", 0o755, b""),
    file("etc/motd", 0o644, b"hello, reader\n"),
    file("etc/secret", 0o600, b"for root"),
    Archived { link: true, ..file("etc/link", 0o777, b"motd") },
    Archived { link: true, ..file("etc/loop", 0o777, b"loop") },
    Archived { owner: 1000, ..file("home/", 0o750, b"") },
    Archived { owner: 1000, ..file("home/own", 0o640, b"mine") },
    file("bin/broken", 0o755, b"\x7fELF and then nothing"),
    file("bin/text", 0o755, b"just a text\n"),
];

fn given() -> BootInfo {
    boot_info(begin, FILES)
}

fn begin(_: &Context) -> ! {
    serve(run)
}

/// Runs a test as the program of the machine's one process; fails as it does.
pub fn on_linux(body: impl FnOnce() + Send + 'static) {
    test_machine::on_the_machine(given, body);
}

fn run(body: Body) {
    program::begin();
    program::end();
    let before = Left::now();
    program::begin();
    let ended = catch_unwind(AssertUnwindSafe(body));
    if ended.is_err() {
        for number in 3..MOST {
            let _ = invoke(number::close, [number, 0, 0, 0, 0, 0]);
        }
    }
    program::end();
    if let Err(panic) = ended {
        resume_unwind(panic);
    }
    // Who was joined may have a few steps left.
    program::give_way();
    assert_eq!(Left::now(), before, "what the test leaves behind");
}

/// Descriptors that are looked at.
const MOST: usize = 64;

/// What a program may leave behind.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    descriptors: Vec<usize>,
    threads: usize,
    frames: usize,
    blocked: u64,
    /// User and group, real and effective.
    ids: [usize; 4],
}

impl Left {
    fn now() -> Self {
        let is_open = |&number: &usize| invoke(number::fcntl, [number, 1, 0, 0, 0, 0]).is_ok();
        let ids = [number::getuid, number::geteuid, number::getgid, number::getegid];
        Self {
            descriptors: (0..MOST).filter(is_open).collect(),
            threads: crate::process().threads.lock().count(),
            frames: in_use()[0],
            blocked: process::thread_signals().blocked.0,
            ids: ids.map(|number| invoke(number, [0; 6]).unwrap_or(usize::MAX)),
        }
    }
}
