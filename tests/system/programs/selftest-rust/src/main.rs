//! The self-test in Rust: what the standard library needs of a kernel, from arguments to stack overflow.
//!
//! Started as `selftest-rust "argument one" ""`. Prints `ok NAME` or `FAIL NAME: why`, and `PASS n` at the end.
//! `--overflow` and `--panic` die as their names say.

mod files;
mod memory;
mod start;
mod time;

type Test = (&'static str, fn());

/// Uses up the stack; the compiler does not know how deep it goes.
fn dive(depth: u64) -> u64 {
    let frame = std::hint::black_box([depth; 64]);
    if depth == 0 { 0 } else { dive(std::hint::black_box(depth - 1)) + frame[7] }
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("--overflow") => println!("{}", dive(1 << 40)),
        Some("--panic") => panic!("on purpose"),
        _ => run(),
    }
}

fn run() {
    let families = [start::TESTS, memory::TESTS, files::TESTS, time::TESTS];
    std::panic::set_hook(Box::new(|_| ()));
    let (mut passed, mut failed) = (0, 0);
    for (name, test) in families.into_iter().flatten() {
        match std::panic::catch_unwind(test) {
            Ok(()) => {
                println!("ok {name}");
                passed += 1;
            }
            Err(reason) => {
                let text = reason.downcast_ref::<String>().cloned();
                let text = text.or_else(|| reason.downcast_ref::<&str>().map(ToString::to_string));
                println!("FAIL {name}: {}", text.unwrap_or_default());
                failed += 1;
            }
        }
    }
    if failed > 0 {
        println!("FAILED {failed} of {}", passed + failed);
        std::process::exit(1);
    }
    println!("PASS {passed}");
}
