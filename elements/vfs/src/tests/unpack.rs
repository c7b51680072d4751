//! Trees out of archives, honest and hostile.

use super::*;
use archive::{DIRECTORY, Head, LINK, REGULAR};

pub(crate) fn pack(entries: &[(&[u8], u32, &[u8])]) -> &'static [u8] {
    let mut bytes = Vec::new();
    for &(name, mode, contents) in entries {
        let head = Head { name, mode, size: contents.len() as u64, modified: 7, user: 3, ..Head::default() };
        head.write(bytes.len() as u64, &mut |part| bytes.extend_from_slice(part)).unwrap();
        bytes.extend_from_slice(contents);
        bytes.resize(bytes.len() + head.padding(), 0);
    }
    archive::trailer(bytes.len() as u64, &mut |part| bytes.extend_from_slice(part));
    bytes.leak()
}

fn unpack(bytes: &'static [u8]) -> (Ramfs, ramfs::Unpacked) {
    Ramfs::from_archive(1, world(usize::MAX), bytes)
}

fn at(ramfs: &Ramfs, path: &str) -> Result<Arc<dyn Node>, FileError> {
    let root: Arc<dyn Node> = ramfs.root().clone();
    View {
        root: &root,
        start: &root,
        who: &Credentials::default(),
        mounts: &Mounts::new(),
        confined: crate::Confinement::NONE,
    }
    .lookup(path.as_bytes(), Follow::No)
}

#[test]
fn an_archive_becomes_a_tree() {
    let (ramfs, unpacked) = unpack(pack(&[
        (b".whittle/launch", REGULAR | 0o400, b"program=x"),
        (b"usr/bin/x", REGULAR | 0o4755, b"#!"),
        (b"./usr/lib/", DIRECTORY | 0o711, b""),
        (b"/bin", LINK | 0o777, b"usr/bin"),
        (b".", DIRECTORY | 0o700, b""),
    ]));
    assert_eq!(unpacked, ramfs::Unpacked::default());
    assert!(at(&ramfs, "/.whittle").is_err());
    let program = at(&ramfs, "/bin/x").unwrap();
    let metadata = program.metadata();
    assert_eq!((metadata.mode, metadata.owner.user, metadata.modified), (0o4755, 3, 7_000_000_000));
    assert_eq!(read(&program, 0, 9), b"#!");
    assert_eq!(at(&ramfs, "/usr").unwrap().metadata().links, 4);
    assert_eq!(at(&ramfs, "/usr/lib").unwrap().metadata().mode, 0o711);
    assert_eq!(at(&ramfs, "/").unwrap().metadata().mode, 0o700);
}

#[test]
fn hostile_names_are_left_out() {
    let long = [b'n'; 256];
    let (ramfs, unpacked) = unpack(pack(&[
        (b"../escape", REGULAR, b"x"),
        (b"a/../b", REGULAR, b"x"),
        (b"..", REGULAR, b"x"),
        (b"file", REGULAR, b"x"),
        (b"file/below", REGULAR, b"x"),
        (&long, REGULAR, b"x"),
        (b"odd", 0o170_000, b""),
        (b"//a///./c", REGULAR, b"x"),
    ]));
    assert_eq!((unpacked.refused, unpacked.error), (6, None));
    let root: Arc<dyn Node> = ramfs.root().clone();
    assert_eq!(names(&root), [&b"a"[..], b"file"]);
    assert_eq!(read(&at(&ramfs, "/a/c").unwrap(), 0, 2), b"x");
}

#[test]
fn the_last_word_counts() {
    let (ramfs, _) = unpack(pack(&[
        (b"d/x", REGULAR, b"old"),
        (b"d/x", REGULAR, b"new"),
        (b"d", DIRECTORY | 0o500, b""),
        (b"e/y", REGULAR, b""),
        (b"e", REGULAR, b"file"),
    ]));
    assert_eq!(read(&at(&ramfs, "d/x").unwrap(), 0, 9), b"new");
    assert_eq!(at(&ramfs, "d").unwrap().metadata().mode, 0o500);
    assert_eq!(read(&at(&ramfs, "e").unwrap(), 0, 9), b"file");
    assert_eq!(at(&ramfs, "/").unwrap().metadata().links, 3);
}

#[test]
fn hard_links_share_contents_that_come_last() {
    let bytes = pack(&[(b"one", REGULAR, b""), (b"two", REGULAR, b"both")]);
    let mut bytes = bytes.to_vec();
    // The writer makes no hard links: say so by hand (inode 1, two names).
    let second = bytes.windows(6).rposition(|window| window == b"two\0\0\0").unwrap() - 110;
    for header in [0, second] {
        bytes[header + 6..header + 14].copy_from_slice(b"00000001");
        bytes[header + 38..header + 46].copy_from_slice(b"00000002");
    }
    let (ramfs, _) = unpack(bytes.leak());
    assert_eq!(read(&at(&ramfs, "one").unwrap(), 0, 9), b"both");
    assert_eq!(at(&ramfs, "two").unwrap().metadata().links, 2);
    assert!(at(&ramfs, "one").unwrap().in_place().is_some());
}

#[test]
fn a_broken_archive_gives_what_came_before() {
    let bytes = pack(&[(b"first", REGULAR, b"1"), (b"second", REGULAR, &[2; 10_000])]);
    let (ramfs, unpacked) = unpack(&bytes[..9000]);
    assert_eq!(unpacked.error, Some(archive::ArchiveError::Truncated));
    assert!(at(&ramfs, "first").is_ok() && at(&ramfs, "second").is_err());
}

#[test]
fn directories_are_filled_when_somebody_looks() {
    let (ramfs, _) = unpack(pack(&[(b"dev/null", REGULAR, b"mine")]));
    ramfs.root().provide(
        b"dev",
        0o755,
        Some(|filling| {
            filling.add(b"null", MakeKind::Special(Kind::Character, (1, 3)), 0o666);
            filling.add(b"zero", MakeKind::Special(Kind::Character, (1, 5)), 0o666);
            filling.add(b"shm", MakeKind::Directory, 0o1777);
        }),
    );
    assert_eq!(at(&ramfs, "/dev/null").unwrap().kind(), Kind::Regular);
    assert_eq!(at(&ramfs, "/dev/zero").unwrap().metadata().special, (1, 5));
    assert_eq!(at(&ramfs, "/dev").unwrap().metadata().links, 3);
    let root: Arc<dyn Node> = ramfs.root().clone();
    assert_eq!(Mounts::new().path_of(&at(&ramfs, "/dev/shm").unwrap(), &root).unwrap(), b"/dev/shm");
}
