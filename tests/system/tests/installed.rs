//! Programs of the distribution, as they are installed: dynamic ones, on the host's files.

use std::process::{Command, ExitCode};

use system_tests::{Check, Guest, Platform, Scope, need, scratch};

fn main() -> ExitCode {
    use Scope::Guests;
    system_tests::run(&[
        Check::new("python", Guests, python),
        Check::new("perl", Guests, perl),
        Check::new("sqlite", Guests, sqlite),
        Check::new("dynamic_c", Guests, dynamic_c),
        Check::new("another_root", Guests, another_root),
    ])
}

/// What a program says natively it says in a guest.
#[track_caller]
fn same(platform: Platform, words: &[&str]) {
    let native = Command::new(words[0]).args(&words[1..]).output().unwrap();
    assert!(native.status.success(), "{words:?} fails natively");
    Guest::new(platform).run(words).expect_output(native.stdout);
}

fn python(platform: Platform) {
    need(&["python3"]);
    same(platform, &["/usr/bin/python3", "-c", "print(1)"]);
    let script = "
import hashlib, json, os, sys, threading, zlib
total = []
threads = [threading.Thread(target=lambda n=n: total.append(n * n)) for n in range(8)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
print(sum(total), json.dumps({'a': [1, 2]}), hashlib.sha256(b'x').hexdigest(), zlib.crc32(b'y'))
print(sorted(os.listdir('/usr/lib'))[:5], os.stat('/etc/passwd').st_size, os.getcwd(), len(sys.modules) > 10)
";
    same(platform, &["/usr/bin/python3", "-c", script]);
}

fn perl(platform: Platform) {
    need(&["perl"]);
    same(
        platform,
        &[
            "/usr/bin/perl",
            "-e",
            "my %h = map { $_ => $_ ** 2 } 1..9; print join(',', map { $h{$_} } sort keys %h), qq{\\n}",
        ],
    );
}

fn sqlite(platform: Platform) {
    need(&["sqlite3"]);
    let folder = scratch();
    let shared = format!("{}:/mnt", folder.path().display());
    let inserts = "create table t(a); with recursive n(i) as (select 1 union all select i+1 from n where i<2000) \
                   insert into t select i from n; select count(*), sum(a) from t;";
    let guest = Guest::new(platform).option("-v").option(shared);
    guest.run(&["/usr/bin/sqlite3", "/mnt/data", inserts]).expect_output("2000|2001000\n");
    let checked =
        Command::new("sqlite3").arg(folder.path().join("data")).arg("pragma integrity_check").output().unwrap();
    assert_eq!(checked.stdout, b"ok\n");
}

/// A program with libraries, with a thread of its own and a library that it opens itself.
fn dynamic_c(platform: Platform) {
    let folder = scratch();
    let (source, program) = (folder.path().join("main.c"), folder.path().join("main"));
    std::fs::write(
        &source,
        r#"#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
static __thread int own = 5;
static void *body(void *argument) { own += *(int *)argument; return (void *)(long)own; }
int main(void) {
    pthread_t thread;
    void *result;
    int seven = 7;
    pthread_create(&thread, 0, body, &seven);
    pthread_join(thread, &result);
    void *library = dlopen("libm.so.6", RTLD_NOW);
    double (*root)(double) = (double (*)(double))dlsym(library, "sqrt");
    printf("%ld %d %.3f %s\n", (long)result, own, root(2), dlsym(library, "nothing") ? "found" : dlerror() ? "no" : "?");
    return 0;
}
"#,
    )
    .unwrap();
    let built = Command::new("gcc").args(["-O1", "-pthread", "-o"]).arg(&program).arg(&source).status().unwrap();
    assert!(built.success());
    let program = program.to_str().unwrap();
    Guest::new(platform).run(&[program]).expect_output("12 5 1.414 no\n");
}

/// A directory in the host's place: its files alone, and a linker that is not there is named.
fn another_root(platform: Platform) {
    let folder = scratch();
    std::fs::create_dir_all(folder.path().join("bin")).unwrap();
    std::fs::copy("/bin/busybox", folder.path().join("bin/busybox")).unwrap();
    std::fs::copy("/usr/bin/env", folder.path().join("bin/env")).unwrap();
    let guest = || Guest::new(platform).option("--root").option(folder.path().to_str().unwrap());
    guest().run(&["/bin/busybox", "ls", "/bin"]).expect_output("busybox\nenv\n");
    let outcome = guest().run(&["/bin/env"]);
    outcome.expect_status(126);
    assert!(
        outcome.expect_sentence().contains("the dynamic linker /lib64/ld-linux-x86-64.so.2"),
        "{}",
        outcome.error_text()
    );
}
