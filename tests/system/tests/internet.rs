//! Sockets of the Internet for Linux programs, in an image whose network stays inside: unmodified programs talk to
//! themselves over 127.0.0.1 and ::1.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, need, scratch};
use tempfile::TempDir;

fn main() -> ExitCode {
    system_tests::run(&[Check::new("python_talks_to_itself", Scope::GuestsAtRing0, python)])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);

const COMPOSITION: &str = r#"name = "linux-inside"
kind = "linux"
platform = ["pc", "process"]

[components]
sockets = "network-inside"
"#;

/// The folder of the image, which the platforms share.
fn image() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = scratch();
        fs::write(folder.path().join("whittle.toml"), COMPOSITION).expect("the folder can be written");
        folder
    });
    folder.path()
}

const PYTHON: &str = r#"
import asyncio, os, socket, threading

def echo(listener):
    with listener.accept()[0] as stream:
        while piece := stream.recv(65536):
            stream.sendall(piece)

def send(stream, data):
    stream.sendall(data)
    stream.shutdown(socket.SHUT_WR)

for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    listener = socket.create_server((address, 0), family=family)
    server = threading.Thread(target=echo, args=(listener,))
    server.start()
    stream = socket.create_connection(listener.getsockname()[:2])
    data = os.urandom(2_000_000)
    sender = threading.Thread(target=send, args=(stream, data))
    sender.start()
    back = bytearray()
    while piece := stream.recv(65536):
        back += piece
    sender.join()
    server.join()
    print(address, back == data)
    one, other = (socket.socket(family, socket.SOCK_DGRAM) for _ in range(2))
    one.bind((address, 0))
    other.sendto(bytes(60_000), one.getsockname())
    print(len(one.recv(65536)))

for peer in ("10.1.2.3", 80), ("127.0.0.1", 1):
    try:
        socket.create_connection(peer, timeout=5)
    except OSError as error:
        print(error)

async def upper(reader, writer):
    writer.write((await reader.readline()).upper())
    await writer.drain()
    writer.close()

async def main():
    server = await asyncio.start_server(upper, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"hello\n")
    print(await reader.readline())
    writer.close()
    server.close()

asyncio.run(main())
"#;

fn python(platform: Platform) {
    need(&["/usr/bin/python3"]);
    let image = image().display().to_string();
    let outcome = Guest::new(platform).limit(BUILD).run(&[&image, "/usr/bin/python3", "-c", PYTHON]);
    outcome.expect_status(0);
    let expected = "127.0.0.1 True\n60000\n::1 True\n60000\n[Errno 101] Network is unreachable\n\
        [Errno 111] Connection refused\nb'HELLO\\n'\n";
    assert_eq!(outcome.text(), expected);
}
