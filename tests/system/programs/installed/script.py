"""Threads, the modules that stand on C libraries, and a directory that is watched by way of the C library."""

import ctypes
import hashlib
import json
import os
import sqlite3
import ssl
import struct
import sys
import tempfile
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor


def squares():
    found = []
    threads = [threading.Thread(target=lambda n=n: found.append(n * n)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ThreadPoolExecutor(4) as pool:
        return sum(found), sum(pool.map(lambda n: n ** 3, range(20)))


def rows(name):
    with sqlite3.connect(name) as base:
        base.execute("create table t(a integer primary key, b text)")
        base.executemany("insert into t(b) values(?)", ((str(n),) for n in range(500)))
        base.execute("update t set b = b || '!' where a % 2")
    return base.execute("select count(*), sum(length(b)) from t").fetchone()


def files(folder):
    path = os.path.join(folder, "file")
    with open(path, "w") as file:
        file.writelines(f"{n}\n" for n in range(1000))
    os.rename(path, path + ".moved")
    with open(path + ".moved") as file:
        return sum(map(int, file)), sorted(os.listdir(folder)), os.path.getsize(path + ".moved")


def watched(folder):
    library = ctypes.CDLL(None)
    watcher = library.inotify_init()
    library.inotify_add_watch(watcher, folder.encode(), 0xfff)
    with open(os.path.join(folder, "seen"), "w") as file:
        file.write("text")
    os.remove(file.name)
    told, seen = os.read(watcher, 4096), []
    while told:
        _, mask, _, length = struct.unpack_from("iIII", told)
        seen.append((hex(mask), told[16:16 + length].rstrip(b"\0")))
        told = told[16 + length:]
    os.close(watcher)
    return seen


def main():
    print(squares(), rows(":memory:"))
    with tempfile.TemporaryDirectory() as folder:
        print(files(folder), rows(os.path.join(folder, "base")), watched(folder))
    packed = zlib.compress(b"again " * 1000)
    print(len(packed), zlib.crc32(zlib.decompress(packed)), hashlib.sha256(packed).hexdigest())
    print(json.loads(json.dumps({"a": [1, 2.5, None, "\u20ac"]}, sort_keys=True)))
    context = ssl.create_default_context()
    print(ssl.OPENSSL_VERSION, context.minimum_version, len(context.get_ciphers()) > 5)
    print(os.stat("/etc/passwd").st_size, sys.version)


main()
