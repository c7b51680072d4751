//! A small table, used.

extern crate std;

use super::*;
use crate::{Credentials, Cursor, FileError, Follow, Kind, Listed, Mounts, VecSink, View};

static COUNTER: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);

fn count(_: u32, out: &mut Vec<u8>) {
    let number = COUNTER.fetch_add(1, core::sync::atomic::Ordering::Relaxed);
    out.extend_from_slice(std::format!("count {number}\n").as_bytes());
}

fn numbered(_: Trail, number: u32) -> Option<Item> {
    (number == 7).then_some(Item::Directory(&INNER))
}

fn seven(_: Trail, _: u32, _: Wanted) -> Result<Target, FileError> {
    Ok(Target::Path(b"7".to_vec()))
}

const INNER: Listing = Listing::new(&[Entry::new("where", Item::Link(|_, _, _| Err(FileError::Denied), 0))]);

static SYSTEM: System = System {
    device: 5,
    magic: 9,
    now: || 42,
    owner: |_| crate::Owner::default(),
    root: Listing {
        entries: &[Entry::new("count", Item::Text(count, 0)), Entry::new("self", Item::Link(seven, 0))],
        numbered: Some(Numbered { find: numbered, next: |_, from| (from <= 7).then_some(7), names: None }),
    },
};

fn tree() -> Arc<dyn Node> {
    root(&SYSTEM)
}

#[test]
fn tables_are_walked_and_listed() {
    let root = tree();
    let who = Credentials::default();
    let mounts = Mounts::new();
    let view = View { root: &root, start: &root, who: &who, mounts: &mounts, confined: crate::Confinement::NONE };
    let inner = view.lookup(b"self/../self", Follow::Yes).unwrap();
    assert_eq!(
        (inner.kind(), inner.metadata().inode),
        (Kind::Directory, view.lookup(b"7", Follow::No).unwrap().metadata().inode)
    );
    assert_eq!(mounts.path_of(&inner, &root).unwrap(), b"/7");
    assert_eq!(view.lookup(b"8", Follow::No).err(), Some(FileError::NotFound));
    assert_eq!(view.lookup(b"7/where", Follow::Yes).err(), Some(FileError::Denied));
    let names = |cookie: u64| {
        let mut names = Vec::new();
        let mut visit = |listed: Listed<'_>| {
            names.push((listed.name.to_vec(), listed.kind));
            true
        };
        root.list(&mut Cursor { cookie, ..Cursor::default() }, &mut visit).unwrap();
        names
    };
    let (seven, count) = ((b"7".to_vec(), Kind::Directory), (b"count".to_vec(), Kind::Regular));
    let own = (b"self".to_vec(), Kind::Link);
    assert_eq!(names(0), [count, own.clone(), seven.clone()]);
    assert_eq!(names(1), [own, seven.clone()]);
    assert_eq!(names(2 + 7), [seven]);
    assert_eq!(names(2 + 8), []);
    assert_eq!(names(u64::MAX), []);
}

/// Entries asked for by [`MANY`].
static ASKED: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);

static MANY: System = System {
    device: 6,
    magic: 9,
    now: || 42,
    owner: |_| crate::Owner::default(),
    root: Listing {
        entries: &[],
        numbered: Some(Numbered {
            find: |_, _| Some(Item::Fixed("")),
            next: |_, from| {
                ASKED.fetch_add(1, core::sync::atomic::Ordering::Relaxed);
                (from < 20_000).then_some(from)
            },
            names: None,
        }),
    },
};

/// However few fit at a time, as `/proc/self/fd` is read by a program with as many descriptors.
#[test]
fn a_listing_goes_on_where_it_was() {
    let (root, mut cursor, mut shown) = (root(&MANY), Cursor::default(), 0);
    loop {
        let before = shown;
        let mut room = 3;
        root.list(&mut cursor, &mut |_| {
            let takes = room > 0;
            (room, shown) = (room - i32::from(takes), shown + u32::from(takes));
            takes
        })
        .unwrap();
        if shown == before {
            break;
        }
    }
    assert_eq!(shown, 20_000);
    let asked = ASKED.load(core::sync::atomic::Ordering::Relaxed);
    assert!(asked <= 20_000 * 4 / 3 + 10, "{asked} asked for");
}

#[test]
fn a_text_is_one_text_until_it_is_read_again() {
    let node = tree().lookup(b"count").unwrap().open(true, false).unwrap().unwrap();
    let read = |offset| {
        let mut sink = VecSink::new(6);
        node.read_at(offset, &mut sink).unwrap();
        sink.bytes
    };
    assert_eq!(read(0), b"count ");
    let first = read(6);
    assert_eq!(read(6), first);
    assert_eq!(read(0), b"count ");
    assert_ne!(read(6), first);
    assert_eq!(read(u64::MAX), b"");
}

/// What was last written, and where: the last of the numbers that lead there.
static TOLD: sync::Mutex<Option<(u32, Vec<u8>)>> = sync::Mutex::new(None);

/// The first number on the way, the last, and which entry it is, as digits.
fn number_of(trail: Trail, which: u32, out: &mut Vec<u8>) {
    let [first, last] = [trail.first(), trail.last()].map(Option::unwrap_or_default);
    append_number(out, u64::from(first * 100 + last * 10 + which), 0);
}

static LEAVES: Listing = Listing::new(&[
    Entry::new("number", Item::Of(number_of, 1)),
    Entry::new(
        "told",
        Item::Change(
            number_of,
            |trail, bytes| {
                *TOLD.lock() = trail.last().map(|last| (last, bytes.to_vec()));
                if bytes == b"no" { Err(FileError::Denied) } else { Ok(()) }
            },
            2,
        ),
    ),
]);
static OUTER: Listing = Listing {
    entries: &[Entry::new("inner", Item::Directory(&LEAVES))],
    numbered: Some(Numbered { find: |_, _| Some(Item::Directory(&LEAVES)), next: |_, _| None, names: None }),
};
static OWNED: System = System {
    device: 7,
    magic: 9,
    now: || 42,
    owner: |_| crate::Owner { user: 3, group: 4 },
    root: Listing {
        entries: &[
            Entry::new("number", Item::Of(number_of, 1)),
            Entry::new("secret", Item::OwnersText(number_of, 1)),
            Entry::new("secrets", Item::OwnersDirectory(&OUTER)),
        ],
        numbered: Some(Numbered { find: |_, _| Some(Item::Directory(&OUTER)), next: |_, _| None, names: None }),
    },
};

#[test]
fn an_entry_knows_the_first_and_the_nearest_number_above_it() {
    let root = root(&OWNED);
    let says = |path: &str| {
        let node = path.split('/').fold(root.clone(), |node, name| node.lookup(name.as_bytes()).unwrap());
        let mut sink = crate::VecSink::new(100);
        let opened = node.open(true, false).unwrap().unwrap();
        opened.read_at(0, &mut sink).unwrap();
        (std::string::String::from_utf8(sink.bytes).unwrap(), node)
    };
    assert_eq!(
        ["number", "7/inner/number", "7/8/number", "7/8/told"].map(|path| says(path).0),
        ["1", "771", "781", "782"]
    );
    let told = says("7/8/told").1;
    assert_eq!((told.metadata().mode, told.metadata().owner.user), (0o644, 3));
    let mode = |name: &[u8]| root.lookup(name).unwrap().metadata().mode;
    assert_eq!((mode(b"secret"), mode(b"secrets")), (0o400, 0o500));
    assert_eq!(says("secret").0, says("number").0);
    let long = [b'x'; 100];
    assert_eq!(told.write_at(0, &mut crate::SliceSource::new(&long)), Ok(100));
    assert_eq!(*TOLD.lock(), Some((8, long[..64].to_vec())));
    assert_eq!(told.write_at(0, &mut crate::SliceSource::new(b"no")), Err(FileError::Denied));
    let nothing = nothing(&OWNED, 77);
    assert_eq!((nothing.inode(), nothing.kind()), (77, Kind::Regular));
    assert_eq!(nothing.read_at(0, &mut crate::VecSink::new(1)), Err(FileError::Invalid));
}

static NAMED: System = System {
    device: 8,
    magic: 9,
    now: || 42,
    owner: |_| crate::Owner::default(),
    root: Listing::new(&[Entry::new("chosen", Item::Chosen(|| &LETTERS))]),
};

static LETTERS: Listing = Listing {
    entries: &[],
    numbered: Some(Numbered {
        find: |_, number| {
            (number < 3).then_some(Item::Of(|trail, _, out| out.push(trail.last().unwrap_or(9) as u8), 0))
        },
        next: |_, from| (from < 3).then_some(from),
        names: Some(Names {
            name: |number| alloc::vec![b'a' + number as u8],
            number: |name| name.first()?.checked_sub(b'a').map(u32::from),
        }),
    }),
};

/// Entries that come and go may have names, and a directory may be chosen when somebody looks.
#[test]
fn numbers_may_have_names() {
    let chosen = root(&NAMED).lookup(b"chosen").unwrap();
    assert_eq!((chosen.kind(), chosen.metadata().mode), (Kind::Directory, 0o555));
    let mut names = Vec::new();
    chosen
        .list(&mut Cursor::default(), &mut |listed| {
            names.push(listed.name.to_vec());
            true
        })
        .unwrap();
    assert_eq!(names, [b"a", b"b", b"c"]);
    let mut byte = [9];
    chosen.lookup(b"c").unwrap().read_at(0, &mut crate::SliceSink::new(&mut byte)).unwrap();
    assert_eq!(byte, [2]);
    assert!(chosen.lookup(b"d").is_err() && chosen.lookup(b"2").is_err());
}

/// A file system that is found in another one has its own number and root, and `..` leads back.
#[test]
fn another_file_system_is_found_in_one() {
    static OUTER: System = System {
        device: 6,
        magic: 10,
        now: || 42,
        owner: |_| crate::Owner::default(),
        root: Listing { entries: &[Entry::new("inner", Item::Other(&SYSTEM))], numbered: None },
    };
    let root = root(&OUTER);
    let (who, mounts) = (Credentials::default(), Mounts::new());
    let view = View { root: &root, start: &root, who: &who, mounts: &mounts, confined: crate::Confinement::NONE };
    let inner = view.lookup(b"inner", Follow::Yes).unwrap();
    assert_eq!((inner.metadata().device, inner.metadata().inode, inner.file_system().magic), (5, 1, 9));
    assert_eq!(view.lookup(b"inner/7", Follow::No).unwrap().metadata().device, 5);
    assert_eq!(view.lookup(b"inner/7/../..", Follow::No).unwrap().metadata().device, 6);
    assert_eq!(mounts.path_of(&view.lookup(b"inner/7", Follow::No).unwrap(), &root).unwrap(), b"/inner/7");
    assert_eq!((root.metadata().links, inner.kind()), (3, Kind::Directory));
}
