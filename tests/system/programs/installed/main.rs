//! Threads, channels, thread locals, files and time on the distribution's libraries.

use std::cell::Cell;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

thread_local!(static OWN: Cell<u64> = const { Cell::new(5) });

fn squares() -> (u64, u64) {
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for number in 0..20_u64 {
            let sender = sender.clone();
            scope.spawn(move || {
                OWN.set(OWN.get() + number);
                sender.send(OWN.get() * number).unwrap();
            });
        }
    });
    drop(sender);
    (receiver.iter().sum(), OWN.get())
}

fn lines() -> std::io::Result<(u64, u64)> {
    let path = std::env::temp_dir().join(format!("rust-{}", std::process::id()));
    let mut file = fs::File::create(&path)?;
    for number in 0..1000 {
        writeln!(file, "{number}")?;
    }
    file.sync_all()?;
    let sum = BufReader::new(fs::File::open(&path)?).lines().map(|line| line.unwrap().parse::<u64>().unwrap()).sum();
    let length = fs::metadata(&path)?.len();
    fs::remove_file(&path)?;
    Ok((sum, length))
}

fn main() {
    let start = Instant::now();
    println!("{:?} {:?}", squares(), lines().unwrap());
    thread::sleep(Duration::from_millis(20));
    let caught = std::panic::catch_unwind(|| std::panic::resume_unwind(Box::new("thrown")));
    println!("{} {}", start.elapsed() >= Duration::from_millis(20), caught.is_err());
}
