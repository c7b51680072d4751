//! Programs that share memory and semaphores by keys (System V): PostgreSQL's single mode, and fio with its threads.
//!
//! With `--all`, for their packages are large and making a data directory takes its time; or when a filter asks.

use std::fs;
use std::os::unix::fs::chown;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, need, scratch, skip};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("postgres_alone", Scope::GuestsAtRing0, postgres).long(),
        Check::new("fio_with_threads", Scope::GuestsAtRing0, fio).long(),
    ])
}

/// Where Debian has PostgreSQL's programs, by version.
const SERVERS: &str = "/usr/lib/postgresql";
/// A database refuses root, and wants a user with a name: nobody.
const USER: u32 = 65_534;
/// An emulated processor on a busy machine takes its time.
const LIMIT: Duration = Duration::from_secs(600);

const QUERIES: &str = "create table t(a int primary key, b text)\n\
    insert into t select i, md5(i::text) from generate_series(1,1000) i\n\
    select count(*), sum(a), max(b) from t\n";

fn postgres(platform: Platform) {
    need(&["setpriv", SERVERS]);
    let folder = scratch();
    chown(folder.path(), Some(USER), Some(USER))
        .unwrap_or_else(|_| skip("only root can run a database as another user"));
    let data = folder.path().join("data");
    let user = [format!("--reuid={USER}"), format!("--regid={USER}"), "--clear-groups".into()];
    let mut initdb = Command::new("setpriv");
    initdb.args(&user).arg(program("initdb")).args(["-A", "trust", "-U", "postgres", "--no-sync", "-D"]).arg(&data);
    let made = initdb.current_dir("/").stdout(Stdio::null()).status().expect("initdb starts");
    assert!(made.success(), "initdb: {made}");
    let (server, data) = (program("postgres"), data.to_str().expect("a path of text"));
    let server = server.to_str().expect("a path of text");
    let words = ["setpriv", &user[0], &user[1], &user[2], server, "--single", "-D", data, "postgres"];
    let outcome = Guest::new(platform).share(folder.path()).input(QUERIES).limit(LIMIT).run(&words);
    outcome.expect_status(0);
    for answer in ["count = \"1000\"", "sum = \"500500\"", "max = \"ffeabd223de0d4eacb9a3e6e53e5448d\""] {
        assert!(outcome.text().contains(answer), "{answer}: {}\n{}", outcome.text(), outcome.error_text());
    }
}

/// A program of the newest server's.
fn program(name: &str) -> PathBuf {
    let versions = fs::read_dir(SERVERS).expect("there is a server");
    let newest = versions.flatten().map(|entry| entry.path()).max().expect("a version");
    newest.join("bin").join(name)
}

fn fio(platform: Platform) {
    need(&["fio"]);
    for engine in ["sync", "psync", "vsync", "pvsync", "mmap", "libaio"] {
        let engine = format!("--ioengine={engine}");
        let words = ["fio", "--thread", "--name=one", &engine, "--rw=randrw", "--size=1m", "--numjobs=2"];
        let words = [&words[..], &["--directory=/tmp", "--verify=crc32c"]].concat();
        let outcome = Guest::new(platform).limit(LIMIT).run(&words);
        outcome.expect_status(0);
        assert!(outcome.text().contains("err= 0"), "{engine}: {}", outcome.text());
    }
}
