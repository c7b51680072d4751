//! Faults that are planted in the kernel's core, its file systems and the Linux door (`faults.toml`), each of which a
//! host test must find: a wrong errno, a lost wake-up, a leaked descriptor, a stale translation.
//!
//! A usual run looks whether each still has its place. With `WHITTLE_TEST_ALL=1` each is planted in a copy of the tree,
//! and the tests of the packages that it names are run: the test fails for a fault that no test finds, or that does not
//! compile. `WHITTLE_TEST_FAULT=words` plants those alone whose names have these words.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use system_tests::{all, copy_of_the_tree, leave, project_root, work_folder};

/// What `faults.toml` says.
#[derive(Deserialize)]
struct Faults {
    fault: Vec<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    /// What goes wrong.
    name: String,
    /// Where, from the project's root on.
    file: String,
    /// The text that is there once.
    right: String,
    /// What takes its place.
    wrong: String,
    /// The packages whose tests are to find it.
    packages: Vec<String>,
}

impl Fault {
    /// The file with the fault; an error if its text is not there once.
    fn planted(&self, root: &Path) -> Result<String, String> {
        let path = root.join(&self.file);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {}: {error}", self.name, self.file))?;
        match text.matches(&self.right).count() {
            1 => Ok(text.replace(&self.right, &self.wrong)),
            count => Err(format!("{}: its text stands {count} times in {}, not once", self.name, self.file)),
        }
    }
}

fn faults() -> Vec<Fault> {
    let list: Faults = toml::from_str(include_str!("faults.toml")).expect("the list of faults");
    list.fault
}

#[test]
fn each_fault_has_its_place() {
    let wrong: Vec<String> = faults().iter().filter_map(|fault| fault.planted(&project_root()).err()).collect();
    assert!(wrong.is_empty(), "mend tests/system/tests/planted/faults.toml:\n{}", wrong.join("\n"));
    let of = |folder: &str| faults().iter().filter(|fault| fault.file.starts_with(folder)).count();
    let all = ["kernel/core", "kernel/fs", "api/linux"].map(of);
    assert!(all.iter().all(|&count| count >= 4) && all.iter().sum::<usize>() >= 20, "{all:?}");
}

/// How the tests of some packages went.
enum Went {
    /// All passed.
    Well,
    /// The first test that failed.
    Failed(String),
    /// They could not be built.
    NotBuilt(String),
}

fn test(tree: &Path, packages: &[String]) -> Went {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(tree).args(["test", "--offline", "--no-fail-fast", "--lib", "--tests"]);
    for package in packages {
        cargo.args(["-p", package]);
    }
    cargo.env("CARGO_TARGET_DIR", work_folder().join("planted/target")).env("RUST_BACKTRACE", "0");
    let output = cargo.stdin(Stdio::null()).output().expect("cargo is here");
    let [said, complained] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() {
        return Went::Well;
    }
    if let Some(error) =
        complained.lines().find(|line| line.starts_with("error[") || line.contains("could not compile"))
    {
        return Went::NotBuilt(error.to_owned());
    }
    let failed = |line: &str| line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_owned);
    // A machine that cannot go on says at once in which test.
    let gave_in = |line: &str| Some(line.strip_prefix("test ")?.split_once(": ")?.0.to_owned());
    let first = said.lines().find_map(failed).or_else(|| complained.lines().find_map(gave_in));
    Went::Failed(first.unwrap_or_else(|| String::from("a program of tests that died")))
}

/// Plants a fault; which test has found it.
fn plant(tree: &Path, fault: &Fault) -> Result<String, String> {
    let path = tree.join(&fault.file);
    let right = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let wrong = fault.planted(tree)?;
    fs::write(&path, wrong).expect("the work folder can be written");
    let went = test(tree, &fault.packages);
    fs::write(&path, right).expect("the work folder can be written");
    match went {
        Went::Failed(test) => Ok(test),
        Went::Well => Err(format!("NOT CAUGHT: {}", fault.name)),
        Went::NotBuilt(error) => Err(format!("not built: {}: {error}", fault.name)),
    }
}

#[test]
fn each_fault_is_found_by_a_host_test() {
    if !all() {
        return leave("planted faults");
    }
    let words = std::env::var("WHITTLE_TEST_FAULT").unwrap_or_default();
    // What is built of it stays from run to run.
    let tree = work_folder().join("planted/tree");
    copy_of_the_tree(&tree);
    let mut wrong = Vec::new();
    for fault in faults().iter().filter(|fault| fault.name.contains(&words)) {
        match plant(&tree, fault) {
            Ok(test) => eprintln!("{}: caught by {test}", fault.name),
            Err(error) => {
                eprintln!("{error}");
                wrong.push(error);
            }
        }
    }
    // What is found must be the fault: without it all pass.
    let mut packages: Vec<String> = faults().into_iter().flat_map(|fault| fault.packages).collect();
    packages.sort();
    packages.dedup();
    match test(&tree, &packages) {
        Went::Well => {}
        Went::Failed(test) => wrong.push(format!("without a fault {test} fails")),
        Went::NotBuilt(error) => wrong.push(format!("without a fault: {error}")),
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
