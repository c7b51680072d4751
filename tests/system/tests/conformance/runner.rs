//! `runner.py` itself, with a module of our own, on Linux.

use std::fs;

use system_tests::{Check, Guest, Platform, Scope, project_root, scratch};

use crate::source::{self, PYTHON};

/// What a test leaves behind in itself, as most do, is gone when the next one runs. A process that a test spawns takes
/// in the runner's file again, and runs no tests by that.
const MODULE: &str = r#"
import gc, multiprocessing, unittest, weakref

class Held:
    pass

class ForgottenTest(unittest.TestCase):
    def test_1_holds(self):
        self.held = Held()
        ForgottenTest.last = weakref.ref(self.held)

    def test_2_is_alone(self):
        gc.collect()
        self.assertIsNone(ForgottenTest.last())

class SpawnedTest(unittest.TestCase):
    def test_one_ends_well(self):
        process = multiprocessing.get_context("spawn").Process(target=len, args=["ab"])
        process.start()
        process.join()
        self.assertEqual(process.exitcode, 0)
"#;

/// Were all tests kept, `gc.collect` would take longer with each. test_asyncio has thousands, and some of them call it
/// three hundred times: one was silent for half a minute on an emulated machine.
pub fn check() -> Check {
    Check::new("runner_keeps_no_test_and_runs_each_once", Scope::Once, |_| {
        source::prepare();
        let folder = scratch();
        let package = folder.path().join("test_forgotten");
        fs::create_dir(&package).expect("the folder can be written");
        fs::write(package.join("__init__.py"), "").expect("the folder can be written");
        fs::write(package.join("test_inside.py"), MODULE).expect("the folder can be written");
        let guest = Guest::new(Platform::Native).variable("CONFORMANCE_MORE", &folder.path().display().to_string());
        let runner = project_root().join("tests/conformance/runner.py");
        let outcome = guest.run(&[PYTHON, runner.to_str().expect("the project's path is text"), "test_forgotten"]);
        let said = outcome.expect_status(0).text();
        assert_eq!(said.matches(r#""how": "pass""#).count(), 3, "{said}");
    })
}
