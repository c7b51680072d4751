//! Fuzzes every parser of foreign bytes, and the heaps (`fuzz/`): seeds and 2 seconds each, or minutes with
//! `WHITTLE_TEST_ALL=1`.
//!
//! The targets are built as cargo-fuzz builds them with `--sanitizer none`, but by the stable compiler: coverage comes
//! from LLVM's own pass. What a run finds new is kept under `target/system-tests/fuzz` and used by the next one.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::time::Duration;

use system_tests::{Check, Elf, Running, Scope, all, native_busybox, need, project_root, work_folder};

const COVERAGE: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("fuzz_archive", Scope::Once, |_| fuzz("archive", archives())),
        Check::new("fuzz_bootinfo", Scope::Once, |_| fuzz("bootinfo", start_infos())),
        Check::new("fuzz_dhcp", Scope::Once, |_| fuzz("dhcp", leases())),
        Check::new("fuzz_discovery", Scope::Once, |_| fuzz("discovery", neighbours())),
        Check::new("fuzz_dns", Scope::Once, |_| fuzz("dns", answers())),
        Check::new("fuzz_elf", Scope::Once, |_| fuzz("elf", executables())),
        Check::new("fuzz_ext4", Scope::Once, |_| fuzz_images("ext4", ext4_images())),
        Check::new("fuzz_fat", Scope::Once, |_| fuzz_images("fat", fat_images())),
        Check::new("fuzz_hashfiles", Scope::Once, |_| fuzz("hashfiles", hashed_files())),
        Check::new("fuzz_heap", Scope::Once, |_| fuzz("heap", heap_operations())),
        Check::new("fuzz_launch", Scope::Once, |_| fuzz("launch", launch_records())),
        Check::new("fuzz_line_discipline", Scope::Once, |_| fuzz("line-discipline", terminals())),
        Check::new("fuzz_nic_stream", Scope::Once, |_| fuzz("nic-stream", streams())),
        Check::new("fuzz_netlink", Scope::Once, |_| fuzz("netlink", netlink_requests())),
        Check::new("fuzz_netstack", Scope::Once, |_| fuzz("netstack", conversations())),
        Check::new("fuzz_ninep", Scope::Once, |_| fuzz("ninep", ninep_replies())),
        Check::new("fuzz_reassembly", Scope::Once, |_| fuzz("reassembly", fragments())),
        Check::new("fuzz_script", Scope::Once, |_| fuzz("script", scripts())),
        Check::new("fuzz_sites", Scope::Once, |_| fuzz("sites", sites())),
        Check::new("fuzz_trace", Scope::Once, |_| fuzz("trace", trace_records())),
        Check::new("fuzz_virtio_net", Scope::Once, |_| fuzz("virtio-net", network_words())),
        Check::new("fuzz_virtqueue", Scope::Once, |_| fuzz("virtqueue", device_words())),
        Check::new("fuzz_wire", Scope::Once, |_| fuzz("wire", frames())),
    ])
}

fn seconds() -> u64 {
    if all() { 180 } else { 2 }
}

/// The folder of the built targets.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        need(&["g++"]);
        let target = work_folder().join("cargo");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        // A target is named so that build scripts are built without the coverage flags.
        command.current_dir(project_root().join("fuzz")).env("RUSTFLAGS", COVERAGE.join(" "));
        command.args(["build", "--quiet", "--release", "--target", "x86_64-unknown-linux-gnu", "--target-dir"]);
        let output = command.arg(&target).output().expect("cargo can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        target.join("x86_64-unknown-linux-gnu/release")
    })
}

fn fuzz(target: &str, seeds: Vec<Vec<u8>>) {
    fuzz_up_to(target, seeds, 16 << 10);
}

/// As [`fuzz`], with the images of disks.
fn fuzz_images(target: &str, seeds: Vec<Vec<u8>>) {
    fuzz_up_to(target, seeds, 256 << 10);
}

fn fuzz_up_to(target: &str, seeds: Vec<Vec<u8>>, longest: usize) {
    let folder = work_folder().join("fuzz").join(target);
    let (found, given) = (folder.join("found"), folder.join("seeds"));
    std::fs::create_dir_all(&found).unwrap();
    std::fs::create_dir_all(&given).unwrap();
    for (index, seed) in seeds.iter().enumerate() {
        std::fs::write(given.join(index.to_string()), seed).unwrap();
    }
    let mut command = Command::new(built().join(target));
    command.arg(format!("-max_total_time={}", seconds())).args(["-timeout=10", "-rss_limit_mb=1024"]);
    command.arg(format!("-max_len={longest}"));
    command.arg(format!("-artifact_prefix={}/", folder.display())).args([&found, &given]);
    let outcome = Running::start(command, Some(Vec::new())).finish(Duration::from_secs(seconds() + 60));
    let said = outcome.error_text();
    let last: Vec<_> = said.lines().rev().filter(|line| !line.starts_with('#')).take(30).collect();
    assert!(outcome.status == 0, "{}", last.into_iter().rev().collect::<Vec<_>>().join("\n"));
    // Without coverage the fuzzer would only throw dice.
    assert!(!said.contains("no interesting inputs were found"), "the target was built without coverage: {said}");
    let runs = said.lines().rev().find(|line| line.starts_with("Done ")).unwrap_or("no end");
    eprintln!("figure: fuzz {target}: {runs}");
}

/// Lists of all kinds, one interface by its number, and one route, about a network of some numbers.
fn netlink_requests() -> Vec<Vec<u8>> {
    let facts: Vec<u8> = (0..24).map(|number| 5 + number * 7).collect();
    let request = |kind: u16, flags: u16, payload: &[u8]| {
        let mut bytes = vec![0, facts.len() as u8];
        bytes.extend(&facts);
        bytes.extend((16 + payload.len() as u32).to_ne_bytes());
        bytes.extend([kind, flags | 5].iter().flat_map(|half| half.to_ne_bytes()));
        bytes.extend([7; 8]);
        bytes.extend(payload);
        bytes
    };
    let lists = [18, 22, 26, 30].map(|kind| request(kind, 0x300, &[0; 16]));
    let link = request(18, 0, &[0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let route = request(26, 0, &[2, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 1, 0, 10, 0, 2, 2]);
    lists.into_iter().chain([link, route]).collect()
}

/// Images of none, one and some files.
fn hashed_files() -> Vec<Vec<u8>> {
    let image = |count: u8| {
        let contents = |number: u8| vec![number / 2; usize::from(number) * 40];
        let named = |number| hashfiles::Named {
            name: format!("folder/{number}").into_bytes(),
            length: contents(number).len() as u64,
            digest: hashfiles::digest(&contents(number)),
        };
        let plan = hashfiles::plan(&(0..count).map(named).collect::<Vec<_>>()).expect("names are different");
        let mut image = plan.index;
        image.resize(plan.length as usize, 0);
        for (number, place) in (0..count).zip(plan.places) {
            let (Some(place), contents) = (place, contents(number)) else { continue };
            image[place as usize..][..contents.len()].copy_from_slice(&contents);
        }
        image
    };
    [0, 1, 2, 3].map(image).to_vec()
}

/// Small good executables: more than one segment, an interpreter, headers at odd places; and the start of a real one.
fn executables() -> Vec<Vec<u8>> {
    let plain = Elf::exit_with(0);
    let mut position_independent = plain.clone();
    position_independent.set(0x10, 3, 2).entry(0x800).segment(16, 0);
    let mut interpreted = plain.clone();
    interpreted.headers(64, 2).set(120, 3, 4).set(128, 0x900, 8).set(152, 12, 8);
    interpreted.bytes[0x900..0x90c].copy_from_slice(b"/lib/ld.so.2");
    let mut two = plain.clone();
    two.headers(64, 2).set(120, 1, 4).set(124, 6, 4).set(136, 0x40_2000, 8).set(160, 0x5000, 8).set(168, 0x1000, 8);
    let mut noted = plain.clone();
    noted.headers(64, 2).set(120, 4, 4).set(128, 0x900, 8).set(152, 24, 8);
    noted.bytes[0x900..0x918].copy_from_slice(b"\x04\0\0\0\x08\0\0\0\x03\0\0\0GNU\0build id");
    let busybox = std::fs::read(native_busybox()).unwrap();
    let mut seeds: Vec<_> = [plain, position_independent, interpreted, two, noted].map(|elf| elf.bytes).into();
    seeds.push(busybox[..0x400].to_vec());
    seeds
}

/// For each heap: blocks of all magnitudes, and frees between them.
fn heap_operations() -> Vec<Vec<u8>> {
    let operations =
        |heap: u8| (0..200_u8).flat_map(move |number| [number.wrapping_mul(37), number ^ heap, number / 3]);
    (0..6).map(|heap| std::iter::once(heap).chain(operations(heap)).collect()).collect()
}

/// Terminals by lines and raw ones, on which lines are typed, edited, read and shown, and whose attributes change.
fn terminals() -> Vec<Vec<u8>> {
    let typed: &[&[u8]] =
        &[b"\x10abc", b"\x10a\x7f\n", b"\x10\t\x17\x15", b"\x20a\x16\x03\x12\x04b", b"\x10\x13\x11\x03"];
    let others: &[&[u8]] = &[b"\x26a\n", b"\xf5ab", b"\xf8", b"\x98", b"\xfa", b"\x0d", b"\x0f", b"\x0c"];
    let attributes = |words: [u32; 4]| {
        let words = words.iter().flat_map(|word| word.to_le_bytes());
        let characters = *b"\0\x03\x1c\x7f\x15\x04\0\x01\0\x11\x13\x1a\0\x12\x0f\x17\x16\0\0\0";
        std::iter::once(0x0b).chain(words).chain(characters).collect::<Vec<u8>>()
    };
    let changes = [[0x4d78, 0x3d, 0xbf, 0x1_8a3b], [0x4500, 0x1807, 0xbf, 0x8e7b], [0; 4]].map(attributes).concat();
    [0_u8, 1, 2, 13]
        .map(|kind| [&[kind][..], &typed.concat(), &others.concat(), &changes, &typed.concat()].concat())
        .into()
}

fn scripts() -> Vec<Vec<u8>> {
    ["#!/bin/sh\n", "#! /usr/bin/env -S a b \t\nrest", "#!", "#! \n", "#!/no/newline"]
        .map(|text| text.as_bytes().to_vec())
        .into()
}

/// One entry of a newc archive (cpio(5)), padded to 4 bytes as cpio does it.
fn entry(name: &str, mode: u32, contents: &[u8]) -> Vec<u8> {
    let mut bytes = b"070701".to_vec();
    for number in [1, mode, 0, 0, 1, 0, contents.len() as u32, 0, 0, 0, 0, name.len() as u32 + 1, 0] {
        bytes.extend_from_slice(format!("{number:08x}").as_bytes());
    }
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.extend_from_slice(contents);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn archives() -> Vec<Vec<u8>> {
    let file = entry(".whittle/launch", 0o100_600, b"program=/bin/x\0argument=x\0");
    let trailer = entry("TRAILER!!!", 0, b"");
    let tree = [entry("bin", 0o040_755, b""), entry("bin/link", 0o120_777, b"x"), file.clone(), trailer.clone()];
    vec![trailer.clone(), [file, trailer].concat(), tree.concat(), Vec::new()]
}

fn launch_records() -> Vec<Vec<u8>> {
    let whole: &[u8] = b"program=/bin/x\0argument=x\0argument=\0environment=A=b\0ring=3\0memory=1048576\0wall-time=1\0\
        terminals=012\0window=24,80,0,0\0seed=00ff\0user=0,0\0verbose=1\0randomize=0\0";
    vec![whole.to_vec(), b"=".to_vec(), b"ring=".to_vec()]
}

fn sites() -> Vec<Vec<u8>> {
    ["libc.so.6+0x9d0f5", "/usr/lib/libstdc++.so.6+7", "00ff 0x1,17 /usr/lib/a b", "ab  /x", "+"]
        .map(|text| text.as_bytes().to_vec())
        .into()
}

/// Replies of a 9P server, each behind a byte of flags and its length: the root's attributes, and what follows.
fn ninep_replies() -> Vec<Vec<u8>> {
    let reply = |body: &[u8]| [&[0][..], &(body.len() as u16).to_le_bytes(), body].concat();
    let attributes = |mode: u32, path: u64| {
        let mut body = vec![0; 153];
        body[13..21].copy_from_slice(&path.to_le_bytes());
        body[21..25].copy_from_slice(&mode.to_le_bytes());
        body[33] = 1;
        body[50] = 0x20;
        reply(&body)
    };
    let (root, file) = (attributes(0o040_755, 1), attributes(0o100_644, 2));
    let walked = reply(&[&[1, 0][..], &[0; 13]].concat());
    let (opened, none) = (reply(&[0; 17]), reply(&[0, 0]));
    let read = reply(&[&4096_u32.to_le_bytes()[..], &[7; 4096]].concat());
    let entry = [&[0; 13][..], &1_u64.to_le_bytes(), &[8, 1, 0], b"a"].concat();
    let entries = reply(&[&(entry.len() as u32).to_le_bytes()[..], &entry].concat());
    let found = [&root[..], &walked, &file, &none, &opened, &read].concat();
    vec![
        root.clone(),
        found,
        [&root[..], &walked, &attributes(0o040_755, 3), &walked, &file, &none, &opened].concat(),
        [&root[..], &none, &opened, &entries, &reply(&[0; 4])].concat(),
    ]
}

/// Small disks that `make` writes file systems on, with files and directories by `fill`.
fn images(name: &str, kilobytes: u64, make: &[&[&str]], fill: &dyn Fn(&Path, &Path)) -> Vec<Vec<u8>> {
    let folder = work_folder().join("fuzz").join(format!("{name}-images"));
    let tree = folder.join("tree");
    std::fs::create_dir_all(tree.join("folder/below")).unwrap();
    std::fs::write(tree.join("folder/a file with a long name"), [7; 5000]).unwrap();
    std::fs::write(tree.join("folder/below/small"), "text").unwrap();
    let image = |command: &&[&str]| {
        let image = folder.join("image");
        std::fs::File::create(&image).unwrap().set_len(kilobytes << 10).unwrap();
        let made = Command::new(command[0]).args(&command[1..]).arg(&image).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        fill(&tree, &image);
        std::fs::read(&image).unwrap()
    };
    make.iter().map(image).collect()
}

fn ext4_images() -> Vec<Vec<u8>> {
    need(&["mke2fs"]);
    let tree = work_folder().join("fuzz/ext4-images/tree");
    let tree = tree.to_str().unwrap();
    let forms: [&[&str]; 2] = [
        &["mke2fs", "-q", "-F", "-t", "ext4", "-b", "1024", "-N", "32", "-O", "^has_journal", "-d", tree],
        &["mke2fs", "-q", "-F", "-t", "ext2", "-b", "1024", "-N", "32", "-d", tree],
    ];
    images("ext4", 200, &forms, &|_, _| ())
}

fn fat_images() -> Vec<Vec<u8>> {
    need(&["mkfs.vfat", "mcopy"]);
    let forms: [&[&str]; 2] =
        [&["mkfs.vfat", "-F", "12", "-r", "64"], &["mkfs.vfat", "-F", "12", "-s", "2", "-f", "1"]];
    images("fat", 160, &forms, &|tree, image| {
        let copied = Command::new("mcopy").arg("-i").arg(image).arg("-s").arg(tree.join("folder")).arg("::").status();
        assert!(copied.unwrap().success());
    })
}

/// What a block device says of itself, then requests and what it writes into its queue.
fn device_words() -> Vec<Vec<u8>> {
    let mut words = [0; 36];
    words[12] = 126;
    words[34] = 1;
    let steps = [0x20, 0x31, 0x02, 0, 0, 1, 3, 0x82, 2, 1, 1, 3, 3, 0x40];
    let good = [&words[..], &steps].concat();
    vec![good.clone(), [&good[..], &steps.repeat(5)].concat()]
}

/// What a network device says of itself, packets that are sent, and packets that come: good ones, and one of two
/// buffers.
fn network_words() -> Vec<Vec<u8>> {
    let first = [2, 0, 0, 0, 0, 9, 1, 0, 2, 0, 0x78, 5];
    let header = |flags: u8, kind: u8, buffers: u8| [flags, kind, 54, 0, 100, 0, 34, 0, 16, 0, buffers, 0];
    let come = |header: [u8; 12]| [&[2, 80][..], &header].concat();
    let good =
        [&first[..], &[0, 40, 1, 200], &come(header(0, 0, 1)), &[3], &come(header(1, 1, 2)), &come(header(0, 0, 0))];
    let good = [&good.concat()[..], &[3, 4, 5, 0, 1]].concat();
    vec![good.clone(), [&good[..], &come(header(2, 5, 1)), &[3, 0, 0, 4]].concat()]
}

/// Frames behind their lengths, in pieces of some lengths; a length that cannot be.
fn streams() -> Vec<Vec<u8>> {
    let frame = |length: u8| [&[0, 0, 0, length][..], &vec![length; length.into()]].concat();
    let good = [&[7][..], &frame(60), &frame(1), &frame(200)].concat();
    vec![good.clone(), [&good[..], &[0xff; 4]].concat(), vec![1, 0, 0, 0, 0]]
}

fn frames() -> Vec<Vec<u8>> {
    let frame = |kind: u8, payload: &[u8]| {
        let mut bytes = vec![kind, 1, 0, 0];
        bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&[0; 8]);
        bytes.extend_from_slice(payload);
        bytes
    };
    vec![[vec![3], frame(1, b"hello"), frame(7, b"")].concat(), [vec![200], frame(2, &[7; 300])].concat()]
}

/// An execve that has answered, with its path, arguments and count of variables; a signal.
fn trace_records() -> Vec<Vec<u8>> {
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let piece = |index: u8, bytes: &[u8]| [&[index, bytes.len() as u8, 0], bytes].concat();
    let call = [vec![1, 1], words(&[59, 1, 2, 3, 0, 0, 0, 0])].concat();
    let memory = [piece(0, b"/bin/sh"), piece(0x81, b"sh\0-c\0"), piece(2, &[3, 0, 0, 0])].concat();
    vec![[call, memory].concat(), [vec![2], words(&[11, 1, 0x1000])].concat()]
}

/// A PVH start info (Xen's hvm/start_info.h) with a memory map, and an ACPI root pointer behind it.
fn start_infos() -> Vec<Vec<u8>> {
    let mut info = vec![0_u8; 512];
    for (at, value) in [(0, 0x336e_c578_u64), (4, 1), (12, 1), (16, 128), (24, 200), (32, 256), (40, 64), (48, 1)] {
        info[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
    info[64..72].copy_from_slice(&0x10_0000_u64.to_le_bytes());
    info[72..80].copy_from_slice(&0x100_0000_u64.to_le_bytes());
    info[80] = 1;
    info[200..240].copy_from_slice(b"virtio_mmio.device=512@0xfeb00e00:12 a=b");
    info[256..264].copy_from_slice(b"RSD PTR ");
    let mut device =
        b"LNRO0005....\x86\x09\x00\x01\x00\x0e\xb0\xfe\x00\x02\x00\x00\x89\x06\x00\x01\x01\x0c\0\0\0".to_vec();
    device.extend_from_slice(&[0; 8]);
    vec![info, device]
}

/// Frames to a stack, each behind a step and its length: questions, an echo, a datagram, the beginning of a connection,
/// a fragment, and what a router says. Their checksums are made by the target.
fn conversations() -> Vec<Vec<u8>> {
    let step = |frame: &[u8]| [&[0x8a & !2, frame.len() as u8][..], frame].concat();
    let ethernet = |kind: [u8; 2], packet: &[u8]| [&[0; 6][..], &[2, 0, 0, 0, 0, 2], &kind, packet].concat();
    let v4 = |protocol: u8, fragment: [u8; 2], payload: &[u8]| {
        let length = 20 + payload.len() as u8;
        let [a, b] = fragment;
        let header = [0x45, 0, 0, length, 0, 1, a, b, 64, protocol, 0, 0, 10, 0, 0, 2, 10, 0, 0, 1];
        step(&ethernet([8, 0], &[&header[..], payload].concat()))
    };
    let v6 = |next: u8, to: [u8; 2], payload: &[u8]| {
        let fixed = [0x60, 0, 0, 0, 0, payload.len() as u8, next, 255, 0xfe, 0x80];
        let ends = [&[0; 13][..], &[9], &to, &[0; 13], &[1]].concat();
        step(&ethernet([0x86, 0xdd], &[&fixed[..], &ends, payload].concat()))
    };
    let arp = [0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 2, 10, 0, 0, 2, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1];
    let datagram = [0, 9, 0, 5, 0, 12, 0, 0, b'f', b'u', b'z', b'z'];
    let begins = [0, 9, 0, 80, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 2, 0xff, 0xff, 0, 0, 0, 0];
    let router = [134, 0, 0, 0, 64, 0, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 0, 0, 0, 9];
    let network =
        [&[3, 4, 64, 0xc0, 0, 0, 28, 32, 0, 0, 14, 16, 0, 0, 0, 0, 0x20, 1, 0xd, 0xb8][..], &[0; 12]].concat();
    let all = [
        step(&ethernet([8, 6], &arp)),
        v4(1, [0, 0], &[8, 0, 0, 0, 0, 1, 0, 1, 7, 7]),
        v4(17, [0, 0], &datagram),
        v4(6, [0, 0], &begins),
        v4(17, [0x20, 0], &[datagram, datagram].concat()),
        v4(2, [0, 0], &[0x11, 10, 0, 0, 0, 0, 0, 0, 2, 125, 0, 0]),
        v6(58, [0xff, 2], &[&router[..], &network].concat()),
        v6(58, [0xff, 2], &[130, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        v6(44, [0xfe, 0x80], &[17, 0, 0, 1, 0, 0, 0, 1, 0, 9, 0, 5, 0, 12, 0, 0]),
        v6(0, [0xff, 2], &[17, 0, 5, 2, 0, 0, 1, 0, 0, 9, 0, 5, 0, 12, 0, 0, 1, 1, 1, 1]),
    ];
    vec![all.concat(), all[..6].concat(), all[6..].concat()]
}

/// Fragments of five bytes each: which packet, where, how long, more or not, and when.
fn fragments() -> Vec<Vec<u8>> {
    let whole =
        |which: u8| [[which, 0, 2, 0, 0], [which, 6, 2, 0, 0], [which, 3, 2, 0, 0], [which, 9, 40, 1, 0]].concat();
    let overlap = [[0, 0, 2, 0, 0], [0, 1, 2, 0, 0], [0, 3, 2, 1, 0]].concat();
    let late = [[0, 0, 2, 0, 0], [0, 0, 2, 0, 201], [0, 3, 9, 1, 0]].concat();
    vec![[whole(0), whole(1), whole(2)].concat(), overlap, late]
}

/// An offer and an acknowledgement, then a refusal; and an answer of DHCPv6.
fn leases() -> Vec<Vec<u8>> {
    let step = |step: u8, options: &[u8]| [&[10 << 3 | step, options.len() as u8][..], options].concat();
    let options =
        [1, 4, 255, 255, 255, 0, 3, 4, 10, 0, 0, 9, 51, 4, 0, 0, 14, 16, 6, 4, 9, 9, 9, 9, 26, 2, 5, 120, 255];
    let bound = [step(7, &[]), step(1, &options), step(2, &options)].concat();
    let servers = [&[0, 23, 0, 16][..], &[0x20; 16], &[0, 32, 0, 4, 0, 0, 2, 88]].concat();
    let renewed = [&bound[..], &[21 << 3 | 7, 0], &step(2, &options), &[21 << 3 | 7, 0], &step(3, &options)].concat();
    vec![bound, renewed, [step(7, &[]), step(5, &servers)].concat()]
}

/// Questions and answers of neighbours, those of liars, and what a router says.
fn neighbours() -> Vec<Vec<u8>> {
    let step = |step: u8, said: &[u8]| [&[step, said.len() as u8][..], said].concat();
    let asked = [step(3, &[2]), step(0, &[2, 2, 1, 2]), step(0, &[2, 2, 1, 9]), step(0, &[1, 2, 2, 9])].concat();
    let solicitation = step(1, &[2, 5, 3, 0, 4, 5, 1, 1, 2, 0, 0, 0, 1, 5]);
    let advertisement = step(1, &[3, 5, 4, 0x60, 5, 5, 2, 1, 2, 0, 0, 0, 1, 5]);
    let v6 = [&solicitation[..], &step(3, &[13]), &advertisement, &step(0xa3, &[13])].concat();
    let network =
        [&[3, 4, 64, 0xc0, 0, 0, 28, 32, 0, 0, 14, 16, 0, 0, 0, 0, 0x20, 1, 0xd, 0xb8][..], &[0; 12]].concat();
    let router = step(0xc9, &[&[1, 5, 1, 64, 0, 5][..], &network].concat());
    vec![asked, v6, router]
}

/// Answers with an address, an alias, neither, and one that is too long for a datagram.
fn answers() -> Vec<Vec<u8>> {
    let step = |said: &[u8]| [&[2, said.len() as u8][..], said].concat();
    let other = |said: &[u8]| [&[2 | 8, said.len() as u8][..], said].concat();
    let both = [&[3][..], &step(&[0, 1, 1, 0]), &other(&[0, 1, 0, 0])].concat();
    let alias =
        [&[4][..], &step(&[0, 2, 2, 6, 4, b'r', b'e', b'a', b'l', 0, 3, 6, 4, b'r', b'e', b'a', b'l', 0])].concat();
    let long = [&[4][..], &step(&[2, 0]), &step(&[0, 1, 0, 0])].concat();
    vec![both, alias, long, [&[7][..], &step(&[0x30, 0])].concat()]
}
