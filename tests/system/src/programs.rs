//! The programs under `tests/system/programs` and `apps`, built for several C libraries and kinds of executable.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::SystemTime;

use crate::{need, project_root, work_folder};

/// A C library and a kind of executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibC {
    /// glibc, at the address it is linked for.
    Glibc,
    /// glibc, anywhere.
    GlibcPie,
    /// musl, at the address it is linked for.
    Musl,
    /// musl, anywhere.
    MuslPie,
    /// musl, in a file of its own.
    MuslDynamic,
}

impl LibC {
    /// Every one that is in one file.
    pub const ALL: [Self; 4] = [Self::Glibc, Self::GlibcPie, Self::Musl, Self::MuslPie];

    /// The end of a program's name that says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Glibc => "glibc",
            Self::GlibcPie => "glibc-pie",
            Self::Musl => "musl",
            Self::MuslPie => "musl-pie",
            Self::MuslDynamic => "musl-dynamic",
        }
    }
}

const FLAGS: [&str; 6] = ["-std=gnu11", "-O2", "-g1", "-Wall", "-Wextra", "-fno-stack-protector"];

/// Debian's musl-gcc has no static-pie: its objects are linked by hand, as the driver would.
const MUSL_PIE: &str = r#"
set -e
musl-gcc "$@" -fPIE -r -nostdlib -o "$out.o"
library=/usr/lib/x86_64-linux-musl
exec gcc -static-pie -nostdlib -o "$out" "$library/rcrt1.o" "$library/crti.o" "$out.o" "$library/libc.a" -lgcc \
    "$library/libc.a" "$library/crtn.o"
"#;

static BUILDING: Mutex<()> = Mutex::new(());

fn newest(paths: &[PathBuf]) -> Option<SystemTime> {
    paths.iter().filter_map(|path| path.metadata().ok()?.modified().ok()).max()
}

/// All files below a folder, but for what cargo builds there.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a source folder").flatten() {
        match entry.path() {
            path if path.ends_with("target") => {}
            path if path.is_dir() => files.extend(files_below(&path)),
            path => files.push(path),
        }
    }
    files.sort();
    files
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Runs a command that makes a program from files, given where to put it, unless it is newer than all of them.
pub(crate) fn build(name: &str, files: &[PathBuf], command: impl FnOnce(&Path) -> Command) -> PathBuf {
    let _turn = BUILDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let output = work_folder().join(name);
    let built = newest(std::slice::from_ref(&output));
    if built.is_some() && built > newest(files) {
        return output;
    }
    let fresh = output.with_extension("new");
    succeed(&mut command(&fresh));
    std::fs::rename(&fresh, &output).expect("the target folder can be written");
    output
}

/// Compiles C sources among these files, which may be headers too.
pub(crate) fn compile(name: &str, library: LibC, files: &[PathBuf], flags: &[&str]) -> PathBuf {
    need(&["gcc", "musl-gcc"]);
    let sources = files.iter().filter(|path| path.extension() != Some("h".as_ref()));
    build(&format!("{name}-{}", library.name()), files, |output| compiler(library, output, sources, flags))
}

fn compiler<'a>(library: LibC, output: &Path, sources: impl Iterator<Item = &'a PathBuf>, flags: &[&str]) -> Command {
    let mut command = match library {
        LibC::Glibc | LibC::GlibcPie => Command::new("gcc"),
        LibC::Musl | LibC::MuslDynamic => Command::new("musl-gcc"),
        LibC::MuslPie => Command::new("sh"),
    };
    match library {
        LibC::Glibc | LibC::Musl => command.args(["-static", "-no-pie"]),
        LibC::GlibcPie => command.args(["-static-pie", "-fPIE"]),
        LibC::MuslDynamic => command.args(["-pie", "-fPIE"]),
        LibC::MuslPie => command.env("out", output).args(["-c", MUSL_PIE, "sh"]),
    };
    command.args(FLAGS).args(flags).args(sources);
    if library != LibC::MuslPie {
        command.arg("-o").arg(output).arg("-lm");
    }
    command
}

/// A program of one source with `programs/check.h`.
fn checked(name: &str, library: LibC) -> PathBuf {
    let folder = project_root().join("tests/system/programs");
    compile(name, library, &[folder.join(format!("{name}.c")), folder.join("check.h")], &[])
}

/// The self-test in C; see `programs/selftest/main.c`.
#[must_use]
pub fn selftest(library: LibC) -> PathBuf {
    compile("selftest", library, &files_below(&project_root().join("tests/system/programs/selftest")), &[])
}

/// The program that ends in the way it is told; see `programs/die.c`.
#[must_use]
pub fn die(library: LibC) -> PathBuf {
    compile("die", library, &[project_root().join("tests/system/programs/die.c")], &[])
}

/// The program that reads keys and looks for more; see `programs/keys.c`.
#[must_use]
pub fn keys() -> PathBuf {
    compile("keys", LibC::Glibc, &[project_root().join("tests/system/programs/keys.c")], &[])
}

/// The program that gathers by each register; see `programs/gather.c`.
#[must_use]
pub fn gather() -> PathBuf {
    compile("gather", LibC::Glibc, &[project_root().join("tests/system/programs/gather.c")], &[])
}

/// The program whose processor is taken away; see `programs/taken.c`.
#[must_use]
pub fn taken() -> PathBuf {
    compile("taken", LibC::Glibc, &[project_root().join("tests/system/programs/taken.c")], &[])
}

/// The program that makes processes; see `programs/processes.c`.
#[must_use]
pub fn processes(library: LibC) -> PathBuf {
    checked("processes", library)
}

/// The program that sets and shows what processes have; see `programs/attributes.c`.
#[must_use]
pub fn attributes() -> PathBuf {
    checked("attributes", LibC::Glibc)
}

/// The program that asks whose rights a program has; see `programs/users.c`.
#[must_use]
pub fn users(library: LibC) -> PathBuf {
    checked("users", library)
}

/// The program whose processes share descriptors, a place in the tree and handlers; see `programs/sharing.c`.
#[must_use]
pub fn sharing() -> PathBuf {
    checked("sharing", LibC::Glibc)
}

/// The program whose processes try what they may not; see `programs/intruder.c`.
#[must_use]
pub fn intruder() -> PathBuf {
    checked("intruder", LibC::Glibc)
}

/// The program that makes many processes, and has them end; see `programs/crowds.c`.
#[must_use]
pub fn crowds() -> PathBuf {
    checked("crowds", LibC::Glibc)
}

/// The program that is alone with its threads; see `programs/single.c`.
#[must_use]
pub fn single() -> PathBuf {
    compile("single", LibC::Glibc, &[project_root().join("tests/system/programs/single.c")], &[])
}

/// The program about job control; see `programs/jobs.c`.
#[must_use]
pub fn jobs() -> PathBuf {
    checked("jobs", LibC::Glibc)
}

/// The program that tries pseudo-terminals, and runs commands on them; see `programs/pseudo_terminals.c`.
#[must_use]
pub fn pseudo_terminals() -> PathBuf {
    checked("pseudo_terminals", LibC::Glibc)
}

/// The program that sees each way out of the kernel; see `programs/leaving.c`.
#[must_use]
pub fn leaving() -> PathBuf {
    compile("leaving", LibC::Glibc, &[project_root().join("tests/system/programs/leaving.c")], &[])
}

/// Threads on several processors; see `programs/processors.c`.
#[must_use]
pub fn processors(library: LibC) -> PathBuf {
    compile("processors", library, &[project_root().join("tests/system/programs/processors.c")], &[])
}

/// A crate of its own workspace, built static for musl.
pub(crate) fn cargo_build(folder: &Path, binary: &str) -> PathBuf {
    let _turn = BUILDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let target = work_folder().join("cargo");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(folder).args(["build", "--quiet", "--release", "--target", "x86_64-unknown-linux-musl"]);
    succeed(command.arg("--target-dir").arg(&target));
    target.join("x86_64-unknown-linux-musl/release").join(binary)
}

/// The self-test in Rust; see `programs/selftest-rust`.
#[must_use]
pub fn rust_selftest() -> PathBuf {
    cargo_build(&project_root().join("tests/system/programs/selftest-rust"), "selftest-rust")
}

/// The fuzzer of system calls; see `programs/call-fuzzer`.
#[must_use]
pub fn call_fuzzer() -> PathBuf {
    cargo_build(&project_root().join("tests/system/programs/call-fuzzer"), "call-fuzzer")
}

/// An example program of `apps/`.
#[must_use]
pub fn example(name: &str) -> PathBuf {
    cargo_build(&project_root().join("apps").join(name), name)
}

/// The statically linked busybox of Debian.
#[must_use]
pub fn native_busybox() -> &'static Path {
    need(&["/bin/busybox"]);
    Path::new("/bin/busybox")
}
