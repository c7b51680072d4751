//! Files and directories below `/tmp`.

use std::{
    fs::{self, DirBuilder, File, FileTimes, OpenOptions},
    io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write},
    os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    prelude::v1::*,
    time::{Duration, SystemTime},
};

use crate::tally::Tally;

/// Nobody else's: on Linux `/tmp` is shared.
fn folder() -> PathBuf {
    PathBuf::from(format!("/tmp/selftest-native-{}", std::process::id()))
}

pub fn check(tally: &mut Tally) {
    let folder = folder();
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    contents(tally, &folder.join("contents")).unwrap();
    opening(tally, &folder.join("opening")).unwrap();
    positions(tally, &folder.join("positions")).unwrap();
    directories(tally, &folder).unwrap();
    links(tally, &folder).unwrap();
    known(tally, &folder).unwrap();
    refusals(tally, &folder).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    same!(tally, fs::exists(&folder).ok(), Some(false));
}

fn contents(tally: &mut Tally, path: &Path) -> io::Result<()> {
    fs::write(path, "one\ntwo\n")?;
    same!(tally, fs::read(path)?, b"one\ntwo\n");
    same!(tally, fs::read_to_string(path)?, "one\ntwo\n");
    let lines: io::Result<Vec<String>> = BufReader::new(File::open(path)?).lines().collect();
    same!(tally, lines?, ["one", "two"]);
    // Across pages, by pieces of many lengths.
    let bytes: Vec<u8> = (0..100_000_u32).map(|number| (number / 3) as u8).collect();
    let mut file = File::create(path)?;
    for (number, piece) in bytes.chunks(17).enumerate() {
        if number % 2 == 0 { file.write_all(piece)? } else { (&file).write_all(piece)? }
    }
    drop(file);
    same!(tally, fs::read(path)? == bytes, true);
    let mut file = File::open(path)?;
    let mut read = Vec::new();
    for length in (0..200).cycle().skip(1) {
        let mut piece = vec![0; length];
        let count = file.read(&mut piece)?;
        read.extend_from_slice(&piece[..count]);
        if count < length {
            break;
        }
    }
    same!(tally, read == bytes, true);
    let copy = path.with_extension("copy");
    same!(tally, fs::copy(path, &copy)?, 100_000);
    same!(tally, fs::read(&copy)? == bytes, true);
    fs::write(&copy, [0xff, 0xfe])?;
    same!(tally, fs::read_to_string(&copy).map_err(|error| error.kind()), Err(ErrorKind::InvalidData));
    fs::remove_file(&copy)?;
    same!(tally, copy.exists(), false);
    Ok(())
}

fn opening(tally: &mut Tally, path: &Path) -> io::Result<()> {
    let kind = |options: &OpenOptions| options.open(path).err().map(|error| error.kind());
    same!(tally, kind(OpenOptions::new().read(true)), Some(ErrorKind::NotFound));
    same!(tally, kind(OpenOptions::new().write(true)), Some(ErrorKind::NotFound));
    same!(tally, kind(&OpenOptions::new()), Some(ErrorKind::InvalidInput));
    same!(tally, kind(OpenOptions::new().read(true).create(true)), Some(ErrorKind::InvalidInput));
    same!(tally, kind(OpenOptions::new().read(true).truncate(true)), Some(ErrorKind::InvalidInput));
    same!(tally, kind(OpenOptions::new().append(true).truncate(true)), Some(ErrorKind::InvalidInput));
    let mut file = File::create_new(path)?;
    file.write_all(b"abcdef")?;
    same!(tally, File::create_new(path).err().map(|error| error.kind()), Some(ErrorKind::AlreadyExists));
    same!(tally, fs::read(path)?, b"abcdef");
    let mut appended = OpenOptions::new().append(true).open(path)?;
    file.write_all(b"g")?;
    appended.write_all(b"hi")?;
    same!(tally, fs::read(path)?, b"abcdefghi");
    same!(tally, appended.stream_position()?, 9);
    let mut byte = [0];
    same!(tally, appended.read(&mut byte).is_err(), true);
    same!(tally, File::open(path)?.write(&byte).map_err(|error| error.raw_os_error()), Err(Some(9)));
    OpenOptions::new().write(true).open(path)?.write_all(b"AB")?;
    same!(tally, fs::read(path)?, b"ABcdefghi");
    OpenOptions::new().write(true).truncate(true).open(path)?;
    same!(tally, fs::read(path)?, b"");
    let mode = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path.with_extension("mode"))?;
    same!(tally, mode.metadata()?.permissions().mode() & 0o777, 0o600);
    Ok(())
}

fn positions(tally: &mut Tally, path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    same!(tally, file.seek(SeekFrom::Start(5))?, 5);
    file.write_all(b"x")?;
    same!(tally, fs::read(path)?, b"\0\0\0\0\0x");
    same!(tally, file.seek(SeekFrom::End(-1))?, 5);
    same!(tally, file.seek(SeekFrom::Current(-2))?, 3);
    same!(tally, file.seek(SeekFrom::Current(-4)).map_err(|error| error.kind()), Err(ErrorKind::InvalidInput));
    same!(tally, file.stream_position()?, 3);
    file.rewind()?;
    file.set_len(3)?;
    same!(tally, file.metadata()?.len(), 3);
    file.set_len(70_000)?;
    let mut text = Vec::new();
    same!(tally, file.read_to_end(&mut text)?, 70_000);
    same!(tally, text.iter().all(|&byte| byte == 0), true);
    same!(tally, file.read_to_end(&mut text)?, 0);
    file.write_all_at(b"far", 65_534)?;
    let mut three = [0; 3];
    file.read_exact_at(&mut three, 65_534)?;
    same!(tally, &three, b"far");
    same!(tally, file.read_at(&mut three, 69_999)?, 1);
    same!(tally, file.read_exact_at(&mut three, 69_999).map_err(|error| error.kind()), Err(ErrorKind::UnexpectedEof));
    same!(tally, file.stream_position()?, 70_000);
    same!(tally, File::open(path)?.set_len(0).map_err(|error| error.kind()), Err(ErrorKind::InvalidInput));
    file.sync_all()?;
    file.sync_data()?;
    file.flush()
}

fn names(path: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn directories(tally: &mut Tally, folder: &Path) -> io::Result<()> {
    let deep = folder.join("a/b/c");
    same!(tally, fs::create_dir(&deep).map_err(|error| error.kind()), Err(ErrorKind::NotFound));
    fs::create_dir_all(&deep)?;
    fs::create_dir_all(&deep)?;
    same!(tally, fs::create_dir(&deep).map_err(|error| error.kind()), Err(ErrorKind::AlreadyExists));
    DirBuilder::new().mode(0o700).create(deep.join("mine"))?;
    same!(tally, fs::metadata(deep.join("mine"))?.permissions().mode() & 0o777, 0o700);
    let above = folder.join("a");
    same!(tally, fs::remove_dir(&above).map_err(|error| error.kind()), Err(ErrorKind::DirectoryNotEmpty));
    for number in 0..300 {
        fs::write(deep.join(format!("{number:03}")), "")?;
    }
    let found = names(&deep)?;
    same!(tally, found.len(), 301);
    same!(tally, (found[0].as_str(), found[299].as_str(), found[300].as_str()), ("000", "299", "mine"));
    let entry = fs::read_dir(&deep)?.find(|entry| entry.as_ref().is_ok_and(|entry| entry.file_name() == "mine"));
    let entry = entry.unwrap()?;
    same!(tally, entry.path(), deep.join("mine"));
    same!(
        tally,
        (entry.file_type()?.is_dir(), entry.metadata()?.is_dir(), entry.file_type()?.is_file()),
        (true, true, false)
    );
    fs::rename(&deep, folder.join("moved"))?;
    same!(tally, (deep.exists(), folder.join("moved/000").is_file()), (false, true));
    same!(tally, fs::remove_dir_all(folder.join("moved/000")).is_err(), true);
    fs::remove_dir_all(folder.join("moved"))?;
    fs::remove_dir(folder.join("a/b"))?;
    fs::remove_dir(above)?;
    same!(tally, folder.join("moved").try_exists()?, false);
    same!(tally, fs::read_dir(folder.join("moved")).err().map(|error| error.kind()), Some(ErrorKind::NotFound));
    Ok(())
}

fn links(tally: &mut Tally, folder: &Path) -> io::Result<()> {
    let (file, hard, soft) = (folder.join("file"), folder.join("hard"), folder.join("soft"));
    fs::write(&file, "linked")?;
    fs::hard_link(&file, &hard)?;
    symlink("file", &soft)?;
    same!(tally, fs::metadata(&hard)?.nlink(), 2);
    same!(tally, fs::metadata(&hard)?.ino(), fs::metadata(&soft)?.ino());
    same!(tally, fs::read_to_string(&soft)?, "linked");
    same!(tally, fs::read_link(&soft)?, Path::new("file"));
    same!(tally, (soft.is_symlink(), soft.is_file(), hard.is_symlink()), (true, true, false));
    same!(tally, fs::symlink_metadata(&soft)?.len(), 4);
    same!(tally, fs::canonicalize(folder.join("./soft"))?, fs::canonicalize(folder)?.join("file"));
    same!(tally, fs::canonicalize("/tmp/..")?, Path::new("/"));
    same!(tally, fs::read_link(&file).map_err(|error| error.kind()), Err(ErrorKind::InvalidInput));
    fs::remove_file(&file)?;
    same!(tally, (soft.exists(), soft.is_symlink(), fs::read_to_string(&hard)?), (false, true, "linked".to_string()));
    fs::remove_dir_all(&soft)?;
    symlink("loop", folder.join("loop"))?;
    same!(tally, fs::read(folder.join("loop")).err().and_then(|error| error.raw_os_error()), Some(40));
    Ok(())
}

fn known(tally: &mut Tally, folder: &Path) -> io::Result<()> {
    let path = folder.join("known");
    let before = SystemTime::now() - Duration::from_secs(2);
    fs::write(&path, "12345")?;
    let known = fs::metadata(&path)?;
    same!(tally, (known.len(), known.is_file(), known.is_dir(), known.is_symlink()), (5, true, false, false));
    same!(tally, known.permissions().mode() & 0o777, 0o644);
    holds!(tally, known.modified()? > before && known.modified()? < before + Duration::from_secs(60));
    let mut permissions = known.permissions();
    same!(tally, permissions.readonly(), false);
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions)?;
    same!(tally, fs::metadata(&path)?.permissions().readonly(), true);
    let file = OpenOptions::new().read(true).open(&path)?;
    let then = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 5);
    file.set_times(FileTimes::new().set_modified(then).set_accessed(then))?;
    same!(tally, file.metadata()?.modified()?, then);
    same!(tally, fs::metadata(&path)?.accessed()?, then);
    same!(tally, (fs::metadata(&path)?.mtime(), fs::metadata(&path)?.mtime_nsec()), (1_000_000_000, 5));
    file.set_permissions(fs::Permissions::from_mode(0o640))?;
    same!(tally, file.metadata()?.mode(), 0o100_640);
    // A time that a write has only marked is there at the close.
    let mut written = OpenOptions::new().write(true).open(&path)?;
    written.write_all(b"x")?;
    drop(written);
    holds!(tally, fs::metadata(&path)?.modified()? > before);
    Ok(())
}

fn refusals(tally: &mut Tally, folder: &Path) -> io::Result<()> {
    let kind = |result: io::Result<()>| result.err().map(|error| error.kind());
    same!(tally, kind(File::open("/tmp/no\0name").map(drop)), Some(ErrorKind::InvalidInput));
    same!(tally, kind(File::open("").map(drop)), Some(ErrorKind::NotFound));
    same!(tally, kind(File::create(folder).map(drop)), Some(ErrorKind::IsADirectory));
    same!(tally, kind(fs::read(folder).map(drop)), Some(ErrorKind::IsADirectory));
    same!(tally, kind(fs::write(folder.join("n".repeat(256)), "")), Some(ErrorKind::InvalidFilename));
    same!(tally, kind(File::open(folder.join("known/below")).map(drop)), Some(ErrorKind::NotADirectory));
    same!(tally, kind(fs::remove_file(folder.join("nothing"))), Some(ErrorKind::NotFound));
    same!(tally, kind(fs::remove_dir(folder.join("known"))), Some(ErrorKind::NotADirectory));
    same!(tally, kind(fs::rename(folder, folder.join("inside"))), Some(ErrorKind::InvalidInput));
    same!(tally, kind(fs::copy(folder, folder.join("copied")).map(drop)), Some(ErrorKind::InvalidInput));
    Ok(())
}
