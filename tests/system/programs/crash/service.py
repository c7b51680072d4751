"""A service that keeps numbered values in SQLite: PUT /N keeps its body and answers when that is committed, GET / tells all
that it has, each as its number, its length and a line end, and then its bytes."""

import os
import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, FOLDER, JOURNAL = sys.argv[1:]


def opened():
    base = sqlite3.connect(os.path.join(FOLDER, "base"), isolation_level=None)
    base.execute("pragma synchronous=full")
    return base


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        self.base = opened()

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.base.execute("insert into kept values(?, ?)", (int(self.path[1:]), body))
        self.answer(b"")

    def do_GET(self):
        rows = self.base.execute("select number, value from kept order by number").fetchall()
        self.answer(b"".join(b"%d %d\n%s" % (number, len(value), value) for number, value in rows))

    def log_message(self, *_):
        pass


base = opened()
base.execute(f"pragma journal_mode={JOURNAL}")
base.execute("create table if not exists kept(number integer primary key, value blob)")
if base.execute("pragma integrity_check").fetchone() != ("ok",):
    sys.exit("the database is damaged")
ThreadingHTTPServer(("", int(PORT)), Handler).serve_forever()
