//! What a process may do: `programs/users.c` says what is not as on Linux, and `setpriv` of util-linux sets it and
//! tells it in the same words.

use std::process::{Command, ExitCode};

use system_tests::{Check, Guest, LibC, Platform, Scope, need, skip, users};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("setpriv", Scope::Guests, setpriv),
        Check::new("users_of_glibc", Scope::Everywhere, |platform| those_who_start(platform, LibC::Glibc)),
        Check::new("users_of_musl", Scope::Everywhere, |platform| those_who_start(platform, LibC::Musl)),
    ])
}

/// Ways of giving rights up; the last words run the program that tells what is left.
const WAYS: [&[&str]; 4] = [
    &["--bounding-set=-all,+chown,+kill", "--inh-caps=-all,+chown", "--ambient-caps=-all,+chown", "--no-new-privs"],
    &["--reuid=7", "--regid=8", "--clear-groups", "--bounding-set=-all"],
    &["--reuid=7", "--regid=8", "--groups=1,2", "--bounding-set=-all", "--securebits=+keep_caps_locked,+noroot"],
    &[
        "--reuid=7",
        "--regid=7",
        "--clear-groups",
        "--bounding-set=-all,+setuid",
        "--inh-caps=-all,+setuid",
        "--ambient-caps=-all,+setuid",
        "--pdeathsig=TERM",
    ],
];

fn setpriv(platform: Platform) {
    need(&["setpriv"]);
    if Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout != b"0\n") {
        skip("only root has rights to give up");
    }
    for way in WAYS {
        let words = [&["setpriv"], way, &["setpriv", "--dump"]].concat();
        let native = Command::new(words[0]).args(&words[1..]).output().expect("setpriv starts");
        assert!(native.status.success(), "{words:?}: {}", String::from_utf8_lossy(&native.stderr));
        let outcome = Guest::new(platform).run(&words);
        outcome.expect_status(0);
        assert_eq!(outcome.text(), String::from_utf8_lossy(&native.stdout), "{words:?}");
    }
}

fn those_who_start(platform: Platform, library: LibC) {
    let outcome = Guest::new(platform).run(&[users(library).to_str().unwrap()]);
    assert_eq!(outcome.text(), "logins: ok\nids: ok\n");
    outcome.expect_status(0);
}
