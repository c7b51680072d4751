//! The tasks: one for each connection.

use std::{
    asynchronous::until_ready,
    cell::RefCell,
    future::{Future, poll_fn},
    heap,
    io::{Read, Result, Write},
    net::{TcpListener, TcpStream},
    pin::pin,
    prelude::v1::*,
    process::ExitCode,
    task::Poll,
};

use futures_util::stream::{FuturesUnordered, StreamExt};

/// Bytes that are read at once. The buffer is everybody's: between two polls of a task nothing is in it.
const BUFFER: usize = 64 << 10;

/// Takes connections, and serves them: as long as the machine runs.
pub async fn serve(echoes: &TcpListener, memory: &TcpListener) -> ExitCode {
    let buffer = RefCell::new(vec![0; BUFFER]);
    let mut tasks = FuturesUnordered::new();
    loop {
        let mut next = pin!(until_ready(echoes, || echoes.accept()));
        let mut asked = pin!(until_ready(memory, || memory.accept()));
        let accepted = poll_fn(|context| {
            // Those that something has come for go on, and those that are done are gone.
            while let Poll::Ready(Some(())) = tasks.poll_next_unpin(context) {}
            if let Poll::Ready(accepted) = next.as_mut().poll(context) {
                return Poll::Ready(Some(accepted));
            }
            asked.as_mut().poll(context).map(|asked| {
                tell_memory(asked);
                None
            })
        });
        // A connection that ended before it was accepted is nobody's trouble.
        if let Some(Ok((stream, _))) = accepted.await {
            tasks.push(connection(stream, &buffer));
        }
    }
}

/// A connection's task. Its error is the other side's doing, who knows.
async fn connection(stream: TcpStream, buffer: &RefCell<Vec<u8>>) {
    let _ = stream.set_nonblocking(true);
    let _ = echo(&stream, buffer).await;
}

/// Sends back what comes.
async fn echo(stream: &TcpStream, buffer: &RefCell<Vec<u8>>) -> Result<()> {
    loop {
        let turn = || {
            let buffer = &mut *buffer.borrow_mut();
            let count = Read::read(&mut &*stream, buffer)?;
            // What finds no room now is kept: memory follows bytes, not connections.
            let written = Write::write(&mut &*stream, &buffer[..count]).unwrap_or(0);
            Ok((count, Box::<[u8]>::from(&buffer[written..count])))
        };
        let (count, rest) = until_ready(stream, turn).await?;
        if count == 0 {
            return Ok(());
        }
        write_all(stream, &rest).await?;
    }
}

async fn write_all(stream: &TcpStream, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        let written = until_ready(stream, || Write::write(&mut &*stream, bytes)).await?;
        bytes = &bytes[written..];
    }
    Ok(())
}

/// Says how much memory is in use. Sixteen bytes always find room.
fn tell_memory(asked: Result<(TcpStream, std::net::SocketAddr)>) {
    let Ok((mut stream, _)) = asked else { return };
    let statistics = heap::statistics();
    let told = [statistics.bytes, statistics.blocks].map(|number| (number as u64).to_be_bytes());
    let _ = stream.write_all(&told.concat());
}
