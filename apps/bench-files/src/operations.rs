//! What is measured: the operations of `bench-linux` on files in memory.

use std::{
    fs::{self, File},
    hint::black_box,
    io::{Read, Seek, Write},
    os::unix::fs::FileExt,
    prelude::v1::*,
};

use hashfiles::{Named, Volume, digest, plan};

use crate::measure::Operation;

const NAME: &str = "/tmp/bench.file";
const OTHER: &str = "/tmp/bench.other";
const FOLDER: &str = "/tmp/bench.folder";
const SMALL: usize = 4096;
const LARGE: usize = 65_536;
const MANY: usize = 10_000;
const DIRECTORIES: usize = 100;
const FEW: usize = 10;

pub const OPERATIONS: &[Operation] = &[
    Operation { name: "read-1", ready: read_byte },
    Operation { name: "write-1", ready: write_byte },
    Operation { name: "pread-4096", ready: || read_at(SMALL) },
    Operation { name: "pread-65536", ready: || read_at(LARGE) },
    Operation { name: "pwrite-4096", ready: || write_at(SMALL) },
    Operation { name: "pwrite-65536", ready: || write_at(LARGE) },
    Operation { name: "open-close", ready: open_close },
    Operation { name: "hash-files-open", ready: hash_open },
    Operation { name: "hash-files-read-1", ready: hash_read_byte },
    Operation { name: "stat", ready: stat },
    Operation { name: "fstat", ready: stat_file },
    Operation { name: "create-unlink", ready: create_unlink },
    Operation { name: "readdir-10000", ready: || list(1, MANY) },
    Operation { name: "getdents-100-directories", ready: || list(DIRECTORIES, FEW) },
];

fn file() -> File {
    let mut file = File::options().read(true).write(true).create(true).truncate(true).open(NAME).unwrap();
    file.write_all(&[0; LARGE]).unwrap();
    file.rewind().unwrap();
    file
}

fn read_byte() -> Box<dyn FnMut(u64)> {
    let mut file = file();
    Box::new(move |rounds| {
        let mut byte = [0];
        for _ in 0..rounds {
            // A sample takes more rounds than the file has bytes.
            if file.read(black_box(&mut byte)).unwrap() == 0 {
                file.rewind().unwrap();
            }
        }
    })
}

fn write_byte() -> Box<dyn FnMut(u64)> {
    let mut file = file();
    Box::new(move |rounds| {
        file.rewind().unwrap();
        for round in 0..rounds {
            if round % LARGE as u64 == 0 {
                file.rewind().unwrap();
            }
            assert!(file.write(black_box(&[1])).unwrap() == 1);
        }
    })
}

fn read_at(length: usize) -> Box<dyn FnMut(u64)> {
    let file = file();
    let mut bytes = vec![0; length];
    Box::new(move |rounds| {
        for _ in 0..rounds {
            assert!(file.read_at(black_box(&mut bytes), 0).unwrap() == length);
        }
    })
}

fn write_at(length: usize) -> Box<dyn FnMut(u64)> {
    let file = file();
    let bytes = vec![1; length];
    Box::new(move |rounds| {
        for _ in 0..rounds {
            assert!(file.write_at(black_box(&bytes), 0).unwrap() == length);
        }
    })
}

fn open_close() -> Box<dyn FnMut(u64)> {
    file();
    Box::new(|rounds| {
        for _ in 0..rounds {
            black_box(File::open(black_box(NAME)).unwrap());
        }
    })
}

/// A thousand files, `files/0` and so on, as an image in memory.
fn hashed() -> Volume<'static, &'static [u8]> {
    let contents = [7; 100];
    let name = |number: u32| format!("files/{number}").into_bytes();
    let named = |number| Named { name: name(number), length: contents.len() as u64, digest: digest(&contents) };
    let plan = plan(&(0..1000).map(named).collect::<Vec<_>>()).unwrap();
    let mut image = plan.index;
    image.resize(plan.length as usize, 0);
    for place in plan.places.into_iter().flatten() {
        image[place as usize..][..contents.len()].copy_from_slice(&contents);
    }
    Volume::in_memory(image.leak()).unwrap()
}

fn hash_open() -> Box<dyn FnMut(u64)> {
    let volume = hashed();
    Box::new(move |rounds| {
        for _ in 0..rounds {
            black_box(volume.open(black_box(b"files/517")).unwrap());
        }
    })
}

fn hash_read_byte() -> Box<dyn FnMut(u64)> {
    let volume = Box::leak(Box::new(hashed()));
    let file = volume.open(b"files/517").unwrap();
    Box::new(move |rounds| {
        let mut byte = [0];
        for round in 0..rounds {
            assert!(file.read_at(round % 100, black_box(&mut byte)).unwrap() == 1);
        }
    })
}

fn stat() -> Box<dyn FnMut(u64)> {
    file();
    Box::new(|rounds| {
        for _ in 0..rounds {
            black_box(fs::metadata(black_box(NAME)).unwrap());
        }
    })
}

fn stat_file() -> Box<dyn FnMut(u64)> {
    let file = file();
    Box::new(move |rounds| {
        for _ in 0..rounds {
            black_box(file.metadata().unwrap());
        }
    })
}

fn create_unlink() -> Box<dyn FnMut(u64)> {
    Box::new(|rounds| {
        for _ in 0..rounds {
            drop(File::create_new(OTHER).unwrap());
            fs::remove_file(OTHER).unwrap();
        }
    })
}

/// Directories, each of so many files.
fn list(directories: usize, files: usize) -> Box<dyn FnMut(u64)> {
    let folders: Vec<String> = (0..directories).map(|number| format!("{FOLDER}-{directories}/{number}")).collect();
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
        for number in 0..files {
            File::create(format!("{folder}/entry-{number}")).unwrap();
        }
    }
    Box::new(move |rounds| {
        for _ in 0..rounds {
            for folder in &folders {
                assert!(fs::read_dir(folder).unwrap().count() == files);
            }
        }
    })
}
