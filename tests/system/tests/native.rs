//! Native Rust images: their size, their start, their parts, and that what they do not name is not in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use object::{Object, ObjectSection, ObjectSymbol};
use system_tests::{Check, Outcome, Platform, Running, Scope, project_root, scratch};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("hello_is_small", Scope::Once, hello_is_small),
        Check::new("hello_runs", Scope::Once, hello_runs),
        Check::new("hello_starts_in_few_instructions", Scope::Once, hello_starts_in_few_instructions),
        Check::new("hello_needs_little_memory", Scope::Once, hello_needs_little_memory),
        Check::new("the_standard_library_behaves", Scope::Once, standard_library),
        Check::new("parts_are_swapped_by_a_word", Scope::Once, parts_are_swapped_by_a_word).long(),
        Check::new("a_hot_slot_has_no_call", Scope::Once, a_hot_slot_has_no_call),
        Check::new("threads_are_parts_and_locks_fold", Scope::Once, threads_are_parts_and_locks_fold),
        Check::new("floating_point_is_hard_on_request", Scope::Once, floating_point_is_hard_on_request).long(),
        Check::new("what_is_not_named_is_not_there", Scope::Once, what_is_not_named_is_not_there),
        Check::new("a_program_lies_in_its_image", Scope::Once, a_program_lies_in_its_image),
        Check::new("every_part_is_left_out_somewhere", Scope::Once, every_part_is_left_out_somewhere),
    ])
}

/// Whole-program optimisation of an image takes its time on a busy machine.
const BUILD: Duration = Duration::from_secs(900);
/// A machine that does not end by itself is an error.
const RUN: Duration = Duration::from_secs(120);
const PLATFORMS: [&str; 2] = ["pc", "process"];

fn whittle(words: &[&str]) -> Outcome {
    let mut command = system_tests::whittle();
    command.args(words).current_dir(project_root());
    Running::start(command, None).finish(BUILD)
}

fn run(platform: &str, words: &[&str], input: &[u8]) -> Outcome {
    let mut command = system_tests::whittle();
    command.args(["run", "--platform", platform]);
    if platform == "pc" {
        command.args(["--accel", "tcg"]);
    }
    command.args(words).current_dir(project_root());
    Running::start(command, Some(input.to_vec())).finish(BUILD)
}

/// Builds an application of the house once; the folder of its images.
fn built(name: &str) -> PathBuf {
    let folder = project_root().join("apps").join(name);
    whittle(&["build", &format!("apps/{name}")]).expect_status(0);
    folder.join("target/whittle")
}

fn hello() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| built("hello-native"))
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn bytes(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

fn hello_is_small(_: Platform) {
    for (platform, limit) in [("pc", 12 << 10), ("process", 10 << 10)] {
        let image = hello().join(format!("hello-{platform}.img"));
        assert!(bytes(&image) <= limit, "{platform}: {} bytes", bytes(&image));
        let plan = json(&image.with_extension("json"));
        let components = plan["components"].as_array().unwrap().len();
        assert!(components <= 6, "{components} components");
        let program = hello().join(format!("hello-{platform}/src/main.rs"));
        assert!(fs::read_to_string(program).unwrap().lines().count() < 72);
    }
    for platform in PLATFORMS {
        // The general image names every slot that there is: two screens.
        let program = project_root().join(format!("target/whittle/linux-{platform}/src/main.rs"));
        let lines = fs::read_to_string(program).unwrap().lines().count();
        assert!(lines < 100, "{platform}: {lines} lines");
    }
}

fn hello_runs(_: Platform) {
    hello();
    for platform in PLATFORMS {
        let outcome = run(platform, &["apps/hello-native"], b"");
        outcome.expect_status(0).expect_output("Hello, world!\n");
    }
    run("pc", &["--machine", "q35", "apps/hello-native"], b"").expect_status(0).expect_output("Hello, world!\n");
    // The image is an ordinary executable.
    let mut command = Command::new(hello().join("hello-process.img"));
    command.stdin(Stdio::null());
    Running::start(command, None).finish(BUILD).expect_status(0).expect_output("Hello, world!\n");
}

/// QEMU with what `whittle run` gives a native image, as far as these checks need it.
fn qemu(image: &Path, memory: &str) -> Command {
    let mut command = Command::new("qemu-system-x86_64");
    command.args(["-M", "microvm,acpi=off,x-option-roms=off", "-accel", "tcg", "-cpu", "max"]);
    command.args(["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-m", memory, "-kernel"]);
    command.arg(image).args(["-serial", "stdio"]).stdin(Stdio::null());
    command
}

/// QEMU logs each instruction it executes; those from the kernel's entry on count.
fn hello_starts_in_few_instructions(_: Platform) {
    let folder = scratch();
    let log = folder.path().join("log");
    let mut command = qemu(&hello().join("hello-pc.img"), "64m");
    command.args(["-singlestep", "-d", "exec,nochain", "-D"]).arg(&log);
    Running::start(command, None).finish(RUN).expect_output("Hello, world!\n");
    let text = fs::read_to_string(&log).unwrap();
    // `Trace 0: 0x... [flags/address/...]`: what runs before our code is the machine's, at lower addresses.
    let address = |line: &str| u64::from_str_radix(line.split('[').nth(1)?.split('/').nth(1)?, 16).ok();
    let instructions =
        text.lines().filter_map(address).skip_while(|&address| !(0x10_0000..0x20_0000).contains(&address));
    let count = instructions.count();
    assert!((100..=5000).contains(&count), "{count} instructions");
    println!("hello on pc: {count} instructions from the kernel's entry to the reset");
}

/// 512 KB above the megabyte that a PC has below its first free address.
fn hello_needs_little_memory(_: Platform) {
    let command = qemu(&hello().join("hello-pc.img"), "1536k");
    Running::start(command, None).finish(RUN).expect_output("Hello, world!\n");
}

/// The same source is compared with the real standard library by `cargo run` in its folder.
fn standard_library(_: Platform) {
    built("selftest-native");
    let words = ["--env", "WHITTLE_CHECK=one=two", "apps/selftest-native", "alpha", "beta gamma"];
    for platform in PLATFORMS {
        let outcome = run(platform, &words, b"first\nsecond\r\n\nlast");
        assert!(outcome.text().contains(" checks passed, 0 failed"), "{platform}: {}", outcome.text());
        outcome.expect_status(0);
    }
}

/// A program that uses a heap, the time and the console, with each of their providers.
const PARTS: &str = "\
#![no_std]
#[macro_use]
extern crate whittle_std as std;

use std::prelude::v1::*;
use std::time::Instant;

/// A hot slot, kept by itself so that a test can look at it.
#[inline(never)]
pub fn read_the_clock() -> u64 {
    std::contracts::clock::monotonic()
}

pub fn main() {
    let start = Instant::now();
    let words: Vec<String> = (0..100).map(|number| format!(\"{number}\")).collect();
    assert!(words.len() == 100 && words[99] == \"99\" && read_the_clock() > 0);
    assert!(start.elapsed().as_secs() < 1000);
    println!(\"all parts work\");
}
";

/// Makes a project of [`PARTS`] with these components; the folder.
fn project(folder: &Path, components: &str) {
    let outcome = {
        let mut command = system_tests::whittle();
        command.args(["new", "parts"]).current_dir(folder);
        Running::start(command, None).finish(BUILD)
    };
    outcome.expect_status(0);
    fs::write(folder.join("parts/src/main.rs"), PARTS).unwrap();
    choose(folder, components);
}

fn choose(folder: &Path, components: &str) {
    let text = format!("name = \"parts\"\nkind = \"rust\"\n\n[components]\n{components}\n");
    fs::write(folder.join("parts/whittle.toml"), text).unwrap();
}

fn parts_are_swapped_by_a_word(_: Platform) {
    let folder = scratch();
    project(folder.path(), "");
    let path = folder.path().join("parts");
    let path = path.to_str().unwrap();
    let usual = ["console = \"plain\"", "heap = \"tlsf\"", "clock = { use = \"counter\", megahertz = 1000 }"];
    let mut swaps = vec![usual.to_vec()];
    let heaps = ["heap = \"bump\"", "heap = \"buddy\"", "heap = \"first-fit\"", "heap = \"size-class\""];
    for swap in ["console = \"port\"", "clock = \"system-clock\""].into_iter().chain(heaps) {
        let contract = swap.split(' ').next().unwrap();
        swaps.push(usual.iter().map(|line| if line.starts_with(contract) { swap } else { *line }).collect());
    }
    for platform in PLATFORMS {
        for lines in &swaps {
            choose(folder.path(), &lines.join("\n"));
            run(platform, &[path], b"").expect_status(0).expect_output("all parts work\n");
        }
    }
    // A part that is used and not named is a sentence.
    choose(folder.path(), "console = \"plain\"\nclock = { use = \"counter\", megahertz = 1000 }");
    let sentence = run("process", &[path], b"").expect_status(125).expect_sentence();
    assert!(sentence.contains("uses heap") && sentence.contains("heap = \"size-class\""), "{sentence}");
    // No console, no words of a panic: the status is left.
    let silent = "#![no_std]\nextern crate whittle_std as std;\n\
                  pub fn main() -> std::process::ExitCode {\n    std::process::ExitCode::from(7)\n}\n";
    fs::write(folder.path().join("parts/src/main.rs"), silent).unwrap();
    choose(folder.path(), "panic = \"silent\"");
    for platform in PLATFORMS {
        assert_eq!(run(platform, &[path], b"").expect_status(7).text(), "");
    }
}

/// The instructions of the function whose symbol has `name` in it.
fn function(path: &Path, name: &str) -> Vec<Instruction> {
    let data = fs::read(path).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let symbol = file.symbols().find(|symbol| symbol.name().is_ok_and(|known| known.contains(name))).unwrap();
    let section = file.section_by_index(symbol.section_index().unwrap()).unwrap();
    let start = (symbol.address() - section.address()) as usize;
    let code = &section.data().unwrap()[start..start + symbol.size() as usize];
    Decoder::with_ip(64, code, 0, DecoderOptions::NONE).into_iter().collect()
}

fn a_hot_slot_has_no_call(_: Platform) {
    let folder = scratch();
    project(folder.path(), "console = \"plain\"\nheap = \"bump\"\nclock = { use = \"counter\", megahertz = 1000 }");
    let path = folder.path().join("parts");
    whittle(&["build", path.to_str().unwrap()]).expect_status(0);
    for platform in PLATFORMS {
        let instructions = function(&path.join(format!("target/whittle/parts-{platform}.elf")), "read_the_clock");
        assert!(instructions.iter().any(|instruction| instruction.mnemonic() == iced_x86::Mnemonic::Rdtsc));
        let calls = [FlowControl::Call, FlowControl::IndirectCall];
        assert!(
            !instructions.iter().any(|instruction| calls.contains(&instruction.flow_control())),
            "{instructions:?}"
        );
    }
}

/// A lock, and a thread where the argument asks for one.
const LOCKS: &str = "\
#![no_std]
extern crate whittle_std as std;

use std::process::ExitCode;
use std::sync::Mutex;

static COUNT: Mutex<u8> = Mutex::new(6);

#[inline(never)]
pub fn count_under_the_lock() {
    *COUNT.lock().unwrap() += 1;
}

pub fn main() -> ExitCode {
    count_under_the_lock();
    ExitCode::from(*COUNT.lock().unwrap())
}
";

/// With a scheduler for one thread a lock is a flag: nothing is exchanged. A thread without a
/// scheduler is a sentence.
fn threads_are_parts_and_locks_fold(_: Platform) {
    let folder = scratch();
    project(folder.path(), "");
    let path = folder.path().join("parts");
    fs::write(path.join("src/main.rs"), LOCKS).unwrap();
    let one = "panic = \"silent\"\nprocessor = \"alone\"\nheap = \"bump\"\nscheduler = \"run-to-completion\"";
    choose(folder.path(), one);
    for platform in PLATFORMS {
        run(platform, &[path.to_str().unwrap()], b"").expect_status(7);
        let elf = path.join(format!("target/whittle/parts-{platform}.elf"));
        let code = function(&elf, "count_under_the_lock");
        assert!(code.iter().any(|instruction| instruction.is_stack_instruction()), "{code:?}");
        assert!(!code.iter().any(|it| it.has_lock_prefix() || it.mnemonic() == iced_x86::Mnemonic::Xchg), "{code:?}");
    }
    let threads = LOCKS
        .replace("    count_under", "    let _ = std::thread::spawn(count_under_the_lock).join();\n    count_under");
    fs::write(path.join("src/main.rs"), threads).unwrap();
    choose(folder.path(), "panic = \"silent\"\nprocessor = \"alone\"\nheap = \"bump\"");
    let sentence = run("process", &[path.to_str().unwrap()], b"").expect_status(125).expect_sentence();
    assert!(sentence.contains("parts uses") && sentence.contains("scheduler"), "{sentence}");
}

/// A program that computes, with whittle.toml's word for the processor's registers and without.
fn floating_point_is_hard_on_request(_: Platform) {
    const PROGRAM: &str = "#![no_std]\n#[macro_use]\nextern crate whittle_std as std;\n\npub fn main() {\n    \
        let third = |number: u32| f64::from(number) / 3.0;\n    \
        println!(\"{:.3}\", (0..10).map(third).sum::<f64>());\n}\n";
    let folder = scratch();
    project(folder.path(), "");
    let path = folder.path().join("parts");
    fs::write(path.join("src/main.rs"), PROGRAM).unwrap();
    for (float, hard) in [("soft", false), ("hard", true)] {
        let wishes = "[components]\nconsole = \"plain\"\npanic = \"place\"\n";
        let text = format!("name = \"parts\"\nkind = \"rust\"\nfloat = \"{float}\"\n{wishes}");
        fs::write(path.join("whittle.toml"), text).unwrap();
        for platform in PLATFORMS {
            run(platform, &[path.to_str().unwrap()], b"").expect_status(0).expect_output("15.000\n");
            let data = fs::read(path.join(format!("target/whittle/parts-{platform}.elf"))).unwrap();
            let file = object::File::parse(&*data).unwrap();
            let code = file.section_by_name(".text").unwrap();
            let decoder = Decoder::with_ip(64, code.data().unwrap(), 0, DecoderOptions::NONE);
            let divides = decoder.into_iter().any(|instruction| instruction.mnemonic() == iced_x86::Mnemonic::Divsd);
            assert_eq!(divides, hard, "{platform}, float = {float}");
        }
    }
}

fn symbols(path: &Path) -> BTreeSet<String> {
    let data = fs::read(path).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let name = |name: &str| rustc_demangle::demangle(name).to_string();
    file.symbols().filter_map(|symbol| symbol.name().ok().map(name)).collect()
}

/// Bytes of instructions.
fn text(path: &Path) -> u64 {
    let data = fs::read(path).unwrap();
    let file = object::File::parse(&*data).unwrap();
    file.section_by_name(".text").unwrap().size()
}

fn busybox() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| built("busybox"))
}

/// The image of busybox names families of system calls and switches settings off; the general one has everything.
fn what_is_not_named_is_not_there(_: Platform) {
    for platform in PLATFORMS {
        let [few, all] =
            [busybox().join(format!("busybox-{platform}.elf")), ready(platform, "elf")].map(|path| symbols(&path));
        let has = |symbols: &BTreeSet<String>, part: &str| symbols.iter().any(|symbol| symbol.contains(part));
        for part in ["linux::entry::dispatch::handler::write", "linux::entry::dispatch::handler::mmap"] {
            assert!(has(&few, part) && has(&all, part), "{platform}: {part}");
        }
        for part in ["handler::renameat2", "handler::sysinfo", "linux::entry::trace::system_call", "whittle_vdso"] {
            assert!(!has(&few, part) && has(&all, part), "{platform}: {part}");
        }
        // Two thirds of the system calls, and no traces: a tenth of the instructions and more is not there.
        let [few, all] =
            [busybox().join(format!("busybox-{platform}.elf")), ready(platform, "elf")].map(|path| text(&path));
        assert!(few < all - all / 10, "{platform}: {few} bytes of instructions, {all} in the general image");
        let small = symbols(&hello().join(format!("hello-{platform}.elf")));
        // Static tables: nothing of page tables is there.
        for part in ["vfs::", "alloc::", "kernel::", "linux::", "core::fmt::", "paging::", "frames::", "pc::memory::"] {
            let within = |symbol: &String| symbol.trim_start_matches(['<', '&']).starts_with(part);
            assert!(!small.iter().any(within), "{platform}: {part}");
        }
    }
}

fn ready(platform: &str, extension: &str) -> PathBuf {
    project_root().join(format!("target/whittle/linux-{platform}.{extension}"))
}

/// One file that QEMU boots, one that Linux executes, and `whittle run` on the folder.
fn a_program_lies_in_its_image(_: Platform) {
    let text = "hello from an image\n";
    let mut command = Command::new(busybox().join("busybox-process.img"));
    command.stdin(Stdio::null());
    Running::start(command, None).finish(RUN).expect_status(0).expect_output(text);
    let outcome = Running::start(qemu(&busybox().join("busybox-pc.img"), "64m"), None).finish(RUN);
    assert_eq!(outcome.text(), text);
    for platform in PLATFORMS {
        run(platform, &["apps/busybox"], b"").expect_status(0).expect_output(text);
        run(platform, &["apps/busybox", "echo", "other"], b"").expect_status(0).expect_output("other\n");
    }
}

/// Over the plans of the images that these tests build.
fn every_part_is_left_out_somewhere(_: Platform) {
    for platform in PLATFORMS {
        let plans = [
            hello().join(format!("hello-{platform}.json")),
            busybox().join(format!("busybox-{platform}.json")),
            ready(platform, "json"),
        ];
        let parts = plans.map(|path| -> BTreeSet<String> {
            let plan = json(&path);
            plan["components"]
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part["name"].as_str().unwrap().to_owned())
                .collect()
        });
        let everywhere: Vec<&String> =
            parts[0].iter().filter(|name| parts.iter().all(|plan| plan.contains(*name))).collect();
        assert_eq!(everywhere, [platform], "only the platform itself is in every image");
    }
}
