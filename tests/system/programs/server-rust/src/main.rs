//! A server of HTTP/1.0 on tokio with two threads: it answers with the path that it was asked for, or with what was
//! sent to it. A task a connection.

use std::io::Result;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;

fn main() -> Result<()> {
    let port = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("a port");
    Builder::new_multi_thread().worker_threads(2).enable_io().build()?.block_on(serve(port))
}

async fn serve(port: u16) -> Result<()> {
    let listener = TcpListener::bind(("0.0.0.0", port)).await?;
    println!("ready");
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(answer(stream));
    }
}

async fn answer(stream: TcpStream) -> Result<()> {
    let mut stream = BufReader::new(stream);
    let mut first = String::new();
    stream.read_line(&mut first).await?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        match line.trim_end().to_ascii_lowercase().strip_prefix("content-length:") {
            Some(number) => length = number.trim().parse().unwrap_or(0),
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    if first.starts_with("GET") {
        body = format!("rust{}", first.split(' ').nth(1).unwrap_or_default()).into_bytes();
    }
    let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    stream.shutdown().await
}
