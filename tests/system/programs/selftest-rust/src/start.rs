//! Arguments, environment, thread-local storage, unwinding.

use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, Read};

use crate::Test;

pub const TESTS: &[Test] = &[
    ("arguments", arguments),
    ("environment", environment),
    ("thread_local_storage", thread_local_storage),
    ("unwinding", unwinding),
    ("standard_input", standard_input),
    ("process", process),
];

thread_local! {
    static NUMBER: Cell<u64> = const { Cell::new(42) };
    static LIST: RefCell<Vec<String>> = RefCell::new(vec!["made when first used".into()]);
}

fn arguments() {
    let arguments: Vec<_> = std::env::args().collect();
    assert_eq!(arguments.len(), 3, "{arguments:?}");
    assert!(arguments[0].ends_with("selftest-rust"));
    assert_eq!(arguments[1..], ["argument one", ""]);
}

fn environment() {
    assert!(std::env::var("PATH").is_ok());
    assert!(std::env::var("NOT_THERE").is_err());
    assert!(std::env::current_dir().unwrap().is_absolute());
    let executable = std::env::current_exe().unwrap();
    assert!(executable.metadata().unwrap().is_file(), "{executable:?}");
}

fn thread_local_storage() {
    NUMBER.with(|number| {
        assert_eq!(number.get(), 42);
        number.set(43);
    });
    LIST.with_borrow_mut(|list| list.push("second".into()));
    assert_eq!((NUMBER.get(), LIST.with_borrow(Vec::len)), (43, 2));
}

struct Counts<'a>(&'a Cell<u32>);

impl Drop for Counts<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

fn unwinding() {
    for _ in 0..100 {
        let dropped = Cell::new(0);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _first = Counts(&dropped);
            let _second = Counts(&dropped);
            if dropped.get() == 0 {
                panic!("expected");
            }
        }));
        assert!(result.is_err() && dropped.get() == 2);
    }
}

fn standard_input() {
    let mut text = String::new();
    assert_eq!(std::io::stdin().read_to_string(&mut text).unwrap(), 0);
    assert!(!std::io::stdout().is_terminal());
}

fn process() {
    assert!(std::process::id() > 0);
    assert!(std::thread::available_parallelism().unwrap().get() >= 1);
    assert_eq!(std::thread::current().name(), Some("main"));
}
