//! What a program may ask for: its own system calls and its libraries', and the functions of the C library they import.
//!
//! The C library itself makes nearly every system call that there is, so it is not looked through: what counts of it is
//! which of its functions the others name.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use linux_abi::system_call_name;
use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH};
use object::read::elf::{Dyn, ElfFile64, FileHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SectionKind};

use super::libraries;
use super::scan::{Scan, scan};
use crate::failure::{Failure, plain};

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// System calls by name; how often is not known.
    pub names: BTreeMap<String, usize>,
    /// A line about each file that was looked at.
    pub objects: Vec<String>,
}

/// Functions of the C library that do not have their system calls' names.
const FUNCTIONS: [(&str, &[&str]); 30] = [
    ("stat", &["newfstatat"]),
    ("lstat", &["newfstatat"]),
    ("fstatat", &["newfstatat"]),
    ("fopen", &["openat"]),
    ("opendir", &["openat"]),
    ("readdir", &["getdents64"]),
    ("fork", &["clone"]),
    ("vfork", &["vfork"]),
    ("system", &["clone", "wait4"]),
    ("popen", &["clone", "wait4"]),
    ("posix_spawn", &["clone", "wait4"]),
    ("posix_spawnp", &["clone", "wait4"]),
    ("waitpid", &["wait4"]),
    ("wait", &["wait4"]),
    ("pthread_create", &["clone3"]),
    ("sem_open", &["openat", "mmap"]),
    ("shm_open", &["openat"]),
    ("aio_read", &["pread64"]),
    ("send", &["sendto"]),
    ("recv", &["recvfrom"]),
    ("sigaction", &["rt_sigaction"]),
    ("sigprocmask", &["rt_sigprocmask"]),
    ("lockf", &["fcntl"]),
    ("posix_fallocate", &["fallocate"]),
    ("inotify_init", &["inotify_init"]),
    ("getentropy", &["getrandom"]),
    ("nice", &["setpriority"]),
    ("sysconf", &["sched_getaffinity"]),
    ("pread", &["pread64"]),
    ("pwrite", &["pwrite64"]),
];

/// Looks at the program and all that it loads.
pub fn analyse(path: &Path) -> Result<Found, Failure> {
    let path = found(path)?;
    let mut numbers = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut result = Found::default();
    let (mut waiting, mut seen) = (VecDeque::from([path.clone()]), BTreeSet::new());
    while let Some(file) = waiting.pop_front() {
        if !seen.insert(file.clone()) {
            continue;
        }
        let bytes = std::fs::read(&file).map_err(|error| wrong(&file, &plain(&error)))?;
        let elf: ElfFile64<'_, LittleEndian> =
            ElfFile64::parse(&*bytes).map_err(|error| wrong(&file, &plain(&error)))?;
        let (needed, search) = dynamic(&elf).map_err(|error| wrong(&file, &plain(&error)))?;
        for name in needed {
            match libraries::find(&name, &file, &search) {
                Some(library) => waiting.push_back(library),
                None => result.objects.push(format!("{}: {name}, which it needs, is not there", file.display())),
            }
        }
        let sections = || elf.sections().filter(|section| section.kind() == SectionKind::Text);
        let scans: Vec<_> =
            sections().map(|section| scan(section.data().unwrap_or_default(), section.address())).collect();
        let [sites, rewritable] = [|scan: &Scan| scan.sites, |scan: &Scan| scan.rewritable]
            .map(|count| scans.iter().map(count).sum::<usize>());
        let calls = match sites {
            0 => String::new(),
            _ => format!("; {rewritable} of its {sites} sites can become calls on process"),
        };
        if is_c_library(&file) {
            let text = format!("{}: the functions of it that the others import count{calls}", file.display());
            result.objects.push(text);
            continue;
        }
        names.extend(
            elf.dynamic_symbols()
                .filter(|symbol| symbol.is_undefined())
                .filter_map(|symbol| Some(symbol.name().ok()?.to_owned())),
        );
        let (mut own, mut unknown) = (0, 0);
        for scanned in scans {
            own += scanned.numbers.len();
            unknown += scanned.unknown;
            numbers.extend(scanned.numbers);
        }
        let place = if unknown == 1 { "place" } else { "places" };
        result.objects.push(format!(
            "{}: {own} of its own, and {unknown} {place} where it is not known which{calls}",
            file.display()
        ));
    }
    let known: BTreeSet<&str> = (0..512).filter_map(system_call_name).collect();
    let of_functions = names.iter().flat_map(|name| calls_of(name, &known));
    let direct = numbers.iter().filter_map(|&number| system_call_name(number as usize));
    result.names = direct.chain(of_functions).map(|name| (name.to_owned(), 1)).collect();
    Ok(result)
}

/// The system calls of a function: those in the list, or the one with its name (without `64` and the underlines of
/// internal names).
fn calls_of(function: &str, known: &BTreeSet<&'static str>) -> Vec<&'static str> {
    let plain = function.trim_start_matches('_');
    let plain = plain.strip_suffix("64").unwrap_or(plain);
    if let Some((_, calls)) = FUNCTIONS.iter().find(|(name, _)| *name == plain || *name == function) {
        return calls.to_vec();
    }
    BTreeSet::from([plain, function]).into_iter().filter_map(|name| known.get(name).copied()).collect()
}

fn is_c_library(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    ["libc.so", "libc.musl", "ld-linux", "ld-musl", "libpthread.so", "librt.so", "libdl.so", "libm.so"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// What the file needs, and where it has it looked for.
fn dynamic(elf: &ElfFile64<'_, LittleEndian>) -> object::Result<(Vec<String>, String)> {
    let (endian, data) = (LittleEndian, elf.data());
    let (mut needed, mut search) = (Vec::new(), String::new());
    let sections = elf.elf_header().sections(endian, data)?;
    let Some((entries, link)) = sections.dynamic(endian, data)? else { return Ok((needed, search)) };
    let strings = sections.strings(endian, data, link)?;
    for entry in entries {
        let text = || entry.string(endian, strings).map(|text| String::from_utf8_lossy(text).into_owned());
        match entry.tag(endian) {
            DT_NEEDED => needed.push(text()?),
            DT_RUNPATH => search = text()?,
            DT_RPATH if search.is_empty() => search = text()?,
            _ => {}
        }
    }
    Ok((needed, search))
}

/// The program's file, by PATH if it has no slash.
fn found(path: &Path) -> Result<PathBuf, Failure> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let candidates = std::env::split_paths(&folders).map(|folder| folder.join(path));
    let has_slash = path.components().count() > 1;
    let file = if has_slash { Some(path.to_owned()) } else { candidates.into_iter().find(|file| file.is_file()) };
    let file = file.filter(|file| file.is_file());
    let file = file.ok_or_else(|| Failure::not_found(format!("{}: there is no such program", path.display())))?;
    file.canonicalize().map_err(|error| wrong(&file, &plain(&error)))
}

fn wrong(file: &Path, why: &str) -> Failure {
    Failure::ours(format!("{}: cannot be looked through: {why}", file.display()))
}
