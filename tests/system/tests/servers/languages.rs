//! Servers that languages bring: php -S, python3's aiohttp, uvicorn and its own with SQLite, and ruby's puma.

use crate::server::{Server, USUAL};

const PYTHON: &str = "/usr/bin/python3";

/// A page, four at once, a long body there and back, and what is kept between two questions.
/// QEMU's network does not send again what comes to a full queue of a listener, so no more than four ask at once.
const CLIENT: &str = r#"
C='curl -s --max-time 60'; W=http://127.0.0.1:{P}
$C -i $W/ | grep -iv -e ^date: -e ^host:
for i in 1 2 3 4; do $C $W/$i > got$i & done; wait; cat got?
$C -X POST --data-binary @numbers $W/echo | md5sum
$C $W/kept; $C $W/kept
"#;
const PREPARE: &str = "seq 1 100000 > numbers";

pub const ALL: &[&Server] = &[
    &Server {
        name: "php_serves",
        needs: &["php", "curl"],
        words: &["/usr/bin/php", "-S", "0.0.0.0:{P}", "{F}/server.php"],
        files: &[("server.php", PHP)],
        prepare: PREPARE,
        client: CLIENT,
        ..USUAL
    },
    &Server {
        name: "aiohttp_serves",
        needs: &[PYTHON, "/usr/lib/python3/dist-packages/aiohttp", "curl"],
        words: &[PYTHON, "{F}/server.py"],
        files: &[("server.py", AIOHTTP)],
        prepare: PREPARE,
        client: CLIENT,
        status: [0, 0],
        ..USUAL
    },
    &Server {
        name: "uvicorn_serves",
        needs: &[PYTHON, "/usr/lib/python3/dist-packages/uvicorn", "curl"],
        words: &[PYTHON, "-m", "uvicorn", "--app-dir", "{F}", "--host", "0.0.0.0", "--port", "{P}", "server:serve"],
        files: &[("server.py", UVICORN)],
        prepare: PREPARE,
        client: CLIENT,
        status: [0, 0],
        ..USUAL
    },
    &Server {
        name: "a_service_keeps_in_sqlite",
        needs: &[PYTHON, "curl"],
        words: &[PYTHON, "{F}/server.py"],
        files: &[("server.py", SQLITE)],
        prepare: PREPARE,
        client: CLIENT,
        ..USUAL
    },
    &Server {
        name: "puma_serves",
        needs: &["puma", "curl"],
        words: &["/usr/bin/puma", "-b", "tcp://0.0.0.0:{P}", "-t", "2:4", "{F}/server.ru"],
        files: &[("server.ru", PUMA)],
        prepare: PREPARE,
        client: CLIENT,
        ..USUAL
    },
];

const PHP: &str = r#"<?php
$asked = $_SERVER['REQUEST_URI'];
if ($asked === '/echo') { echo file_get_contents('php://input'); return; }
if ($asked === '/kept') {
    file_put_contents('{F}/keep/bytes', 'x', FILE_APPEND | LOCK_EX);
    clearstatcache();
    echo filesize('{F}/keep/bytes'), "\n";
    return;
}
echo "hello $asked ", PHP_SAPI, ' ', json_encode([1, 2]), "\n";
"#;

const AIOHTTP: &str = r#"
from aiohttp import web
count = 0
async def hello(request): return web.Response(text=f"hello {request.path}\n")
async def echo(request): return web.Response(body=await request.read())
async def kept(request):
    global count
    count += 1
    return web.Response(text=f"{count}\n")
server = web.Application(client_max_size=10**8)
server.add_routes([web.post("/echo", echo), web.get("/kept", kept), web.get("/{tail:.*}", hello)])
web.run_app(server, port={P}, print=None)
"#;

const UVICORN: &str = r#"
async def serve(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            kind = (await receive())["type"]
            await send({"type": kind + ".complete"})
            if kind == "lifespan.shutdown": return
    body, goes_on = b"", True
    while goes_on:
        part = await receive()
        body, goes_on = body + part.get("body", b""), part.get("more_body")
    if scope["path"] != "/echo": body = b"hello %s\n" % scope["path"].encode()
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
"#;

const SQLITE: &str = r#"
import sqlite3, threading
from http.server import *
base = sqlite3.connect("{F}/keep/base", check_same_thread=False, isolation_level=None)
base.execute("pragma journal_mode = wal")
base.execute("pragma synchronous = full")
base.execute("create table words(word text)")
lock = threading.Lock()
class Handler(BaseHTTPRequestHandler):
    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_GET(self):
        if self.path != "/kept": return self.answer(b"hello %s\n" % self.path.encode())
        with lock:
            base.execute("insert into words values(?)", ["x" * 100])
            self.answer(b"%d %d\n" % base.execute("select count(*), sum(length(word)) from words").fetchone())
    def do_POST(self): self.answer(self.rfile.read(int(self.headers["Content-Length"])))
    def log_message(self, *_): pass
ThreadingHTTPServer(("", {P}), Handler).serve_forever()
"#;

const PUMA: &str = r#"
run lambda { |asked|
  body = asked["PATH_INFO"] == "/echo" ? asked["rack.input"].read : "hello #{asked["PATH_INFO"]}\n"
  [200, { "Content-Type" => "text/plain", "Content-Length" => body.bytesize.to_s }, [body]]
}
"#;
