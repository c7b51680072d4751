//! `/proc/<number>`: the process that asks, and no other.

use alloc::{format, vec, vec::Vec};

use vfs::pseudo::{Entry, Item, Listing, More, Target};

use super::{ProcessLink, ProcessText, machine, processes};

/// `/proc/self`.
pub fn own() -> Vec<u8> {
    processes().map_or_else(Vec::new, |processes| format!("{}", processes.process()).into())
}

/// `/proc/thread-self`.
pub fn own_thread() -> Vec<u8> {
    processes().map_or_else(Vec::new, |known| format!("{}/task/{}", known.process(), known.thread()).into())
}

/// The directories that have numbers for names, of processes.
pub const NUMBERED: More = More {
    find: |name| (number(name)? == processes()?.process()).then_some(Item::Directory(&PROCESS)),
    all: || processes().map_or_else(Vec::new, |_| vec![(own(), Item::Directory(&PROCESS))]),
};

macro_rules! texts {
    ($which:ident) => {
        Item::Text(|out| {
            if let Some(processes) = processes() {
                processes.text(ProcessText::$which, out);
            }
        })
    };
}

macro_rules! links {
    ($which:ident) => {
        Item::Jump(|_| processes()?.link(ProcessLink::$which), 0)
    };
}

/// What a process and each of its threads have; `$more` stands where it belongs in the order of names.
macro_rules! listing {
    ($($more:expr)?) => {
        Listing::new(&[
            Entry::new("auxv", texts!(Auxiliary)),
            Entry::new("cgroup", Item::Text(|out| out.extend_from_slice(b"0::/\n"))),
            Entry::new("cmdline", texts!(CommandLine)),
            Entry::new("comm", texts!(Name)),
            Entry::new("cwd", links!(Directory)),
            Entry::new("environ", texts!(Environment)),
            Entry::new("exe", links!(Executable)),
            Entry::new("fd", Item::Directory(&DESCRIPTORS)),
            Entry::new("limits", texts!(Limits)),
            Entry::new("maps", texts!(Maps)),
            Entry::new("mountinfo", Item::Text(machine::mount_information)),
            Entry::new("mounts", Item::Text(machine::mounts)),
            Entry::new("oom_score_adj", Item::Text(|out| out.extend_from_slice(b"0\n"))),
            Entry::new("root", links!(Root)),
            Entry::new("stat", texts!(Stat)),
            Entry::new("statm", texts!(Memory)),
            Entry::new("status", texts!(Status)),
            $($more,)?
        ])
    };
}

const PROCESS: Listing = listing!(Entry::new("task", Item::Directory(&THREADS)));
const THREAD: Listing = listing!();

/// `task`: the threads.
const THREADS: Listing = Listing {
    entries: &[],
    more: Some(More {
        find: |name| (number(name)? == processes()?.thread()).then_some(Item::Directory(&THREAD)),
        all: || {
            let thread = |number| (format!("{number}").into(), Item::Directory(&THREAD));
            processes().map_or_else(Vec::new, |known| vec![thread(known.thread())])
        },
    }),
};

/// `fd`: the open files.
const DESCRIPTORS: Listing = Listing {
    entries: &[],
    more: Some(More {
        find: |name| {
            let number = number(name)?;
            descriptor(number).is_some().then_some(Item::Jump(descriptor, number))
        },
        all: || {
            let numbers = processes().map_or_else(Vec::new, |processes| processes.descriptors());
            numbers.into_iter().map(|number| (format!("{number}").into(), Item::Jump(descriptor, number))).collect()
        },
    }),
};

fn descriptor(number: u32) -> Option<Target> {
    processes()?.descriptor(number)
}

/// A name that is a number as the kernel writes it: no sign, no zeros before it.
fn number(name: &[u8]) -> Option<u32> {
    let plain = name == b"0" || name.first().is_some_and(|&digit| digit != b'0' && digit != b'+');
    core::str::from_utf8(name).ok()?.parse().ok().filter(|_| plain)
}
