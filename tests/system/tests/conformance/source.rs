//! Tests that the distribution does not package beside the others, from the source of its Python.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use system_tests::{need, work_folder};

/// The distribution's Python, which its tests belong to.
pub const PYTHON: &str = "/usr/bin/python3.11";
/// Modules of Python's `test` package that `libpython3.11-testsuite` leaves out.
const LEFT_OUT: [&str; 1] = ["test_sqlite3"];

/// Has the distribution's Python and its tests installed.
pub fn prepare() {
    need(&[PYTHON, "/usr/lib/python3.11/test/test_os.py"]);
}

/// A folder with more of the package `test`, if a module needs it, or nothing; else why there is none.
pub fn more(module: &str) -> Result<String, String> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    if !LEFT_OUT.contains(&module) {
        return Ok(String::new());
    }
    FOLDER.get_or_init(fetched).as_ref().map(|folder| folder.display().to_string()).map_err(String::clone)
}

/// Python's own source, as the distribution has it: apt holds what it gets against the archive's signature.
fn fetched() -> Result<PathBuf, String> {
    let folder = work_folder().join("python-source");
    let tests = folder.join("test");
    if LEFT_OUT.iter().all(|module| tests.join(module).is_dir()) {
        return Ok(tests);
    }
    let apt = folder.join("apt");
    fs::create_dir_all(apt.join("lists")).expect("the target folder can be written");
    let source = "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
                  http://deb.debian.org/debian bookworm main\n";
    fs::write(apt.join("sources.list"), source).expect("the target folder can be written");
    let apt_get = |words: &[&str]| {
        let mut command = Command::new("apt-get");
        let options = [("sourcelist", "sources.list"), ("sourceparts", "none")]
            .map(|(part, file)| format!("-oDir::Etc::{part}={}", apt.join(file).display()));
        let lists = format!("-oDir::State::Lists={}", apt.join("lists").display());
        works(command.args(options).arg(lists).arg("-q").args(words).current_dir(&folder))
    };
    apt_get(&["update"])?;
    apt_get(&["source", "--download-only", "python3.11"])?;
    let archives = fs::read_dir(&folder).expect("the folder was made above").flatten().map(|entry| entry.path());
    let archive = archives.filter(|path| path.to_string_lossy().contains(".orig.tar")).find(|path| path.is_file());
    let archive = archive.expect("apt-get has brought the source");
    fs::create_dir_all(&tests).expect("the target folder can be written");
    let wanted = LEFT_OUT.map(|module| format!("*/Lib/test/{module}"));
    let mut tar = Command::new("tar");
    tar.args(["--strip-components=3", "--wildcards", "-xf"]).arg(archive).args(wanted).current_dir(&tests);
    works(&mut tar).map(|()| tests)
}

fn works(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    let said = || format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.status.success().then_some(()).ok_or_else(said)
}
