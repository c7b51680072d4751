//! `whittle bench processes`, the table behind the first: a configure script and a build by make, which start hundreds
//! of short programs, in whittle on process and on Linux itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::pin;
use super::program::{readings, work_folder};
use super::rounds::{Reading, Side, interleave};
use super::start::{run_well, whittle};
use super::table::Table;
use crate::arguments::{Compare, Platform, Reference};
use crate::compose::rebuild_image;
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::setup;

/// Rounds unless told otherwise: a build takes seconds.
const ROUNDS: usize = 3;
const CONFIGURE: &str = "configure";
const MAKE: &str = "make";
/// Files of C that are built.
const FILES: usize = 100;
/// The longest that a build may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Whether the operation stands in this table rather than in the first.
pub fn has(operation: &str) -> bool {
    [CONFIGURE, MAKE].contains(&operation)
}

/// Measures and prints.
pub fn compare(house: &House, wanted: &Compare) -> Result<(), Failure> {
    setup::things(&["autoconf", "gcc", "make"])?;
    let project = project(house)?;
    rebuild_image(house, Platform::Process.name())?;
    let processors = if wanted.all_processors { "2" } else { "1" };
    let ours = ["--platform", "process", "--cpus", processors, "--"];
    let project = project.display().to_string();
    let measure = |operation: &str| build(whittle(house, &[&ours[..], &words(operation, &project)].concat())?);
    let mut sides = vec![Side { heading: "ours".into(), measure: Box::new(measure) }];
    let linux = |operation: &str| {
        let words = words(operation, &project);
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        build(command)
    };
    if wanted.reference != Reference::No {
        sides.push(Side { heading: "Linux".into(), measure: Box::new(linux) });
    }
    let place = pin::place(wanted.all_processors)?;
    let mut operations = vec![CONFIGURE.to_owned(), MAKE.to_owned()];
    operations.retain(|operation| wanted.only.is_empty() || wanted.only.contains(operation));
    let rounds = wanted.rounds.unwrap_or(ROUNDS);
    let mut tell = |round| eprintln!("whittle: round {} of {rounds}", round + 1);
    let rows = interleave(rounds, &operations, &mut sides, &mut tell)?;
    let table = Table {
        what: "builds",
        unit: "milliseconds",
        reference: (wanted.reference != Reference::No).then_some(1),
        headings: sides.into_iter().map(|side| side.heading).collect(),
        rows: operations.into_iter().zip(rows).collect(),
        notes: vec![
            format!(
                "Linux itself, {place}, ours with --cpus {processors}, {rounds} rounds in turn; what is written is in memory."
            ),
            format!("{CONFIGURE}: a script by autoconf with {} checks.", HEADERS.len() + FUNCTIONS.len() + TYPES.len()),
            format!("{MAKE}: make -j2 of {FILES} files of C by gcc."),
        ],
    };
    table.print(wanted.json);
    Ok(())
}

/// The program that builds: a script, which gets the operation and the sources' folder, and says how long it took. The
/// host's /dev/shm is in memory, and so is all that is written in whittle.
const fn words<'a>(operation: &'a str, project: &'a str) -> [&'a str; 6] {
    ["/bin/sh", "-c", BUILD, "build", operation, project]
}

const BUILD: &str = r#"
export LC_ALL=C
folder=$(mktemp -d /dev/shm/whittle-build-XXXXXX) || exit 1
trap 'cd / && rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cp -r "${2:?}"/. "$folder" && cd "$folder" || exit 1
begin=$(date +%s%N)
case $1 in
configure) ./configure >log 2>&1 && grep -q HAVE_STDIO_H config.h ;;
make) make -j2 -s >log 2>&1 && ./all | grep -qx 5050 ;;
esac || { tail -5 log >&2; exit 1; }
echo "$1 $(($(date +%s%N) - begin))"
"#;

/// Runs a build that must end well, and reads how long it took, in milliseconds.
fn build(command: Command) -> Result<Reading, Failure> {
    let printed = run_well(command, PATIENCE)?;
    Ok(readings(&printed.out, 1e-6).pop().map_or_else(|| Reading::Missing("no-figure".into()), |(_, reading)| reading))
}

/// A folder with a configure script, and with a hundred files of C and what make(1) reads.
fn project(house: &House) -> Result<PathBuf, Failure> {
    let folder = work_folder(house)?.join("builds");
    fs::create_dir_all(&folder).doing(format!("make {}", folder.display()))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).doing(format!("write {}", path.display()))
    };
    let mut objects = String::from("main.o");
    let (mut declared, mut calls) = (String::new(), String::new());
    for number in 1..=FILES {
        write(&format!("f{number}.c"), &source(number))?;
        objects += &format!(" f{number}.o");
        declared += &format!("int f{number}(int x);\n");
        calls += &format!("    sum = f{number}(sum);\n");
    }
    let main = format!(
        "#include <stdio.h>\n{declared}int main(void)\n{{\n    int sum = 0;\n{calls}    printf(\"%d\\n\", sum);\n}}\n"
    );
    write("main.c", &main)?;
    write("Makefile", &format!("CFLAGS = -O2\nall: {objects}\n\t$(CC) -o all $^\n"))?;
    write("configure.ac", &script())?;
    autoconf(&folder)?;
    Ok(folder)
}

/// A file of C as programs have them: a few of the library's headers, and a function.
fn source(number: usize) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\nint f{number}(int x);\n\n\
         int f{number}(int x)\n{{\n    return x + {number};\n}}\n"
    )
}

const HEADERS: [&str; 12] = [
    "fcntl.h",
    "limits.h",
    "netdb.h",
    "poll.h",
    "sched.h",
    "sys/epoll.h",
    "sys/mman.h",
    "sys/socket.h",
    "sys/time.h",
    "sys/wait.h",
    "termios.h",
    "no_such_header.h",
];
const FUNCTIONS: [&str; 12] = [
    "accept4",
    "clock_gettime",
    "epoll_create1",
    "fork",
    "getrandom",
    "memfd_create",
    "mmap",
    "posix_spawn",
    "strlcpy_s",
    "socketpair",
    "vfork",
    "waitpid",
];
const TYPES: [&str; 4] = ["int", "long", "void *", "off_t"];

/// What autoconf makes the script of.
fn script() -> String {
    let sizes: String = TYPES.iter().map(|name| format!("AC_CHECK_SIZEOF([{name}])\n")).collect();
    format!(
        "AC_INIT([whittle-bench], [1])\nAC_CONFIG_HEADERS([config.h])\nAC_PROG_CC\nAC_CHECK_HEADERS([{}])\n\
         AC_CHECK_FUNCS([{}])\n{sizes}AC_OUTPUT\n",
        HEADERS.join(" "),
        FUNCTIONS.join(" ")
    )
}

fn autoconf(folder: &Path) -> Result<(), Failure> {
    for program in ["autoheader", "autoconf"] {
        let output = Command::new(program).current_dir(folder).stdin(Stdio::null()).output();
        let output = output.doing(format!("start {program}"))?;
        if !output.status.success() {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            return Err(Failure::ours(format!("{program} fails in {}, see above", folder.display())));
        }
    }
    Ok(())
}
