//! Fuzzes the system calls of the kernel below: `call-fuzzer SEED CALLS [each=N] [threads=N] [only=NAME] [round=N]
//! [verbose]`.
//!
//! Threads make calls with arguments that the table of system calls types (`linux_abi::SYSTEM_CALLS`), in rounds of so
//! many: then the program begins anew by execve, with all files closed and its directory emptied. What it says begins
//! lines of its own: `fuzz: ...` with the calls so far, about once a second, and at last `fuzz: done`. A call may end
//! the program; whoever started it starts it with the next seed. It refuses to run on Linux itself: root's calls count
//! there.

mod arena;
mod arguments;
mod chance;
mod contents;
mod descriptors;
mod handlers;
mod paths;
mod raw;
mod report;
mod state;
mod supervisor;
mod table;
mod tame;
mod work;

use std::sync::atomic::Ordering::Relaxed;

use chance::Chance;
use raw::call;
use report::Line;
use state::State;

fn main() {
    let (state, is_first) = State::open().expect("a file in memory can be mapped");
    if is_first {
        begin(state);
    } else {
        end_children();
    }
    let round = state.round.fetch_add(1, Relaxed);
    let home = make_home();
    Line::new("fuzz: round").number(" ", round).number(" calls ", state.calls()).text(&memory()).print();
    if state.calls() >= state.wanted.load(Relaxed) {
        let line = Line::new("fuzz: done").number(" calls ", state.calls());
        let line = line.number(" answered ", state.answered.load(Relaxed)).number(" rounds ", round);
        line.number(" lost ", state.lost.load(Relaxed)).number(" fallen ", state.fallen.load(Relaxed)).print();
        call(231, [0]);
    }
    table::rows();
    let mut chance = Chance::new(&[state.seed.load(Relaxed), round]);
    fill_home(home);
    let memory = call(319, [c"mapped".as_ptr() as u64, 2]) as u64;
    call(77, [memory, 32 << 12]);
    let file = call(2, [c"file".as_ptr() as u64, 2]) as u64;
    arena::prepare(memory, file);
    descriptors::open_all(&mut chance);
    handlers::prepare(state);
    tame::prepare();
    supervisor::supervise(state);
}

/// Sets what the words wish, and what rounds have in common.
fn begin(state: &State) {
    let release = std::fs::read_to_string("/proc/version").unwrap_or_default();
    assert!(release.contains("whittle"), "this is no kernel to try such calls on: {release}");
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, else_: u64| words.get(index).and_then(|word| word.parse().ok()).unwrap_or(else_);
    let named = |name: &str| words.iter().find_map(|word| word.strip_prefix(name));
    let counted = |name: &str, else_: u64| named(name).and_then(|word| word.parse().ok()).unwrap_or(else_);
    state.seed.store(number(0, 1), Relaxed);
    state.wanted.store(number(1, 10_000), Relaxed);
    state.each.store(counted("each=", 3000), Relaxed);
    state.threads.store(counted("threads=", 3).clamp(1, state::WORKERS as u64), Relaxed);
    state.round.store(counted("round=", 0), Relaxed);
    state.verbose.store(words.iter().any(|word| word == "verbose").into(), Relaxed);
    let only =
        named("only=").map(|name| table::rows().iter().find(|row| row.name == name).expect("a call's name").number);
    state.only.store(only.unwrap_or(u64::MAX), Relaxed);
    call(33, [2, state::REPORT]);
    call(33, [1, 2]);
    let program = call(2, [c"/proc/self/exe".as_ptr() as u64, 0o10_000_000]) as u64;
    call(33, [program, state::PROGRAM]);
    // RLIMIT_FSIZE: what is written may be a directory of the host's.
    let limit = [16_u64 << 20; 2];
    call(160, [1, &raw const limit as u64]);
}

/// Empties the directory of rounds and goes there.
fn make_home() -> bool {
    call(436, [3, state::KEPT.start - 1, 0]);
    call(95, [0o22]);
    let home = std::str::from_utf8(&paths::HOME[..paths::HOME.len() - 1]).unwrap_or("/");
    for folder in [home, "/share", "/dev/shm"] {
        clear(folder.as_ref(), &mut 3000);
    }
    let _ = std::fs::create_dir(home);
    std::env::set_current_dir(home).is_ok()
}

/// Empties a directory, but for what is left after so many entries: calls may have moved half of the host's files
/// there. Whatever cannot be removed stays: a round may have given up its rights.
fn clear(folder: &std::path::Path, left: &mut u32) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            clear(&path, left);
            let _ = std::fs::remove_dir(path);
        } else {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Writes a file. What stands there may be a pipe that could not be removed: nobody waits for its other end.
fn put(path: &str, contents: &[u8]) {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    const NONBLOCK: i32 = 0o4000;
    let file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).custom_flags(NONBLOCK).open(path);
    let _ = file.and_then(|mut file| file.write_all(contents));
}

fn fill_home(is_home: bool) {
    if !is_home {
        return;
    }
    use std::os::unix::fs::symlink;
    put("file", &[b'x'; 70_000]);
    put("other", b"other");
    put("script", b"#!script\n");
    let _ = std::fs::create_dir_all("dir/sub");
    put("dir/file", b"below");
    let _ = std::fs::hard_link("file", "hard");
    for (target, name) in [("file", "link"), ("loop", "loop"), ("nowhere", "dangling"), ("..", "up")] {
        let _ = symlink(target, name);
    }
    call(133, [c"fifo".as_ptr() as u64, 0o10_644, 0]);
    if std::fs::create_dir("/share/dir").is_ok() {
        put("/share/file", &[b'y'; 30_000]);
        let _ = symlink("file", "/share/link");
    }
}

/// What the kernel has in use: page frames but for those of its heap, and the heap, in KB.
fn memory() -> String {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let figure = |name: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("");
        line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0)
    };
    let frames = figure("MemTotal:").saturating_sub(figure("MemFree:") + figure("Slab:"));
    format!(" frames {frames} heap {}", figure("SUnreclaim:"))
}

/// What a call has made of this program by fork is not to begin a machine of its own.
fn end_if_child() {
    while call(39, []) != 1 {
        call(231, [0]);
    }
}

/// Ends all of them: what they have is not what a round has left. No worker makes more now.
fn end_children() {
    call(62, [-1_i64 as u64, 9]);
    const ALL_WITHOUT_WAITING: u64 = 0x4000_0001;
    let moment = [0_u64, 1_000_000];
    // A round that has given up its rights cannot end those that have kept theirs.
    for _ in 0..2000 {
        match call(61, [-1_i64 as u64, 0, ALL_WITHOUT_WAITING, 0]) {
            0 => drop(call(35, [moment.as_ptr() as u64, 0])),
            ended if ended > 0 => {}
            _ => return,
        }
    }
}

/// Ends this round: the program begins from its beginning, whatever its threads do.
pub fn begin_anew(state: &State, why: &str) -> ! {
    if !why.is_empty() {
        state.lost.fetch_add(1, Relaxed);
        Line::new("fuzz: lost: ").text(why).number(" round ", state.round.load(Relaxed)).print();
    }
    // setresuid, setresgid: a user who may not read the program's folder cannot begin it anew.
    call(117, [0; 3]);
    call(119, [0; 3]);
    end_if_child();
    // A program that may have no memory cannot begin either: RLIMIT_DATA, RLIMIT_NPROC, RLIMIT_MEMLOCK, RLIMIT_AS.
    let unlimited = [u64::MAX; 2];
    for resource in [2, 6, 8, 9] {
        call(302, [0, resource, &raw const unlimited as u64, 0]);
    }
    handlers::forget_pending();
    let arguments = [c"call-fuzzer".as_ptr() as u64, 0];
    // execveat with AT_EMPTY_PATH: the root may have changed.
    let empty = c"".as_ptr() as u64;
    let place = &raw const arguments as u64;
    let error = call(322, [state::PROGRAM, empty, place, &raw const arguments[1] as u64, 0x1000]);
    Line::new("fuzz: cannot begin anew").number(" error ", error.unsigned_abs()).print();
    loop {
        call(231, [70]);
    }
}
