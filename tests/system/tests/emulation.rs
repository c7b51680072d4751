//! What an emulator gets wrong is not offered to programs, and what is not for them is not shown.

use std::process::ExitCode;

use system_tests::{Check, Guest, LibC, Platform, Scope, die, gather, need};

fn main() -> ExitCode {
    use Scope::Machines;
    system_tests::run(&[
        Check::new("gathers_are_right", Machines, gathers),
        Check::new("numpy_sorts_right", Machines, sorts),
        Check::new("a_model_goes_with_a_warning", Machines, model),
        Check::where_wanted(
            "tables_of_the_processor_are_hidden",
            Machines,
            |platform| platform == Platform::PcRing3,
            tables,
        ),
    ])
}

fn gathers(platform: Platform) {
    let outcome = Guest::new(platform).run(&[gather().to_str().unwrap()]);
    outcome.expect_status(0);
    assert!(["gather right\n", "no gather\n"].contains(&&*outcome.text()), "{}", outcome.text());
}

/// Debian's, for its packages.
const PYTHON: &str = "/usr/bin/python3";

const SORTS: &str = "
import numpy
random = numpy.random.default_rng(1)
for length in (10, 50, 100, 255, 256, 300, 1000, 5000):
    for round in range(5):
        values = random.integers(0, 1000, length)
        order = numpy.argsort(values)
        assert (numpy.diff(values[order]) >= 0).all() and len(set(order.tolist())) == length
print('sorted')
";

fn sorts(platform: Platform) {
    need(&[PYTHON, "/usr/lib/python3/dist-packages/numpy"]);
    Guest::new(platform).run(&[PYTHON, "-c", SORTS]).expect_output("sorted\n");
}

fn model(platform: Platform) {
    let safe = Guest::new(platform).run(&[gather().to_str().unwrap()]);
    assert!(!safe.error_text().contains("wrongly"));
    // Who asks gets it, wrong as it may be, and is told then.
    let asked = Guest::new(platform).option("--cpu").option("max").run(&[gather().to_str().unwrap()]);
    assert_eq!(asked.status != 0, asked.text() == "gather wrong\n");
    assert!(asked.status == 0 || asked.error_text().contains("emulates avx2"), "{}", asked.error_text());
}

fn tables(platform: Platform) {
    let program = die(LibC::Glibc);
    Guest::new(platform).run(&[program.to_str().unwrap(), "tables"]).expect_status(139);
}
