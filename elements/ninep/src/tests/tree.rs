//! What stands where.

use std::{format, string::String, sync::Arc, vec, vec::Vec};

use vfs::{Change, Follow, MakeKind, OpenRequest, Removal, RenameMode, same};

use super::*;
use crate::tests::server::NOBODY;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn path(&mut self) -> String {
        let depth = 1 + self.below(3);
        (0..depth).map(|_| format!("/{}", ["a", "b", "c", "d\u{e9}"][self.below(4) as usize])).collect()
    }
}

/// The same change through the client and on a tree without one.
fn change(view: &View<'_>, which: u64, one: &str, other: &str, size: usize) -> Result<(), FileError> {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let write = OpenRequest { write: true, create: Some(0o640), ..OpenRequest::default() };
    match which {
        0 | 1 => view.make(one, MakeKind::Directory, 0o755).map(|_| ()),
        2..=4 => {
            let opened = view.open(one, &write)?;
            let node = opened.stream.unwrap_or(opened.node);
            node.append(&mut SliceSource::new(&vec![size as u8; size])).map(|_| ())
        }
        5 => view.make(one, MakeKind::Link(other), 0o777).map(|_| ()),
        6 => view.make(one, MakeKind::Special(Kind::Pipe, (0, 0)), 0o600).map(|_| ()),
        7 => view.remove_file(one),
        8 => view.remove_directory(one),
        9 | 10 => view.rename(one, view, other, RenameMode::Replace),
        11 => view.link(&view.lookup(one, Follow::No)?, other),
        12 => view
            .lookup(one, Follow::Yes)?
            .change(&Change { mode: Some(0o600 | (size as u32 % 8)), ..Default::default() }),
        13 => {
            let node = view.lookup(one, Follow::Yes)?;
            if node.kind() == Kind::Regular { node.set_length(size as u64 * 3) } else { Ok(()) }
        }
        _ => view.rename(one, view, other, RenameMode::Keep),
    }
}

#[test]
fn random_changes_leave_the_tree_that_they_leave_without_a_server() {
    let rounds = if cfg!(miri) { 60 } else { 4000 };
    for seed in 0..3 {
        let (server, model) = (Server::new(), Server::new());
        let client = client(&server);
        let mut random = Random(seed);
        for round in 0..rounds {
            let (which, one, other) = (random.below(15), random.path(), random.path());
            let size = random.below(9000) as usize;
            if random.below(20) == 0 {
                client.here.later();
            }
            let here = change(&client.view(), which, &one, &other, size);
            let there = change(&model.view(), which, &one, &other, size);
            assert_eq!(here, there, "seed {seed}, round {round}: {which} {one} {other}");
        }
        let expected = Server::tree(&model.root);
        assert_eq!(Server::tree(&server.root), expected);
        assert_eq!(Server::tree(&client.root), expected);
        client.here.later();
        assert_eq!(Server::tree(&client.root), expected);
    }
}

#[test]
fn a_node_is_one_however_it_is_found() {
    let server = Server::new();
    let client = client(&server);
    client.view().make(b"/a", MakeKind::Directory, 0o755).unwrap();
    client.view().make(b"/a/b", MakeKind::Directory, 0o755).unwrap();
    client.write("/a/b/file", b"one").unwrap();
    let file = client.look("/a/b/file").unwrap();
    client.view().link(&file, b"/other").unwrap();
    client.here.later();
    assert!(same(&file, &client.look("/other").unwrap()));
    assert_eq!(file.metadata().links, 2);
    let directory = client.look("/a/b").unwrap();
    assert!(same(&directory, &client.look("/a/../a/b/.").unwrap()));
    assert_eq!(MOUNTS.path_of(&directory, &client.root).unwrap(), b"/a/b");
    client.view().rename(b"/a", &client.view(), b"/c", RenameMode::Replace).unwrap();
    assert_eq!(MOUNTS.path_of(&directory, &client.root).unwrap(), b"/c/b");
    client.here.later();
    assert!(same(&directory, &client.look("/c/b").unwrap()));
    assert_eq!(client.read("/c/b/file").unwrap(), b"one");
    client.view().remove_file(b"/c/b/file").unwrap();
    client.view().remove_directory(b"/c/b").unwrap();
    assert!(directory.place().unwrap().removed);
    assert_eq!(
        directory.create(b"x", &vfs::Creation { kind: MakeKind::File, mode: 0, owner: NOBODY }).err(),
        Some(FileError::NotFound)
    );
    assert_eq!(client.read("/other").unwrap(), b"one");
}

#[test]
fn what_is_known_costs_one_request() {
    let server = Server::new();
    let client = client(&server);
    for path in ["/a", "/a/b", "/a/b/c"] {
        client.view().make(path.as_bytes(), MakeKind::Directory, 0o755).unwrap();
    }
    client.write("/a/b/c/file", b"text").unwrap();
    let count = |what: &dyn Fn()| {
        let before = server.requests.load(Relaxed);
        what();
        server.requests.load(Relaxed) - before
    };
    let soon = || {
        client.here.0.fetch_add(2 * crate::FRESH, Relaxed);
    };
    soon();
    assert_eq!(count(&|| assert_eq!(client.look("/a/b/c/file").unwrap().metadata().size, 4)), 1);
    soon();
    assert_eq!(client.read("/a/b/c/file").unwrap(), b"text");
    soon();
    // The attributes; the end of the file.
    assert_eq!(count(&|| assert_eq!(client.read("/a/b/c/file").unwrap(), b"text")), 2);
    soon();
    assert_eq!(count(&|| drop(client.open("/a/b/c/file", &OpenRequest { read: true, ..Default::default() }))), 1);
    soon();
    assert_eq!(count(&|| assert_eq!(client.look("/a/b/c/none").err(), Some(FileError::NotFound))), 1);
}

#[test]
fn many_entries_are_listed_in_pieces() {
    let server = Server::new();
    let client = client(&server);
    let count = if cfg!(miri) { 300 } else { 3000 };
    for index in 0..count {
        server.put(&format!("/entry {:05}", index * 7919 % count), b"");
    }
    let odd: &[u8] = b"\xff\xfe \n\t\\'\"";
    client.root.create(odd, &vfs::Creation { kind: MakeKind::File, mode: 0o600, owner: NOBODY }).unwrap();
    let (mut names, mut cursor): (Vec<Vec<u8>>, _) = (Vec::new(), vfs::Cursor::default());
    loop {
        let (before, mut full) = (names.len(), false);
        let visit = &mut |listed: vfs::Listed<'_>| {
            full = names.len() - before == 997;
            if !full {
                names.push(listed.name.to_vec());
            }
            !full
        };
        client.root.list(&mut cursor, visit).unwrap();
        if !full {
            break;
        }
    }
    names.sort();
    assert_eq!(names.len(), count + 1);
    names.dedup();
    assert_eq!(names.len(), count + 1);
    assert_eq!(names.last().unwrap(), odd);
    assert!(client.root.lookup(odd).is_ok());
}

#[test]
fn fids_are_given_back() {
    let server = Server::new();
    let client = client(&server);
    let count = if cfg!(miri) { 30 } else { 3000 };
    for index in 0..count {
        let name = format!("/{index}");
        client.write(&name, b"x").unwrap();
        assert_eq!(client.read(&name).unwrap(), b"x");
        if index % 2 == 0 {
            client.root.remove(&name.as_bytes()[1..], Removal::File).unwrap();
        }
    }
    // One for the name and one that reads, of each that is remembered.
    assert!(server.fids() <= 2 * crate::REMEMBERED + 3, "{}", server.fids());
}

#[test]
fn deep_trees_end_without_deep_stacks() {
    let server = Server::new();
    let client = client(&server);
    let depth = if cfg!(miri) { 20 } else { 1200 };
    let mut at = client.root.clone();
    let creation = vfs::Creation { kind: MakeKind::Directory, mode: 0o755, owner: NOBODY };
    for _ in 0..depth {
        at = at.create(b"d", &creation).unwrap();
    }
    // Others take the places of those that are remembered, and the last one of them goes with all above it.
    let root = client.root.clone();
    let others = move || {
        drop(at);
        for index in 0..crate::REMEMBERED + 1 {
            root.create(format!("{index}").as_bytes(), &creation).unwrap();
        }
    };
    std::thread::Builder::new().stack_size(128 << 10).spawn(others).unwrap().join().unwrap();
    assert!(server.fids() <= crate::REMEMBERED + 1 || cfg!(miri), "{}", server.fids());
}

#[test]
fn file_systems_and_links_are_told() {
    let server = Server::new();
    let client = client(&server);
    assert_eq!(client.root.file_system().blocks, (1 << 30) / 4096);
    client.view().make(b"/link", MakeKind::Link(b"to/somewhere"), 0o777).unwrap();
    assert_eq!(&*client.look("/link").unwrap().read_link().unwrap(), b"to/somewhere");
    let long = vec![b'x'; 300];
    assert_eq!(client.root.lookup(&long).err(), Some(FileError::NameTooLong));
    assert_eq!(
        client.view().make(b"/long", MakeKind::Link(&vec![b'x'; 5000]), 0o777).err(),
        Some(FileError::NameTooLong)
    );
    let other = super::client(&Server::new());
    let foreign: Arc<dyn Node> = other.root.clone();
    assert_eq!(client.root.rename(b"link", &foreign, b"x", RenameMode::Replace), Err(FileError::CrossDevice));
    assert_eq!(client.root.rename(b"link", &client.root, b"x", RenameMode::Exchange), Err(FileError::Invalid));
}
