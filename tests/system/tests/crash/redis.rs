//! Redis that synchronises its log before it answers.

use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use system_tests::resp::{Answer, command, read};
use system_tests::{Platform, need};

use crate::servers::{Client, Server, value_of};

/// Keys that are asked for at once.
const BATCH: u64 = 1000;

pub fn on_a_share(platform: Platform) {
    need(&["redis-server", "redis-check-aof"]);
    let share = |folder: &Path| vec!["-v".into(), format!("{}:/keep", folder.display())];
    Server { platform, begin: &share, words: &words, done: &is_valid }.kills::<Redis>();
}

pub fn on_a_disk(platform: Platform) {
    need(&["redis-server", "redis-check-aof", "mkfs.vfat", "fsck.vfat", "mcopy"]);
    Server { platform, begin: &disk, words: &words, done: &is_valid_on_disk }.kills::<Redis>();
}

fn words(port: u16, _: usize) -> Vec<String> {
    let line = format!(
        "redis-server --port {port} --protected-mode no --dir /keep --save  --appendonly yes --appendfsync always"
    );
    line.split(' ').map(str::to_owned).collect()
}

fn disk(folder: &Path) -> Vec<String> {
    let image = folder.join("disk");
    std::fs::File::create(&image).and_then(|file| file.set_len(256 << 20)).unwrap();
    assert!(Command::new("mkfs.vfat").arg(&image).output().unwrap().status.success());
    vec!["--disk".into(), format!("{}:/keep", image.display())]
}

/// What redis' own checker says of a log that was ended well: each kill's half of a record has been cut off.
fn is_valid(folder: &Path) {
    let manifest = folder.join("appendonlydir/appendonly.aof.manifest");
    let output = Command::new("redis-check-aof").arg(manifest).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// FAT keeps a mark of each kill until it is looked through, and mtools do not read it before.
fn is_valid_on_disk(folder: &Path) {
    let image = folder.join("disk");
    let looked = Command::new("fsck.vfat").arg("-a").arg(&image).output().unwrap();
    let said = String::from_utf8_lossy(&looked.stdout);
    assert!(matches!(looked.status.code(), Some(0 | 1)), "{said}");
    // Clusters that were taken before the size was written are space, and never were the file's bytes.
    let is_longer = said.contains("cluster chain length is >");
    assert!(is_longer || !said.contains("appendonlydir"), "a file is damaged: {said}");
    let copied =
        Command::new("mcopy").args(["-s", "-n", "-i"]).arg(&image).arg("::/appendonlydir").arg(folder).output();
    let copied = copied.unwrap();
    assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
    is_valid(folder);
}

struct Redis {
    answers: BufReader<TcpStream>,
}

impl Redis {
    fn send(&self, commands: &[u8]) -> io::Result<()> {
        self.answers.get_ref().write_all(commands)
    }

    fn read(&mut self) -> io::Result<Answer> {
        read(&mut self.answers)
    }
}

impl Client for Redis {
    fn connect(stream: TcpStream) -> io::Result<Self> {
        let mut client = Self { answers: BufReader::new(stream) };
        client.send(&command(&[b"PING"]))?;
        match client.read()? {
            Answer::Line(line) if line == "PONG" => Ok(client),
            other => Err(io::Error::other(format!("{other:?}"))),
        }
    }

    fn put(&mut self, first: u64, count: u64, mut acknowledged: impl FnMut(u64)) -> io::Result<()> {
        let numbers = first..first + count;
        let set = |number: u64| command(&[b"SET", number.to_string().as_bytes(), &value_of(number)]);
        self.send(&numbers.clone().flat_map(set).collect::<Vec<_>>())?;
        for number in numbers {
            assert_eq!(self.read()?, Answer::Line("OK".into()));
            acknowledged(number);
        }
        Ok(())
    }

    fn values(&mut self) -> io::Result<Vec<Vec<u8>>> {
        let mut values = Vec::new();
        loop {
            let names = (values.len() as u64 + 1..).take(BATCH as usize).map(|number| number.to_string().into_bytes());
            let words: Vec<_> = std::iter::once(b"MGET".to_vec()).chain(names).collect();
            self.send(&command(&words.iter().map(Vec::as_slice).collect::<Vec<_>>()))?;
            let Answer::List(list) = self.read()? else { panic!("MGET answers with a list") };
            let there = list.into_iter().map_while(|answer| match answer {
                Answer::Text(text) => Some(text),
                _ => None,
            });
            let before = values.len();
            values.extend(there);
            if values.len() < before + BATCH as usize {
                break;
            }
        }
        // There are none behind a number that is missing.
        self.send(&command(&[b"DBSIZE"]))?;
        assert_eq!(self.read()?, Answer::Line(values.len().to_string()), "keys are missing between others");
        Ok(values)
    }
}
