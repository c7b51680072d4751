"""Writes until it is killed, and says of each write, behind it, that it is done: `base N` for a row committed to a
database, `log N` for a line of a log whose fsync has answered."""

import os
import sqlite3
import sys
import threading

FOLDER, JOURNAL = sys.argv[1:]


def say(line):
    os.write(1, f"{line}\n".encode())


def rows():
    base = sqlite3.connect(os.path.join(FOLDER, "base"), isolation_level=None)
    base.execute(f"pragma journal_mode={JOURNAL}")
    base.execute("pragma synchronous=full")
    base.execute("create table if not exists t(a integer primary key, b text, c integer)")
    base.execute("create index if not exists i on t(c)")
    number = base.execute("select coalesce(max(a), 0) from t").fetchone()[0]
    if base.execute("pragma integrity_check").fetchone() != ("ok",):
        say("damaged")
    while True:
        base.execute("begin")
        # Several pages change together: half of a transaction is seen as a wrong sum.
        for _ in range(1 + number % 5):
            number += 1
            base.execute("insert into t values(?, ?, ?)", (number, str(number) * (number % 200), -number))
        base.execute("update t set c = c - 1 where a % 97 = ?", (number % 97,))
        base.execute("commit")
        say(f"base {number}")


def lines():
    log = os.open(os.path.join(FOLDER, "log"), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    whole = os.pread(log, os.fstat(log).st_size, 0)
    number = whole.count(b"\n")
    # What a kill has cut was never acknowledged.
    os.ftruncate(log, whole.rfind(b"\n") + 1)
    while True:
        number += 1
        text = bytes(33 + number * n % 90 for n in range(number * 37 % 5000))
        os.write(log, b"%d %s\n" % (number, text))
        os.fsync(log)
        say(f"log {number}")


threading.Thread(target=lines).start()
rows()
