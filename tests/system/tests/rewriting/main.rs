//! System calls that become calls: what a program does is the same, whether its calls trap or have been rewritten.
//!
//! The program `rewriting` looks at each thing that could tell: registers, flags and vectors, signals at any
//! instruction, code that changes, moves and goes, threads that race. It proves itself on Linux first. And a hundred
//! programs of the distribution say and leave the same in both ways (`programs.txt`).

mod compilers;
mod coverage;
mod libraries;
mod programs;
mod sites;

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::process::ExitCode;
use std::time::Duration;

use object::{Object, ObjectSymbol};
use system_tests::{Build, Check, Guest, LibC, Outcome, Platform, Scope, Unmodified, all, need, project_root, skip};

const LIBRARIES: [LibC; 4] = LibC::ALL;

const LIMIT: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    let mut checks = Vec::new();
    for library in LIBRARIES {
        let name = |what: &str| format!("{}_{what}", program(library).name());
        checks.push(Check::new(name("natively"), Scope::Once, move |_| drop(natively(library))));
        for (setting, processors) in [("trap", 1), ("rewrite", 1), ("rewrite", 2)] {
            let name = name(&format!("{setting}_on_{processors}"));
            let run = move |platform| as_natively(platform, library, setting, processors);
            let check = Check::new(name, Scope::GuestsAtRing0, run);
            let seldom = library != LibC::Glibc && (library != LibC::Musl || setting == "trap");
            checks.push(if seldom { check.long() } else { check });
        }
    }
    checks.push(Check::new("another_program_begins_anew", Scope::GuestsAtRing0, another_program));
    checks.push(Check::new("sites_that_trap_are_not_taken_for_calls", Scope::GuestsAtRing0, trapping));
    let same = Check::new("programs_say_and_leave_the_same", Scope::GuestsAtRing0, programs::say_and_leave_the_same);
    checks.push(same.long_where(|platform| platform != Platform::Process));
    checks.push(Check::new("most_calls_of_programs_are_calls", Scope::GuestsAtRing0, coverage::programs).long());
    checks.push(Check::new("most_calls_of_servers_are_calls", Scope::GuestsAtRing0, coverage::servers).long());
    checks.push(Check::new("libraries_come_and_go", Scope::GuestsAtRing0, libraries::come_and_go));
    checks.push(Check::new("tables_of_a_library_stay", Scope::GuestsAtRing0, libraries::tables_stay));
    checks.push(Check::new("exceptions_through_calls", Scope::GuestsAtRing0, libraries::exceptions));
    checks.push(Check::new("each_way_is_measured", Scope::GuestsAtRing0, both_ways));
    checks.push(Check::new("a_hundred_thousand_races", Scope::GuestsAtRing0, races).long());
    checks.push(Check::new("node_compiles_for_minutes", Scope::GuestsAtRing0, compilers::node).long());
    checks.push(Check::new("java_compiles_for_minutes", Scope::GuestsAtRing0, compilers::java).long());
    checks.push(Check::new("luajit_compiles_for_minutes", Scope::GuestsAtRing0, compilers::luajit).long());
    checks.push(Check::new("no_call_from_ring_3", Scope::Once, |_| no_call_from_ring_3()));
    checks.push(Check::new("excepted_sites_trap_each_time", Scope::GuestsAtRing0, sites::excepted));
    checks.push(Check::new("recorded_sites_trap_less", Scope::GuestsAtRing0, sites::recorded));
    checks.push(Check::new("sites_of_another_build_are_refused", Scope::GuestsAtRing0, sites::another_build));
    checks.push(Check::new("sites_are_recorded_as_a_whole", Scope::GuestsAtRing0, sites::as_a_whole));
    checks.push(Check::new("malformed_sites_are_refused", Scope::GuestsAtRing0, sites::malformed));
    system_tests::run(&checks)
}

const fn program(library: LibC) -> Unmodified {
    Unmodified { folder: "rewriting", build: Build::C(library) }
}

fn words(path: &str) -> [&str; 3] {
    [path, "--work", if all() { "100" } else { "20" }]
}

/// Whether this host lets a process write to its own memory by its file, as rewriting does.
fn needs_memory_file(platform: Platform) {
    if platform != Platform::Process {
        return;
    }
    static BYTE: u8 = 7;
    let write = || {
        let memory = OpenOptions::new().read(true).write(true).open("/proc/self/mem")?;
        memory.write_all_at(&[7], (&raw const BYTE).addr() as u64)
    };
    if let Err(error) = write() {
        skip(format!("this host does not let a process write to /proc/self/mem: {error}"));
    }
}

#[track_caller]
fn last_line(outcome: &Outcome) -> String {
    let text = outcome.text();
    let line = text.lines().next_back().unwrap_or_default();
    assert!(
        outcome.status == 0 && line.ends_with(" checks passed"),
        "{}{text}{}",
        outcome.status,
        outcome.error_text()
    );
    line.to_owned()
}

fn natively(library: LibC) -> String {
    let path = program(library).path();
    last_line(&Guest::new(Platform::Native).limit(LIMIT).run(&words(path.to_str().unwrap())))
}

fn guest(platform: Platform, setting: &str, processors: usize) -> Guest {
    let guest = Guest::new(platform).limit(LIMIT).option("--syscalls").option(setting);
    let guest = guest.option("--cpus").option(processors.to_string());
    if setting != "rewrite" {
        return guest;
    }
    // Which processor it is, only this platform's kernel answers.
    let guest = if platform == Platform::Process { guest.variable("ANSWERED", "1") } else { guest };
    guest.variable("REWRITTEN", "1")
}

fn as_natively(platform: Platform, library: LibC, setting: &str, processors: usize) {
    if setting == "rewrite" {
        needs_memory_file(platform);
    }
    let path = program(library).path();
    let outcome = guest(platform, setting, processors).run(&words(path.to_str().unwrap()));
    assert_eq!(last_line(&outcome), natively(library));
}

/// What `--report syscalls` says of the ways into the kernel.
fn ways(guest: &Guest) -> Option<Vec<u64>> {
    let outcome = guest.clone().option("--report").option("syscalls").run(&["/bin/busybox", "echo", "said"]);
    assert_eq!((outcome.status, outcome.text()), (0, "said\n".into()), "{}", outcome.error_text());
    let text = outcome.error_text();
    let line = text.lines().find_map(|line| line.strip_prefix("whittle: system calls: getppid takes "))?;
    Some(line.split(' ').filter_map(|word| word.parse().ok()).collect())
}

/// Each way is measured, and the program sees nothing of that.
fn both_ways(platform: Platform) {
    needs_memory_file(platform);
    need(&["/bin/busybox"]);
    let traps = |guest: Guest| ways(&guest).is_some_and(|found| found.len() == 1 && found[0] > 0);
    let found = ways(&guest(platform, "rewrite", 2)).expect("a line about it");
    assert!(found.len() == 2 && found.iter().all(|&way| way > 0), "{found:?}");
    assert!(traps(guest(platform, "trap", 1)));
    if platform == Platform::PcRing0 {
        assert!(traps(Guest::new(Platform::PcRing3)));
    }
    // Where calls are traced, those are the program's.
    let traced = guest(platform, "rewrite", 1).option("--trace").option("syscalls");
    assert_eq!(ways(&traced), None);
}

/// Two threads come to one site that is new, 100,000 times.
fn races(platform: Platform) {
    needs_memory_file(platform);
    let path = program(LibC::Glibc).path();
    let guest = guest(platform, "rewrite", 2).limit(Duration::from_secs(3000));
    last_line(&guest.run(&[path.to_str().unwrap(), "--work", "10000", "two_at_one_site"]));
}

/// What execve(2) has in the place of a program that was rewritten is rewritten itself.
fn another_program(platform: Platform) {
    needs_memory_file(platform);
    let path = program(LibC::GlibcPie).path();
    guest(platform, "rewrite", 1).run(&[path.to_str().unwrap(), "execute"]).expect_status(33);
}

/// The program does say when a site was not rewritten that has to be.
fn trapping(platform: Platform) {
    let path = program(LibC::Glibc).path();
    let outcome = guest(platform, "trap", 1).variable("REWRITTEN", "1").run(&[path.to_str().unwrap(), "stray_jumps"]);
    assert!(outcome.status == 1 && outcome.text().contains("FAILED stray_jumps"), "{}", outcome.text());
}

/// At ring 3 the program has nothing to call: the entries are out of its reach, and no site is rewritten.
fn no_call_from_ring_3() {
    let path = program(LibC::Glibc).path();
    let path = path.to_str().unwrap();
    let wished = Guest::new(Platform::PcRing3).option("--syscalls").option("rewrite").run(&[path, "registers"]);
    assert_eq!(wished.status, 125);
    assert!(wished.error_text().contains("at ring 3 each system call traps"), "{}", wished.error_text());
    // The image is there now.
    let entries = entries();
    let words: Vec<&str> = [path, "reach"].into_iter().chain(entries.iter().map(String::as_str)).collect();
    let outcome = Guest::new(Platform::PcRing3).limit(LIMIT).run(&words);
    assert_eq!((outcome.status, outcome.text()), (0, "out of reach\n".into()), "{}", outcome.error_text());
    let trapping = Guest::new(Platform::PcRing3).variable("REWRITTEN", "1").run(&[path, "stray_jumps"]);
    assert!(trapping.status == 1 && trapping.text().contains("FAILED stray_jumps"), "{}", trapping.text());
}

/// The addresses where calls enter the kernel on pc.
fn entries() -> Vec<String> {
    Guest::new(Platform::PcRing0).run(&[program(LibC::Glibc).path().to_str().unwrap(), "registers"]).expect_status(0);
    let image = fs::read(project_root().join("target/whittle/linux-pc.elf")).expect("the image with names");
    let image = object::File::parse(&*image).expect("an ELF file");
    let entries = image.symbols().filter(|symbol| symbol.name().is_ok_and(|name| name.ends_with("_call")));
    let entries = entries.filter(|symbol| symbol.name().is_ok_and(|name| name.starts_with("whittle_")));
    let addresses: Vec<String> = entries.map(|symbol| format!("{:x}", symbol.address())).collect();
    assert!(addresses.len() >= 2, "the image has no entries: {addresses:?}");
    addresses
}
