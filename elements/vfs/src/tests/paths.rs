//! Walking, opening and changing the tree.

use super::*;

#[test]
fn dots_slashes_and_the_root() {
    with_view(|view| {
        directory(view, "/a");
        let b = directory(view, "a//b/");
        for path in ["/a/b", "a/./b/", "/a/b/../b", "/../../a/b/.", "//a//b//"] {
            assert!(same(&view.lookup(path.as_bytes(), Follow::Yes).unwrap(), &b), "{path}");
        }
        assert!(same(&view.lookup(b"/..", Follow::Yes).unwrap(), view.root));
        assert_eq!(view.mounts.path_of(&b, view.root).unwrap(), b"/a/b");
        assert_eq!(view.mounts.path_of(view.root, view.root).unwrap(), b"/");
        assert_eq!(view.lookup(b"", Follow::Yes).err(), Some(FileError::NotFound));
        assert_eq!(view.lookup(b"/a/x/..", Follow::Yes).err(), Some(FileError::NotFound));
        let long = [b'n'; 256];
        assert_eq!(view.lookup(&long, Follow::Yes).err(), Some(FileError::NameTooLong));
    });
}

#[test]
fn links_are_followed_forty_times() {
    with_view(|view| {
        let target = file(view, "/f");
        let mut before = std::string::String::from("f");
        for number in 0..41 {
            view.make(std::format!("l{number}").as_bytes(), MakeKind::Link(before.as_bytes()), 0o777).unwrap();
            before = std::format!("l{number}");
        }
        assert!(same(&view.lookup(b"l39", Follow::Yes).unwrap(), &target));
        assert_eq!(view.lookup(b"l40", Follow::Yes).err(), Some(FileError::TooManyLinks));
        view.make(b"loop", MakeKind::Link(b"./loop"), 0o777).unwrap();
        assert_eq!(view.lookup(b"loop/x", Follow::No).err(), Some(FileError::TooManyLinks));
        assert_eq!(view.lookup(b"loop", Follow::No).unwrap().kind(), Kind::Link);
    });
}

#[test]
fn a_slash_at_the_end_means_a_directory() {
    with_view(|view| {
        directory(view, "/d");
        file(view, "/f");
        view.make(b"to_d", MakeKind::Link(b"d"), 0o777).unwrap();
        view.make(b"to_f", MakeKind::Link(b"f"), 0o777).unwrap();
        assert_eq!(view.lookup(b"to_d/", Follow::No).unwrap().kind(), Kind::Directory);
        assert_eq!(view.lookup(b"to_f/", Follow::No).err(), Some(FileError::NotDirectory));
        assert_eq!(view.lookup(b"f/", Follow::No).err(), Some(FileError::NotDirectory));
        assert_eq!(view.remove_file(b"f/"), Err(FileError::NotDirectory));
        assert_eq!(view.remove_directory(b"to_d/"), Err(FileError::NotDirectory));
        assert_eq!(view.open(b"new/", &CREATE).err(), Some(FileError::IsDirectory));
        assert_eq!(view.open(b"f/", &CREATE).err(), Some(FileError::IsDirectory));
    });
}

#[test]
fn opening_creates_through_a_dangling_link() {
    with_view(|view| {
        directory(view, "/d");
        view.make(b"link", MakeKind::Link(b"d/new"), 0o777).unwrap();
        let exclusive = OpenRequest { exclusive: true, ..CREATE };
        assert_eq!(view.open(b"link", &exclusive).err(), Some(FileError::Exists));
        let made = file(view, "link");
        assert!(same(&view.lookup(b"/d/new", Follow::No).unwrap(), &made));
        let no_follow = OpenRequest { read: true, no_follow: true, ..OpenRequest::default() };
        assert_eq!(view.open(b"link", &no_follow).err(), Some(FileError::TooManyLinks));
        let path_only = OpenRequest { path_only: true, ..no_follow };
        assert_eq!(view.open(b"link", &path_only).unwrap().node.kind(), Kind::Link);
        assert_eq!(
            view.open(b"d", &OpenRequest { write: true, ..OpenRequest::default() }).err(),
            Some(FileError::IsDirectory)
        );
    });
}

#[test]
fn directories_move_with_what_is_in_them_but_not_into_themselves() {
    with_view(|view| {
        directory(view, "/a");
        let b = directory(view, "/a/b");
        directory(view, "/c");
        let rename = |old: &str, new: &str, mode| view.rename(old.as_bytes(), view, new.as_bytes(), mode);
        assert_eq!(rename("/a", "/a/b/x", RenameMode::Replace), Err(FileError::Invalid));
        assert_eq!(rename("/a/b", "/a", RenameMode::Replace), Err(FileError::NotEmpty));
        assert_eq!(rename("/a", "/a", RenameMode::Replace), Ok(()));
        rename("/a", "/c/a", RenameMode::Replace).unwrap();
        assert_eq!(view.mounts.path_of(&b, view.root).unwrap(), b"/c/a/b");
        assert_eq!(view.root.metadata().links, 3);
        file(view, "/f");
        assert_eq!(rename("/f", "/c", RenameMode::Replace), Err(FileError::IsDirectory));
        assert_eq!(rename("/c", "/f", RenameMode::Replace), Err(FileError::NotDirectory));
        assert_eq!(rename("/f", "/c", RenameMode::Keep), Err(FileError::Exists));
        rename("/f", "/c/a", RenameMode::Exchange).unwrap();
        assert_eq!(view.lookup(b"/c/a", Follow::No).unwrap().kind(), Kind::Regular);
        assert_eq!(view.mounts.path_of(&b, view.root).unwrap(), b"/f/b");
        assert_eq!(rename("/f/.", "/x", RenameMode::Replace), Err(FileError::Busy));
    });
}

#[test]
fn what_is_open_outlives_its_names() {
    with_view(|view| {
        let node = file(view, "/f");
        write(&node, 0, b"still here").unwrap();
        view.link(&node, b"/g").unwrap();
        assert_eq!(node.metadata().links, 2);
        view.remove_file(b"/f").unwrap();
        view.remove_file(b"/g").unwrap();
        assert_eq!(node.metadata().links, 0);
        assert_eq!(read(&node, 0, 99), b"still here");
        assert_eq!(view.link(&node, b"/h"), Err(FileError::NotFound));
        let gone = directory(view, "/d");
        view.remove_directory(b"/d").unwrap();
        assert_eq!(view.mounts.path_of(&gone, view.root), None);
        let inside = View { start: &gone, ..*view };
        assert_eq!(inside.open(b"x", &CREATE).err(), Some(FileError::NotFound));
    });
}

#[test]
fn others_have_fewer_rights() {
    with_view(|root| {
        directory(root, "/closed").change(&Change { mode: Some(0o700), ..Change::default() }).unwrap();
        file(root, "/closed/f");
        directory(root, "/sticky").change(&Change { mode: Some(0o1777), ..Change::default() }).unwrap();
        file(root, "/sticky/f");
        let who = Credentials::new(7, 7, Vec::new());
        let view = View { who: &who, ..*root };
        assert_eq!(view.lookup(b"/closed/f", Follow::Yes).err(), Some(FileError::Denied));
        assert_eq!(view.open(b"/new", &CREATE).err(), Some(FileError::Denied));
        assert_eq!(view.open(b"/sticky/f", &CREATE).err(), Some(FileError::Denied));
        assert_eq!(view.remove_file(b"/sticky/f"), Err(FileError::NotPermitted));
        let mine = file(&view, "/sticky/mine");
        assert_eq!(mine.metadata().owner, Owner { user: 7, group: 7 });
        assert_eq!(view.rename(b"/sticky/f", &view, b"/sticky/g", RenameMode::Replace), Err(FileError::NotPermitted));
        assert_eq!(view.remove_file(b"/sticky/mine"), Ok(()));
    });
}

#[test]
#[cfg_attr(miri, ignore = "ten thousand take minutes")]
fn ten_thousand_entries_are_listed_while_they_go() {
    with_view(|view| {
        for number in 0..10_000 {
            file(view, &std::format!("f{number}"));
        }
        let mut cursor = Cursor::default();
        let mut seen = 0;
        loop {
            let mut batch = Vec::new();
            view.root
                .list(&mut cursor, &mut |entry| {
                    let takes = batch.len() < 100;
                    if takes {
                        batch.push(entry.name.to_vec());
                    }
                    takes
                })
                .unwrap();
            if batch.is_empty() {
                break;
            }
            seen += batch.len();
            for name in batch {
                view.remove_file(&name).unwrap();
            }
        }
        assert_eq!((seen, names(view.root).len()), (10_000, 0));
    });
}
