//! An archive's files without unpacking them, beside the same archive unpacked.

use alloc::{string::String, sync::Arc, vec::Vec};

use super::root;
use crate::{
    Confinement, Credentials, Cursor, FileError, Follow, Kind, Mounting, Mounts, Node, View,
    ramfs::Ramfs,
    tests::{read, unpack::pack, world},
};
use archive::{DIRECTORY, Head, LINK, PIPE, REGULAR};

fn packed(entries: &[(&[u8], u32, &[u8])]) -> Arc<dyn Node> {
    root(1, pack(entries)).unwrap()
}

fn names(directory: &dyn Node) -> Vec<String> {
    let mut names = Vec::new();
    let visit = &mut |listed: crate::Listed<'_>| {
        names.push(String::from_utf8(listed.name.to_vec()).unwrap());
        true
    };
    directory.list(&mut Cursor::default(), visit).unwrap();
    names
}

const TREE: &[(&[u8], u32, &[u8])] = &[
    (b".whittle/launch", REGULAR | 0o400, b"program=x"),
    (b"usr/bin/x", REGULAR | 0o4755, b"#!"),
    (b"./usr/lib/", DIRECTORY | 0o711, b""),
    (b"/bin", LINK | 0o777, b"usr/bin"),
    (b"a/../usr/lib/escape", REGULAR, b"x"),
    (b".", DIRECTORY | 0o700, b""),
    (b"pipe", PIPE | 0o600, b""),
];

fn walked(root: &Arc<dyn Node>, mounts: &Mounts, path: &str) -> Result<Arc<dyn Node>, FileError> {
    let who = Credentials::default();
    View { root, start: root, who: &who, mounts, confined: Confinement::NONE }.lookup(path.as_bytes(), Follow::Yes)
}

#[test]
fn paths_lead_where_they_lead_in_the_unpacked_archive() {
    let packed = packed(TREE);
    let (ramfs, _) = Ramfs::from_archive(1, world(usize::MAX), pack(TREE));
    let unpacked: Arc<dyn Node> = ramfs.root().clone();
    let mounts = Mounts::new();
    for path in [
        "/",
        "usr",
        "usr/",
        "usr/bin/x",
        "bin/x",
        "bin/../lib",
        "usr/lib",
        "usr/lib/escape",
        ".whittle",
        "none",
        "usr/none",
        "usr/bin/x/none",
        "..",
    ] {
        let know = |root: &Arc<dyn Node>| {
            walked(root, &mounts, path).map(|node| {
                let metadata = node.metadata();
                (
                    metadata.kind,
                    metadata.mode,
                    metadata.owner,
                    metadata.modified * i64::from(metadata.kind != Kind::Directory),
                )
            })
        };
        assert_eq!(know(&packed), know(&unpacked), "{path}");
    }
    assert_eq!(read(&walked(&packed, &mounts, "/bin/x").unwrap(), 1, 9), b"!");
}

#[test]
fn a_directory_lists_each_name_once() {
    let root =
        packed(&[(b"a/b", REGULAR, b"x"), (b"a/c/d", REGULAR, b""), (b"a", DIRECTORY, b""), (b"e", REGULAR, b"")]);
    assert_eq!(names(&*root), ["a", "e"]);
    assert_eq!(names(&*root.lookup(b"a").unwrap()), ["b", "c"]);
    let mut cursor = Cursor::default();
    root.list(&mut cursor, &mut |_| false).unwrap();
    assert_eq!(cursor.cookie, 0);
}

#[test]
fn a_place_leads_back_to_the_root_itself() {
    let root = packed(TREE);
    let mounts = Mounts::new();
    let node = walked(&root, &mounts, "usr/lib").unwrap();
    assert_eq!(mounts.path_of(&node, &root).unwrap(), b"/usr/lib");
}

#[test]
fn numbers_tell_nodes_apart() {
    let root = packed(&[(b"a/b/c", REGULAR, b"x"), (b"f", REGULAR, b"y")]);
    let mounts = Mounts::new();
    let mut numbers: Vec<u64> =
        ["/", "a", "a/b", "a/b/c", "f"].iter().map(|path| walked(&root, &mounts, path).unwrap().inode()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 5);
}

#[test]
fn a_file_with_two_names_has_its_contents_under_both() {
    let mut bytes = Vec::new();
    for (name, contents) in [(&b"one"[..], &b""[..]), (b"two", b"contents")] {
        let head = Head { name, mode: REGULAR, inode: 7, size: contents.len() as u64, ..Head::default() };
        let at = bytes.len();
        head.write(at as u64, &mut |part| bytes.extend_from_slice(part)).unwrap();
        // The number of names, which `Head` does not say.
        bytes[at + 38..at + 46].copy_from_slice(b"00000002");
        bytes.extend_from_slice(contents);
        bytes.resize(bytes.len() + head.padding(), 0);
    }
    archive::trailer(bytes.len() as u64, &mut |part| bytes.extend_from_slice(part));
    let root = root(1, bytes.leak()).unwrap();
    let [one, two] = [b"one", b"two"].map(|name| root.lookup(name).unwrap());
    assert_eq!((read(&one, 0, 9), one.inode(), one.metadata().links), (b"contents".to_vec(), two.inode(), 2));
}

#[test]
fn nothing_changes() {
    let root = packed(TREE);
    let mounts = Mounts::new();
    mounts.begin(Mounting { root: root.clone(), kind: "romfs", source: b""[..].into(), read_only: true });
    let node = walked(&root, &mounts, "bin/x").unwrap();
    assert_eq!(mounts.check_change(&*node), Err(FileError::ReadOnly));
    assert!(root.lookup(b"pipe").unwrap().open(true, false).is_err());
}

#[test]
fn an_archive_that_does_not_end_is_refused() {
    let whole = pack(TREE);
    assert!(root(1, &whole[..whole.len() / 2]).is_err());
    assert!(root(1, b"").is_ok());
}
