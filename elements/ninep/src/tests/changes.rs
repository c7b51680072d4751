//! Contents, others' changes, and errors.

use std::{vec, vec::Vec};

use vfs::OpenRequest;

use super::*;

const READ: OpenRequest = OpenRequest {
    read: true,
    write: false,
    create: None,
    exclusive: false,
    truncate: false,
    directory: false,
    no_follow: false,
    path_only: false,
    keep_access_time: false,
};
const BOTH: OpenRequest = OpenRequest { write: true, ..READ };

fn sample(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at / 4096 * 7 + at) as u8).collect()
}

#[test]
fn contents_go_there_and_back_in_any_pieces() {
    for most in [0, 1, 1000, 4096] {
        let server = Server::new();
        server.most.store(most, Relaxed);
        let client = client(&server);
        let bytes = sample(if most == 1 || cfg!(miri) { 5000 } else { 1_000_000 });
        client.write("/file", &bytes).unwrap();
        assert!(server.get("/file") == bytes && client.read("/file").unwrap() == bytes);
        server.put("/theirs", &bytes);
        assert!(client.read("/theirs").unwrap() == bytes);
    }
}

#[test]
fn a_change_by_another_is_seen_at_the_next_open() {
    let server = Server::new();
    let client = client(&server);
    server.put("/file", b"before");
    assert_eq!(client.read("/file").unwrap(), b"before");
    server.put("/file", b"behind");
    client.here.later();
    assert_eq!(client.read("/file").unwrap(), b"behind");
    server.put("/file", b"much longer");
    client.here.later();
    let open = client.open("/file", &READ).unwrap();
    assert_eq!(contents(&*open), b"much longer");
    // Who has it open is shown what is added.
    server.put("/file", b"much longer and longer");
    assert_eq!(contents(&*open), b"much longer and longer");
    server.view().remove_file(b"/file").unwrap();
    server.put("/file2", b"other");
    server.view().rename(b"/file2", &server.view(), b"/file", vfs::RenameMode::Replace).unwrap();
    client.here.later();
    assert_eq!(client.read("/file").unwrap(), b"other");
    server.view().remove_file(b"/file").unwrap();
    client.here.later();
    assert_eq!(client.read("/file").err(), Some(FileError::NotFound));
}

#[test]
fn our_own_changes_cost_no_second_read() {
    let server = Server::new();
    let client = client(&server);
    client.write("/file", &sample(100_000)).unwrap();
    client.here.later();
    let before = server.requests.load(Relaxed);
    assert!(client.read("/file").unwrap() == sample(100_000));
    // Attributes, a fid to read by (two requests), and the end.
    assert_eq!(server.requests.load(Relaxed) - before, 4);
}

#[test]
fn a_file_without_a_name_goes_on() {
    let server = Server::new();
    let client = client(&server);
    let request = OpenRequest { create: Some(0o600), ..BOTH };
    let open = client.open("/file", &request).unwrap();
    open.write_at(0, &mut SliceSource::new(b"one two three")).unwrap();
    client.view().remove_file(b"/file").unwrap();
    client.here.later();
    assert_eq!(contents(&*open), b"one two three");
    assert_eq!((open.metadata().links, open.metadata().size), (0, 13));
    open.append(&mut SliceSource::new(b" four")).unwrap();
    open.set_length(7).unwrap();
    assert_eq!((contents(&*open), open.metadata().size), (b"one two".to_vec(), 7));
    open.set_length(10).unwrap();
    assert_eq!(contents(&*open), b"one two\0\0\0");
    open.sync(true).unwrap();
    // The same name again is another file.
    client.write("/file", b"new").unwrap();
    assert_eq!((client.read("/file").unwrap(), contents(&*open).len()), (b"new".to_vec(), 10));
    // So is one that takes its name by renaming.
    let old = client.open("/file", &READ).unwrap();
    client.write("/next", b"next").unwrap();
    client.view().rename(b"/next", &client.view(), b"/file", vfs::RenameMode::Replace).unwrap();
    assert_eq!((client.read("/file").unwrap(), contents(&*old)), (b"next".to_vec(), b"new".to_vec()));
}

#[test]
fn a_file_that_another_renames_is_appended_to() {
    let server = Server::new();
    let client = client(&server);
    for before in [0, 1, 2, 3, 4095, 4096, 100_000] {
        let mut whole = sample(before);
        server.put("/log", &whole);
        let open = client.open("/log", &BOTH).unwrap();
        let rename = || server.view().rename(b"/log", &server.view(), b"/log.1", vfs::RenameMode::Replace);
        rename().unwrap();
        for (more, other) in [(&b" two"[..], None), (b" three", Some(&b"of another"[..])), (b"", Some(b""))] {
            if let Some(other) = other {
                server.put("/log", other);
            }
            client.here.later();
            assert_eq!(open.append(&mut SliceSource::new(more)).unwrap().0, more.len());
            whole.extend(more);
            assert!(server.get("/log.1") == whole, "{before} bytes, and {more:?}");
            assert_eq!(other.map(|_| server.get("/log")), other.map(<[u8]>::to_vec));
        }
        drop(open);
        server.view().remove_file(b"/log").unwrap();
    }
}

#[test]
fn errors_come_through_and_nothing_written_is_lost() {
    let server = Server::new();
    let client = client(&server);
    client.write("/file", b"kept").unwrap();
    let open = client.open("/file", &BOTH).unwrap();
    for (number, error) in [
        (28, FileError::NoSpace),
        (122, FileError::NoQuota),
        (30, FileError::ReadOnly),
        (5, FileError::Failed),
        (116, FileError::Stale),
        (13, FileError::Denied),
        (12345, FileError::Failed),
    ] {
        server.refuses.store(number, Relaxed);
        assert_eq!(open.write_at(2, &mut SliceSource::new(b"lost")), Err(error));
        assert_eq!(open.append(&mut SliceSource::new(b"lost")), Err(error));
        assert_eq!(open.set_length(0), Err(error));
        assert_eq!(client.write("/new", b"").err(), Some(error));
        assert_eq!(client.view().remove_file(b"/file"), Err(error));
        assert_eq!(client.view().rename(b"/file", &client.view(), b"/x", vfs::RenameMode::Replace), Err(error));
        assert_eq!(contents(&*open), b"kept");
    }
    server.refuses.store(0, Relaxed);
    server.world.full.store(true, Relaxed);
    let big = vec![1; 300_000];
    assert_eq!(open.write_at(4096, &mut SliceSource::new(&big)), Err(FileError::NoSpace));
    assert_eq!(server.get("/file"), b"kept");
    server.world.full.store(false, Relaxed);
    open.write_at(4, &mut SliceSource::new(b" and more")).unwrap();
    assert_eq!(server.get("/file"), b"kept and more");
}

#[test]
fn a_lost_server_is_an_error_everywhere() {
    let server = Server::new();
    let client = client(&server);
    client.write("/file", &sample(9000)).unwrap();
    let open = client.open("/file", &BOTH).unwrap();
    server.lost.store(true, Relaxed);
    client.here.later();
    assert_eq!(client.look("/file").err(), Some(FileError::Failed));
    assert_eq!(open.write_at(0, &mut SliceSource::new(b"x")), Err(FileError::Failed));
    assert_eq!(list(&*client.root, &mut |_| ()), Err(FileError::Failed));
    assert_eq!(open.metadata().size, 9000);
}

#[test]
fn stores_into_a_mapping_reach_the_server_at_flush_and_close() {
    let server = Server::new();
    let client = client(&server);
    client.write("/file", &sample(10_000)).unwrap();
    let open = client.open("/file", &BOTH).unwrap();
    open.pages().unwrap().page(1, true).unwrap().change(|bytes| bytes[0] = 0xee);
    open.flush(0..9).unwrap();
    assert_eq!(server.get("/file")[4096], 0xee);
    open.pages().unwrap().page(2, true).unwrap().change(|bytes| bytes[1] = 0xdd);
    drop(open);
    assert_eq!((server.get("/file")[8193], server.get("/file").len()), (0xdd, 10_000));
}

/// What a listing says that everything in the root is.
fn kinds(client: &Client) -> Vec<Kind> {
    let mut kinds = Vec::new();
    list(&*client.root, &mut |listed| kinds.push(listed.kind)).unwrap();
    kinds
}

#[test]
fn a_server_without_pipes_and_sockets_has_their_names() {
    for only_files in [false, true] {
        let server = Server::new();
        server.only_files.store(only_files, Relaxed);
        let client = client(&server);
        for kind in [Kind::Pipe, Kind::Socket] {
            let made = client.view().make(b"/name", vfs::MakeKind::Special(kind, (0, 0)), 0o640).unwrap();
            assert_eq!((made.kind(), made.metadata().mode, kinds(&client)), (kind, 0o640, vec![kind]));
            let theirs = server.view().lookup(b"/name", Follow::No).unwrap();
            assert_eq!(theirs.kind(), if only_files { Kind::Regular } else { kind });
            made.change(&vfs::Change { modified: Some(5), mode: Some(0o600), ..vfs::Change::default() }).unwrap();
            drop(made);
            client.view().rename(b"/name", &client.view(), b"/other", vfs::RenameMode::Replace).unwrap();
            client.here.later();
            let found = client.look("/other").unwrap();
            assert_eq!((found.kind(), found.metadata().mode), (kind, 0o600));
            client.view().remove_file(b"/other").unwrap();
            client.write("/other", b"").unwrap();
            assert_eq!((client.look("/other").unwrap().kind(), kinds(&client)), (Kind::Regular, vec![Kind::Regular]));
            client.view().remove_file(b"/other").unwrap();
        }
        let device = vfs::MakeKind::Special(Kind::Character, (1, 3));
        assert_eq!(client.view().make(b"/device", device, 0o600).err(), only_files.then_some(FileError::NoDevice));
    }
}
