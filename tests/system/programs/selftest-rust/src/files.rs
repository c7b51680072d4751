//! Files and directories through std.

use std::fs;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use crate::Test;

pub const TESTS: &[Test] = &[
    ("round_trip", round_trip),
    ("lines", lines),
    ("tree", tree),
    ("links_and_attributes", links_and_attributes),
    ("errors", errors),
    ("special_files", special_files),
];

/// A folder that goes away with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(format!("/tmp/selftest-rust-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
        assert!(!self.0.exists());
    }
}

fn round_trip() {
    let scratch = Scratch::new("round-trip");
    let path = scratch.0.join("file");
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| (number / 7) as u8).collect();
    fs::write(&path, &bytes).unwrap();
    assert!(fs::read(&path).unwrap() == bytes);
    let mut file = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    file.seek(SeekFrom::End(-3)).unwrap();
    file.write_all(b"and more").unwrap();
    file.seek(SeekFrom::Start(2_999_990)).unwrap();
    let mut end = Vec::new();
    file.read_to_end(&mut end).unwrap();
    assert!(end.ends_with(b"and more") && end.len() == 15);
    file.set_len(5).unwrap();
    assert_eq!(file.metadata().unwrap().len(), 5);
    fs::rename(&path, scratch.0.join("renamed")).unwrap();
    assert_eq!(fs::copy(scratch.0.join("renamed"), &path).unwrap(), 5);
}

fn lines() {
    let scratch = Scratch::new("lines");
    let path = scratch.0.join("lines");
    let mut writer = BufWriter::new(fs::File::create(&path).unwrap());
    for number in 0..20_000 {
        writeln!(writer, "line {number}").unwrap();
    }
    writer.into_inner().unwrap().sync_all().unwrap();
    let reader = BufReader::new(fs::File::open(&path).unwrap());
    assert!(reader.lines().enumerate().all(|(number, line)| line.unwrap() == format!("line {number}")));
}

fn tree() {
    let scratch = Scratch::new("tree");
    for number in 0..100 {
        fs::create_dir_all(scratch.0.join(format!("a/b{}/c", number % 10))).unwrap();
        fs::write(scratch.0.join(format!("a/b{}/c/file{number}", number % 10)), "x").unwrap();
    }
    let mut names: Vec<_> =
        fs::read_dir(scratch.0.join("a")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names.len(), 10);
    assert_eq!(fs::read_dir(scratch.0.join("a/b3/c")).unwrap().count(), 10);
    assert_eq!(fs::remove_dir(scratch.0.join("a")).unwrap_err().kind(), ErrorKind::DirectoryNotEmpty);
}

fn links_and_attributes() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let scratch = Scratch::new("links");
    let (file, link, hard) = (scratch.0.join("file"), scratch.0.join("link"), scratch.0.join("hard"));
    fs::write(&file, "contents").unwrap();
    symlink("file", &link).unwrap();
    fs::hard_link(&file, &hard).unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), PathBuf::from("file"));
    assert_eq!(fs::canonicalize(&link).unwrap(), file);
    assert_eq!((file.metadata().unwrap().nlink(), hard.metadata().unwrap().ino()), (2, file.metadata().unwrap().ino()));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    assert!(file.metadata().unwrap().permissions().readonly());
    let age = file.metadata().unwrap().modified().unwrap().elapsed().unwrap();
    assert!(age.as_secs() < 60);
}

fn errors() {
    assert_eq!(fs::File::open("/no/such/file").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(fs::read("/tmp").unwrap_err().kind(), ErrorKind::IsADirectory);
    assert_eq!(fs::File::create_new("/tmp").unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read_dir("/dev/null").unwrap_err().kind(), ErrorKind::NotADirectory);
}

fn special_files() {
    let mut zeroes = [1; 100];
    fs::File::open("/dev/zero").unwrap().read_exact(&mut zeroes).unwrap();
    assert_eq!(zeroes, [0; 100]);
    let error = fs::OpenOptions::new().write(true).open("/dev/full").unwrap().write(b"x").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    assert!(fs::read_to_string("/proc/self/maps").unwrap().contains("[stack]"));
    assert!(fs::read_to_string("/proc/meminfo").unwrap().starts_with("MemTotal:"));
}
