//! The first process: what the command wishes, as the launch record says.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::sync::atomic::Ordering;

use identity::Identity;
use kernel::memory::{AddressSpace, NamedSite, SitesOfObject, SystemCalls};
use launch::{Key, Launch};
use machine::{BootInfo, Context, ExitReason, Record};
use signal_state::SignalSet;

use crate::{
    Errno,
    entry::{dispatch, trace},
    number,
    objects::{
        ability,
        descriptors::table::Table,
        end, host,
        proc::Known,
        process::{
            KEY, LinuxThread, Process, Strings,
            apart::{Part, Parts},
            kin::FAMILIES,
            table,
        },
        program::execute::{self, Wish},
        sites, terminal,
        text::fill,
        trace as records,
        tree::{self, Location},
    },
};

/// Starts the program.
pub fn start(boot: BootInfo) -> ! {
    end::ENTRY_CYCLES.store(boot.entry_cycles, Ordering::Relaxed);
    let launch = boot.launch;
    if launch.is_empty() {
        kernel::error!("the boot archive has no launch record, so there is no program to run");
        end::machine(ExitReason::Failed)
    }
    settings(launch);
    let randomize = launch.first(Key::Randomize) != Some(b"0");
    let (process, parts) = process(boot.archive, launch, randomize);
    let process = Arc::new(process);
    // As execve(2) keeps them: the command was begun by nohup(1), or as a background job of a script.
    if let Some(ignored) = launch.number(Key::Ignored) {
        process.signals.lock().ignore(SignalSet(ignored).without(SignalSet::UNBLOCKABLE));
    }
    table::add(&process);
    if ability::processes() {
        FAMILIES.lock().begin(process.id);
        terminal::begin();
    }
    if ability::files() && launch.flag(Key::Changes) {
        end::tell_changes();
    }
    let Ok(space) = AddressSpace::new(randomize) else { panic!("a machine's first address space takes no memory") };
    let thread = kernel::task::start_first(&KEY, LinuxThread::first(Arc::clone(&process), parts), space);
    process.threads.lock().add(thread.handle());
    if contracts::config().proc {
        fs::proc::provide(&Known);
    }
    if contracts::config().inject {
        inject(launch);
    }
    run(wish(launch))
}

/// Runs the first program.
fn run(mut wish: Wish) -> ! {
    let asked = records::system_calls().then(|| wish.clone());
    let first = execute::first(&mut wish);
    let context = Context::new(first.entry, first.stack);
    if let Some(asked) = asked {
        trace::first_program(&asked, &context);
    }
    end::FIRST_CYCLES.store(instruction_set::instructions::time_stamp(), Ordering::Relaxed);
    // Traced calls are the program's alone.
    let measures = contracts::config().rewrite && end::CALLS.load(Ordering::Relaxed) && !records::system_calls();
    let context = if measures { crate::space().measure_ways(context, number::getppid as u32) } else { context };
    contracts::processor::enter(&context)
}

fn settings(launch: &Launch<'_>) {
    kernel::log::set_verbose(launch.flag(Key::Verbose));
    if contracts::config().trace {
        trace::set(launch.text(Key::Trace).unwrap_or(""));
    } else {
        dispatch::trace(false);
    }
    if ability::host_name()
        && let Some(name) = launch.text(Key::HostName)
    {
        host::set_name(String::from(name));
    }
    if contracts::config().rewrite {
        system_calls(launch);
    }
    end::AUDIT.store(launch.flag(Key::Audit), Ordering::Relaxed);
    end::FIGURES.store(launch.flag(Key::Figures), Ordering::Relaxed);
}

/// Says what becomes of system calls, by the fields of [`Key::Calls`].
fn system_calls(launch: &Launch<'_>) {
    // Calls that are traced go by the kernel, which a brief one does not.
    let brief: &[usize] = if records::system_calls() { &[] } else { &dispatch::BRIEF };
    let mut wish = SystemCalls { brief, ..SystemCalls::default() };
    let (mut excepted, mut given, mut kept) = (Vec::new(), Vec::new(), false);
    for field in launch.all(Key::Calls).filter_map(|field| core::str::from_utf8(field).ok()) {
        let (word, rest) = field.split_once(':').unwrap_or((field, ""));
        match word {
            "rewrite" => (wish.rewritten, wish.after) = (true, rest.parse().ok()),
            "report" => wish.counted = true,
            "record" => kept = true,
            "except" => excepted.extend(rest.parse::<NamedSite>()),
            "sites" => given.extend(rest.parse::<SitesOfObject>()),
            _ => {}
        }
    }
    end::CALLS.store(wish.counted, Ordering::Relaxed);
    end::SITES.store(kept, Ordering::Relaxed);
    kernel::memory::except_sites(excepted);
    if kept || wish.rewritten && !given.is_empty() {
        sites::look_for(given);
    }
    kernel::memory::set_system_calls(wish);
}

#[inline(never)]
fn process(archive: &'static [u8], launch: &Launch<'_>, randomize: bool) -> (Process, Parts) {
    let [user, group] = launch.numbers(Key::User).unwrap_or([0, 0]);
    let identity = Identity::new(user as u32, group as u32);
    let directory = launch.first(Key::Directory).unwrap_or(b"/");
    if let Err(error) = tree::mount(archive, launch) {
        // Whoever mounts says what failed.
        if error != Errno::EIO {
            let mut line = Vec::new();
            let number = u64::from(error.number());
            fill(&mut line, "the files of the boot archive cannot be used: error # of errno(3)", &[number]);
            contracts::console::record(Record::Error, &line);
        }
        end::machine(ExitReason::Failed)
    }
    let Ok(location) = Location::new(directory) else { refuse_directory(directory) };
    let parts = (Part::first(Table::standard_streams()), Part::first(location));
    (Process::first(identity, randomize), parts)
}

/// Most often it lies below what -v or --disk have put something else over.
#[cold]
fn refuse_directory(directory: &[u8]) -> ! {
    // Not by `error!`: the least image is without formatting.
    let line = [b"the program sees no directory ", directory, b" to start in; give --workdir"].concat();
    contracts::console::record(Record::Error, &line);
    end::machine(ExitReason::Failed)
}

fn wish(launch: &Launch<'_>) -> Wish {
    let all = |key| {
        let mut strings = Strings::with_capacity(8, 120);
        launch.all(key).for_each(|string| strings.push(string));
        strings
    };
    Wish {
        path: launch.first(Key::Program).unwrap_or_default().to_vec(),
        file: None,
        arguments: all(Key::Argument),
        environment: all(Key::Environment),
    }
}

/// Deaths of the kernel that tests ask for, and a stack (`stack-BYTES`) that brings some about.
fn inject(launch: &Launch<'_>) {
    let spent = launch.text(Key::Inject).and_then(|text| text.strip_prefix("stack-")?.parse().ok());
    if let Some(spent) = spent {
        dispatch::spend_stack(spent);
    }
    match launch.first(Key::Inject) {
        Some(b"panic") => panic!("a test asked for this panic"),
        Some(b"fault") => {
            overflow_stack(0);
        }
        _ => {}
    }
}

/// Runs into the guard page under the kernel's stack: a fault that safe code can cause.
#[inline(never)]
fn overflow_stack(depth: u64) -> u64 {
    let frame = core::hint::black_box([depth; 64]);
    let below = if depth == u64::MAX { 0 } else { overflow_stack(core::hint::black_box(depth + 1)) };
    below.wrapping_add(core::hint::black_box(frame)[0])
}
