"""Runs one module of CPython's tests; each line it prints that begins with "@" is JSON about one of them.

    python3 runner.py MODULE [FIRST]        all tests from the one with this position on
    python3 runner.py MODULE NAME...        these alone

{"plan": [names]} comes first; then for each test {"begin": position} and, once it has ended,
{"end": position, "how": "pass" | "skip" | "fail", "why": sentence}.
{"fixture": name, "why": sentence} tells why tests of a class or of the module are not run at all. So whoever
reads knows after a crash or a hang which test it was, and goes on with the next position.
"""

import json
import os
import pkgutil
import shutil
import sys
import tempfile
import tomllib
import unittest
import warnings

REPORT = os.dup(1)


def say(**facts):
    # A newline first: the test may have left a line of its own unfinished.
    os.write(REPORT, ("\n@" + json.dumps(facts) + "\n").encode())


def sentence(error):
    kind, value, trace = error
    place = ""
    while trace:
        code = trace.tb_frame.f_code
        if "/unittest/" not in code.co_filename and code.co_filename != __file__:
            place = f" ({os.path.basename(code.co_filename)}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{kind.__name__}: {str(value)[:400]}{place}"


class Outcome(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.how, self.why = "", ""

    def startTest(self, test):
        super().startTest(test)
        self.how, self.why = "pass", ""
        say(begin=test.position)

    def stopTest(self, test):
        super().stopTest(test)
        say(end=test.position, how=self.how, why=self.why)
        self.failures.clear()
        self.errors.clear()

    def turn(self, test, how, why):
        if isinstance(test, unittest.suite._ErrorHolder):
            say(fixture=test.id(), why=why)
        elif self.how != "fail":
            self.how, self.why = how, why

    def addError(self, test, error):
        self.turn(test, "fail", sentence(error))

    def addFailure(self, test, error):
        self.turn(test, "fail", sentence(error))

    def addSubTest(self, test, part, error):
        if error is not None:
            self.turn(test, "fail", sentence(error) + " in " + part._subDescription())

    def addSkip(self, test, reason):
        self.turn(test, "skip", reason)

    def addUnexpectedSuccess(self, test):
        self.turn(test, "fail", "it is expected to fail")


def flat(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flat(item)
        else:
            yield item


def name_of(test, module):
    return test.id().removeprefix("test.").removeprefix(module + ".")


def number(tests):
    for position, test in enumerate(tests):
        test.position = position


def parts(module, more):
    """A package that the distribution leaves out lies in a folder of its own, where it does not find its parts itself."""
    folder = os.path.join(more or "", module)
    if more and os.path.isdir(folder):
        names = sorted(found.name for found in pkgutil.iter_modules([folder]))
        return [f"test.{module}.{name}" for name in names if name.startswith("test_")]
    return ["test." + module]


def not_run(module):
    with open(os.path.join(os.path.dirname(__file__), "cpython.toml"), "rb") as file:
        listed = tomllib.load(file)["not-run"]
    tests = [test for group in listed for test in group["tests"]]
    return {test.removeprefix(module + ".") for test in tests if test.startswith(module + ".")}


def resources(module):
    """As regrtest has it by default: no network, no gigabytes, no minutes of computing."""
    with open(os.path.join(os.path.dirname(__file__), "cpython.toml"), "rb") as file:
        return ["network"] if module in tomllib.load(file)["loopback"] else []


def main():
    module, wanted = sys.argv[1], sys.argv[2:]
    import test
    from test import support
    more = os.environ.get("CONFORMANCE_MORE")
    if more:
        test.__path__.append(more)
    support.use_resources = resources(module)
    folder = tempfile.mkdtemp(prefix="conformance.")
    os.chdir(folder)
    warnings.simplefilter("ignore")
    # What is never to run is not even in the plan.
    found, never = flat(unittest.defaultTestLoader.loadTestsFromNames(parts(module, more))), not_run(module)
    tests = [test for test in found if name_of(test, module) not in never]
    names = [name_of(test, module) for test in tests]
    number(tests)
    say(plan=names)
    if not wanted or wanted[0].isdecimal():
        chosen = tests[int(wanted[0]) if wanted else 0:]
    else:
        chosen = [test for test, name in zip(tests, names) if any(word in name for word in wanted)]
    # The suite forgets each test that has run, and nobody else may keep it: gc.collect goes through all that is kept.
    suite = unittest.TestSuite(chosen)
    del tests, chosen
    suite.run(Outcome())
    say(done=True)
    shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    # Threads that a failed test has left must not keep the run.
    os._exit(0)


# A process that multiprocessing spawns takes this file in as well, under another name.
if __name__ == "__main__":
    main()
