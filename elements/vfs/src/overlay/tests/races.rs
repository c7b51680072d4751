//! What others do while below is asked.

use super::*;

/// An overlay of which `/`, `/a` and `/empty` have changed already, so that the next question is the one that matters.
fn settled() -> (Arc<dyn Node>, Arc<Below>) {
    let (root, below, _) = planted(world());
    with_view(&root, |view| {
        for path in ["/x", "/a/x", "/empty/x"] {
            view.open(path.as_bytes(), &CREATE).unwrap();
            view.remove_file(path.as_bytes()).unwrap();
        }
    });
    (root, below)
}

fn file() -> Creation<'static> {
    Creation { kind: MakeKind::File, mode: 0o600, owner: Owner::default() }
}

#[test]
fn a_name_is_given_once() {
    let (root, below) = settled();
    let other = root.clone();
    below.meanwhile(move || drop(other.create(b"new", &file()).unwrap()));
    assert_eq!(root.create(b"new", &file()).err(), Some(FileError::Exists));
    let (other, one) = (root.clone(), root.lookup(b"new").unwrap());
    below.meanwhile(move || drop(other.create(b"newer", &file()).unwrap()));
    assert_eq!(root.link(b"newer", &one).err(), Some(FileError::Exists));
    assert_eq!(one.metadata().links, 1);
}

#[test]
fn a_look_up_finds_what_is_there_at_its_end() {
    let (root, below) = settled();
    let other = root.clone();
    below.meanwhile(move || other.remove(b"f", Removal::File).unwrap());
    assert_eq!(root.lookup(b"f").err(), Some(FileError::NotFound));
    let (root, below) = settled();
    let other = root.clone();
    below.meanwhile(move || {
        other.remove(b"f", Removal::File).unwrap();
        other.create(b"f", &file()).unwrap();
    });
    assert_eq!(root.lookup(b"f").unwrap().metadata().size, 0);
}

#[test]
fn two_look_ups_find_one_node() {
    let (root, below) = settled();
    for (path, name) in [("/", "b"), ("/", "f"), ("/a", "one")] {
        let directory = with_view(&root, |view| view.lookup(path.as_bytes(), Follow::Yes)).unwrap();
        let found: Arc<std::sync::Mutex<Option<Arc<dyn Node>>>> = Arc::default();
        let (other, first) = (directory.clone(), found.clone());
        below.meanwhile(move || *first.lock().unwrap() = Some(other.lookup(name.as_bytes()).unwrap()));
        let second = directory.lookup(name.as_bytes()).unwrap();
        assert!(same(&second, found.lock().unwrap().as_ref().unwrap()), "{name}");
    }
}

#[test]
fn a_directory_that_somebody_fills_stays() {
    let (root, below) = settled();
    let empty = root.lookup(b"empty").unwrap();
    let other = empty.clone();
    below.meanwhile(move || drop(other.create(b"new", &file()).unwrap()));
    assert_eq!(root.remove(b"empty", Removal::Directory), Err(FileError::NotEmpty));
    empty.remove(b"new", Removal::File).unwrap();
    assert_eq!(root.remove(b"empty", Removal::Directory), Ok(()));
    assert_eq!(empty.create(b"new", &file()).err(), Some(FileError::NotFound));
}

#[test]
fn a_renaming_begins_again() {
    let (root, below) = settled();
    let (other, a) = (root.clone(), root.lookup(b"a").unwrap());
    let (f, destination) = (root.lookup(b"f").unwrap(), a.clone());
    f.change(&Change::default()).unwrap();
    below.meanwhile(move || other.rename(b"f", &other, b"elsewhere", RenameMode::Replace).unwrap());
    assert_eq!(root.rename(b"f", &destination, b"moved", RenameMode::Replace), Err(FileError::NotFound));
    assert!(same(&root.lookup(b"elsewhere").unwrap(), &f));
    // And when the new name is taken meanwhile, what has it goes.
    let other = a.clone();
    below.meanwhile(move || drop(other.create(b"moved", &file()).unwrap()));
    assert_eq!(root.rename(b"elsewhere", &a, b"moved", RenameMode::Replace), Ok(()));
    assert!(same(&a.lookup(b"moved").unwrap(), &f));
}

/// A file of 5010 bytes that has a length of its own already, of which every byte is still below.
fn settled_file() -> (Arc<dyn Node>, Arc<Below>) {
    let (root, below) = settled();
    let file = with_view(&root, |view| view.lookup(b"/a/f", Follow::Yes)).unwrap();
    file.set_length(5010).unwrap();
    (file, below)
}

#[test]
fn two_write_to_one_page() {
    let (file, below) = settled_file();
    let before = read(&file, 0, 9999);
    let other = file.clone();
    below.meanwhile(move || assert_eq!(write(&other, 10, b"first"), Ok(5)));
    write(&file, 20, b"second").unwrap();
    let after = read(&file, 0, 9999);
    assert_eq!((&after[10..15], &after[20..26]), (&b"first"[..], &b"second"[..]));
    assert_eq!((&after[..10], &after[26..]), (&before[..10], &before[26..]));
}

#[test]
fn what_is_cut_meanwhile_is_zeros() {
    let (file, below) = settled_file();
    let other = file.clone();
    below.meanwhile(move || other.set_length(3).unwrap());
    write(&file, 20, b"x").unwrap();
    let mut expected = [0; 21];
    expected[..3].copy_from_slice(&[1, 2, 3]);
    expected[20] = b'x';
    assert_eq!(read(&file, 0, 99), expected);
}

#[test]
fn two_append() {
    let (file, below) = settled_file();
    let other = file.clone();
    below.meanwhile(move || assert_eq!(other.append(&mut SliceSource::new(b"first")), Ok((5, 5015))));
    assert_eq!(file.append(&mut SliceSource::new(b"second")), Ok((6, 5021)));
    assert_eq!(read(&file, 5010, 99), b"firstsecond");
}

/// Everything listed can be looked up and has the number it was listed with, and directories count right.
fn check_tree(node: &Arc<dyn Node>, path: &str) {
    let mut directories = 0;
    for (name, inode, kind) in listed(node, 5) {
        let child = node.lookup(&name).unwrap();
        assert_eq!((child.metadata().inode, child.kind()), (inode, kind), "{path}");
        if kind == Kind::Directory {
            directories += 1;
            assert!(same(&child.place().unwrap().parent, node), "{path}");
            check_tree(&child, &std::format!("{path}/{}", std::string::String::from_utf8(name).unwrap()));
        }
    }
    assert_eq!(node.metadata().links, 2 + directories, "{path}");
}

#[test]
fn threads_leave_a_tree_that_is_whole() {
    const PATHS: [&[u8]; 12] = [
        b"/a",
        b"/a/b",
        b"/a/b/c",
        b"/b",
        b"/b/full",
        b"/empty",
        b"/f",
        b"/a/f",
        b"/b/full/f",
        b"/b/two",
        b"/a/one",
        b"/n",
    ];
    let (root, ..) = planted(world());
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let root = root.clone();
            scope.spawn(move || {
                let mut state = thread + 1;
                let mut pick = |limit: usize| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 33) as usize % limit
                };
                for _ in 0..3000 {
                    let (what, path, other) = (pick(8), PATHS[pick(12)], PATHS[pick(12)]);
                    with_view(&root, |view| {
                        let _ = match what {
                            0 => view.make(path, MakeKind::Directory, 0o755).map(drop),
                            1 => view.remove_directory(path),
                            2 => view.remove_file(path),
                            3 => view.lookup(path, Follow::No).and_then(|node| view.link(&node, other)),
                            4 => view.open(path, &CREATE).and_then(|opened| write(&opened.node, 5, other).map(drop)),
                            5 => view.rename(path, view, other, RenameMode::Exchange),
                            _ => view.rename(path, view, other, RenameMode::Replace),
                        };
                    });
                }
            });
        }
    });
    check_tree(&root, "");
}
